#pragma once
// Recordings as text: a line per row, names of numbers in the first line.

#include <string>
#include <vector>

#include "pliant/recording.h"

namespace pliant {

/// The first line.
std::string csv_header(const std::vector<std::string>& columns);
/// Adds numbers to a line.
void add_csv_numbers(std::string& line, Scalar scalar, const void* data, size_t count);
/// The whole file. Throws std::runtime_error with the line and what is wrong with it.
Recording read_csv(const std::string& bytes);

}  // namespace pliant
