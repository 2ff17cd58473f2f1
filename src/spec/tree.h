#pragma once
// Operations on the tree of a Spec: order, and copies of subtrees (attachment, replication).

#include <string>
#include <vector>

#include "pliant/diagnostics.h"
#include "pliant/spec.h"

namespace pliant {

/// Puts bodies into depth-first order and joints, geoms, sites, cameras, lights and frames into the order
/// of their bodies (document order within one body): index == id of the compiled model.
void sort_tree(Spec& spec);

/// One copy of a fragment: names become prefix + name + suffix.
struct Renaming {
  std::string prefix, suffix;
  std::string operator()(const std::string& name) const { return name.empty() ? name : prefix + name + suffix; }
};

/// Appends the tree of `fragment` to `target`: what belongs to the fragment's world goes to `body`,
/// inside `frame`. References within the fragment follow the renaming. The fragment's sources and
/// compilers start at the given offsets in `target`. With keep_tags = false copies lose their identity.
void append_tree(Spec& target, int body, int frame, const Spec& fragment, const Renaming& renaming, int source_offset,
                 int compiler_offset, bool keep_tags);

/// After a fragment of `spec` itself was replicated: elements outside the tree that refer to objects of
/// the fragment are copied once per renaming, and the originals removed. Returns how many that makes; when
/// they are more than `most`, some are not made.
int64_t replicate_references(Spec& spec, const Spec& fragment, const std::vector<Renaming>& copies, int64_t most);

/// Copies what belongs to an attached model beside its tree: assets, custom data, elements that refer to
/// attached objects. Returns the names of elements left out because they refer to objects that
/// were not attached. A child that is the target itself shares its assets with the copy. Inside a <replicate>,
/// `replicated` is the tree of its content, which the target does not have yet.
std::vector<std::string> append_attached(Spec& target, const Spec& child, const Spec& fragment,
                                         const Renaming& renaming, int source_offset, int compiler_offset,
                                         const Spec* replicated = nullptr);

/// Copies the keyframes of an attached model.
void append_keys(Spec& target, const Spec& child, const Renaming& renaming, int source_offset, int compiler_offset);

/// The part of `spec` below a body (the body included), or inside a frame, or the whole content of the
/// world (body = 0, frame = -1), as a fragment whose root is its world.
Spec extract_tree(const Spec& spec, int body, int frame);

}  // namespace pliant
