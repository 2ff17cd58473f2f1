// <attach> without `model`: a copy of a part of the model itself, as far as it has been read when
// the element comes. Names get the prefix. Elements outside the tree that refer to the part are
// copied with it; assets and custom data are shared. Keyframes are those of the whole model, with the
// copies in it.

#include <algorithm>

#include "base/text.h"
#include "load/mjcf_attach.h"
#include "load/mjcf_reader.h"
#include "spec/tree.h"

namespace pliant {
namespace {

template <class T>
int find_named(const std::vector<T>& list, const std::string& name) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

/// Keyframes that came with an attached model are about the original.
template <class T>
void clear_tags(std::vector<T>& list, size_t first = 0) {
  for (size_t i = first; i < list.size(); ++i) list[i].tag = 0;
}

}  // namespace

void MjcfReader::self_attach(const Element& element, const Place& place, const std::string& body,
                             const std::string& frame, const std::string& prefix) {
  const char* attribute = element.find("body") ? "body" : "frame";
  if (!element.find(attribute)) {
    error(Code::kMissingAttribute, element, "<attach> needs 'model', or the 'body' or 'frame' of this model to copy");
    return;
  }
  if (prefix.empty()) {
    // one that is missing altogether was reported by the reader
    if (const Attribute* given = element.find("prefix")) {
      error_at(Code::kEmptyName, *given, element,
               "<attach> of a part of the model itself needs a prefix, to tell copy and original apart");
    }
    return;
  }
  // inside <replicate>, its content comes first
  const bool by_body = element.find("body");
  const std::string& name = by_body ? body : frame;
  const Spec* source = tree_;
  int index = by_body ? find_named(source->bodies, name) : find_named(source->frames, name);
  if (index < 0 && tree_ != &spec) {
    source = &spec;
    index = by_body ? find_named(source->bodies, name) : find_named(source->frames, name);
  }
  if (index < 0 || (by_body && index == 0)) {
    std::vector<std::string_view> known;
    for (const BodySpec& b : spec.bodies)
      if (by_body && &b != &spec.bodies[0]) known.push_back(b.name);
    for (const FrameSpec& f : spec.frames)
      if (!by_body) known.push_back(f.name);
    const bool world = index == 0;
    error_at(Code::kUnknownReference, *element.find(attribute), element,
             world ? "the world cannot be attached to itself"
                   : "there is no " + std::string(attribute) + " " + quote(name) +
                         " above this <attach>; only what has been read so far can be copied",
             world ? "" : did_you_mean(name, known));
    return;
  }
  Spec fragment = extract_tree(*source, by_body ? index : 0, by_body ? -1 : index);
  if (!may_copy(1 + tree_size(fragment) + list_size(spec), element)) return;
  clear_tags(fragment.joints);
  clear_tags(fragment.bodies);

  FrameSpec holder;
  holder.source = source_of(element);
  holder.body = place.body;
  holder.parent = place.frame;
  const int holder_index = static_cast<int>(tree_->frames.size());
  tree_->frames.push_back(std::move(holder));
  const Renaming renaming{prefix, ""};
  append_tree(*tree_, place.body, holder_index, fragment, renaming, 0, 0, true);

  const size_t first_actuator = spec.actuators.size();
  const std::vector<std::string> left_out = append_attached(spec, spec, fragment, renaming, 0, 0);
  clear_tags(spec.actuators, first_actuator);
  warn_left_out(left_out, element, " elements refer to the attached part and to other objects and are not copied: ");
}

}  // namespace pliant
