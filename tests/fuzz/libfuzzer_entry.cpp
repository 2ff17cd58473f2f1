// The entry point libFuzzer calls; PLIANT_FUZZ_TARGET names the target this program is made for.

#include <cstddef>
#include <cstdint>

#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pliant::fuzz::PLIANT_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
