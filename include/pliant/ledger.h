#pragma once
// Ledger: the fate of every attribute read. An attribute ends as kept, approximated, ignored or
// unsupported; there is no fifth way.

#include <string>
#include <vector>

#include "pliant/diagnostics.h"

namespace pliant {

enum class Fate : uint8_t {
  kKept,          ///< changes the model exactly as its author meant
  kApproximated,  ///< changes the model, but clamped or replaced by the nearest possible
  kIgnored,       ///< read and checked, has no effect on the model; the note says why
  kUnsupported,   ///< not supported; an error, or a warning where unsupported input is allowed
};

struct LedgerEntry {
  Fate fate = Fate::kKept;
  Origin at;
  std::string element, attribute, value, note;
};

class Ledger {
 public:
  void add(Fate fate, Origin at, std::string_view element, std::string_view attribute, std::string_view value,
           std::string_view note = {});
  /// Changes the fate of the attribute whose value stands at `at`.
  void change(Origin at, Fate fate, std::string_view note);
  /// The same for an attribute that was added a moment ago: looks from the end, and for one.
  void change_recent(Origin at, Fate fate, std::string_view note);

  const std::vector<LedgerEntry>& entries() const { return entries_; }
  int count(Fate fate) const;
  std::vector<std::string> files;

 private:
  std::vector<LedgerEntry> entries_;
};

const char* fate_name(Fate fate);

}  // namespace pliant
