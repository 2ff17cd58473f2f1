#pragma once
// What the tuning page (pages/tuning_law.js, pages/mimic_law.js) needs beside the numbers of an explanation, as JSON:
// it repeats the predictions for numbers that somebody slides, in a browser, where there is no model.

#include <string>

#include "analysis/contact_patch.h"
#include "pliant/mimic.h"

namespace pliant {

/// Of any row.
std::string tuning_numbers(const ScalarRow& row);
/// Of a contact: its points as well, and how they move with the body. Shapes stay behind: points are given with their
/// slopes, which is exact for the small motions that stability is about.
std::string tuning_numbers(const ContactPatch& patch, const Model& model);
/// Of a mimic; `response`: J M⁻¹ Jᵀ of its row, 0 where it has none.
std::string tuning_numbers(const Model& model, int mimic, double response);

}  // namespace pliant
