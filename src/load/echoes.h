#pragma once
// Which findings only repeat another one: a mesh that cannot be read makes a geom without size and a body without mass,
// and only the first of the three is news.

#include <string>
#include <vector>

#include "load/source.h"

namespace pliant {

/// Findings in the order of their places, without those that follow from another one: what the compiler says about a
/// value that could not be read, and consequences of an error elsewhere in the document.
std::vector<Diagnostic> without_echoes(const std::vector<Diagnostic>& all, size_t found_by_load,
                                       const Document& document, const std::vector<std::string>& files);

}  // namespace pliant
