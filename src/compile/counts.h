#pragma once
// Sizes of everything outside the kinematic tree. They must be known before the Model is allocated,
// so each file that writes a part of the Model also counts it. All of them read Work only, never
// the sizes another function sets; they may be called in any order, and again when a list has
// changed.

namespace pliant {

class Model;
struct Work;

void count_assets(Work& work);      // assets.cpp: ntex ntexdata nmat nskin…
void count_hfields(Work& work);     // hfields.cpp: nhfield nhfielddata
void count_meshes(Work& work);      // meshes.cpp: nmesh…
void count_contact(Work& work);     // contact_pairs.cpp: npair nexclude
void count_equalities(Work& work);  // equality.cpp: neq nemax nmimic…
void count_tendons(Work& work);     // tendons.cpp: ntendon nwrap nuser_tendon
void count_custom(Work& work);      // custom.cpp: nnumeric… ntext… ntuple…
void count_keyframes(Work& work);   // keyframes.cpp: nkey; reports lists of the wrong length
void count_bvh(Work& work);         // bvh.cpp: nbvh nbvhstatic
void count_sparsity(Work& work);    // sparsity.cpp: ntree nM nB nC nD nJten nJmom; reports sleep policies
void count_names(Work& work);       // names.cpp: nnames nnames_map npaths

/// Adds the empty keyframes that <size nkey> asks for (keyframes.cpp).
void expand_keyframes(Work& work);

inline void count_objects(Work& work) {
  count_assets(work);
  count_hfields(work);
  count_meshes(work);
  count_contact(work);
  count_equalities(work);
  count_tendons(work);
  count_custom(work);
  count_keyframes(work);
  count_bvh(work);
  count_sparsity(work);
  count_names(work);
}

void write_bvh(const Work& work, Model& model);  // bvh.cpp: bvh_*, body_bvhadr, body_bvhnum

}  // namespace pliant
