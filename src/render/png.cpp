// PNG files through libpng.

#include <csetjmp>
#include <stdexcept>
#include <string>
#include <vector>

#include <png.h>

#include "base/output_file.h"
#include "pliant/render.h"

namespace pliant {
namespace {

struct Output {
  std::string bytes;
  std::string message;
};

void append(png_structp png, png_bytep from, png_size_t n) {
  static_cast<Output*>(png_get_io_ptr(png))->bytes.append(reinterpret_cast<const char*>(from), n);
}
void flush(png_structp) {}
void on_error(png_structp png, png_const_charp message) {
  static_cast<Output*>(png_get_error_ptr(png))->message = message;
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

/// No C++ objects live here, because libpng leaves by longjmp.
bool encode(png_structp png, png_infop info, int width, int height, int color, png_bytep* rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8, color,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_rows(png, info, rows);
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  return true;
}

}  // namespace

void write_png(const std::filesystem::path& path, int width, int height, int channels, const unsigned char* pixels) {
  if (channels != 1 && channels != 3 && channels != 4)
    throw std::invalid_argument("a PNG image has 1, 3 or 4 channels, not " + std::to_string(channels));
  OutputFile file(path);
  Output output;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &output, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info) {
    png_destroy_write_struct(&png, nullptr);
    throw std::runtime_error("cannot write " + path.string() + ": not enough memory");
  }
  png_set_write_fn(png, &output, append, flush);
  std::vector<png_bytep> rows(static_cast<size_t>(height));
  const size_t row_bytes = static_cast<size_t>(width) * static_cast<size_t>(channels);
  for (size_t y = 0; y < rows.size(); ++y) rows[y] = const_cast<png_bytep>(pixels + y * row_bytes);
  const int color = channels == 1 ? PNG_COLOR_TYPE_GRAY : channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA;
  const bool ok = encode(png, info, width, height, color, rows.data());
  png_destroy_write_struct(&png, &info);
  if (!ok) throw std::runtime_error("cannot write " + path.string() + ": " + output.message);
  file.write(output.bytes);
  file.commit();
}

}  // namespace pliant
