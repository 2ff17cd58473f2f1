// The page of a mimic: frequency and damping ratio to slide or type, how a residual dies away after a step, and how far
// a load opens it (mimic_law.js). An exact mimic has nothing to tune, and the page says so.

const T = E.tuning, start = {naturalfreq: T.naturalfreq, dampratio: T.dampratio, erp: T.erp, timestep: E.timestep,
  step: 0.01, load: E.load > 0 ? E.load : 1};
const now = {...start}, soft = T.mode === "soft", positive = {low: 0, high: Infinity, above: true, logarithmic: true};
const CONTROLS = {
  ...(soft ? {naturalfreq: {...positive, name: "natural frequency [rad/s]"},
    dampratio: {low: 0, high: Infinity, logarithmic: true, name: "damping ratio"}} :
    {erp: {low: 0, high: 1, above: true, name: "erp: share of a residual that a step removes"}}),
  timestep: {...positive, name: "timestep [s]"},
  step: {...positive, name: "step of the leader [m or rad]"},
  load: {...positive, name: "load along the mimic [N or N·m]"},
};
const SHOW = [
  ...(soft ? [["frequency", "of the spring that closes the residual [Hz]"],
    ["dampratio", "damping ratio: below 1 the residual swings, at 1 it closes fastest"]] : []),
  ["settle_time", "until less than 5 % of a step is left [s]"],
  ["overshoot", "how far it swings beyond, as a share of the step"],
  ["per_load", "residual per force along the mimic [m/N or rad/(N·m)]"], ["stiffness", "force per residual"]];

function changed(problem) {
  $("problem").textContent = problem;
  if (problem) return;
  $("line").textContent = soft ?
    'mode="soft" naturalfreq="' + written(now.naturalfreq) + '" dampratio="' + written(now.dampratio) + '"' :
    'mode="hard" erp="' + written(now.erp) + '"';
  const spans = [start, now].map(p => soft ? 19 / p.naturalfreq : 12 * p.timestep / p.erp), span = Math.max(...spans);
  const milli = points => points.map(([t, C]) => [1e3 * t, C]);
  const draw = (id, residual, load) => curves(id, [start, now].map((p, i) => ({class: ["was", "now"][i],
    points: milli(mimicPath(T, p, residual(p), load(p), span))})));
  draw("step", p => p.step, () => 0);
  draw("load", () => 0, p => p.load);
  const b = mimicBehaviour(T, now), was = mimicBehaviour(T, start);
  for (const [key] of SHOW) {
    $("now-" + key).textContent = brief(b[key]);
    $("now-" + key).classList.toggle("changed", brief(b[key]) !== brief(was[key]));
  }
}

heading(E);
const rows = [["residual", "how far the joints are from what the sentence says, now [m or rad]"],
  ["timestep", "[s]; any is stable"], ...(T.mode === "exact" ? [] : SHOW)];
const known = T.mode === "exact" ? {} : mimicBehaviour(T, start);
for (const [key, meaning] of rows) {
  const cell = id => element("td", {className: "n", id});
  $("rows").append(element("tr", {}, element("td", {textContent: key.replaceAll("_", " ")}), cell("json-" + key),
    cell("now-" + key), element("td", {textContent: meaning})));
  $("json-" + key).textContent = key in known ? brief(known[key]) : exact(E[key]);
}
if (T.mode !== "exact") {
  const figure = (id, caption) => '<figure><svg id="' + id + '" viewBox="0 0 340 190"></svg><figcaption>' + caption +
    "</figcaption></figure>";
  $("curves").innerHTML = figure("step", "residual [m or rad] against time [ms] after the leader has jumped") +
    figure("load", "residual [m or rad] against time [ms] under the load, which acts from the start");
  $("lines").append(copyable("line"));
  $("sliders").append(...Object.entries(CONTROLS).map(([key, kind]) => control(key, kind, now, changed)));
  changed("");
}
