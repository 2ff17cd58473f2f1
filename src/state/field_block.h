#pragma once
// One line of a field list as a StateFieldInfo. The lists write counts as bare names of sizes, so they are
// evaluated inside a struct that has these names as members.

#define PLIANT_SIZE_OF(expression)             \
  [](const ModelSizes& sizes) -> int {         \
    struct Names : ModelSizes {                \
      int value() const { return expression; } \
    };                                         \
    return Names{sizes}.value();               \
  }
