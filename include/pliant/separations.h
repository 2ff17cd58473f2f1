#pragma once
// Directions along which pairs of geoms were apart when their shapes were last compared.
//
// A pair that was apart is first looked at along the direction that showed it: two support points instead of a search
// (collision/separation.h). What is remembered decides only how soon "no contact" is found, never whether: a Data that
// remembers nothing gives the same contacts, bit for bit. Pairs share places; who comes later takes the place.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pliant {

struct Separation {
  int geom1 = -1, geom2 = -1;      // whose place it is
  float direction[3] = {};         // from geom1 to geom2, frame of geom1; zero: not known
  int vertex1 = -1, vertex2 = -1;  // of hulls: where the search for support points begins

  bool is_known() const { return direction[0] != 0 || direction[1] != 0 || direction[2] != 0; }
  void forget() { direction[0] = direction[1] = direction[2] = 0; }
};

class Separations {
 public:
  Separations() = default;
  /// A number of places that is a power of two, or none.
  explicit Separations(size_t places) : places_(places) {}

  bool empty() const { return places_.empty(); }
  /// What is known of a pair; if nothing, the place is free for it. Not empty().
  Separation& of(int geom1, int geom2) {
    const uint32_t mixed = static_cast<uint32_t>(geom1) * 0x9e3779b1u + static_cast<uint32_t>(geom2) * 0x85ebca77u;
    Separation& s = places_[(mixed ^ mixed >> 15) & (places_.size() - 1)];
    if (s.geom1 != geom1 || s.geom2 != geom2) s = {geom1, geom2, {}, -1, -1};
    return s;
  }

 private:
  std::vector<Separation> places_;
};

}  // namespace pliant
