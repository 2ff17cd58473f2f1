// The fuzz targets without libFuzzer, for machines without clang.
//
//   pliant_fuzz TARGET RUNS FILE…
//
// runs the target on every file, then RUNS times on mutations of them: bytes changed, cut,
// repeated, moved between files, numbers replaced by extreme ones. The mutations are the same every
// time; PLIANT_FUZZ_SEED in the environment gives others. An input that kills the program or takes too long is
// written to fuzz-TARGET.input; the exit status tells.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "targets.h"

namespace {

constexpr unsigned kHangSeconds = 30;  // wall clock: the machine may be busy
// Processor time for one input; sanitizers cost a factor of ten and more.
#ifdef PLIANT_SANITIZE
constexpr double kSlowSeconds = 20;
#else
constexpr double kSlowSeconds = 1;
#endif
constexpr size_t kMaxBytes = 1 << 16;

std::string current, current_file;

// Only calls that are allowed in a signal handler.
void save_input(int signal) {
  const int file = open(current_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const char* at = current.data();
  for (size_t left = current.size(); file >= 0 && left > 0;) {
    const ssize_t written = write(file, at, left);
    if (written <= 0) break;
    at += written;
    left -= static_cast<size_t>(written);
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

using Random = std::mt19937;
size_t below(Random& random, size_t n) { return n == 0 ? 0 : random() % n; }

void mutate(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  constexpr const char* kTexts[] = {"-1",          "0", "1e308", "-1e38", "1e-320", "nan",
                                    "99999999999", "<", "/>",    "\"",    "1 1 1",  "2147483647"};
  constexpr uint32_t kWords[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000, 0x7FC00000, 0x10000};
  const size_t at = below(random, input.size()), length = 1 + below(random, 32);
  switch (random() % 7) {
    case 0:
      if (!input.empty()) input[at] = static_cast<char>(input[at] ^ 1 << random() % 8);
      break;
    case 1:
      if (!input.empty()) input[at] = static_cast<char>(random());
      break;
    case 2:
      input.erase(at, length);
      break;
    case 3:
      input.insert(at, input.substr(below(random, input.size()), length));
      break;
    case 4: {
      const uint32_t word = kWords[below(random, std::size(kWords))];
      if (at + sizeof word <= input.size()) std::memcpy(input.data() + at, &word, sizeof word);
      break;
    }
    case 5: {
      const std::string& other = seeds[below(random, seeds.size())];
      input.replace(at, length, other.substr(below(random, other.size()), length));
      break;
    }
    default:
      input.replace(at, random() % 8, kTexts[below(random, std::size(kTexts))]);
  }
}

std::string read_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto* target = argc < 4 ? std::end(pliant::fuzz::kTargets)
                                : std::find_if(
                                      std::begin(pliant::fuzz::kTargets), std::end(pliant::fuzz::kTargets),
                                      [&](const auto& t) { return std::strcmp(t.name, argv[1]) == 0; });
  if (target == std::end(pliant::fuzz::kTargets)) {
    std::fprintf(stderr, "usage: pliant_fuzz TARGET RUNS FILE...\n");
    return 2;
  }
  current_file = std::string("fuzz-") + target->name + ".input";
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) std::signal(signal, save_input);

  double slowest = 0;
  const auto run = [&](std::string input) {
    current = std::move(input);
    alarm(kHangSeconds);
    const double start = processor_seconds();
    target->run(current);
    const double taken = processor_seconds() - start;
    alarm(0);
    slowest = std::max(slowest, taken);
    if (taken > kSlowSeconds) {
      std::fprintf(stderr, "%s: one input took %.1f s\n", target->name, taken);
      std::abort();
    }
  };

  std::vector<std::string> seeds;
  for (int i = 3; i < argc; ++i) {
    seeds.push_back(read_file(argv[i]));
    run(seeds.back());
  }
  const char* seed = std::getenv("PLIANT_FUZZ_SEED");
  Random random(seed ? static_cast<uint32_t>(std::strtoul(seed, nullptr, 10)) : 1);
  const long runs = std::atol(argv[2]);
  for (long i = 0; i < runs; ++i) {
    std::string input = seeds[below(random, seeds.size())];
    if (input.size() > kMaxBytes) continue;
    for (size_t n = 1 + below(random, 4); n > 0; --n) mutate(input, seeds, random);
    run(std::move(input));
  }
  std::printf("%s: %zu files, %ld mutations, slowest %.3f s\n", target->name, seeds.size(), runs, slowest);
}
