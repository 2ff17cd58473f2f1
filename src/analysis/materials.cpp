// Materials: how a ball of some centimetres bounces off a hard floor, each number with where it was found. Restitution
// falls with speed and size and belongs to a pair of bodies, so a measured value of the real pair is better. Friction
// is a rounded number for a dry hard partner, not a measurement.

#include "pliant/design.h"

namespace pliant {
namespace {

constexpr const char* kFactbook =
    "The Physics Factbook, coefficients of restitution, balls on a hard floor (as listed by Algoryx, Phun wiki 2009)";
constexpr const char* kChosen = "chosen for Pliant: no measurement was at hand";

constexpr Material kMaterials[] = {
    {"rubber", 0.83, 0.9, kFactbook},  // ball of rubber bands
    {"tennis-ball", 0.71, 0.6, kFactbook}, {"billiard-ball", 0.80, 0.2, kFactbook},
    {"steel", 0.60, 0.6, kFactbook},                                           // ball bearing
    {"glass", 0.66, 0.5, kFactbook},                                           // marble
    {"wood", 0.60, 0.4, kFactbook},        {"plastic", 0.69, 0.3, kFactbook},  // hollow, hard
    {"foam", 0.20, 0.7, kChosen},          {"clay", 0.05, 0.8, kChosen},
};

}  // namespace

std::span<const Material> materials() { return kMaterials; }

}  // namespace pliant
