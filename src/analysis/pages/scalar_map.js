// One constraint row as the engine steps it (scalar_map.h, impedance_hd.h), for the tuning page. `clamps` has the codes
// of what was clamped.

const TINY = 1e-15, DEEPEST = 1e3, LONGEST_CONTACT = 40000, LONGEST_BOUNCE = 4000;
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

function springDamper([time, ratio], dwidth) {
  if (time > 0) {
    return {K: 1 / Math.max(TINY, dwidth * dwidth * time * time * ratio * ratio),
      B: 2 / Math.max(TINY, dwidth * time)};
  }
  return {K: -time / Math.max(TINY, dwidth * dwidth), B: -ratio / Math.max(TINY, dwidth)};
}

class ScalarMap {
  constructor(row) {
    this.row = row;
    this.clamps = new Set();
    const shortest = row.refsafe && !row.discrete ? 2 * row.timestep / row.substeps : 0;
    const [d0, dwidth, width, midpoint, power] = row.solimp;
    const s = this.solimp = [clamp(d0, 1e-4, 0.9999), clamp(dwidth, 1e-4, 0.9999), Math.max(0, width),
      clamp(midpoint, 1e-4, 0.9999), Math.max(1, power)];
    if (s[0] !== d0 || s[1] !== dwidth || s[3] !== midpoint) this.clamps.add("impedance");
    if (s[2] !== width) this.clamps.add("width");
    if (s[4] !== power) this.clamps.add("power");
    let [time, ratio] = row.solref;
    if ((time > 0) !== (ratio > 0)) {
      [time, ratio] = [0.02, 1];
      this.clamps.add("solref-mixed");
    }
    if (time > 0 && time < shortest) {
      time = shortest;
      this.clamps.add("refsafe");
    }
    this.solref = [time, ratio];
    this.given = springDamper(this.solref, s[1]);
    this.flat = s[0] === s[1];
    if (row.discrete) {
      for (const d of [s[1], s[0]]) this.law(d, this.clamps);
    }
    if (this.flat) this.flatLaw = this.law(s[0]);
  }

  impedance(r) {
    const [d0, dwidth, width, midpoint, power] = this.solimp;
    if (this.flat) return d0;
    if (width <= TINY) return 0.5 * (d0 + dwidth);
    const x = Math.abs(r) / width;
    if (x >= 1) return dwidth;
    if (x === 0) return d0;
    let y = x;
    if (power !== 1) {
      const low = x <= midpoint, reach = low ? x : 1 - x, middle = low ? midpoint : 1 - midpoint;
      const part = Math.pow(reach, power) / Math.pow(middle, power - 1);
      y = low ? part : 1 - part;
    }
    return d0 + y * (dwidth - d0);
  }

  /** d(d² r)/dr / d: where R stays and impedance follows the violation (TGS). */
  followingImpedance(r) {
    if (this.flat) return this.impedance(r);
    const step = 1e-6 * Math.max(Math.abs(r), 1e-9), slope = this.impedance(r + step) - this.impedance(r - step);
    return this.impedance(r) + r * slope / step;
  }

  softness(d) { return Math.max(TINY, (1 - d) * this.row.estimate / d); }

  /** Spring, damper and R that act at an impedance: those of the step's end where the integrator is discrete. */
  law(d, clamps) {
    const {discrete, refsafe, timestep: h} = this.row, {K: k0, B: b0} = this.given;
    if (!discrete) return {K: k0, B: b0, R: this.softness(d)};
    let K = k0, B = b0;
    if (refsafe && this.solref[0] > 0 && h * h * K * d > 1) {
      K = 1 / (h * h * d);
      B = 2 * this.solref[1] * Math.sqrt(K);
      if (clamps) clamps.add("refsafe");
    }
    const s = 1 + h * B + h * h * K * d, least = this.softness(0.9999), R = this.softness(d) / s;
    if (clamps && R < least) clamps.add("stiffest");
    return {K: K / s, B: (B + h * K * d) / s, R: Math.max(least, R)};
  }

  at(r) { return this.flat ? this.flatLaw : this.law(this.impedance(r)); }

  slidingDamping() {
    return this.row.discrete ? this.given.B / (1 + this.row.timestep * this.given.B) : this.given.B;
  }

  force(r, v) {
    if (!this.row.twoSided && r >= 0) return 0;
    const d = this.impedance(r), w = this.flat ? this.flatLaw : this.law(d);
    const f = (-w.B * v - w.K * d * r - this.row.freeAccel) / (this.row.response + w.R);
    return this.row.twoSided ? f : Math.max(0, f);
  }

  acceleration(r, v) { return this.row.freeAccel + this.row.response * this.force(r, v); }

  /** TGS: the time by which positions are ahead of the parts of a step. */
  lead() {
    const {timestep, substeps, twoSided, leads} = this.row;
    return twoSided || !leads || substeps === 1 ? 0 : 0.5 * (timestep - timestep / substeps);
  }

  /** TGS: how far from the surface a part begins to touch. */
  reach(r, v) {
    const {timestep, substeps} = this.row, h = timestep / substeps;
    return substeps === 1 || this.given.B * this.impedance(r) * h > 0.5 ? 0 : 0.5 * h * Math.abs(v);
  }

  /** Whether nothing touches where a step begins; of TGS, whether no part of the step pushes. */
  outside(r, v) { return this.row.substeps === 1 ? r >= 0 : !this.step([r, v]); }

  /** One step of (r, v), in place. Returns whether a part of it pushed (TGS). */
  step(x) {
    const {timestep, substeps, rk4, response, freeAccel, twoSided} = this.row;
    let pushed = false;
    if (substeps > 1) {
      const h = timestep / substeps, start = this.impedance(x[0]), lead = this.lead();
      const conductance = 1 / (response + this.softness(start));
      const smooth = !twoSided && this.reach(x[0], 1) > 0;
      x[0] -= lead * x[1];
      for (let k = 0; k < substeps; ++k) {
        const half = smooth ? 0.5 * h * Math.abs(x[1]) : 0;
        let f = 0;
        if (twoSided || x[0] < half) {
          let share = 1, r = x[0];
          if (!twoSided && x[0] > -half) {
            share = (half - x[0]) / (2 * half);
            r = -(half - x[0]) * (half - x[0]) / (4 * half);
          }
          const d = twoSided ? start : this.impedance(r), more = d / start;
          f = (-this.given.B * more * share * x[1] - this.given.K * more * d * r - freeAccel) * conductance;
        }
        if (!twoSided) f = Math.max(0, f);
        pushed ||= f !== 0;
        x[1] += h * (freeAccel + response * f);
        x[0] += h * x[1];
      }
      x[0] += lead * x[1];
    } else if (!rk4) {
      x[1] += timestep * this.acceleration(x[0], x[1]);
      x[0] += timestep * x[1];
    } else {
      const [r, v] = x, h = timestep, a1 = this.acceleration(r, v), v2 = v + h / 2 * a1;
      const a2 = this.acceleration(r + h / 2 * v, v2), v3 = v + h / 2 * a2, a3 = this.acceleration(r + h / 2 * v2, v3);
      const v4 = v + h * a3, a4 = this.acceleration(r + h * v3, v4);
      x[0] += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
      x[1] += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return pushed;
  }

  /** Goes on for as many steps as certainly stay outside. */
  freeSteps(x) {
    const {timestep, substeps, rk4, freeAccel: a, twoSided} = this.row;
    // (of TGS without a lead free flight is in parts as well)
    const parts = this.lead() > 0 ? 1 : substeps, h = timestep / parts;
    if (twoSided || rk4 || !(x[0] >= 0) || !this.outside(x[0], x[1]) || !(a < 0)) return 0;
    const b = x[1] / (-a * h) - 0.5, all = b + Math.sqrt(b * b + 2 * x[0] / (-a * h * h));
    const steps = Math.trunc(Math.min(all / parts, 1e6)) - (substeps > 1 ? 2 : 1), n = steps * parts;
    if (!(steps > 0)) return 0;
    x[0] += n * h * x[1] + 0.5 * n * (n + 1) * h * h * a;
    x[1] += n * h * a;
    return steps;
  }

  pull() {
    const w = this.flatLaw;
    return w.K * this.solimp[0] * this.row.response / (this.row.response + w.R);
  }

  energyAbout(depth, r, v) {
    if (!this.flat) return Infinity;
    const s = this.pull(), x = r + depth;
    return v * v + s * x * x + this.row.timestep * s * Math.abs(x * v);
  }

  longestContact() {
    if (!this.flat) return LONGEST_BOUNCE;
    const periods = 4 * Math.PI / (Math.sqrt(this.pull()) * this.row.timestep);
    return Math.trunc(clamp(periods, LONGEST_BOUNCE, LONGEST_CONTACT));
  }

  staticForce(depth) {
    if (depth <= 0) return 0;
    const w = this.at(-depth);
    return w.K * this.impedance(-depth) * depth / w.R;
  }

  restDepth(load) {
    if (!(load > 0)) return 0;
    if (this.flat) {
      const depth = load * this.flatLaw.R / (this.flatLaw.K * this.solimp[0]);
      return depth <= DEEPEST ? depth : Infinity;
    }
    let low = 0, high = 1e-12;
    while (this.staticForce(high) < load) {
      low = high;
      high *= 1.1;
      if (high > DEEPEST) return Infinity;
    }
    for (let i = 0; i < 60; ++i) {
      const middle = 0.5 * (low + high);
      if (this.staticForce(middle) < load) low = middle; else high = middle;
    }
    return high;
  }

  growthAtRest(load, response) {
    const map = new ScalarMap({...this.row, response, freeAccel: -response * load, twoSided: true});
    const depth = this.restDepth(load);
    if (!isFinite(depth)) return 0;
    const dr = 1e-5 * Math.max(depth, 1e-9), dv = dr / this.row.timestep;
    const after = (r, v) => { const x = [r, v]; map.step(x); return x; };
    const r1 = after(-depth + dr, 0), r0 = after(-depth - dr, 0), v1 = after(-depth, dv), v0 = after(-depth, -dv);
    const a = (r1[0] - r0[0]) / (2 * dr), b = (v1[0] - v0[0]) / (2 * dv);
    const c = (r1[1] - r0[1]) / (2 * dr), e = (v1[1] - v0[1]) / (2 * dv);
    const trace = a + e, det = a * e - b * c, root = trace * trace / 4 - det;
    return root < 0 ? Math.sqrt(det) : Math.abs(trace) / 2 + Math.sqrt(root);
  }
}
