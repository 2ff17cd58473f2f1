#pragma once
// Pieces of equality.cpp for mimic constraints.

namespace pliant {

class Model;
struct EqualitySpec;
struct EqualityWork;
struct Work;

void compile_mimic(Work& work, EqualitySpec& spec, EqualityWork& equality);
void count_mimics(Work& work);  // nmimic nmimiclead
void write_mimics(const Work& work, Model& model);

}  // namespace pliant
