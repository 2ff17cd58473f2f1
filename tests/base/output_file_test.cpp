// Output files: whole or not at all, causes named, nothing left behind.

#include "base/output_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "base/file_names.h"
#include "base/input_files.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("output_file_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path in(const std::string& name) const { return folder_ / name; }
  int entries() const { return static_cast<int>(std::distance(fs::directory_iterator(folder_), {})); }
  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void put(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  /// What the exception says.
  template <class Function>
  static std::string refusal(Function function) {
    try {
      function();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing was refused";
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsWholeOrNotAtAll) {
  put(in("a"), "old");
  {
    OutputFile file(in("a"));
    file.write("new");
    EXPECT_EQ(content(in("a")), "old");
  }
  EXPECT_EQ(content(in("a")), "old");
  EXPECT_EQ(entries(), 1);
  OutputFile file(in("a"));
  file.write("ne");
  file.write(std::string(100'000, 'w'));
  file.write("!");
  file.commit();
  EXPECT_EQ(content(in("a")), "ne" + std::string(100'000, 'w') + "!");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, PermissionsStayAndNewFilesFollowTheUmask) {
  put(in("script"), "old");
  ASSERT_EQ(chmod(in("script").c_str(), 0751), 0);
  write_whole_file(in("script"), "new");
  const mode_t before = umask(027);
  write_whole_file(in("fresh"), "new");
  umask(before);
  struct stat found;
  ASSERT_EQ(stat(in("script").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0751u);
  ASSERT_EQ(stat(in("fresh").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0640u);
}

TEST_F(OutputFileTest, LinksStayLinks) {
  fs::create_directory(in("elsewhere"));
  put(in("elsewhere/target"), "old");
  fs::create_symlink("elsewhere/target", in("link"));
  fs::create_symlink("link", in("second"));
  fs::create_symlink("elsewhere/new", in("dangling"));
  write_whole_file(in("second"), "through two");
  write_whole_file(in("dangling"), "made");
  EXPECT_TRUE(fs::is_symlink(in("second")) && fs::is_symlink(in("link")) && fs::is_symlink(in("dangling")));
  EXPECT_EQ(content(in("elsewhere/target")), "through two");
  EXPECT_EQ(content(in("elsewhere/new")), "made");
  fs::create_symlink("circle", in("circle"));
  EXPECT_NE(refusal([&] { write_whole_file(in("circle"), "x"); }).find("symbolic links"), std::string::npos);
}

TEST_F(OutputFileTest, Bug8_FullDiskIsNamedAndNothingIsLeft) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  fs::create_symlink("/dev/full", in("out"));
  for (const size_t bytes : {size_t{10}, size_t{200'000}}) {
    const std::string said = refusal([&] { write_whole_file(in("out"), std::string(bytes, 'x')); });
    EXPECT_EQ(said, "cannot write " + in("out").string() + ": No space left on device");
  }
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, Bug8_AFileThatMayNotGrowLeavesTheOldOne) {
  put(in("out"), "old");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said = refusal([&] {
    OutputFile file(in("out"));
    for (int i = 0; i < 100; ++i) file.write(std::string(5000, 'x'));
    file.commit();
  });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(said, "cannot write " + in("out").string() + ": File too large");
  EXPECT_EQ(content(in("out")), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, PlacesThatCannotBeWrittenAreKnownAtOnce) {
  EXPECT_NE(refusal([&] { OutputFile file(in("no/such/folder")); }).find("No such file"), std::string::npos);
  EXPECT_NE(refusal([&] { OutputFile file(folder_); }).find("Is a directory"), std::string::npos);
  put(in("file"), "");
  EXPECT_NE(refusal([&] { OutputFile file(in("file/below")); }).find("Not a directory"), std::string::npos);
  EXPECT_NE(refusal([&] { OutputFile file(in(std::string(300, 'n'))); }).find("too long"), std::string::npos);
  EXPECT_NE(refusal([&] { OutputFile file(""); }).find("cannot write ''"), std::string::npos);
  if (geteuid() == 0) return;  // nothing is protected from root
  chmod(in("file").c_str(), 0444);
  EXPECT_NE(refusal([&] { OutputFile file(in("file")); }).find("Permission denied"), std::string::npos);
}

TEST_F(OutputFileTest, TheLongestNameCanBeWritten) {
  const std::string name(255, 'n');
  write_whole_file(in(name), "x");
  EXPECT_EQ(content(in(name)), "x");
}

TEST_F(OutputFileTest, APipeIsWrittenDirectly) {
  ASSERT_EQ(mkfifo(in("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = content(in("pipe")); });
  write_whole_file(in("pipe"), "through");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(fs::is_fifo(in("pipe")));
}

TEST_F(OutputFileTest, ManyThreadsWriteOneFile) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this, i] {
      for (int k = 0; k < 20; ++k) {
        write_whole_file(in("shared"), std::string(1000, static_cast<char>('a' + i)), OutputFile::Sync::kNo);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string end = content(in("shared"));
  EXPECT_EQ(end, std::string(1000, end[0]));
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, InputsAreRecognisedUnderAnyName) {
  put(in("model.xml"), "x");
  fs::create_symlink("model.xml", in("link.xml"));
  InputFiles inputs;
  inputs.add(in("model.xml"));
  inputs.add(in("missing.xml"));
  EXPECT_TRUE(inputs.contains(folder_ / "." / "model.xml"));
  EXPECT_TRUE(inputs.contains(in("link.xml")));
  EXPECT_FALSE(inputs.contains(in("missing.xml")));
  put(in("other.xml"), "x");
  EXPECT_FALSE(inputs.contains(in("other.xml")));
}

TEST_F(OutputFileTest, Bug9_MisspeltFilesAreFound) {
  fs::create_directories(in("models"));
  put(in("models/drop.xml"), "");
  put(in("models/cube.stl"), "");
  const auto meant = [&](const std::string& name) { return did_you_mean_file(in(name)); };
  const std::string drop = "did you mean '" + in("models/drop.xml").string() + "'?";
  EXPECT_EQ(meant("models/dorp.xml"), drop);
  EXPECT_EQ(meant("models/drop.xlm"), drop);
  EXPECT_EQ(meant("models/drop"), drop);
  EXPECT_EQ(meant("model/drop.xml"), drop);
  EXPECT_EQ(meant("models/gone.stl"), "");
  EXPECT_EQ(meant("quite/elsewhere/drop.xml"), "");
}

}  // namespace
}  // namespace pliant
