#pragma once
// What a command takes from the command line. One description makes the parser, its refusals and --help.
//
//   arguments.positional("MODEL", options->path, "MJCF or URDF file");
//   arguments.option("--steps", "N", options->steps, "how many steps", {0, kMostSteps});
//   arguments.flag("--json", options->json, "print JSON");
//   arguments.example("models/drop.xml --steps 100");
//
// A variable's value when it is described is its default. A value that is malformed or out of range is refused with the
// option's name, the value and what is allowed; a misspelt name gets a suggestion.

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pliant::app {

/// Wrong usage: the message names the argument and says what is allowed.
struct UsageError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Real numbers an option takes.
struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool above = false;  ///< `low` itself is refused
};
inline constexpr Range kAnyNumber{}, kZeroOrMore{0}, kAboveZero{.low = 0, .above = true};
/// Pictures per simulated second: more than a disk has room for is a slip.
inline constexpr Range kPictureRates{.low = 0, .high = 10000, .above = true};

/// Whole numbers an option takes, both ends included.
struct WholeRange {
  int64_t low, high;
};

class Arguments {
 public:
  explicit Arguments(std::string command) : command_(std::move(command)) {}

  // ---- description

  void positional(const char* name, std::string& value, const char* help, bool required = true);
  void flag(const char* name, bool& value, const char* help);
  void flag(const char* name, std::function<void()> set, const char* help);
  void option(const char* name, const char* value_name, std::string& value, const char* help);
  void option(const char* name, const char* value_name, double& value, const char* help, Range range = kAnyNumber);
  void option(const char* name, const char* value_name, int64_t& value, const char* help, WholeRange range);
  void option(const char* name, const char* value_name, int& value, const char* help, WholeRange range);
  /// One of a few words; `chosen` gets its place in the list.
  void choice(const char* name, const char* value_name, std::vector<std::string> words, const char* help,
              std::function<void(size_t chosen)> set);
  /// May be repeated.
  void list(const char* name, const char* value_name, std::vector<std::string>& values, const char* help);
  /// Exactly two values.
  void pair(const char* name, const char* value_names, std::vector<std::string>& values, const char* help);
  /// Two options of which one at most may be given.
  void exclusive(const char* one, const char* other) { exclusive_.emplace_back(one, other); }
  /// Options described from here on stand under this title in --help.
  void group(const char* title) { group_ = title; }

  /// What to know about the command, after its options.
  void note(std::string text) { note_ = std::move(text); }
  /// Arguments of a call that works, from the root of the source tree.
  void example(const char* arguments) { examples_.push_back(arguments); }

  // ---- use

  /// Throws UsageError. False when --help was asked for.
  bool parse(std::span<const std::string> words);
  /// Whether an option or a flag was on the command line.
  bool given(std::string_view name) const;
  /// Whether there is such an option.
  bool knows(std::string_view name) const;
  std::string help(const std::string& program, const std::string& summary) const;
  const std::string& command() const { return command_; }

 private:
  struct Item {
    std::string name, value_name, help, group;
    size_t takes = 1;  // values
    bool repeats = false, required = false, given = false;
    std::function<void(const std::string& value)> set;  // throws UsageError
  };
  Item& add(const char* name, const char* value_name, const char* help, std::function<void(const std::string&)> set);
  Item& find(const std::string& name);
  void take(Item& item, const std::string& value);

  std::string command_, group_, note_;
  std::vector<Item> positionals_, options_;
  std::vector<std::pair<std::string, std::string>> exclusive_;
  std::vector<std::string> examples_;
};

/// The parts of "a,b,c"; none of "".
std::vector<std::string> split_list(const std::string& text);

/// "did you mean 'x'?" or the names there are, for a message that a name does not exist.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace pliant::app
