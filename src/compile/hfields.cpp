// Height fields: heights from the element, a PNG image or a binary file, normalised to [0, 1].
//
// Reads HfieldSpec; writes Work::hfields, GeomWork::data of geoms that use one, then hfield_*. The
// first row of the data lies at -y; images and `elevation` are written top row first and are turned
// over. The binary format is: rows, columns (32-bit integers), then rows*columns floats, first row
// at -y.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/text.h"
#include "compile/asset_files.h"
#include "compile/compile.h"
#include "compile/counts.h"
#include "compile/image_png.h"

namespace pliant {
namespace {

bool is_png(const HfieldSpec& spec) {
  if (!spec.content_type.empty()) return spec.content_type == "image/png";
  const size_t dot = spec.file.find_last_of('.');
  if (dot == std::string::npos) return false;
  std::string end = spec.file.substr(dot);
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".png";
}

void flip_rows(HfieldWork& hfield) {
  for (int a = 0, b = hfield.rows - 1; a < b; ++a, --b) {
    std::swap_ranges(hfield.data.begin() + size_t(a) * hfield.columns,
                     hfield.data.begin() + size_t(a + 1) * hfield.columns,
                     hfield.data.begin() + size_t(b) * hfield.columns);
  }
}

bool read_image(const std::string& bytes, HfieldWork& hfield, std::string& problem) {
  Image image;
  if (!decode_png(bytes, 1, image, problem)) return false;
  hfield.rows = image.height;
  hfield.columns = image.width;
  hfield.data.assign(image.data.begin(), image.data.end());
  flip_rows(hfield);
  return true;
}

bool read_binary(const std::string& bytes, HfieldWork& hfield, std::string& problem) {
  int32_t size[2];
  if (bytes.size() < sizeof size) {
    problem = "it is too short for the header of a height field";
    return false;
  }
  std::memcpy(size, bytes.data(), sizeof size);
  // counts are compared with the file's size before anything is allocated
  const uint64_t values = (bytes.size() - sizeof size) / sizeof(float);
  if (size[0] < 1 || size[1] < 1 || uint64_t(size[0]) * uint64_t(size[1]) != values ||
      bytes.size() != sizeof size + values * sizeof(float)) {
    problem = "its size does not fit the " + std::to_string(size[0]) + " by " + std::to_string(size[1]) +
              " heights it announces";
    return false;
  }
  hfield.rows = size[0];
  hfield.columns = size[1];
  hfield.data.resize(values);
  std::memcpy(hfield.data.data(), bytes.data() + sizeof size, values * sizeof(float));
  return true;
}

// A few characters can ask for any number of cells; with heights they are at least written out.
constexpr int64_t kMaxFlatCells = int64_t{1} << 25;

bool load_heights(Work& work, const HfieldSpec& spec, int64_t& cells_left, HfieldWork& hfield) {
  const int64_t cells = int64_t{spec.nrow} * spec.ncol;
  if (spec.file.empty()) {
    hfield.rows = spec.nrow;
    hfield.columns = spec.ncol;
    if (!spec.elevation.empty() && static_cast<int64_t>(spec.elevation.size()) != cells) {
      work.error(
          Code::kBadAsset, spec, "elevation",
          "has " + std::to_string(spec.elevation.size()) + " heights; nrow and ncol ask for " + std::to_string(cells));
      return false;
    }
    hfield.data = spec.elevation;
    // without heights the field is flat, to be filled by the program
    if (spec.elevation.empty()) {
      if (spec.nrow < 1 || spec.ncol < 1) return true;  // reported below
      if (cells > cells_left) {
        cells_left = 0;
        work.error(Code::kBadAsset, spec, "nrow",
                   "height fields without heights may have " + std::to_string(kMaxFlatCells) + " cells together");
        return false;
      }
      cells_left -= cells;
      hfield.data.assign(cells, 0.0f);
    }
    flip_rows(hfield);
    return true;
  }
  if (spec.nrow != 0 || spec.ncol != 0 || !spec.elevation.empty()) {
    work.warning(Code::kIgnoredAttribute, spec, "file",
                 "takes its heights from the file; nrow, ncol and elevation are ignored");
  }
  const CompilerSpec& compiler = work.compiler(spec);
  const std::string path = asset_path(compiler, compiler.meshdir, spec.file);
  std::string bytes, problem;
  if (!read_asset(work, path, bytes, problem)) {
    work.error(Code::kBadAsset, spec, "file", problem);
    return false;
  }
  if (is_png(spec) ? read_image(bytes, hfield, problem) : read_binary(bytes, hfield, problem)) return true;
  work.error(Code::kBadAsset, spec, "file", quote(path, 200) + " cannot be used: " + problem);
  return false;
}

/// To [0, 1]; a flat field becomes 0.
void normalize(std::vector<float>& data) {
  const auto [low, high] = std::minmax_element(data.begin(), data.end());
  const float bottom = *low, range = *high - *low;
  for (float& height : data) height = range > kCompileEps ? (height - bottom) / range : 0.0f;
}

void compile_hfield(Work& work, const HfieldSpec& spec, int64_t& cells_left, HfieldWork& hfield) {
  for (int i = 0; i < 4; ++i) {
    if (spec.size[i] > 0) continue;
    work.error(Code::kBadAsset, spec, "size",
               "needs 4 sizes greater than 0 (half x, half y, height, base); size " + std::to_string(i + 1) + " is " +
                   number_text(spec.size[i]));
    break;
  }
  if (!load_heights(work, spec, cells_left, hfield)) return;
  const bool finite = std::all_of(hfield.data.begin(), hfield.data.end(), [](float x) { return std::isfinite(x); });
  if (!finite || hfield.rows < 2 || hfield.columns < 2) {
    const bool columns = hfield.rows >= 2;
    const char* attribute = !spec.file.empty() ? "file" : !finite ? "elevation" : columns ? "ncol" : "nrow";
    work.error(Code::kBadAsset, spec, attribute,
               finite ? "needs at least 2 rows and 2 columns of heights, not " + std::to_string(hfield.rows) + " and " +
                            std::to_string(hfield.columns)
                      : "has heights that are not finite");
    hfield = {};
    return;
  }
  normalize(hfield.data);
}

}  // namespace

void compile_hfields(Work& work) {
  const Spec& spec = work.spec;
  work.hfields.resize(spec.hfields.size());
  int64_t cells_left = kMaxFlatCells;
  for (size_t i = 0; i < spec.hfields.size(); ++i) compile_hfield(work, spec.hfields[i], cells_left, work.hfields[i]);
  if (work.geoms.size() < spec.geoms.size()) work.geoms.resize(spec.geoms.size());
  for (size_t g = 0; g < spec.geoms.size(); ++g) {
    const GeomSpec& geom = spec.geoms[g];
    if (geom.type == GeomType::kHfield && geom.hfield.empty()) {
      work.error(Code::kBadGeom, geom, "type", "is a height field but names none", "add hfield=\"…\"");
    } else if (!geom.hfield.empty()) {
      const int id = work.resolve(ObjType::kHfield, geom.hfield, geom.source, "hfield");
      if (geom.type == GeomType::kHfield) {
        work.geoms[g].data = id;
      } else if (id >= 0) {
        work.error(Code::kBadGeom, geom, "hfield",
                   "names the height field " + quote(geom.hfield) + " and has another shape",
                   "give it type=\"hfield\", or take 'hfield' away, here or in its default class");
      }
    }
  }
}

void count_hfields(Work& work) {
  size_t values = 0;
  for (const HfieldWork& hfield : work.hfields) values += hfield.data.size();
  work.sizes.nhfield = static_cast<int>(work.hfields.size());
  work.sizes.nhfielddata = static_cast<int>(values);
}

void write_hfields(const Work& work, Model& model) {
  int at = 0;
  for (size_t i = 0; i < work.hfields.size(); ++i) {
    const HfieldWork& hfield = work.hfields[i];
    std::copy_n(work.spec.hfields[i].size.begin(), 4, model.hfield_size + 4 * i);
    model.hfield_nrow[i] = hfield.rows;
    model.hfield_ncol[i] = hfield.columns;
    model.hfield_adr[i] = at;
    std::copy(hfield.data.begin(), hfield.data.end(), model.hfield_data + at);
    at += static_cast<int>(hfield.data.size());
  }
}

}  // namespace pliant
