#pragma once
// What the actuator schema and the actuator readers share.

#include "load/mjcf_reader.h"

namespace pliant {

/// MuJoCo numbers charts (expmap 1, quat 2) and servo inputs (pos 1, vel 2, …) alike; in the
/// keyword lists of `input` a chart carries this mark, so that "pos quat" is told from "pos vel".
inline constexpr int kChartMark = 256;

/// What an actuator may act on, in the order of reading: the last one given wins.
struct TargetWord {
  const char* attribute;
  TransmissionType type;
};
inline constexpr TargetWord kTargets[] = {
    {"joint", TransmissionType::kJoint},   {"jointinparent", TransmissionType::kJointInParent},
    {"tendon", TransmissionType::kTendon}, {"cranksite", TransmissionType::kSliderCrank},
    {"site", TransmissionType::kSite},     {"body", TransmissionType::kBody}};

/// The `input` attribute as a control signature; `ctrlspec` stays as it is when there is none.
void read_input(MjcfReader& reader, const Element& element, const ElementSchema& schema, int& ctrlspec);

/// Motor data → R, K, activation states and limits (mjcf_actuator_dcmotor.cpp). What is not given comes from `from`, if
/// that is not null.
void lower_dcmotor(MjcfReader& reader, const Element& element, const ElementSchema& schema, const ActuatorSpec* from,
                   ActuatorSpec& actuator);

/// Reports a finding at the attribute, or at the element when the value came from a default.
void report_at(MjcfReader& reader, Code code, const Element& element, const char* attribute, std::string message,
               std::string hint = {});

}  // namespace pliant
