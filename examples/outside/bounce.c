/* A ball that falls: what the contact will do, and what it does. The same program in C++ is bounce.cpp.
 *
 *   bounce_c FILE GEOM1 GEOM2
 */

#include <inttypes.h>
#include <stdio.h>

#include <pliant/pliant_c.h>

/* Moves the model for 2000 steps; the deepest contact on the way, or -1. */
static double simulate(const pliant_model *model, pliant_state *state, pliant_data *data) {
  double deepest = 0;
  for (int i = 0; i < 2000; ++i) {
    const int faults = pliant_step(model, state, data);
    if (faults != 0) {
      char *why = faults > 0 ? pliant_describe_faults(model, data, faults) : NULL;
      fprintf(stderr, "%s\n", why ? why : pliant_last_error());
      pliant_free_text(why);
      return -1;
    }
    for (int contact = 0; contact < pliant_contact_count(data); ++contact) {
      const double depth = -*pliant_contact_dist(data, contact);
      if (depth > deepest) deepest = depth;
    }
  }
  return deepest;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s FILE GEOM1 GEOM2\n", argv[0]);
    return 2;
  }
  pliant_model *model = pliant_load_model(argv[1]);
  pliant_state *state = model ? pliant_new_state(model) : NULL;
  pliant_data *data = model ? pliant_new_data(model) : NULL;
  const int first = model ? pliant_find_id(model, PLIANT_GEOM, argv[2]) : -1;
  const int second = model ? pliant_find_id(model, PLIANT_GEOM, argv[3]) : -1;
  int failed = 1;
  if (state && data && first >= 0 && second >= 0) {
    char *contact = pliant_explain_contact(model, state, first, second, 1, false);
    if (contact) printf("%s\n", contact);
    pliant_free_text(contact);
    const double deepest = simulate(model, state, data);
    if (contact && deepest >= 0) {
      printf("simulated: %.3f s, deepest contact %.6f m\n", *pliant_state_time(state, NULL), deepest);
      printf("state %016" PRIx64 "\n", pliant_hash_state(state));
      failed = 0;
    }
  }
  if (failed) fprintf(stderr, "%s\n", pliant_last_error());
  pliant_free_data(data);
  pliant_free_state(state);
  pliant_free_model(model);
  return failed;
}
