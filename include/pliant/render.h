#pragma once
// Pictures of a model without a graphics driver: rays on the CPU.
//
//   VisualScene scene;
//   update_scene(model, state, data, {}, default_free_camera(model), scene);   // what is to be seen, from where
//   Renderer renderer(model);
//   std::vector<unsigned char> pixels(640 * 480 * 3);
//   renderer.rgb(scene, 640, 480, pixels.data());
//   write_png("picture.png", 640, 480, 3, pixels.data());
//
// The scene is a list of simple things (geoms, lights, a camera) made from Model, State and Data; names and defaults
// are those of MuJoCo's mjvScene. It may be changed before it is rendered: markers are geoms that somebody adds. Pixels
// do not depend on the number of threads.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pliant/model.h"
#include "pliant/state.h"

namespace pliant {

/// Shapes of a scene beyond GeomType, whose numbers count as well.
enum class VisualType : int {
  kArrow = 100,  ///< size: radius, radius, length; from the origin along z
  kArrow1,       ///< with a head that is no wider
  kArrow2,       ///< with two heads, from -length to length
  kLine,         ///< size: width [pixel], -, length
  kLineBox,
  kFlex,
  kSkin,
  kLabel,
  kTriangle,  ///< size: two edges along x and y
  kNone = 1001
};

/// What a geom of a scene is for.
enum VisualCategory : int { kCategoryStatic = 1, kCategoryDynamic = 2, kCategoryDecor = 4, kCategoryAll = 7 };

/// One thing to be seen. Sizes are those of the shape in x, y and z: a sphere has its radius three times, a capsule
/// radius, radius, half length.
struct VisualGeom {
  int type = static_cast<int>(VisualType::kNone);  ///< GeomType or VisualType
  int dataid = -1;                                 ///< mesh: 2 id, of its hull 2 id + 1; height field: id
  int objtype = 0, objid = -1;                     ///< what it shows (ObjType); unknown for decorations
  int category = kCategoryDecor;
  int matid = -1, texid = -1;  ///< material with its texture; -1: plain colour
  bool texuniform = false;     ///< repetitions per length rather than per object
  bool texcoord = false;       ///< the mesh or skin has texture coordinates
  int segid = -1;              ///< its number in segmentations; -1: not in them
  double size[3] = {0.1, 0.1, 0.1}, pos[3] = {}, mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  float rgba[4] = {0.5f, 0.5f, 0.5f, 1};
  float emission = 0, specular = 0.5f, shininess = 0.5f, reflectance = 0;
  float texrepeat[2] = {};
  bool castshadow = true;
  std::string label;  ///< text that pictures show beside it
};

struct VisualLight {
  int id = -1;  ///< of the model; -1: the headlight
  LightType type = LightType::kDirectional;
  int texid = -1;  ///< of an image light
  bool headlight = false, castshadow = false;
  double pos[3] = {}, dir[3] = {0, 0, -1};
  float attenuation[3] = {}, cutoff = 0, exponent = 0;
  float ambient[3] = {}, diffuse[3] = {}, specular[3] = {};
  float bulbradius = 0.02f, intensity = 0, range = 10, softness = 0;
};

/// From where and how a scene is seen.
struct ViewCamera {
  double pos[3] = {}, forward[3] = {0, 1, 0}, up[3] = {0, 0, 1};
  /// The window at distance `frustum_near`, from the axis; half a width of 0 follows from the picture's shape.
  double frustum_center = 0, frustum_width = 0, frustum_bottom = 0, frustum_top = 0, frustum_near = 0, frustum_far = 0;
  bool orthographic = false;
};

enum class CameraType : int { kFree, kTracking, kFixed, kUser };

/// A camera as a user says it: around a point, following a body, or one of the model's.
struct VisualCamera {
  CameraType type = CameraType::kFree;
  int fixedcamid = -1, trackbodyid = -1;
  double lookat[3] = {}, distance = 2, azimuth = 90, elevation = -45;  ///< [m], [deg]
  bool orthographic = false;                                           ///< kept; the model's setting decides
};

// clang-format off: a line per number would be a page
/// Places in VisualOptions::flags, with the reference's numbers.
enum VisualFlag : int {
  kVisConvexHull, kVisTexture, kVisJoint, kVisCamera, kVisActuator, kVisActivation, kVisLight, kVisTendon,
  kVisRangefinder, kVisConstraint, kVisInertia, kVisScaledInertia, kVisPerturbForce, kVisPerturbObject,
  kVisContactPoint, kVisIsland, kVisContactForce, kVisContactSplit, kVisTransparent, kVisAutoConnect, kVisCom,
  kVisSelect, kVisStatic, kVisSkin, kVisFlexVert, kVisFlexEdge, kVisFlexFace, kVisFlexSkin, kVisBodyBvh, kVisMeshBvh,
  kVisSdfIter, kNumVisFlags
};
/// Whose names are written into a scene, with the reference's numbers.
enum class VisualLabel : int {
  kNone, kBody, kJoint, kGeom, kSite, kCamera, kLight, kTendon, kActuator, kConstraint, kFlex, kSkin, kSelection,
  kSelectionPoint, kContactPoint, kContactForce, kIsland
};
// clang-format on
enum class VisualFrame : int { kNone, kBody, kGeom, kSite, kCamera, kLight, kContact, kWorld };

/// What of a model becomes part of a scene.
struct VisualOptions {
  using Groups = std::array<unsigned char, 6>;
  VisualLabel label = VisualLabel::kNone;
  VisualFrame frame = VisualFrame::kNone;
  Groups geomgroup = {1, 1, 1, 0, 0, 0}, sitegroup = {1, 1, 1, 0, 0, 0}, jointgroup = {1, 1, 1, 0, 0, 0},
         tendongroup = {1, 1, 1, 0, 0, 0}, actuatorgroup = {1, 1, 1, 0, 0, 0}, flexgroup = {1, 1, 1, 0, 0, 0},
         skingroup = {1, 1, 1, 0, 0, 0};
  std::array<unsigned char, kNumVisFlags> flags = {0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0,
                                                   0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0};
  int bvh_depth = 1, flex_layer = 0;
};

// clang-format off
/// Places in VisualScene::flags, with the reference's numbers.
enum RenderFlag : int {
  kRenderShadow, kRenderWireframe, kRenderReflection, kRenderAdditive, kRenderSkybox, kRenderFog, kRenderHaze,
  kRenderDepth, kRenderSegment, kRenderIdColor, kRenderCullFace, kRenderPostProcessing, kNumRenderFlags
};
// clang-format on

struct VisualScene {
  /// `maxgeom`: how many geoms it may have; 0: as many as there are.
  explicit VisualScene(int maxgeom = 0);

  int maxgeom = 0, ngeom = 0, nlight = 0;
  std::vector<VisualGeom> geoms;    ///< the first ngeom count
  std::vector<VisualLight> lights;  ///< the first nlight count; as many as a scene may have
  ViewCamera camera[2];             ///< left and right eye; a picture is seen from between them
  std::array<unsigned char, kNumRenderFlags> flags = {1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1};
  int left_out = 0;                           ///< geoms for which there was no room
  std::vector<float> skin_vert, skin_normal;  ///< of all skins of the model, in the world

  /// The next geom, with its number as segid; nullptr where there is no room, which `left_out` counts.
  VisualGeom* add(int type, int objtype, int objid, int category);
};

/// Sets shape and pose of a geom; what is nullptr, and everything else, gets its default.
void init_geom(VisualGeom& geom, int type, const double* size, const double* pos, const double* mat, const float* rgba);
/// Makes a capsule, cylinder, arrow or line of this width between two points. Throws std::invalid_argument for others.
void connect_geom(VisualGeom& geom, int type, double width, const double from[3], const double to[3]);

/// The whole model, as <visual><global azimuth elevation/> and <statistic/> say, or its camera `cameraid`.
VisualCamera default_free_camera(const Model& m);
/// Where a camera is now. Throws std::invalid_argument when its camera or body does not exist.
void update_camera(const Model& m, const Data& d, const VisualCamera& camera, VisualScene& scene);
/// Geoms, lights and camera of a state; Data after `forward` (contact forces) or its position phase.
void update_scene(const Model& m, const State& s, const Data& d, const VisualOptions& options,
                  const VisualCamera& camera, VisualScene& scene, int categories = kCategoryAll);

/// Geom, site, tendon … that a pixel shows; -1 and -1 for the background.
struct PixelObject {
  int32_t id, type;
};

/// Keeps what pictures of a model share: triangles in boxes, textures in several sizes, threads. One picture at a time.
/// Pixels are row by row from the top left.
class Renderer {
 public:
  /// `threads`: 0 for as many as there are cores. The Model must outlive it.
  explicit Renderer(const Model& m, int threads = 0);
  ~Renderer();
  Renderer(Renderer&&) noexcept;

  /// Samples of pixels on edges: 1, 4 (default) or 16. Where neighbours have the same colour one is enough.
  void set_samples(int samples);
  /// Letters of labels: 1 (default) to 16 times as large as 5 x 9 pixels.
  void set_text_scale(int scale);
  /// Three bytes per pixel. With the scene's flag kRenderWireframe edges in place of surfaces.
  void rgb(const VisualScene& scene, int width, int height, unsigned char* pixels);
  /// Distance along the camera's axis [m]; the far end of the view where there is nothing.
  void depth(const VisualScene& scene, int width, int height, double* distance);
  /// `segid` of the geom at each pixel; -1 where there is nothing.
  void segmentation(const VisualScene& scene, int width, int height, int32_t* segid);
  /// The same as objects.
  void segmentation(const VisualScene& scene, int width, int height, PixelObject* objects);
  /// Reads changed pixels of textures, vertices of meshes.
  void reload();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// A PNG image with 1 (grey), 3 (RGB) or 4 channels of 8 bits, whole or not at all. Throws std::runtime_error.
void write_png(const std::filesystem::path& path, int width, int height, int channels, const unsigned char* pixels);

/// Writes a line of text (UTF-8; letters beyond ASCII are boxes) into a picture of three bytes per pixel, white with a
/// dark rim, from (x, y), the left end of the line it stands on. What is beyond the picture is left out.
void write_text(unsigned char* pixels, int width, int height, int x, int y, const std::string& text, int scale = 1);
/// Width and height of a line of text in pixels.
std::array<int, 2> text_size(const std::string& text, int scale = 1);

}  // namespace pliant
