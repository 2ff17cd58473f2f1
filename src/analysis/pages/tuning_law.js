// What a row will do, for numbers that somebody slides or types: the predictions of `pliant explain` once more, in the
// browser. predict.cpp, creep.cpp and patch_motion.cpp are the originals, and say why; names are theirs.
// tests/cli/test_tuning_page.py compares all numbers with theirs. No word about pages here: node runs it as well.
//
// makeLaw(E): E is the JSON of an explanation with `tuning` (tuning_numbers.cpp). A point p of the page has
//   direct, ref0, ref1   solref: timeconst and dampratio, or (direct) stiffness and damping, without minus signs
//   d0, dwidth, width, midpoint, power   solimp
//   timestep, impact, mass, friction
// `mass` scales all masses, inertias and loads alike: what answers a force by A answers by A · E.mass / mass.

function makeLaw(E) {
  const T = E.tuning, patch = T.patch, SETTLED_SHARE = 0.05, ELASTIC = 0.99, PHASES = 256, SETTLE_PHASES = 32;
  const SHORTEST = 1e-7, LONGEST = 10;
  const heavier = p => p.mass / E.mass;

  // ---- the row -----------------------------------------------------------------------------------

  /** What R of a point's first row is made of; friction pyramids make it depend on friction. */
  const pointEstimate = p => {
    const [level, once, twice] = patch.estimate_parts;
    return (level + p.friction * (once + p.friction * twice)) / heavier(p);
  };

  /** The same of all points along the normal. */
  function estimate(p) {
    if (!patch) return E.estimate / heavier(p);
    const one = pointEstimate(p);
    const normal = patch.dim === 1 || patch.elliptic ? one : p.friction ** 2 / patch.impratio * one / (patch.dim - 1);
    return normal / patch.count;
  }

  function rowOf(p, timestep = p.timestep) {
    return {
      solref: p.direct ? [-p.ref0, -p.ref1] : [p.ref0, p.ref1],
      solimp: [p.d0, p.dwidth, p.width, p.midpoint, p.power],
      timestep, refsafe: T.refsafe, discrete: E.discrete, rk4: E.runge_kutta, substeps: E.substeps, leads: T.leads,
      response: E.response / heavier(p), estimate: estimate(p), freeAccel: T.free_accel, twoSided: E.two_sided,
    };
  }

  // ---- impacts -----------------------------------------------------------------------------------

  function bounce(map, speed, phase, settle) {
    const h = map.row.timestep, rest = map.restAtLoad, band = SETTLED_SHARE * rest;
    const out = {restitution: 0, steps: Infinity, maxDepth: 0, maxForce: 0, settleTime: Infinity};
    const inBand = map.energyAbout(rest, 0.5 * band - rest, 0), inContact = map.energyAbout(rest, -0.5 * rest, 0);
    const contact = map.longestContact(), x = [phase * speed * h, -speed];
    let arrived = speed, touched = -1, unsettled = 0, quiet = 0, left = false, resting = false;
    for (let n = 0; n < LONGEST_CONTACT; ++n) {
      if (touched < 0) arrived = Math.max(arrived, -x[1]);
      if (touched < 0 && (x[0] < 0 || x[1] > 0)) touched = n;
      if (touched >= 0) {
        if (!left && x[0] >= 0 && (x[1] < 0 || map.outside(x[0], x[1]))) {
          left = true;
          out.restitution = Math.max(0, x[1] / arrived);
          out.steps = n - touched;
        }
        if (!left) {
          out.maxDepth = Math.max(out.maxDepth, -x[0]);
          out.maxForce = Math.max(out.maxForce, map.force(x[0], x[1]));
        }
        const near = Math.abs(x[0] + rest) <= band;
        if (!near) unsettled = n;
        quiet = near ? quiet + 1 : 0;
        const slow = near && Math.abs(x[1]) * h < 1e-9 * band && quiet > 50;
        const energy = map.energyAbout(rest, x[0], x[1]);
        resting = slow || energy < inBand;
        if (resting || out.restitution > ELASTIC) break;
        const stays = n - touched > contact || (quiet > 20 && Math.abs(x[1]) < 1e-3 * speed) ||
            (x[1] >= 0 && energy < inContact);
        if (!settle && (left || stays)) break;
        if (quiet > 20000) break;
      }
      if (left && settle) {
        const steps = map.freeSteps(x);
        if (steps) {
          n += steps;
          unsettled = n;
          quiet = 0;
        }
      }
      map.step(x);
      if (!isFinite(x[0]) || Math.abs(x[0]) > DEEPEST) return out;
    }
    if (resting || quiet > 50) out.settleTime = (unsettled + 1 - touched) * h;
    return out;
  }

  function impacts(map, p, load) {
    map.restAtLoad = map.restDepth(-map.row.freeAccel / map.row.response);
    const out = {restitution: 0, restitution_range: [Infinity, -Infinity], contact_steps: 0, max_depth: 0, max_force: 0,
      settle_time: 0};
    for (let i = 0; i < PHASES; ++i) {
      const settles = i % (PHASES / SETTLE_PHASES) === PHASES / SETTLE_PHASES / 2;
      const b = bounce(map, p.impact, (i + 0.5) / PHASES, settles), range = out.restitution_range;
      out.restitution += b.restitution / PHASES;
      out.contact_steps += b.steps / PHASES;
      if (settles) out.settle_time += b.settleTime / SETTLE_PHASES;
      out.restitution_range = [Math.min(range[0], b.restitution), Math.max(range[1], b.restitution)];
      out.max_depth = Math.max(out.max_depth, b.maxDepth);
      out.max_force = Math.max(out.max_force, b.maxForce);
    }
    return out;
  }

  /** The motion of one impact: [time, r] of every step. */
  function path(p, most) {
    const map = new ScalarMap(rowOf(p)), x = [0.5 * p.impact * p.timestep, -p.impact], out = [];
    for (let n = 0; n < most && isFinite(x[0]) && Math.abs(x[0]) < DEEPEST; ++n) {
      out.push([n * p.timestep, x[0]]);
      map.step(x);
    }
    return out;
  }

  // ---- creep down a slope ------------------------------------------------------------------------

  /** Solves the leading n × n part by elimination with pivots; null if singular. */
  function solve(a, b, n) {
    a = a.map(line => line.slice());
    b = b.slice();
    for (let k = 0; k < n; ++k) {
      let best = k;
      for (let i = k + 1; i < n; ++i) if (Math.abs(a[i][k]) > Math.abs(a[best][k])) best = i;
      if (!(Math.abs(a[best][k]) > 0)) return null;
      [a[k], a[best]] = [a[best], a[k]];
      [b[k], b[best]] = [b[best], b[k]];
      for (let i = k + 1; i < n; ++i) {
        const part = a[i][k] / a[k][k];
        for (let j = k; j < n; ++j) a[i][j] -= part * a[k][j];
        b[i] -= part * b[k];
      }
    }
    for (let k = n - 1; k >= 0; --k) {
      for (let j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
      b[k] /= a[k][k];
    }
    return b;
  }

  /** Friction may have a solref of its own. */
  function frictionDamping(p, timestep) {
    const own = patch.solreffriction, row = rowOf(p, timestep);
    if ((own[0] > 0) === (own[1] > 0) && (own[0] !== 0 || own[1] !== 0)) row.solref = own;
    return new ScalarMap(row).slidingDamping();
  }

  function creep(p) {
    const never = {speed: Infinity, slope: 0}, load = E.load * heavier(p);
    if (patch.dim === 1 || !(load > 0)) return never;
    const map = new ScalarMap(rowOf(p)), mu = p.friction, depth = map.restDepth(load), friction = frictionDamping(p);
    if (!isFinite(depth) || !(map.at(0).B > 0)) return never;
    const share = pointEstimate(p) / map.row.estimate;
    const point = (x, v) => {
      if (x <= 0) return [0, 0];
      const w = map.at(-x), n = -w.K * map.impedance(-x) * x, R = w.R * share;
      if (patch.elliptic) {
        const t = friction * v, slope = mu / Math.sqrt(patch.impratio), N = slope * n, side = mu * Math.abs(t);
        if (N >= slope * side) return [0, 0];
        if (slope * N + side <= 0) return [-n / R, t * patch.impratio / R];
        const normal = -(N - slope * side) / (R * slope * (1 + slope * slope));
        return [normal, normal * mu * (t < 0 ? -1 : 1)];
      }
      const t = w.B * v, edge = 2 * mu * mu / patch.impratio * R, push = jar => Math.max(0, -jar / edge);
      const ahead = push(n - mu * t), behind = push(n + mu * t), other = push(n);
      return [ahead + behind + 2 * (patch.dim - 2) * other, mu * (ahead - behind)];
    };
    const arms = patch.slope_arms, height = patch.height, count = patch.count;
    const reach = [0, 1].map(k => Math.max(0, ...arms.map(arm => Math.abs(arm[k]))));
    let armScale = Math.max(...reach);
    const canTilt = patch.free_body && armScale > 1e-6 * Math.abs(height);
    const tilts = canTilt && reach[0] > 1e-6 * armScale ? (reach[1] > 1e-6 * armScale ? 2 : 1) : 0;
    if (armScale === 0) armScale = 1;
    const R = map.at(-depth).R * share, damping = map.at(-depth).B;
    const imbalance = (x, across, tangent, speedScale) => {
      const out = [-1, -tangent, 0, 0];
      for (const arm of arms) {
        const lean = [0, 0];
        let d = x[0] * depth;
        for (let k = 0; k < tilts; ++k) {
          lean[k] = x[2 + k] * depth / armScale;
          d += Math.sin(lean[k]) * arm[k];
        }
        const f = point(d, x[1] * speedScale);
        out[0] += f[0] / across;
        out[1] += f[1] / across;
        for (let k = 0; k < tilts; ++k) {
          const lever = arm[k] * Math.cos(lean[k]) - height * Math.sin(lean[k]);
          out[2 + k] += (f[0] * lever - (k === 0 ? f[1] * (height - 0.5 * d) : 0)) / (armScale * across);
        }
      }
      return out;
    };
    const size = e => Math.max(...e.map(Math.abs));
    const solved = (x, ...slope) => {
      const n = 2 + tilts;
      let error = imbalance(x, ...slope);
      for (let turn = 0; turn < 200; ++turn) {
        if (size(error) < 1e-9) return x;
        const jac = [0, 1, 2, 3].map(() => [0, 0, 0, 0]);
        for (let k = 0; k < n; ++k) {
          const y = x.slice(), step = 1e-6 * Math.max(1, Math.abs(x[k]));
          y[k] += step;
          const e = imbalance(y, ...slope);
          for (let i = 0; i < n; ++i) jac[i][k] = (e[i] - error[i]) / step;
        }
        const dx = solve(jac, error, n);
        if (!dx) return null;
        let part = 1;
        for (; part > 1e-4; part /= 2) {
          const y = x.map((value, k) => k < n ? value - part * dx[k] : value), e = imbalance(y, ...slope);
          if (size(e) < (1 - 0.1 * part) * size(error)) {
            x = y;
            error = e;
            break;
          }
        }
        if (part <= 1e-4) return null;
      }
      return null;
    };
    const held = [];
    let x = [1, 0, 0, 0];
    for (let part = 0.03; part <= 1.0001; part += 0.03) {
      const tangent = 0.99 * mu * Math.min(1, part / 0.99), across = load / Math.sqrt(1 + tangent * tangent);
      const speedScale = across / count * R / damping, y = solved(x, across, tangent, speedScale);
      if (!y) {
        while (held.length && held[held.length - 1].slope > 0.8 * tangent) held.pop();
        break;
      }
      x = y;
      held.push({slope: tangent, speed: x[1] * speedScale});
    }
    return held.length ? held[held.length - 1] : never;
  }

  // ---- small motions about rest, and the longest stable timestep -----------------------------------

  const product = (m, x) => m.map(line => line.reduce((sum, value, k) => sum + value * x[k], 0));
  const times = (a, b) => a.map(line => b[0].map((_, j) => line.reduce((sum, value, k) => sum + value * b[k][j], 0)));
  const plus = (a, b, t) => a.map((value, i) => value + t * b[i]);
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const square = () => Array.from({length: 6}, () => [0, 0, 0, 0, 0, 0]);

  class PatchMotion {
    constructor(p) {
      this.p = p;
      this.load = E.load * heavier(p);
      this.response = patch.twist_response.map(line => line.map(x => x / heavier(p)));
      this.rowEstimate = pointEstimate(p);
    }

    /** The points, sunk to a depth and displaced by `way` along direction k. Each: r, arm, three axes. */
    touches(depth, k = 0, way = 0) {
      const deeper = depth - patch.depth;
      return patch.points.map(({at, by}) => at.map((value, i) => value + deeper * by[6][i] + way * by[k][i]));
    }

    balance(points, map, friction) {
      const S = square(), damped = square(), path = square();
      const wrench = [...patch.load.map(x => x * heavier(this.p)), 0, 0, 0];
      const add = (axis, arm, turning, D, B, K, aref) => {
        const J = turning ? [0, 0, 0, ...axis] : [...axis, ...cross(arm, axis)];
        for (let i = 0; i < 6; ++i) {
          wrench[i] += J[i] * D * aref;
          for (let k = 0; k < 6; ++k) {
            const share = J[i] * D * J[k];
            S[i][k] += share;
            damped[i][k] += share * B;
            path[i][k] += share * K;
          }
        }
      };
      const {dim, elliptic, impratio} = patch, mu = this.p.friction, frictions = [mu, mu, ...patch.friction.slice(2)];
      for (const values of points) {
        const r = values[0], arm = values.slice(1, 4), axes = [4, 7, 10].map(i => values.slice(i, i + 3));
        const w = map.at(r), K = w.K * map.impedance(r), R = w.R * this.rowEstimate / map.row.estimate;
        const pyramid = dim > 1 && !elliptic, edge = pyramid ? 2 * mu * mu / impratio * R : 0;
        add(axes[0], arm, false, pyramid ? 2 * (dim - 1) / edge : 1 / R, w.B, w.K * map.followingImpedance(r), -K * r);
        for (let k = 1; k < dim; ++k) {
          const own = frictions[k - 1], D = pyramid ? 2 * own * own / edge : impratio / R * (own / mu) ** 2;
          add(axes[k % 3], arm, k > 2, D, pyramid ? w.B : friction, 0, 0);
        }
      }
      const left = times(this.response, S);
      for (let i = 0; i < 6; ++i) left[i][i] += 1;
      return {left, rest: product(this.response, wrench), speed: times(this.response, damped),
        path: times(this.response, path)};
    }

    slopes(h) {
      const map = new ScalarMap(rowOf(this.p, h)), friction = frictionDamping(this.p, h);
      const found = map.restDepth(this.load), depth = isFinite(found) ? found : 0;
      const rest = this.balance(this.touches(depth), map, friction);
      const out = {place: square(), speed: square(), path: square()};
      for (let k = 0; k < 6; ++k) {
        const speed = solve(rest.left, rest.speed.map(line => -line[k]), 6);
        const path = solve(rest.left, rest.path.map(line => -line[k]), 6);
        const step = 1e-4 * Math.max(depth, 1e-9) / (k < 3 ? 1 : patch.size);
        const ahead = this.balance(this.touches(depth, k, step), map, friction);
        const behind = this.balance(this.touches(depth, k, -step), map, friction);
        const a1 = solve(ahead.left, ahead.rest, 6), a0 = solve(behind.left, behind.rest, 6);
        for (let i = 0; i < 6; ++i) {
          out.speed[i][k] = speed[i];
          out.path[i][k] = path[i];
          out.place[i][k] = (a1[i] - a0[i]) / (2 * step);
        }
      }
      return out;
    }

    advanced([x, w], s, h, substeps, rk4, lead) {
      if (rk4) {
        const slope = ([x, w]) => [w, plus(product(s.place, x), product(s.speed, w), 1)];
        const moved = (k, t) => [plus(x, k[0], t), plus(w, k[1], t)];
        const k1 = slope([x, w]), k2 = slope(moved(k1, h / 2)), k3 = slope(moved(k2, h / 2)), k4 = slope(moved(k3, h));
        return [x, w].map((start, i) => start.map((value, j) =>
          value + h / 6 * (k1[i][j] + 2 * k2[i][j] + 2 * k3[i][j] + k4[i][j])));
      }
      // positions are ahead of the parts of a step
      let way = w.map(value => -lead * value);
      const held = product(s.place, x), part = h / substeps;
      for (let k = 0; k < substeps; ++k) {
        w = plus(w, plus(plus(held, product(s.path, way), 1), product(s.speed, w), 1), part);
        way = plus(way, w, part);
      }
      return [plus(plus(x, way, 1), w, lead), w];
    }

    /** Logarithm of the growth per step: that over 2^40 steps, by repeated squaring. */
    logGrowth(s, h, substeps, rk4) {
      const lead = new ScalarMap({...rowOf(this.p, h), substeps}).lead();
      let m = new Float64Array(144), next = new Float64Array(144);
      const unit = i => (i % 6 < 3 ? 1 : 1 / patch.size) * (i < 6 ? h : 1);
      for (let k = 0; k < 12; ++k) {
        const at = [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]];
        at[k < 6 ? 0 : 1][k % 6] = unit(k);
        const after = this.advanced(at, s, h, substeps, rk4, lead).flat();
        for (let i = 0; i < 12; ++i) m[12 * i + k] = after[i] / unit(i);
      }
      let log = 0, steps = 1;
      for (let turn = 0; ; ++turn) {
        let size = 0;
        for (const x of m) size = Math.max(size, Math.abs(x));
        if (!(size > 0)) return size === 0 ? -Infinity : Infinity;
        if (!isFinite(size)) return Infinity;
        log += Math.log(size) / steps;
        if (turn === 40) return log;
        for (let i = 0; i < 144; ++i) m[i] /= size;
        next.fill(0);
        for (let i = 0; i < 144; i += 12) {
          for (let k = 0; k < 12; ++k) {
            const share = m[i + k];
            for (let j = 0; j < 12; ++j) next[i + j] += share * m[12 * k + j];
          }
        }
        [m, next] = [next, m];
        steps *= 2;
      }
    }

    tippingRate() {
      const rate = this.logGrowth(this.slopes(SHORTEST), SHORTEST, 1, true) / SHORTEST;
      return rate > 0.5 ? rate : 0;
    }

    stableTimestep() {
      const free = this.slopes(SHORTEST), allowed = 1.5 * this.tippingRate();
      const stable = h => this.logGrowth(this.slopes(h), h, E.substeps, E.runge_kutta) <= 2e-3 + allowed * h;
      const norm = m => Math.max(...m.map((line, i) => line.reduce((sum, x, k) =>
        sum + Math.abs(x) * (i < 3 ? 1 : patch.size) / (k < 3 ? 1 : patch.size), 0)));
      const bySpeed = norm(free.speed), byPlace = norm(free.place);
      let low = SHORTEST;
      while (low < LONGEST && low * bySpeed + low * low * byPlace < 0.2) low *= 2;
      low = Math.max(SHORTEST, low / 2);
      while (low > SHORTEST && !stable(low)) low = Math.max(SHORTEST, low / 2);
      let high = low;
      while (stable(high)) {
        low = high;
        high *= 1.05;
        const sunk = new ScalarMap(rowOf(this.p, high)).restDepth(this.load) > patch.thickness;
        if (high > LONGEST || sunk) return Infinity;
      }
      for (let i = 0; i < 24 && high > low; ++i) {
        const middle = 0.5 * (low + high);
        if (stable(middle)) low = middle; else high = middle;
      }
      return low;
    }
  }

  function stableRow(p, load, response) {
    const stable = h => new ScalarMap(rowOf(p, h)).growthAtRest(load, response) <= 1 + 1e-9;
    let low = SHORTEST, high = low;
    while (stable(high)) {
      low = high;
      high *= 1.05;
      if (high > LONGEST) return Infinity;
    }
    for (let i = 0; i < 40; ++i) {
      const middle = 0.5 * (low + high);
      if (stable(middle)) low = middle; else high = middle;
    }
    return low;
  }

  // ---- all of it ---------------------------------------------------------------------------------

  /** Everything that `explain` predicts, under the same names. */
  function behaviour(p) {
    const row = rowOf(p), map = new ScalarMap(row), load = E.load * heavier(p), A = row.response;
    const depth = map.restDepth(load), at = isFinite(depth) ? depth : 0;
    const d = map.impedance(-at), w = map.at(-at), ofTheStep = row.discrete ? row.timestep * w.K * d : 0;
    const about = new ScalarMap({...row, twoSided: true, freeAccel: -A * load}), step = 1e-5 * Math.max(at, 1e-9);
    const k = (about.acceleration(-at - step, 0) - about.acceleration(-at + step, 0)) / (2 * step);
    const b = (about.acceleration(-at, -1) - about.acceleration(-at, 1)) / 2, omega = Math.sqrt(Math.max(0, k));
    const slow = patch ? creep(p) : {speed: Infinity, slope: 0};
    return {
      load, mass: p.mass, rest_depth: depth - (patch ? patch.margin : 0), ...impacts(map, p, load),
      creep_speed: slow.speed, creep_slope: slow.slope,
      stiffness: w.K * d / w.R, damping: (w.B - ofTheStep) / w.R,
      impact_stiffness: w.K * d / (A + w.R), impact_damping: w.B / (A + w.R),
      frequency: omega / (2 * Math.PI), dampratio: omega > 0 ? b / (2 * omega) : Infinity,
      stable_dt: patch ? new PatchMotion(p).stableTimestep() : stableRow(p, load, A),
      clamped: [...map.clamps],
    };
  }

  /** The same motion asked for in the other format of solref; null where it has none. */
  function otherFormat(p) {
    if (!p.direct) return {...p, direct: true, ref0: 1 / (p.ref0 * p.ref1) ** 2, ref1: 2 / p.ref0};
    if (!(p.ref0 > 0) || !(p.ref1 > 0)) return null;
    return {...p, direct: false, ref0: 2 / p.ref1, ref1: p.ref1 / (2 * Math.sqrt(p.ref0))};
  }

  return {behaviour, otherFormat, path, mapOf: p => new ScalarMap(rowOf(p)), loadOf: p => E.load * heavier(p)};
}

/** The numbers of an explanation as they were written; those in force where what was written has no meaning. */
function startOf(E) {
  const written = name => (E.sources[name] || E.sources[name + "limit"] || {value: []}).value;
  const ref = written("solref"), imp = written("solimp");
  const sensible = ref.length === 2 && (ref[0] > 0) === (ref[1] > 0);
  const [ref0, ref1] = sensible ? ref : E.solref;
  const [d0, dwidth, width, midpoint, power] = imp.length === 5 ? imp : E.solimp;
  return {direct: !(ref0 > 0), ref0: Math.abs(ref0), ref1: Math.abs(ref1), d0, dwidth, width, midpoint, power,
    timestep: E.timestep, impact: E.impact, mass: E.mass, friction: E.tuning.patch ? E.tuning.patch.friction[0] : 0};
}
