#pragma once
// A document and what it says, for who needs both.

#include <string>
#include <string_view>

#include "load/source.h"
#include "pliant/load_spec.h"

namespace pliant {

/// Reads a file (or `text` under that name) into `document` and makes a Spec of it.
Loaded load_document(const std::string& path, std::string_view text, const LoadOptions& options, Document& document);

}  // namespace pliant
