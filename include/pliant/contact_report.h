#pragma once
// Contacts in words: which geoms touch, how deep, with which parameters, and who said so.

#include <string>
#include <vector>

#include "pliant/spec.h"
#include "pliant/state.h"

namespace pliant {

/// A parameter of a contact and where its value comes from.
struct ContactParameter {
  std::string name;           ///< attribute: "friction", "solref" …
  std::vector<double> value;  ///< as the contact has it
  std::string rule;           ///< "pair", "priority", "solmix", "smaller", "larger", "sum" or "override"
  /// "file:line:column" of the attributes it was made of, with the default class if it stands there; of the elements,
  /// where nobody set the attribute.
  std::vector<std::string> origins;
};

struct ContactReport {
  Contact contact;
  std::string geom[2];      ///< names, or "geom 3" for those without
  std::string origin[2];    ///< of the geoms, "file:line:column"
  std::string pair_origin;  ///< of the explicit pair; "" if there is none
  std::string rule;         ///< who decides: "pair", "priority of floor" or "solmix 0.25 : 0.75"
  std::vector<ContactParameter> parameters;
};

/// The contacts in `data`. With the Spec that the model was compiled from, values are traced to attributes and default
/// classes; without (null), to geoms and pairs.
std::vector<ContactReport> report_contacts(const Model& model, const Data& data, const Spec* spec = nullptr);

/// The parameters of one contact, also of one that is not there yet: geoms, pair and numbers are read, not the place.
std::vector<ContactParameter> contact_parameters(const Model& model, const Contact& contact,
                                                 const Spec* spec = nullptr);
/// Who decides: "pair", "priority of floor" or "solmix 0.25 : 0.75".
std::string contact_rule(const Model& model, const Contact& contact);

}  // namespace pliant
