// What is wrong with a GPU, and what it cannot do, in words; none is needed to test them.

#include <gtest/gtest.h>

#include "batch/gpu_messages.h"
#include "batch/gpu_support.h"
#include "pliant/batch.h"
#include "pliant/load.h"

namespace pliant {
namespace {

TEST(GpuWords, EveryTroubleSaysWhatHelps) {
  GpuFacts f;
  f.gpu = "NVIDIA T4", f.major = 7, f.minor = 5, f.architectures = "80, 90";
  f.driver_cuda = 12020, f.built_cuda = 13000;
  f.free_bytes = 1500000000, f.total_bytes = 16000000000, f.wanted_bytes = 123456789000, f.what = "worlds";
  f.cuda_text = "unspecified launch failure";
  EXPECT_EQ(gpu_message(GpuTrouble::kNone, f), "");
  EXPECT_EQ(gpu_message(GpuTrouble::kNoDriver, f), "there is no NVIDIA driver on this machine");
  EXPECT_EQ(
      gpu_message(GpuTrouble::kOldDriver, f),
      "the NVIDIA driver is too old: it knows CUDA 12.2, and this build of Pliant was made with CUDA 13.0; install a "
      "newer driver, or build Pliant with the older CUDA");
  EXPECT_EQ(gpu_message(GpuTrouble::kNoDevice, f), "the NVIDIA driver shows no GPU");
  f.restricted = true;
  EXPECT_EQ(gpu_message(GpuTrouble::kNoDevice, f), "the NVIDIA driver shows no GPU (CUDA_VISIBLE_DEVICES is \"\")");
  EXPECT_EQ(gpu_message(GpuTrouble::kNoCode, f),
            "this build of Pliant has no code for NVIDIA T4 (sm_75), only for 80, 90; build it with "
            "-DPLIANT_CUDA_ARCH=75");
  EXPECT_EQ(
      gpu_message(GpuTrouble::kOutOfMemory, f),
      "the GPU is out of memory: 123.5 GB are wanted for worlds, 1.5 GB of 16.0 GB are free; use fewer worlds, or "
      "precision float32");
  EXPECT_EQ(gpu_message(GpuTrouble::kOther, f), "worlds: unspecified launch failure");
}

TEST(GpuWords, BytesAreReadable) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1000), "1.0 kB");
  EXPECT_EQ(bytes_text(41200000), "41.2 MB");
  EXPECT_EQ(bytes_text(4120000000000), "4120.0 GB");
}

TEST(GpuWords, WhatAGpuCannotDoIsRefusedByName) {
  Model m = load_model_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  EXPECT_EQ(not_on_gpu(m), "");
  const auto refused = [&](auto&& change, const std::string& words) {
    Model other = m;
    change(other.opt);
    EXPECT_NE(not_on_gpu(other).find(words), std::string::npos) << words << ": " << not_on_gpu(other);
    // without constraints there is neither contact nor solver to ask for
    return other;
  };
  refused([](Options& o) { o.integrator = Integrator::kRk4; }, "set opt.integrator");
  refused([](Options& o) { o.integrator = Integrator::kMidpoint; }, "set opt.integrator");
  refused([](Options& o) { o.spin = SpinLaw::kConserving; }, "opt.spin");
  refused([](Options& o) { o.resolution = Resolution::kSignorini; }, "opt.resolution");
  refused([](Options& o) { o.friction = FrictionLaw::kAnchored; }, "opt.friction");
  refused([](Options& o) { o.enableflags |= kEnableDiagStack; }, "diagstack");
  Model other = refused([](Options& o) { o.solver = SolverType::kPgs; }, "the solver PGS does not run on a GPU");
  refused([](Options& o) { o.solver = SolverType::kAuto; }, "the solver auto does not run on a GPU; set opt.solver to");
  other.opt.disableflags |= kDisableConstraint;
  EXPECT_EQ(not_on_gpu(other), "");
  m = load_model_string(
      "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody>"
      "<actuator><adhesion body='b' ctrlrange='0 1'/></actuator></mujoco>");
  EXPECT_NE(not_on_gpu(m).find("adhesion"), std::string::npos) << not_on_gpu(m);
}

}  // namespace
}  // namespace pliant
