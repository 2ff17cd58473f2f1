// Materials: typical numbers, each with where it can be looked up. They describe a ball of a few centimetres that falls on a hard
// floor at about 1 m/s; restitution falls with speed and size, so measured values of a real pair are better.

#include "pliant/design.h"

namespace pliant {
namespace {

constexpr const char* kHandbook = "Engineering ToolBox, tables of friction coefficients and of Young's modulus";
constexpr const char* kCross = "R. Cross, The bounce of a ball, Am. J. Phys. 67 (1999) 222";
constexpr const char* kGoldsmith = "W. Goldsmith, Impact (1960), tables of coefficients of restitution";

constexpr Material kMaterials[] = {
    {"superball", 0.90, 0.9, 5e6, kCross},
    {"rubber", 0.75, 0.9, 5e6, kCross},
    {"steel", 0.90, 0.6, 200e9, kGoldsmith},
    {"glass", 0.94, 0.5, 70e9, kGoldsmith},
    {"aluminium", 0.60, 0.6, 69e9, kGoldsmith},
    {"wood", 0.50, 0.4, 10e9, kGoldsmith},
    {"cork", 0.55, 0.5, 20e6, kGoldsmith},
    {"plastic", 0.70, 0.3, 2e9, kHandbook},
    {"leather", 0.40, 0.5, 100e6, kHandbook},
    {"foam", 0.20, 0.7, 0.1e6, kHandbook},
    {"clay", 0.05, 0.8, 1e6, kGoldsmith},
};

}  // namespace

std::span<const Material> materials() { return kMaterials; }

}  // namespace pliant
