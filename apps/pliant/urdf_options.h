#pragma once
// Options that every command takes for URDF models.

#include "arguments.h"
#include "pliant/load.h"

namespace pliant::app {

/// To be described last: they stand under a title of their own.
void add_urdf_options(Arguments& arguments, UrdfOptions& options);

}  // namespace pliant::app
