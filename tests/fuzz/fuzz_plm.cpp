// Binary models: the input is the payload, sealed with a checksum that fits, as somebody would who
// wants to get nonsense past the reader. The input is also read as a whole file.

#include "model/plm_format.h"
#include "pliant/model_io.h"
#include "sound.h"
#include "targets.h"

namespace pliant::fuzz {
namespace {

void read(std::string_view file) {
  try {
    require_sound(read_plm(file));
  } catch (const LoadError&) {
  }
}

}  // namespace

void plm(std::string_view bytes) {
  read(bytes);
  read(seal_plm(bytes));
}

}  // namespace pliant::fuzz
