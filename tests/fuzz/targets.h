#pragma once
// What is fuzzed. Each target takes any bytes and must neither crash, hang nor leak; a Model it
// gets out of them must pass require_sound. libfuzzer_entry.cpp makes a libFuzzer program of each
// target (clang); smoke_main.cpp links all of them for `make test`, with any compiler.

#include <string_view>

namespace pliant::fuzz {

void mjcf(std::string_view bytes);  // the text of a model
void urdf(std::string_view bytes);  // the same, as URDF
void mjz(std::string_view bytes);   // an archive with a model in it
void stl(std::string_view bytes);   // a mesh file, all the way to hull, inertia and bounding boxes
void obj(std::string_view bytes);   //
void msh(std::string_view bytes);   //
void dae(
    std::string_view bytes);  // a mesh file that another program reads: libFuzzer does not see into it, so that it runs
void gltf(std::string_view bytes);    // in pliant_fuzz only
void glb(std::string_view bytes);     //
void skn(std::string_view bytes);     // a skin
void hfield(std::string_view bytes);  // a binary height field
void png(std::string_view bytes);     // an image, as height field and as textures
void plm(std::string_view bytes);     // the payload of a binary model; the envelope is made to fit
void plr(std::string_view bytes);     // a recording, as it is and with checksums that fit

struct Target {
  const char* name;
  void (*run)(std::string_view bytes);
};
inline constexpr Target kTargets[] = {
    {"mjcf", mjcf},     {"urdf", urdf}, {"mjz", mjz}, {"stl", stl}, {"obj", obj}, {"msh", msh},   {"skn", skn},
    {"hfield", hfield}, {"png", png},   {"plm", plm}, {"plr", plr}, {"dae", dae}, {"gltf", gltf}, {"glb", glb},
};

}  // namespace pliant::fuzz
