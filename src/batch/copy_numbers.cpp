// Numbers of all worlds from one array into another, of any precision and order.

#include <stdexcept>

#include "batch/workers.h"

namespace pliant {
namespace {

/// f(a null pointer to the type of this scalar).
template <class F>
void with_type(Scalar scalar, F&& f) {
  switch (scalar) {
    case Scalar::real:
      return f(static_cast<double*>(nullptr));
    case Scalar::f32:
      return f(static_cast<float*>(nullptr));
    case Scalar::i32:
      return f(static_cast<int32_t*>(nullptr));
    case Scalar::i64:
      return f(static_cast<int64_t*>(nullptr));
    case Scalar::u8:
      return f(static_cast<uint8_t*>(nullptr));
    case Scalar::boolean:
      return f(static_cast<bool*>(nullptr));
    case Scalar::chr:
      break;
  }
  throw std::invalid_argument("pliant::Batch: an array of text holds no numbers");
}

}  // namespace

void copy_numbers(const BatchField& to, const BatchField& from) {
  const auto copy = [&](auto* out, const auto* in) {
    using To = std::remove_pointer_t<decltype(out)>;
    for (int64_t world = 0; world < to.nworld; ++world) {
      const int64_t row = from.nworld == 1 ? 0 : world * from.world_stride;
      for (int64_t i = 0; i < to.count; ++i) {
        out[world * to.world_stride + i * to.element_stride] = static_cast<To>(in[row + i * from.element_stride]);
      }
    }
  };
  with_type(to.scalar, [&](auto* target) {
    with_type(from.scalar, [&](auto* source) {
      copy(static_cast<decltype(target)>(to.data), static_cast<decltype(source)>(from.data));
    });
  });
}

}  // namespace pliant
