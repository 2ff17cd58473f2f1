#pragma once
// What is remembered of pairs of geoms that were apart when their shapes were last compared.
//
// A pair that was apart by more than its geoms have moved since is apart still: nothing else is looked at. Else it is
// first looked at along the direction that showed it: two support points instead of a search (collision/separation.h).
// What is remembered decides only how soon "no contact" is found, never whether: a Data that remembers nothing gives
// the same contacts, bit for bit. Pairs share places; who comes later takes the place.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace pliant {

struct Separation {
  int geom1 = -1, geom2 = -1;      // whose place it is
  float direction[3] = {};         // from geom1 to geom2, frame of geom1; zero: not known
  int vertex1 = -1, vertex2 = -1;  // of hulls: where the search for support points begins
  // how far apart, at least, when that was last seen, on top of how far both had moved until then; and which shapes
  // they had
  double distance = kUnknown;
  uint32_t shape1 = 0, shape2 = 0;

  static constexpr double kUnknown = -std::numeric_limits<double>::infinity();

  bool is_known() const { return direction[0] != 0 || direction[1] != 0 || direction[2] != 0; }
  void forget() { direction[0] = direction[1] = direction[2] = 0; }
};

/// How far a geom has moved since its Data was made: no point of it farther (collision/travel.h).
struct Travel {
  double length = 0;
  double pos[3] = {}, mat[9] = {};                 // where it was when that was found
  double size[3] = {}, aabb[6] = {}, rbound = -1;  // its shape
  double reach = 0;                                // of its points from its origin
  int type = -1, data = -1;
  uint32_t shape = 0;  // counts shapes that it had
  uint32_t time = 0;   // of Separations
};

class Separations {
 public:
  Separations() = default;
  /// A number of places that is a power of two, or none.
  explicit Separations(size_t places, size_t geoms = 0) : places_(places), travels_(places > 0 ? geoms : 0) {}

  bool empty() const { return places_.empty(); }
  /// What is known of a pair; if nothing, the place is free for it. Not empty().
  Separation& of(int geom1, int geom2) {
    const uint32_t mixed = static_cast<uint32_t>(geom1) * 0x9e3779b1u + static_cast<uint32_t>(geom2) * 0x85ebca77u;
    Separation& s = places_[(mixed ^ mixed >> 15) & (places_.size() - 1)];
    if (s.geom1 != geom1 || s.geom2 != geom2) {
      s = {};
      s.geom1 = geom1, s.geom2 = geom2;
    }
    return s;
  }

  bool knows_travels() const { return !travels_.empty(); }
  Travel& travel(int geom) { return travels_[static_cast<size_t>(geom)]; }
  /// Geoms may have moved. `meshes`: changes with what vertices of meshes may be.
  void begin(const void* meshes) {
    ++time_;
    if (meshes == meshes_) return;
    meshes_ = meshes;
    for (Travel& travel : travels_) travel.rbound = -1;
  }
  uint32_t time() const { return time_; }

 private:
  std::vector<Separation> places_;
  std::vector<Travel> travels_;
  uint32_t time_ = 0;
  const void* meshes_ = nullptr;
};

}  // namespace pliant
