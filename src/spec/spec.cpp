// Spec: construction and look-up of origins.

#include "pliant/spec.h"

namespace pliant {

Spec::Spec() {
  compilers.emplace_back();
  classes.emplace_back();
  BodySpec world;
  world.name = "world";
  bodies.push_back(std::move(world));
}

Spec::Spec(const Spec&) = default;
Spec::Spec(Spec&&) noexcept = default;
Spec& Spec::operator=(const Spec&) = default;
Spec& Spec::operator=(Spec&&) noexcept = default;
Spec::~Spec() = default;

Origin Spec::origin(int source, std::string_view attribute) const {
  if (source < 0 || source >= static_cast<int>(sources.size())) return {};
  const SourceElement& element = sources[source];
  for (int i = 0; !attribute.empty() && i < element.attribute_count; ++i) {
    const SourceAttribute& candidate = source_attributes[element.first_attribute + i];
    if (candidate.name == attribute) return candidate.value_at;
  }
  return element.at;
}

std::string_view Spec::tag(int source) const {
  if (source < 0 || source >= static_cast<int>(sources.size())) return {};
  return sources[source].tag;
}

bool Spec::has_attribute(int source, std::string_view attribute) const {
  if (source < 0 || source >= static_cast<int>(sources.size())) return false;
  const SourceElement& element = sources[source];
  for (int i = 0; i < element.attribute_count; ++i) {
    if (source_attributes[element.first_attribute + i].name == attribute) return true;
  }
  return false;
}

}  // namespace pliant
