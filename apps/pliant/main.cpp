// pliant: the command line.

#include <string>
#include <vector>

#include "cmd.h"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0), argv + argc);
  return pliant::app::run_program("pliant", words);
}
