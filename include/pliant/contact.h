#pragma once
// A contact: where two geoms touch, and with which parameters they push each other apart.

namespace pliant {

/// Why a contact has no constraint rows.
enum class ContactExclude : int {
  kNone,        ///< it has rows
  kInGap,       ///< farther away than its margin, found because of its gap
  kNoDofs = 3,  ///< neither side can move
};

/// Names, shapes and meanings are MuJoCo's (mjContact).
struct Contact {
  double dist;               ///< distance of the surfaces; negative: they overlap [m]
  double pos[3];             ///< midway between the surfaces, world [m]
  double frame[9];           ///< rows: normal (from geom[0] to geom[1]), two tangents; world
  double includemargin;      ///< there is a force if dist < includemargin [m]
  double friction[5];        ///< sliding (2), torsional [m], rolling (2) [m]
  double solref[2];          ///< spring and damper along the normal
  double solreffriction[2];  ///< of friction; zeros: as along the normal
  double solimp[5];          ///< impedance
  double mu;                 ///< slope of the regularised cone; the stage "constraint" sets it
  double adhesion;           ///< attracting force [N]
  double surfacevel[3];      ///< velocity of the surfaces, of geom[1] against geom[0]: two tangents [m/s], spin [rad/s]
  int dim;                   ///< directions in which it pushes: 1, 3, 4 or 6
  int geom[2];               ///< the one of lower GeomType first
  ContactExclude exclude;
  int row;   ///< its first constraint row (efc_address); -1 if none
  int pair;  ///< explicit pair it comes from; -1 if none
};

}  // namespace pliant
