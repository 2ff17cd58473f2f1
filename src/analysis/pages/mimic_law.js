// How a mimic closes a residual C, for numbers that somebody slides or types: one row (mimic_soft_hd.h), stepped.
// u is the speed of C, a = response · load the acceleration that a force along the row gives it.
// No word about pages here: node runs it as well.
//
//   soft (implicit spring)   u⁺ = (u + h a − h w² C) / (1 + 2 h z w + h² w²)
//   hard                     u⁺ + 1e-6 r λ + erp C / h = 0,   u⁺ = u + h a + r λ

/** Residual after every step, from `residual` at rest under `load`: [time, C]. */
function mimicPath(tuning, p, residual, load, span) {
  const h = p.timestep / tuning.substeps, a = tuning.response * load, out = [[0, residual]];
  const w = p.naturalfreq, soft = 1 / (1 + 2 * h * p.dampratio * w + h * h * w * w), hard = 1 / (1 + 1e-6);
  let C = residual, u = 0;
  for (let n = 1; n * p.timestep <= span * (1 + 1e-9) && n < 20000; ++n) {
    for (let k = 0; k < tuning.substeps; ++k) {
      const free = u + h * a;
      u = tuning.mode === "soft" ? (free - h * w * w * C) * soft : free * (1 - hard) - hard * p.erp * C / h;
      C += h * u;
    }
    out.push([n * p.timestep, C]);
  }
  return out;
}

/** What it will do: numbers of the table. Times in seconds, `per_load` in m or rad per N or N·m. */
function mimicBehaviour(tuning, p) {
  const h = p.timestep / tuning.substeps, soft = tuning.mode === "soft";
  const perLoad = soft ? tuning.response / p.naturalfreq ** 2 : 1e-6 * h * h * tuning.response / p.erp;
  // ten time constants of the slower of its two modes
  const z = p.dampratio, slower = z > 1 ? z + Math.sqrt(z * z - 1) : 1 / Math.max(z, 1e-3);
  const span = soft ? 10 * slower / p.naturalfreq : 20 * p.timestep / Math.max(p.erp, 1e-3);
  const path = mimicPath(tuning, p, 1, 0, span);
  let late = 0, lowest = 0;
  path.forEach(([, C], n) => {
    if (Math.abs(C) > 0.05) late = n + 1;
    lowest = Math.min(lowest, C);
  });
  return {frequency: soft ? p.naturalfreq / (2 * Math.PI) : null, dampratio: soft ? p.dampratio : null,
    settle_time: late < path.length ? path[late][0] : Infinity, overshoot: -lowest, per_load: perLoad,
    stiffness: 1 / perLoad};
}
