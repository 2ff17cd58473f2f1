#pragma once
// Source layer: an XML file (and everything it includes) as a tree of elements that know exactly where
// they stand. The only place that sees the XML library.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/diagnostics.h"
#include "pliant/load_spec.h"

namespace pliant {

struct Attribute {
  std::string_view name, value;
  Origin name_at, value_at;
};

struct Element {
  std::string_view tag;
  Origin at;
  std::vector<Attribute> attributes;
  std::vector<Element> children;  ///< elements only; <include> is already replaced by its content
  std::string_view cdata;         ///< content of the one CDATA section, if any
  int cdata_sections = 0;
  std::string_view text;  ///< first text between the tags; kept in URDF only, where it can mean something
  Origin text_at;

  /// The attribute of that name, or null.
  const Attribute* find(std::string_view name) const;
};

/// The text the views of an element tree point into.
struct Document {
  Element root;
  std::string directory;  ///< folder of the main file with trailing separator; "" for text in memory
  std::vector<std::unique_ptr<std::string>> buffers;
};

/// Unpacks the archive `path` into options.assets, and makes `path` that of the model in it. False, with errors, when there is
/// none.
bool open_archive(std::string& path, LoadOptions& options, Diagnostics& diagnostics);

/// Reads a file, or the text when `path` is empty, and resolves includes. False when there is no tree
/// to go on with; every problem is in `diagnostics`.
bool read_document(const std::string& path, std::string_view text, const LoadOptions& options, Diagnostics& diagnostics,
                   Document& document);

}  // namespace pliant
