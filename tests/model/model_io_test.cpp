// Binary models: what comes back is what was saved, and nothing else is accepted.

#include "pliant/model_io.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>
#include <set>

#include "model/plm_format.h"
#include "pliant/load.h"
#include "pliant/step.h"

namespace pliant {
namespace {

const char* kScene = R"(<mujoco model="io">
  <option timestep="0.001"/>
  <asset><texture name="t" type="2d" builtin="checker" width="4" height="4"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/><site name="s"/></body>
  </worldbody>
  <sensor><accelerometer site="s"/></sensor>
  <keyframe><key name="k" qpos="0 0 2 1 0 0 0"/></keyframe>
</mujoco>)";

/// Something of everything: meshes with hull and polygons, height field, textures, tendons,
/// histories …
const char* kEverything = R"(<mujoco model="everything">
  <size nuserdata="3"/>
  <asset>
    <texture name="t" type="cube" builtin="gradient" width="4"/>
    <material name="paint" texture="t"/>
    <hfield name="hills" nrow="2" ncol="3" size="1 1 1 1" elevation="0 1 2 3 4 5"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1  1 1 1"/>
    <mesh name="ball" builtin="sphere" params="1"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="eye" mode="targetbody" target="a" pos="0 1 1"/>
    <geom type="hfield" hfield="hills" material="paint"/>
    <body name="a" pos="0 0 1">
      <freejoint/>
      <geom name="w" type="mesh" mesh="wedge"/>
      <site name="s"/>
      <body name="b" pos="1 0 0" gravcomp="1">
        <joint name="j"/>
        <joint name="ball" type="ball" pos="0 0 1"/>
        <geom name="round" type="mesh" mesh="ball"/>
        <geom name="pipe" type="cylinder" size="0.1 1"/>
        <site name="t"/>
      </body>
    </body>
    <body name="hand" mocap="true"/>
  </worldbody>
  <contact><pair geom1="w" geom2="pipe"/><exclude body1="a" body2="b"/></contact>
  <equality><weld body1="a" body2="hand"/><joint joint1="j"/></equality>
  <tendon>
    <spatial name="rope"><site site="s"/><geom geom="pipe" sidesite="t"/><site site="t"/></spatial>
    <fixed name="sum"><joint joint="j" coef="2"/></fixed>
  </tendon>
  <actuator>
    <motor name="m" joint="j" nsample="3" delay="0.002"/>
    <position tendon="sum" timeconst="0.1"/>
    <general site="s" refsite="t"/>
  </actuator>
  <sensor>
    <gyro site="s" nsample="2" delay="0.002"/>
    <framepos objtype="body" objname="b" reftype="site" refname="s"/>
  </sensor>
  <custom>
    <numeric name="n" data="1 2 3"/><text name="x" data="words"/>
    <tuple name="u"><element objtype="body" objname="a" prm="1"/></tuple>
  </custom>
  <keyframe><key name="k" time="1"/></keyframe>
</mujoco>)";

const char* const kScenes[] = {kScene, kEverything};

std::string file_name() {
  return testing::TempDir() + "/pliant_model_io_" + testing::UnitTest::GetInstance()->current_test_info()->name() +
         ".plm";
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// What the reader says about these bytes; "" when it takes them.
std::string refusal(const std::string& bytes) {
  try {
    read_plm(bytes, "x.plm");
    return {};
  } catch (const LoadError& error) {
    EXPECT_EQ(error.diagnostics().size(), 1u);
    return error.diagnostics()[0].text();
  }
}

TEST(ModelIo, RoundTripIsBitForBit) {
  for (const char* scene : kScenes) {
    const Model model = load_model_string(scene);
    save_plm(model, file_name());
    const Model back = load_plm(file_name());
    const auto sizes = model_sizes();
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
      EXPECT_EQ(model.size_value(i), back.size_value(i)) << sizes[i].name;
    }
    const auto fields = model_fields();
    for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
      const size_t n = size_t(model.field_count(i)) * model.field_width(i) * scalar_bytes(fields[i].scalar);
      ASSERT_EQ(0, n == 0 ? 0 : std::memcmp(model.field_data(i), back.field_data(i), n)) << fields[i].name;
    }
    EXPECT_EQ(model.opt.timestep, back.opt.timestep);
    EXPECT_EQ(model.pending, back.pending);
    EXPECT_EQ(back.id(ObjType::kSite, "s"), 0);
    EXPECT_EQ(model.model_name(), back.model_name());
    EXPECT_EQ(model.origin(ObjType::kGeom, 0), back.origin(ObjType::kGeom, 0));
    // and the file itself is reproducible
    EXPECT_EQ(bytes_of(file_name()), write_plm(back));
  }
}

TEST(ModelIo, WithoutPlacesEqualModelsHaveEqualBytes) {
  for (const char* scene : kScenes) {
    const Model model = load_model_string(scene), moved = load_model_string("\n\n   " + std::string(scene));
    ASSERT_NE(write_plm(model), write_plm(moved));
    const std::string bytes = write_plm(model, Places::kLeftOut);
    EXPECT_EQ(bytes, write_plm(moved, Places::kLeftOut));
    const Model back = read_plm(bytes);
    EXPECT_EQ(write_plm(back), bytes);
    EXPECT_EQ(back.origin(ObjType::kGeom, 0), "");
    EXPECT_EQ(back.name(ObjType::kSite, 0), model.name(ObjType::kSite, 0));
    ASSERT_EQ(back.bytes(), model.bytes());
  }
}

TEST(ModelIo, AFlippedBitAnywhereIsRefused) {
  for (const char* scene : kScenes) {
    const std::string good = write_plm(load_model_string(scene));
    std::mt19937 random(7);
    for (int trial = 0; trial < 300; ++trial) {
      std::string bad = good;
      // every byte of the header, then places all over the file
      const size_t at = trial < 40 ? trial : random() % bad.size();
      bad[at] = static_cast<char>(bad[at] ^ (1 << (random() % 8)));
      EXPECT_NE(refusal(bad), "") << "byte " << at;
    }
  }
}

TEST(ModelIo, CutAndLengthenedFilesAreRefused) {
  save_plm(load_model_string(kScene), file_name());
  const std::string good = bytes_of(file_name());
  for (const size_t keep : {size_t{0}, size_t{1}, size_t{39}, size_t{40}, good.size() / 2, good.size() - 1}) {
    write(file_name(), good.substr(0, keep));
    EXPECT_THROW(load_plm(file_name()), LoadError) << keep;
  }
  write(file_name(), good + "x");
  EXPECT_THROW(load_plm(file_name()), LoadError);
}

TEST(ModelIo, LoadModelTakesBinaryFiles) {
  save_plm(load_model_string(kScene), file_name());
  EXPECT_EQ(load_model(file_name()).nbody, 2);
  EXPECT_FALSE(load_report(file_name() + ".plm").ok());  // no such file
  EXPECT_FALSE(load_report(testing::TempDir() + "/.").ok());
  EXPECT_THROW(load_plm(testing::TempDir()), LoadError);  // a folder
}

/// A model whose file is larger than what is copied or checked by one thread.
Model large_model() {
  return load_model_string(R"(<mujoco><asset>
      <mesh name="ball" builtin="sphere" params="3"/>
      <texture name="board" type="2d" builtin="checker" width="1500" height="1500"/>
    </asset>
    <worldbody><body><freejoint/><geom type="mesh" mesh="ball"/></body></worldbody></mujoco>)");
}

TEST(ModelIo, LargeFilesAreMappedAndMeanTheSame) {
  const Model model = large_model();
  const std::string good = write_plm(model);
  ASSERT_GT(good.size(), size_t{5} << 20);
  save_plm(model, file_name());
  Model mapped = load_plm(file_name());
  EXPECT_EQ(write_plm(mapped), good);
  // writing to the Model does not write to the file, and a copy outlives it
  mapped.body_mass[1] = 77;
  EXPECT_EQ(bytes_of(file_name()), good);
  const Model copy = mapped;
  mapped = Model();
  EXPECT_EQ(copy.body_mass[1], 77);
  EXPECT_EQ(copy.mesh_vert[copy.nmeshvert - 1], model.mesh_vert[model.nmeshvert - 1]);
  // saving over the file leaves a Model that is mapped from it alone
  const Model before = load_plm(file_name());
  save_plm(copy, file_name());
  EXPECT_EQ(write_plm(before), good);
  EXPECT_EQ(load_plm(file_name()).body_mass[1], 77);
}

TEST(ModelIo, LargeFilesThatAreDamagedOrWrongAreRefused) {
  Model model = large_model();
  const std::string good = write_plm(model);
  const auto said = [&](const std::string& bytes) -> std::string {
    write(file_name(), bytes);
    try {
      load_plm(file_name());
      return {};
    } catch (const LoadError& error) {
      return error.diagnostics()[0].message;
    }
  };
  std::mt19937 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    std::string bad = good;
    bad[random() % bad.size()] ^= static_cast<char>(1 << (random() % 8));
    EXPECT_NE(said(bad), "");
  }
  EXPECT_EQ(said(good.substr(0, good.size() - 4096)), "the file is cut short or too long");
  model.mesh_face[5] = -1;
  EXPECT_EQ(said(write_plm(model)).substr(0, 44), "the file holds no usable model: mesh_face[5]");
  model.mesh_face[5] = 0;
  model.mesh_vert[5] = NAN;
  EXPECT_EQ(said(write_plm(model)), "the file holds no usable model: mesh_vert is not finite");
}

TEST(ModelIo, FilesOfOtherVersionsAreRefused) {
  std::string file = write_plm(load_model_string(kScene));
  for (const size_t at : {8, 12, 16}) {  // version, byte order, list of fields
    std::string other = file;
    ++other[at];
    EXPECT_EQ(refusal(other).substr(0, 65), "x.plm: error[E102] the file was made by another version of Pliant");
  }
}

// Between preface and block there are zeros, and nothing is hidden there.
TEST(ModelIo, PaddingIsZero) {
  const Model model = load_model_string(kScene);
  const std::string file = write_plm(model);
  std::string payload = file.substr(kPlmHeaderBytes);
  ASSERT_EQ(seal_plm(payload), file);
  const size_t block = payload.size() - model.bytes();
  ASSERT_EQ((kPlmHeaderBytes + block) % kPlmBlockAlignment, 0u);
  ASSERT_EQ(payload[block - 1], 0);
  payload[block - 1] = 1;
  EXPECT_NE(refusal(seal_plm(payload)), "");
}

// A file can be sealed by anybody: the checksum says nothing about what is inside. Every integer of
// the Model is set to a number it cannot have.
TEST(ModelIo, NoIntegerIsTakenOnTrust) {
  // bits, groups and the like: any number will do (of a history, the order of interpolation)
  const std::set<std::string> free = {
      "body_contype",      "body_conaffinity", "jnt_group",     "geom_contype",     "geom_conaffinity", "geom_group",
      "geom_priority",     "site_group",       "cam_output",    "skin_group",       "tex_data",         "tendon_group",
      "actuator_ctrlspec", "actuator_group",   "sensor_intprm", "actuator_history", "sensor_history"};
  Model model = load_model_string(kEverything);
  const auto fields = model_fields();
  int changed = 0;
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const size_t n = size_t(model.field_count(i)) * model.field_width(i);
    if (n == 0 || free.count(fields[i].name)) continue;
    const auto spoil = [&](auto* data, auto bad) {
      const auto good = data[n - 1];
      data[n - 1] = bad;
      const bool refused = !refusal(write_plm(model)).empty();
      data[n - 1] = good;
      ++changed;
      EXPECT_TRUE(refused) << fields[i].name << " = " << int64_t{bad};
    };
    if (fields[i].scalar == Scalar::i32) {
      for (int bad : {INT_MAX, INT_MIN, -3}) spoil(static_cast<int32_t*>(model.field_data(i)), bad);
    } else if (fields[i].scalar == Scalar::i64) {
      for (int64_t bad : {int64_t{-1}, INT64_MAX}) spoil(static_cast<int64_t*>(model.field_data(i)), bad);
    } else if (fields[i].scalar == Scalar::u8 || fields[i].scalar == Scalar::boolean) {
      spoil(static_cast<uint8_t*>(model.field_data(i)), uint8_t{77});
    }
  }
  EXPECT_GT(changed, 300);
  EXPECT_EQ(refusal(write_plm(model)), "");
}

// (the distance of such an item from the first of its tree is no int: sanitizers see it)
TEST(ModelIo, ItemsOfBoxesMayBeAnyInteger) {
  Model model = load_model_string(kEverything);
  ASSERT_GT(model.nbvh, 0);
  for (int i = 0; i < model.nbvh; ++i) {
    const int good = model.bvh_nodeid[i];
    if (good < 0) continue;
    for (const int bad : {INT_MIN, INT_MAX, -3}) {
      model.bvh_nodeid[i] = bad;
      EXPECT_NE(refusal(write_plm(model)), "") << i;
    }
    model.bvh_nodeid[i] = good;
  }
}

TEST(ModelIo, NumbersThatAreNoneAreRefused) {
  Model model = load_model_string(kEverything);
  const auto fields = model_fields();
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const std::string name = fields[i].name;
    const size_t n = size_t(model.field_count(i)) * model.field_width(i);
    if (n == 0 || std::count(model.pending.begin(), model.pending.end(), name)) continue;
    const auto spoil = [&](auto* data) {
      const auto good = data[n / 2];
      for (double bad : {NAN, INFINITY, -INFINITY}) {
        data[n / 2] = static_cast<std::remove_reference_t<decltype(*data)>>(bad);
        EXPECT_NE(refusal(write_plm(model)), "") << name;
      }
      data[n / 2] = good;
    };
    if (fields[i].scalar == Scalar::real) spoil(static_cast<double*>(model.field_data(i)));
    if (fields[i].scalar == Scalar::f32) spoil(static_cast<float*>(model.field_data(i)));
  }
}

// Numbers are changed to others that could be theirs: the model is refused, or can be stepped. What the steps compute
// is nonsense; with sanitizers this finds indices that nobody checked.
TEST(ModelIo, SpoiltModelsAreRefusedOrCanBeStepped) {
  constexpr int kTrials = 1500;
  const Model good = load_model_string(kEverything);
  const auto fields = model_fields();
  std::mt19937 random(11);
  const auto below = [&](size_t n) { return n ? random() % n : 0; };
  int stepped = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Model model = good;
    std::string changed;
    for (size_t change = 0; change <= below(3); ++change) {
      const int i = static_cast<int>(below(fields.size()));
      const size_t n = size_t(model.field_count(i)) * model.field_width(i);
      if (n == 0) continue;
      const size_t at = below(n), other = below(n);
      changed += std::string(fields[i].name) + "[" + std::to_string(at) + "] ";
      if (fields[i].scalar == Scalar::i32) {
        auto* data = static_cast<int32_t*>(model.field_data(i));
        const int32_t values[] = {-2, -1, 0, 1, 2, 3, data[at] + 1, data[at] - 1, data[other], 1 << 20};
        data[at] = values[below(std::size(values))];
      } else if (fields[i].scalar == Scalar::real) {
        auto* data = static_cast<double*>(model.field_data(i));
        const double values[] = {0, -1, 1, 1e-300, 1e300, -data[at], data[other]};
        data[at] = values[below(std::size(values))];
      } else if (fields[i].scalar == Scalar::boolean || fields[i].scalar == Scalar::u8) {
        static_cast<uint8_t*>(model.field_data(i))[at] ^= 1;
      }
    }
    SCOPED_TRACE(changed);
    try {
      const Model back = read_plm(write_plm(model));
      State state(back);
      Data data(back);
      for (int k = 0; k < 2; ++k) step(back, state, data);
      ++stepped;
    } catch (const LoadError&) {
    }
  }
  EXPECT_GT(stepped, kTrials / 10);
  EXPECT_LT(stepped, kTrials);
}

// What the reader says, word for word.
TEST(ModelIo, RefusalsNameWhatIsWrong) {
  const struct {
    std::function<void(Model&)> spoil;
    const char* message;
  } cases[] = {
      {[](Model& m) { m.body_parentid[2] = 2; }, "body_parentid[2] is 2; it must be 0 to 1"},
      {[](Model& m) { m.jnt_bodyid[1] = 1; }, "jnt_bodyid[1] is 1; it must be 2"},
      {[](Model& m) { m.body_dofnum[2] = 1; }, "body_dofnum[2] is 1; it must be 4"},
      {[](Model& m) { m.sensor_objtype[0] = int(ObjType::kBody); },
       "sensor_objtype[0] is not what its sensor measures"},
      {[](Model& m) { m.sensor_dim[0] = 2; }, "sensor_dim[0] is 2; it must be 3"},
      {[](Model& m) { m.nJmom = 0; }, "nJmom is 0; the actuators have "},
      {[](Model& m) { m.geom_matid[0] = 9; }, "geom_matid[0] is 9; it must be -1 to 0"},
      {[](Model& m) { m.geom_dataid[1] = -1; }, "geom_dataid[1] is -1; it must be 0 to 1"},
      {[](Model& m) { m.site_type[0] = int(GeomType::kPlane); }, "site_type[0] is 0; it must be 2 to 7"},
      {[](Model& m) { m.site_type[0] = int(GeomType::kMesh); }, "site_dataid[0] is -1; it must be 0 to 1"},
      {[](Model& m) { m.body_geomnum[1] = 99; }, "body_geomadr[1] is 1, the start of 99 items; there are 4"},
      {[](Model& m) { m.jnt_type[0] = 4; }, "jnt_type[0] is 4; it must be 0 to 3"},
      {[](Model& m) { m.mesh_face[1] = 1000; }, "mesh_face[1] is 1000; it must be 0 to 4"},
      {[](Model& m) { m.mesh_graph[0] = 1 << 30; }, "mesh_graph[0] is 1073741824; it must be 1 to "},
      {[](Model& m) { m.bvh_child[0] = 0; }, "bvh_child[0] is 0; no value is possible here"},
      {[](Model& m) { m.hfield_nrow[0] = 3; }, "hfield_adr[0] is 0; no value is possible here"},
      {[](Model& m) { m.body_quat[0] = NAN; }, "body_quat is not finite"},
      {[](Model& m) { m.names[m.nnames - 1] = 'x'; }, "names do not end with a zero"},
      {[](Model& m) { m.text_data[m.ntextdata - 1] = 'x'; }, "text 0 does not end with a zero"},
      {[](Model& m) { m.names_map[0] = 50; }, "names_map[0] is 50; it must be -1 to 3"},
      {[](Model& m) { m.opt.timestep = 0; }, "opt.timestep is 0; it must be finite and greater than 0"},
      {[](Model& m) { m.opt.solver = static_cast<SolverType>(5); }, "opt.solver is 5; it must be 0 to 4"},
      {[](Model& m) { m.pending.push_back("body_feathers"); }, "a field that does not exist is listed as pending"},
      {[](Model& m) { m.nuserdata = -5; }, "nuserdata is -5"},
      // what the stages of a step rely on
      {[](Model& m) { m.body_weldid[2] = 1; }, "body_weldid[2] is 1; it must be 2"},
      {[](Model& m) { m.body_rootid[2] = 2; }, "body_rootid[2] is 2; it must be 1"},
      {[](Model& m) { m.M_rowadr[3] = 0; }, "M_rowadr[3] is 0; it must be "},
      {[](Model& m) { m.D_diag[4] = 0; }, "D_diag[4] is 0; it must be 4"},
      {[](Model& m) { m.body_simple[2] = 1; }, "dof_simplenum[9] is 0; it must be 1"},
      {[](Model& m) { m.bvh_child[2 * m.mesh_bvhadr[0] + 1] = 2; }, "the "},
      {[](Model& m) { m.bvh_depth[m.mesh_bvhadr[0]] = 1; }, "the "},
      {[](Model& m) { m.npolygonmax = 0; }, "npolygonmax is less than "},
      {[](Model& m) { m.nmeshdegmax = 0; }, "nmeshdegmax is less than "},
      {[](Model& m) { m.geom_condim[0] = 2; }, "geom_condim[0] is 2; it must be 1, 3, 4 or 6"},
      {[](Model& m) { m.eq_objtype[0] = int(ObjType::kGeom); }, "eq_objtype[0] is 5; it must be 1"},
      {[](Model& m) { m.eq_obj1id[1] = 2; }, "jnt_type[2] is ball, which has several dofs"},
      {[](Model& m) { m.nemax = 3; }, "nemax is 3; there can be 8 rows"},
      {[](Model& m) { m.actuator_gaintype[0] = int(GainType::kSo3); }, "the laws of actuator 0 do not fit each other"},
      {[](Model& m) { m.actuator_trntype[0] = int(TransmissionType::kSliderCrank); },
       "actuator_trnid[1] is -1; it must be 0 to 1"},
      {[](Model& m) { m.actuator_dyntype[0] = int(DynType::kFilter); },
       "actuator_actnum[0] is 0, which its law cannot have"},
      {[](Model& m) { m.actuator_ctrlspec[0] = kInputNone, m.actuator_gaintype[0] = int(GainType::kDcMotor); },
       "actuator_ctrlnum[0] is 1; it must be 0"},
      {[](Model& m) { m.sensor_type[0] = int(SensorType::kContact), m.sensor_intprm[0] = 127; },
       "sensor_dim[0] is 3; it must be 0"},
      {[](Model& m) { m.sensor_type[0] = int(SensorType::kContact); }, "sensor_dim[0] is 3; it must be 0"},
      {[](Model& m) { std::swap(m.ten_J_colind[0], m.ten_J_colind[1]); }, "ten_J_colind["},
      {[](Model& m) { m.hfield_size[2] = 0; }, "hfield_size[2] is not greater than 0"},
      {[](Model& m) { m.mesh_polyvertnum[0] = 2; }, "mesh_polyvertnum[0] is 2; it must be 3 to "},
      {[](Model& m) { m.cam_resolution[0] = -1; }, "cam_resolution[0] is -1; it must be 0 to "},
      {[](Model& m) { m.sensor_historyadr[0] = m.actuator_historyadr[0]; }, "sensor_historyadr[0] is 0; it must be "},
      {[](Model& m) { m.sensor_refid[1] = -1; }, "sensor_reftype[1] is not what its sensor measures"},
      {[](Model& m) { m.arena_bytes = -7; }, "arena_bytes is -7"},
      {[](Model& m) { m.nJmom = 1 << 30; }, "nJmom is 1073741824; it can be "},
      {[](Model& m) { m.origins[ObjType::kBody][0].file = 3; }, "an origin in a file that is not listed"},
  };
  const Model good = load_model_string(kEverything);
  for (const auto& [spoil, message] : cases) {
    Model model = good;
    spoil(model);
    const std::string said = refusal(write_plm(model));
    const std::string wanted = "x.plm: error[E102] the file holds no usable model: " + std::string(message);
    EXPECT_EQ(said.substr(0, wanted.size()), wanted);
  }
  EXPECT_EQ(refusal("PLIANT"), "x.plm: error[E102] the file is too short to be a Pliant model");
  EXPECT_EQ(refusal(std::string(100, 'x')), "x.plm: error[E102] the file is not a Pliant model");
}

}  // namespace
}  // namespace pliant
