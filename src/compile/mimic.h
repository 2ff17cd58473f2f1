#pragma once
// Pieces of equality.cpp for mimic constraints.

#include <vector>

namespace pliant {

class Model;
struct EqualitySpec;
struct EqualityWork;
struct Work;

void compile_mimic(Work& work, EqualitySpec& spec, EqualityWork& equality);
/// Equalities that are exact mimics, in the order in which followers are eliminated: before their leaders.
std::vector<int> elimination_order(const Work& work);
void count_mimics(Work& work);  // nmimic nmimiclead nfollower
void write_mimics(const Work& work, Model& model);

}  // namespace pliant
