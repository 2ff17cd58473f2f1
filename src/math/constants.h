#pragma once
// Numbers with a meaning, each with its reason.

namespace pliant {

/// Below this a length, mass or norm counts as zero. The reference's value: it decides branches.
inline constexpr double kTiny = 1e-15;
/// Beyond this a coordinate, velocity or acceleration counts as blown up. The reference's value.
inline constexpr double kHuge = 1e10;
inline constexpr double kPi = 3.14159265358979323846;

}  // namespace pliant
