#pragma once
// Options that every command takes for URDF models.

#include "pliant/load.h"

namespace CLI {
class App;
}

namespace pliant::app {

void add_urdf_options(CLI::App& command, UrdfOptions& options);

}  // namespace pliant::app
