// The program that reads meshes of strangers: what is left of it, and said about it, when it ends in any way; many at
// once; and hosts that make its life hard.

#include "base/apart.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "compile/mesh.h"
#include "compile/scene_messages.h"

namespace pliant {
namespace {

const char kTetrahedron[] = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/>
  <up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/>
  <param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene>
  </library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";

int open_files() {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder)) ++count;
  closedir(folder);
  return count;
}

/// What talking to it ends with.
std::string reason(Apart& reader, const std::string& request = {}) {
  try {
    if (!request.empty()) reader.send(kFile, request);
    reader.receive();
    return "an answer";
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
}

// Ends a program wherever it is. (Sanitizers would write a report of SIGSEGV, and hang in it while they start.)
constexpr int kCrash = SIGABRT;

class ApartTest : public testing::Test {
 protected:
  void SetUp() override { files_ = open_files(); }
  /// No file and no child stays behind, dead or alive.
  void TearDown() override {
    EXPECT_EQ(open_files(), files_);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }
  int files_ = 0;
};

TEST_F(ApartTest, Reads) {
  const MeshData mesh = read_scene(kTetrahedron, "dae", {});
  EXPECT_EQ(mesh.face.size(), 12u);
}

TEST_F(ApartTest, EndsWithItsOwner) {
  const Apart reader(scene_reader_program(), {"dae"});
  EXPECT_EQ(kill(reader.process(), 0), 0);
}

TEST_F(ApartTest, KilledIsCrashed) {
  Apart reader(scene_reader_program(), {"dae"});
  kill(reader.process(), kCrash);
  EXPECT_EQ(reason(reader), "the reader crashed");
}

TEST_F(ApartTest, SilenceEndsAtTheDeadline) {
  ApartLimits limits;
  limits.clock = 1;
  const auto start = std::chrono::steady_clock::now();
  Apart reader(scene_reader_program(), {"dae"}, limits);  // it waits for a request
  EXPECT_EQ(reason(reader), "it took more than 1 s");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(8));
}

TEST_F(ApartTest, EndlessWorkEnds) {
  ApartLimits limits;
  limits.seconds = 1;
  Apart reader(scene_reader_program(), {"dae"}, limits);
  std::string endless =
      kTetrahedron;  // Assimp's reader never gets over a letter among the indices, and fills memory with them
  endless.replace(endless.find("<p>0 2"), 6, "<p>0 P");
  const std::string why = reason(reader, endless);
  // (Assimp itself may notice that there is no more memory, and answer)
  EXPECT_TRUE(why == "it took more than 1 s" || why == "the reader ran out of memory" || why == "an answer") << why;
  // so that it never gets one
  try {
    read_scene(endless, "dae", {});
    FAIL();
  } catch (const std::string& why) {
    EXPECT_EQ(why, "it is not readable: <p> has 'P' where there should be a whole number");
  }
}

TEST_F(ApartTest, MemoryIsLimited) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer ends a program that gets no memory";
#endif
  ApartLimits limits;
  limits.bytes = 30 << 20;
  Apart reader(scene_reader_program(), {"dae"}, limits);
  // growing by doubling needs more than half as much again
  EXPECT_EQ(reason(reader, std::string(25 << 20, ' ')), "the reader ran out of memory");
}

TEST_F(ApartTest, WhatCannotBeStartedIsSaid) {
  try {
    Apart reader("no program", {});
    FAIL();
  } catch (const std::runtime_error& problem) {
    EXPECT_EQ(std::string(problem.what()).substr(0, 32), "no other process can be started:");
  }
}

TEST_F(ApartTest, ManyAtOnceBesideThreadsThatAllocateAndPrint) {
  std::atomic<bool> done = false;
  std::atomic<int> read = 0;
  std::vector<std::thread> threads, busy;
  for (int i = 0; i < 2; ++i) {
    busy.emplace_back([&] {
      while (!done) {
        std::string text(1 << 12, 'x');
        char out[64];
        std::snprintf(out, sizeof out, "%p %f", static_cast<void*>(text.data()), 1.5);
      }
    });
  }
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 4; ++k) read += static_cast<int>(read_scene(kTetrahedron, "dae", {}).face.size() == 12);
    });
  }
  for (std::thread& thread : threads) thread.join();
  done = true;
  for (std::thread& thread : busy) thread.join();
  EXPECT_EQ(read, 32);
}

/// Libraries with threads of their own stop them before a fork, and some never come back from that.
TEST_F(ApartTest, NoHandlerOfForkRuns) {
  static int forks = 0;
  pthread_atfork([] { ++forks; }, nullptr, nullptr);
  read_scene(kTetrahedron, "dae", {});
  EXPECT_EQ(forks, 0);
}

TEST_F(ApartTest, HostsMayIgnoreTheirChildren) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(read_scene(kTetrahedron, "dae", {}).face.size(), 12u);
  {
    Apart reader(scene_reader_program(), {"dae"});
    kill(reader.process(), kCrash);
    EXPECT_EQ(reason(reader), "the reader crashed");
  }
  std::signal(SIGCHLD, before);
}

TEST_F(ApartTest, HostsMayBlockSignals) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  EXPECT_EQ(read_scene(kTetrahedron, "dae", {}).face.size(), 12u);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace
}  // namespace pliant
