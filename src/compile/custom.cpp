// Custom data: numeric arrays, texts, tuples.
//
// Reads Spec::numerics, texts and tuples; writes numeric_*, text_* and tuple_*. Ids of tuple
// elements are looked up when the Model is written, because later passes may still remove geoms and
// change ids.

#include <algorithm>

#include "base/text.h"
#include "compile/compile.h"
#include "compile/counts.h"

namespace pliant {
namespace {

// The reference's limit on one numeric array.
constexpr int kMaxNumeric = 500;

int length_of(const NumericSpec& numeric) {
  return numeric.size == -1 ? static_cast<int>(numeric.data.size()) : numeric.size;
}

void check_numeric(Work& work, const NumericSpec& numeric) {
  const int length = length_of(numeric);
  if (length < 1 || length > kMaxNumeric) {
    work.error(Code::kBadCustom, numeric, numeric.size == -1 ? "data" : "size",
               "has " + std::to_string(length) + " values; a numeric array has 1 to " + std::to_string(kMaxNumeric));
  } else if (numeric.data.size() > static_cast<size_t>(length)) {
    work.error(Code::kBadCustom, numeric, "data",
               "has " + std::to_string(numeric.data.size()) + " values, but its size is " + std::to_string(length));
  }
}

void check_tuple(Work& work, const TupleSpec& tuple) {
  if (tuple.elements.empty()) {
    work.error(Code::kBadCustom, tuple, "", "has no elements");
    return;
  }
  for (const TupleElementSpec& element : tuple.elements) {
    const int source = element.source >= 0 ? element.source : tuple.source;
    const int kind = static_cast<int>(element.objtype);
    if (element.objtype == ObjType::kUnknown || kind >= kNumObjTypes) continue;  // the reader said so
    const int id = work.resolve(element.objtype, element.objname, source, "objname");
    if (id >= 0 && element.objtype == ObjType::kGeom) work.geoms[id].visual = false;
  }
}

}  // namespace

void compile_custom(Work& work) {
  for (const NumericSpec& numeric : work.spec.numerics) check_numeric(work, numeric);
  for (const TextSpec& text : work.spec.texts) {
    if (text.data.empty()) work.error(Code::kBadCustom, text, "data", "has no text");
  }
  for (const TupleSpec& tuple : work.spec.tuples) check_tuple(work, tuple);
}

void count_custom(Work& work) {
  const Spec& spec = work.spec;
  size_t numbers = 0, characters = 0, elements = 0;
  for (const NumericSpec& numeric : spec.numerics) numbers += std::max(0, length_of(numeric));
  for (const TextSpec& text : spec.texts) characters += text.data.size() + 1;
  for (const TupleSpec& tuple : spec.tuples) elements += tuple.elements.size();
  work.sizes.nnumeric = static_cast<int>(spec.numerics.size());
  work.sizes.nnumericdata = static_cast<int>(numbers);
  work.sizes.ntext = static_cast<int>(spec.texts.size());
  work.sizes.ntextdata = static_cast<int>(characters);
  work.sizes.ntuple = static_cast<int>(spec.tuples.size());
  work.sizes.ntupledata = static_cast<int>(elements);
}

void write_custom(const Work& work, Model& model) {
  const Spec& spec = work.spec;
  // the Model starts zeroed: what a numeric array does not give stays 0, and texts end with a zero
  int at = 0;
  for (size_t i = 0; i < spec.numerics.size(); ++i) {
    model.numeric_adr[i] = at;
    model.numeric_size[i] = length_of(spec.numerics[i]);
    std::copy(spec.numerics[i].data.begin(), spec.numerics[i].data.end(), model.numeric_data + at);
    at += model.numeric_size[i];
  }
  at = 0;
  for (size_t i = 0; i < spec.texts.size(); ++i) {
    model.text_adr[i] = at;
    model.text_size[i] = static_cast<int>(spec.texts[i].data.size()) + 1;
    std::copy(spec.texts[i].data.begin(), spec.texts[i].data.end(), model.text_data + at);
    at += model.text_size[i];
  }
  at = 0;
  for (size_t i = 0; i < spec.tuples.size(); ++i) {
    model.tuple_adr[i] = at;
    model.tuple_size[i] = static_cast<int>(spec.tuples[i].elements.size());
    for (const TupleElementSpec& element : spec.tuples[i].elements) {
      model.tuple_objtype[at] = static_cast<int>(element.objtype);
      model.tuple_objid[at] = work.find(element.objtype, element.objname);
      model.tuple_objprm[at] = element.prm;
      ++at;
    }
  }
}

}  // namespace pliant
