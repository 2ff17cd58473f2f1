// PNG images through libpng. Everything is expanded to RGBA with 8 bits, then the wanted channels are
// picked: no gamma, no blending, so that bytes are those of the file.

#include "compile/image_png.h"

#include <csetjmp>
#include <cstring>

#include <png.h>

namespace pliant {
namespace {

constexpr int64_t kMaxPixels = int64_t{1} << 29;
// An image of one colour shrinks to about a thousandth. Where a small file announces more than a usual
// image, it must at least have that many bytes, or a hundred of them could ask for gigabytes.
constexpr int64_t kUsualPixels = int64_t{1} << 24, kPixelsPerByte = 1024;

struct Input {
  const std::string* bytes;
  size_t at = 0;
  char message[200] = {};
};

void read_bytes(png_structp png, png_bytep to, png_size_t n) {
  auto* input = static_cast<Input*>(png_get_io_ptr(png));
  if (n > input->bytes->size() - input->at) png_error(png, "the file ends too early");
  std::memcpy(to, input->bytes->data() + input->at, n);
  input->at += n;
}

void on_error(png_structp png, png_const_charp message) {
  auto* input = static_cast<Input*>(png_get_error_ptr(png));
  std::strncpy(input->message, message, sizeof input->message - 1);
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

/// Header and transformations; false when the image is not what we can take. No C++ objects live here,
/// because libpng leaves by longjmp.
bool read_header(png_structp png, png_infop info, Input* input, Image* image) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, input, read_bytes);
  png_read_info(png, info);
  const int64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  const int64_t pixels = width * height, bytes = static_cast<int64_t>(input->bytes->size());
  if (pixels > kMaxPixels) png_error(png, "the image is too large");
  if (pixels > kUsualPixels && pixels / kPixelsPerByte > bytes) {
    png_error(png, "the file is too short for the size it announces");
  }
  image->width = static_cast<int>(width);
  image->height = static_cast<int>(height);
  image->srgb = png_get_valid(png, info, PNG_INFO_sRGB) != 0;
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != static_cast<size_t>(4 * width)) png_error(png, "unexpected row size");
  return true;
}

bool read_rows(png_structp png, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_image(png, rows);
  png_read_end(png, nullptr);
  return true;
}

/// Whether every chunk up to the last one lies within the file. libpng would clear as much memory as a
/// chunk announces before it notices.
bool chunks_fit(const std::string& bytes) {
  constexpr size_t kSignature = 8, kAround = 12;  // length, name and checksum
  for (size_t at = kSignature; bytes.size() - at >= kAround;) {
    const auto* p = reinterpret_cast<const unsigned char*>(bytes.data()) + at;
    const size_t length = size_t{p[0]} << 24 | size_t{p[1]} << 16 | size_t{p[2]} << 8 | p[3];
    if (length > bytes.size() - at - kAround) return false;
    if (std::memcmp(p + 4, "IEND", 4) == 0) return true;
    at += length + kAround;
  }
  return false;
}

}  // namespace

bool decode_png(const std::string& bytes, int channels, Image& image, std::string& problem) {
  constexpr size_t kSignature = 8;
  if (bytes.size() < kSignature || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, kSignature) != 0) {
    problem = "it is not a PNG file";
    return false;
  }
  if (!chunks_fit(bytes)) {
    problem = "the file ends too early";
    return false;
  }
  Input input{&bytes};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info) {
    png_destroy_read_struct(&png, nullptr, nullptr);
    problem = "no memory";
    return false;
  }
  bool fine = read_header(png, info, &input, &image);
  std::vector<uint8_t> rgba;
  if (fine) {
    rgba.resize(size_t{4} * image.width * image.height);
    std::vector<png_bytep> rows(image.height);
    for (int r = 0; r < image.height; ++r) rows[r] = rgba.data() + size_t{4} * image.width * r;
    fine = read_rows(png, rows.data());
  }
  png_destroy_read_struct(&png, &info, nullptr);
  if (!fine) {
    problem = input.message;
    return false;
  }
  image.channels = channels;
  image.data.resize(size_t(channels) * image.width * image.height);
  for (size_t p = 0, n = size_t(image.width) * image.height; p < n; ++p) {
    std::memcpy(image.data.data() + channels * p, rgba.data() + 4 * p, channels);
  }
  return true;
}

}  // namespace pliant
