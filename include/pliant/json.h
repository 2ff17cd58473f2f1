#pragma once

#include <string>
#include <string_view>

namespace pliant {

/// A text as a JSON string, with its quotes. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

}  // namespace pliant
