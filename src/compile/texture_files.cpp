// Pixels of textures that come from files: one 2d image, one image for all faces of a cube, a grid of
// faces, or six images. A missing or broken file costs the picture, not the model: it is a warning.

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "compile/asset_files.h"
#include "compile/image_png.h"

namespace pliant {
namespace {

constexpr int kFaces = 6;
constexpr const char* kSides[kFaces] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};

void flip(Image& image, bool horizontal, bool vertical) {
  const size_t pixel = image.channels, row = pixel * image.width;
  if (horizontal) {
    for (int r = 0; r < image.height; ++r) {
      uint8_t* line = image.data.data() + row * r;
      for (int a = 0, b = image.width - 1; a < b; ++a, --b) {
        std::swap_ranges(line + pixel * a, line + pixel * (a + 1), line + pixel * b);
      }
    }
  }
  if (vertical) {
    for (int a = 0, b = image.height - 1; a < b; ++a, --b) {
      std::swap_ranges(image.data.begin() + row * a, image.data.begin() + row * (a + 1), image.data.begin() + row * b);
    }
  }
}

bool load_image(Work& work, const TextureSpec& texture, const std::string& file, const char* attribute,
                const char* consequence, Image& image) {
  const CompilerSpec& compiler = work.compiler(texture);
  const std::string path = asset_path(compiler, compiler.texturedir, file);
  std::string bytes, problem;
  if (read_asset(work, path, bytes, problem)) {
    if (decode_png(bytes, texture.nchannel, image, problem)) {
      flip(image, texture.hflip, texture.vflip);
      return true;
    }
    problem = quote(path, 200) + " cannot be used: " + problem;
  }
  work.warning(Code::kVisualFileMissing, texture, attribute, problem + consequence);
  return false;
}

void set_colorspace(const Image& image, TextureWork& out) {
  if (out.colorspace == ColorSpace::kAuto) {
    out.colorspace = image.srgb ? ColorSpace::kSrgb : ColorSpace::kLinear;
  }
}

/// Faces that no image gives take the first colour.
void fill_face(TextureWork& out, int face, const Reals<3>& rgb) {
  const size_t bytes = size_t{3} * out.width * out.width;
  for (size_t i = 0; i < bytes; ++i) {
    out.data[face * bytes + i] = static_cast<uint8_t>(static_cast<int>(255 * rgb[i % 3]));
  }
}

void load_grid(Work& work, const TextureSpec& texture, const Image& image, TextureWork& out) {
  const auto [rows, columns] = texture.gridsize;
  if (image.width / columns != image.height / rows || image.width % columns || image.height % rows) {
    work.warning(Code::kVisualFileMissing, texture, "file",
                 "its image does not divide into " + std::to_string(rows) + "×" + std::to_string(columns) +
                     " squares; the texture has no pixels");
    return;
  }
  out.width = image.width / columns;
  out.height = kFaces * out.width;
  out.data.assign(size_t{3} * out.width * out.height, 0);
  constexpr std::string_view kLetters = "RLUDFB";
  bool given[kFaces] = {};
  for (int k = 0; k < rows * columns; ++k) {
    const size_t face = kLetters.find(texture.gridlayout[k]);
    if (face == std::string_view::npos) continue;
    const int row0 = out.width * (k / columns), column0 = out.width * (k % columns);
    for (int r = 0; r < out.width; ++r) {
      std::memcpy(out.data.data() + 3 * out.width * (face * out.width + r),
                  image.data.data() + 3 * (size_t(row0 + r) * image.width + column0), 3 * out.width);
    }
    given[face] = true;
  }
  for (int f = 0; f < kFaces; ++f) {
    if (!given[f]) fill_face(out, f, texture.rgb1);
  }
}

void load_faces(Work& work, const TextureSpec& texture, TextureWork& out) {
  bool given[kFaces] = {};
  for (int f = 0; f < kFaces; ++f) {
    if (texture.cubefiles[f].empty()) continue;
    Image image;
    if (!load_image(work, texture, texture.cubefiles[f], kSides[f], "; this face has no image", image)) continue;
    set_colorspace(image, out);
    if (image.width != image.height || (out.width != 0 && image.width != out.width)) {
      work.warning(Code::kVisualFileMissing, texture, kSides[f],
                   "its face images must be squares of one size; this face has no image");
      continue;
    }
    if (out.width == 0) {
      out.width = image.width;
      out.height = kFaces * out.width;
      out.data.assign(size_t{3} * out.width * out.height, 0);
    }
    std::copy(image.data.begin(), image.data.end(), out.data.begin() + f * image.data.size());
    given[f] = true;
  }
  for (int f = 0; f < kFaces && out.width > 0; ++f) {
    if (!given[f]) fill_face(out, f, texture.rgb1);
  }
}

}  // namespace

namespace {

/// Why the pixels of a texture must be in the Model; null when they need not.
const char* why_not_by_reference(const Work& work, const TextureSpec& texture) {
  if (texture.builtin != TextureBuiltin::kNone) return "it is made by 'builtin'";
  if (texture.file.empty()) return "it is made of several files";
  if (texture.hflip || texture.vflip) return "it is flipped";
  if (texture.type != TextureType::k2d && texture.gridsize != Ints<2>{1, 1}) return "it is cut out of a grid";
  const CompilerSpec& compiler = work.compiler(texture);
  if (find_in_memory(work.spec, asset_path(compiler, compiler.texturedir, texture.file))) return "its file is in memory";
  return nullptr;
}

}  // namespace

bool stays_in_file(Work& work, const TextureSpec& texture) {
  if (texture.embed == Embed::kTrue) return false;
  const bool asked = texture.embed == Embed::kFalse;
  if (!asked && work.spec.compilers[0].passthrough != Passthrough::kTextures) return false;
  const char* reason = why_not_by_reference(work, texture);
  if (reason && asked) {
    work.error(Code::kBadAsset, texture, "embed", std::string("cannot stay in its file: ") + reason,
               "embed=\"auto\" puts its pixels into the model");
  }
  return reason == nullptr;
}

void load_texture_files(Work& work, const TextureSpec& texture, TextureWork& out) {
  const bool flat = texture.type == TextureType::k2d;
  if (!flat && texture.nchannel != 3) {
    work.warning(Code::kVisualFileMissing, texture, "nchannel",
                 "a cube texture has 3 channels; the texture has no pixels");
    return;
  }
  if (texture.file.empty()) return load_faces(work, texture, out);
  Image image;
  if (!load_image(work, texture, texture.file, "file", "; what uses the texture is drawn without it", image)) {
    return;
  }
  set_colorspace(image, out);
  if (flat) {
    out.width = image.width;
    out.height = image.height;
    out.data = std::move(image.data);
  } else if (texture.gridsize[0] == 1 && texture.gridsize[1] == 1) {
    if (image.width != image.height) {
      work.warning(Code::kVisualFileMissing, texture, "file",
                   "the image of a cube must be a square; the texture has no pixels");
      return;
    }
    out.width = out.height = image.width;
    out.data = std::move(image.data);
  } else {
    load_grid(work, texture, image, out);
  }
}

}  // namespace pliant
