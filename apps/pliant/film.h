#pragma once
// Where pictures go: one or many PNG files, a film or an animation through ffmpeg, or numbers for NumPy.

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace pliant::app {

struct PictureShape {
  int width, height;
  double fps;
};

/// Takes pictures one after the other. What is not finished leaves nothing behind (of numbered files: the last one).
class PictureFile {
 public:
  virtual ~PictureFile() = default;
  /// Three bytes per pixel; for *.npy the numbers of the picture as they are.
  virtual void add(std::span<const std::byte> picture) = 0;
  virtual void finish() = 0;
};

/// What a name asks for.
enum class PictureKind { kPng, kNumberedPng, kFilm, kNumbers };
/// Throws std::invalid_argument for names that end in something else.
PictureKind picture_kind(const std::string& path);

/// `numpy_type` and `numpy_shape` ("480, 640, 3") describe a picture of *.npy. Throws std::invalid_argument or
/// std::runtime_error, for instance where ffmpeg is not installed.
std::unique_ptr<PictureFile> open_pictures(const std::string& path, const PictureShape& shape,
                                           const std::string& numpy_type, const std::string& numpy_shape);

}  // namespace pliant::app
