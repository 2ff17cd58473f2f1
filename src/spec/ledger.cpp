// Ledger: the fate of every attribute read.

#include "pliant/ledger.h"

namespace pliant {

void Ledger::add(Fate fate, Origin at, std::string_view element, std::string_view attribute, std::string_view value,
                 std::string_view note) {
  // long inline data (vertices, elevations) is not worth repeating
  constexpr size_t kLongest = 80;
  entries_.push_back({fate, at, std::string(element), std::string(attribute), std::string(value.substr(0, kLongest)),
                      std::string(note)});
}

void Ledger::change(Origin at, Fate fate, std::string_view note) {
  for (LedgerEntry& entry : entries_) {
    if (entry.at.file == at.file && entry.at.line == at.line && entry.at.column == at.column) {
      entry.fate = fate;
      entry.note = note;
    }
  }
}

void Ledger::change_recent(Origin at, Fate fate, std::string_view note) {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->at.file != at.file || entry->at.line != at.line || entry->at.column != at.column) continue;
    entry->fate = fate;
    entry->note = note;
    return;
  }
}

int Ledger::count(Fate fate) const {
  int n = 0;
  for (const LedgerEntry& entry : entries_) n += entry.fate == fate;
  return n;
}

const char* fate_name(Fate fate) {
  switch (fate) {
    case Fate::kKept:
      return "kept";
    case Fate::kApproximated:
      return "approximated";
    case Fate::kIgnored:
      return "ignored";
    case Fate::kUnsupported:
      return "unsupported";
  }
  return "";
}

}  // namespace pliant
