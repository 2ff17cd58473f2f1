// Golden state hashes: the bits of the State after some steps of the scenes in models/, committed beside this file, so
// that an unintended change of results is seen in a diff.
//
// Bits belong to a compiler and an instruction set. The file names those it was written with; elsewhere the test is
// skipped. After an intended change:
//
//   PLIANT_WRITE_GOLDEN=1 build/pliant_tests --gtest_filter=GoldenStates.*

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/step/scenes.h"
#include "tests/source_folder.h"

namespace pliant {
namespace {

const std::filesystem::path kFile = source_folder() / "tests" / "determinism" / "golden_states.txt";

/// Compiler and instruction set of this build, as the file names them.
std::string toolchain() {
  std::string name;
#if defined(__clang__)
  name = "clang " + std::to_string(__clang_major__);
#elif defined(__GNUC__)
  name = "g++ " + std::to_string(__GNUC__);
#else
  name = "unknown compiler";
#endif
#if defined(__AVX512F__)
  name += ", x86-64-v4 or native";
#elif defined(__AVX2__) && defined(__BMI2__)
  name += ", x86-64-v3";
#elif defined(__x86_64__)
  name += ", x86-64";
#else
  name += ", no x86-64";
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  name += ", sanitizers";
#elif !defined(NDEBUG)
  name += ", debug";
#endif
  return name;
}

struct GoldenScene {
  const char* name;
  int steps;  // enough for something to touch
};
constexpr GoldenScene kGoldenScenes[] = {
    {"beads", 100},           {"bin_of_boxes", 60}, {"cushion", 400},       {"drop", 300},
    {"gear_chain", 100},      {"gripper", 100},     {"mimic_gripper", 100}, {"mimic_hand", 100},
    {"newtons_cradle", 1000}, {"quadruped", 100},   {"rubber_balls", 800},  {"stack_of_boxes", 100},
    {"tendon_finger", 100},
};
constexpr const char* kIntegratorNames[] = {"Euler", "RK4", "implicit", "implicitfast"};
constexpr const char* kConeNames[] = {"pyramidal", "elliptic"};
constexpr const char* kSolverNames[] = {"PGS", "CG", "Newton", "TGS"};

/// Everything moves a little, controls are on: no function of the C library takes part.
State golden_start(const Model& m) {
  State s(m);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] = 0.03125 * (i % 7 - 3);
  for (int i = 0; i < m.nu; ++i) s.ctrl[i] = 0.125 * (i % 5 - 1);
  return s;
}

std::string golden_line(const GoldenScene& scene, const Model& m) {
  State s = golden_start(m);
  Data d(m);
  int refused = 0;
  for (int i = 0; i < scene.steps; ++i) refused += !step(m, s, d).ok();
  char hash[20];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(s.hash()));
  std::ostringstream line;
  line << scene.name << ' ' << scene.steps << ' ' << kIntegratorNames[static_cast<int>(m.opt.integrator)] << ' '
       << kSolverNames[static_cast<int>(m.opt.solver)] << ' ' << kConeNames[static_cast<int>(m.opt.cone)] << ' '
       << hash;
  EXPECT_EQ(refused, 0) << line.str();
  return line.str();
}

/// A line per scene, integrator, solver and cone: every scene as its file says, and with four mixtures that together
/// visit all integrators, all solvers and both cones.
std::vector<std::string> golden_lines() {
  std::vector<std::string> lines;
  int shift = 0;
  for (const GoldenScene& scene : kGoldenScenes) {
    Model m = load_scene(scene.name);
    lines.push_back(golden_line(scene, m));
    for (int i = 0; i < 4; ++i) {
      m.opt.integrator = static_cast<Integrator>(i);
      m.opt.solver = static_cast<SolverType>((i + shift) % 4);
      m.opt.cone = static_cast<ConeType>((i + shift / 2) % 2);
      const std::string line = golden_line(scene, m);
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
    ++shift;
  }
  return lines;
}

std::string key_of(const std::string& line) { return line.substr(0, line.rfind(' ')); }

TEST(GoldenStates, OfScenes) {
  const bool write = std::getenv("PLIANT_WRITE_GOLDEN") != nullptr;
  std::ifstream file(kFile);
  std::map<std::string, std::string> golden;
  std::string written_by;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# toolchain: ")) written_by = line.substr(std::string("# toolchain: ").size());
    if (!line.empty() && line[0] != '#') golden[key_of(line)] = line;
  }
  if (!write && written_by != toolchain()) {
    GTEST_SKIP() << "golden states are bits of '" << written_by << "'; this build is '" << toolchain() << "'";
  }
  const std::vector<std::string> lines = golden_lines();
  if (write) {
    std::ofstream out(kFile);
    out << "# State::hash() after some steps: scene, steps, integrator, solver, cone, hash. Bits belong to a compiler "
        << "and an instruction set.\n# After an intended change: PLIANT_WRITE_GOLDEN=1 build/pliant_tests "
        << "--gtest_filter=GoldenStates.*\n# toolchain: " << toolchain() << "\n";
    for (const std::string& line : lines) out << line << '\n';
    return;
  }
  EXPECT_EQ(lines.size(), golden.size()) << "lines of " << kFile;
  for (const std::string& line : lines) {
    const auto found = golden.find(key_of(line));
    EXPECT_TRUE(found != golden.end() && found->second == line)
        << "the bits changed; if that was intended, the new line is\n"
        << line << "\nand PLIANT_WRITE_GOLDEN=1 with this test writes the whole file";
  }
}

}  // namespace
}  // namespace pliant
