#pragma once
// Model: the compiled arrays a simulation runs on. One block of memory, constant during a step.
//
// Every array is declared once, in model_fields.def, and every count in model_sizes.def; members,
// allocation, the Python views and the field reference page all come from those two lists. Names,
// shapes and meanings are MuJoCo's, so that users need no translation table.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/diagnostics.h"
#include "pliant/options.h"
#include "pliant/types.h"

namespace pliant {

/// Scalars of the field list.
namespace scalar {
using real = double;
using f32 = float;
using i32 = int32_t;
using i64 = int64_t;
using u8 = uint8_t;
using boolean = bool;
using chr = char;
}  // namespace scalar
/// The same with `Real` for real.
template <class Real>
struct Scalars {
  using real = Real;
  using f32 = float;
  using i32 = int32_t;
  using i64 = int64_t;
  using u8 = uint8_t;
  using boolean = bool;
  using chr = char;
};

/// `structure` is fixed at compile time; a `parameter` may be written between steps; `derived` fields
/// follow from the two and are refreshed by set_const.
enum class FieldClass : uint8_t { structure, parameter, derived };
enum class Scalar : uint8_t { real, f32, i32, i64, u8, boolean, chr };

struct ModelSizes {
#define SIZE(name, meaning) int name = 0;
#include "pliant/model_sizes.def"
#undef SIZE
};

/// Memory mapped from a file.
struct FileMapping {
  void* start = nullptr;
  size_t bytes = 0;
};

struct PreparedContacts;

class Model : public ModelSizes {
 public:
  Model() = default;
  /// Allocates the block and zeroes every array.
  explicit Model(const ModelSizes& sizes);
  /// Allocates the block only; for whoever writes every array.
  struct Unfilled {};
  Model(const ModelSizes& sizes, Unfilled);
  /// Uses the block that lies at `block` in a private mapping, which it takes over. A copy of such a
  /// Model has memory of its own.
  Model(const ModelSizes& sizes, FileMapping mapping, std::byte* block);
  Model(const Model& other);
  Model& operator=(const Model& other);
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

#define FIELD(type, name, count, width, cls, unit, meaning) scalar::type* name = nullptr;
#include "pliant/model_fields.def"
#undef FIELD

  Options opt;
  Visual vis;
  Statistic stat;
  int64_t arena_bytes = -1;  ///< <size memory="…"/>; -1 = automatic

  /// Fields whose values wait for a later stage of the compiler, by name ("body_invweight0",
  /// "stat.meaninertia"): they hold NaN until then.
  std::vector<std::string> pending;

  /// What the stage collision need not find out in every step (model/contact_candidates.h). Nothing is computed
  /// differently without it. Vertices of small hulls are in it: who writes mesh_vert calls set_const.
  std::shared_ptr<const PreparedContacts> prepared_contacts;

  /// Size of the block.
  size_t bytes() const { return bytes_; }
  /// Size of a block with these sizes, none of them negative; more than any memory if it cannot be told.
  static size_t block_bytes(const ModelSizes& sizes);
  /// Arrays start at multiples of this within the block, gaps between them are zero.
  static constexpr size_t kAlignment = 16;

  /// Name of an object; "" when it has none or does not exist.
  std::string_view name(ObjType type, int id) const;
  /// Id of a named object; -1 when there is none.
  int id(ObjType type, std::string_view name) const;
  /// How many objects of this kind there are.
  int count(ObjType type) const;
  /// Name of the model itself.
  std::string_view model_name() const;

  /// Shape and storage of a field, by its place in model_fields().
  int field_count(int field) const;
  int field_width(int field) const;
  void* field_data(int field) const;
  int size_value(int size) const;

  /// Where an object was written, as "file:line:column"; "" when unknown.
  std::string origin(ObjType type, int id) const;
  std::map<ObjType, std::vector<Origin>> origins;
  std::vector<std::string> files;

 private:
  void allocate();
  void place_arrays();

  struct FreeBlock {
    FileMapping mapping;  // empty for memory of the heap
    void operator()(std::byte* block) const;
  };
  std::unique_ptr<std::byte[], FreeBlock> block_;
  size_t bytes_ = 0;
};

/// Whether friction is anchored anywhere: everywhere (opt.friction), or where geoms or pairs say so.
bool has_anchors(const Model& model);
/// Whether State remembers rows from step to step: what the solver starts with, or where friction sticks.
bool has_row_memory(const Model& model);

/// One line of model_fields.def, for code that treats fields alike.
struct FieldInfo {
  const char* name;
  Scalar scalar;
  const char* count_name;
  const char* width_name;
  FieldClass cls;
  const char* unit;
  const char* meaning;
};
std::span<const FieldInfo> model_fields();
size_t scalar_bytes(Scalar scalar);

/// One line of model_sizes.def.
struct SizeInfo {
  const char* name;
  const char* meaning;
};
std::span<const SizeInfo> model_sizes();

}  // namespace pliant
