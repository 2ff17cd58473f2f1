// The page of a contact, a limit or an equality: its numbers to slide or type, what they will do (tuning_law.js), and
// the line of MJCF to copy.

const law = makeLaw(E), start = startOf(E), limit = E.kind === "joint limit", patch = E.tuning.patch;
let now = {...start};

const share = {low: 0.0001, high: 0.9999}, positive = {low: 0, high: Infinity, above: true, logarithmic: true};
const CONTROLS = [
  ["ref0", () => now.direct ? {...positive, above: false, name: "stiffness of solref [1/s²]"} :
    {...positive, name: "timeconst [s]"}],
  ["ref1", () => now.direct ? {...positive, above: false, name: "damping of solref [1/s]"} :
    {...positive, name: "dampratio"}],
  ["d0", () => ({...share, name: "d0: impedance at the surface"})],
  ["dwidth", () => ({...share, name: "dwidth: impedance beyond the width"})],
  ["width", () => ({...positive, above: false, name: "width [m]"})],
  ["midpoint", () => ({...share, name: "midpoint"})],
  ["power", () => ({low: 1, high: 8, name: "power"})],
  ["mass", () => ({...positive, name: "mass that it feels [kg]"})],
  ...(patch && patch.dim > 1 ? [["friction", () => ({low: 0.00001, high: Infinity, logarithmic: true,
    name: "sliding friction"})]] : []),
  ["timestep", () => ({...positive, name: "timestep [s]"})],
  ...(E.kind === "equality" ? [] : [["impact", () => ({...positive, name: "impact speed [m/s]"})]]),
];

const IMPACT = [
  ["restitution", "speed after / before an impact"],
  ["restitution_range", "its range over where in a step the impact falls"],
  ["contact_steps", "steps of the first contact"], ["max_depth", "deepest in the impact [m]"],
  ["max_force", "largest force in the impact [N]"], ["settle_time", "time to come to rest [s]"]];
const SHOW = [
  ["rest_depth", "depth at rest [m]"], ...(E.kind === "equality" ? [] : IMPACT),
  ...(patch ? [["creep_speed", "slow slip on the steepest slope that friction holds [m/s]"],
    ["creep_slope", "tangent of that slope's angle"]] : []),
  ["stiffness", "force per depth of a slow press [N/m]"], ["damping", "force per speed at a constant load [N s/m]"],
  ["impact_stiffness", "what a blow feels: smaller, it yields to acceleration [N/m]"],
  ["impact_damping", "damping that a blow feels [N s/m]"],
  ["frequency", "natural frequency [Hz]"], ["dampratio", "damping ratio: below 1 it oscillates"],
  ["stable_dt", "longest stable timestep [s]"], ["load", "force that presses [N]"]];

/** The attributes as a file has them. */
function attributes() {
  const suffix = limit ? "limit" : "", sign = now.direct ? -1 : 1;
  const solref = [sign * now.ref0, sign * now.ref1], solimp = [now.d0, now.dwidth, now.width, now.midpoint, now.power];
  const text = (name, values) => name + '="' + values.map(written).join(" ") + '"';
  const out = [text("solref" + suffix, solref), text("solimp" + suffix, solimp)];
  if (patch && now.friction !== start.friction) {
    const [, , turning, rolling, other] = patch.friction;
    out.push(text("friction", patch.explicit_pair ? [now.friction, now.friction, turning, rolling, other] :
      [now.friction, turning, rolling]));
  }
  return out.join(" ");
}

function drawCurves() {
  const both = [start, now].map(p => ({p, map: law.mapOf(p), load: law.loadOf(p)}));
  const depth = ({p, map, load}) => Math.max(p.width, Math.min(map.restDepth(load), 1), 1e-5);
  const reach = 1.6 * Math.max(...both.map(depth));
  const names = ["was", "now"];
  const over = f => both.map(({map}, i) => ({class: names[i], points: Array.from({length: 161}, (_, k) => {
    const r = reach * k / 160;
    return [1e3 * r, f(map, r)];
  })}));
  curves("impedance", over((map, r) => map.impedance(-r)));
  curves("stiffness", over((map, r) => map.given.K * map.impedance(-r)));
  curves("force", over((map, r) => map.staticForce(r)));
  curves("drop", both.map(({p}, i) => {
    const steps = Math.min(3000, Math.ceil(Math.max(0.25, 40 * p.timestep) / p.timestep));
    return {class: names[i], points: law.path(p, steps).map(([t, r]) => [1e3 * t, 1e3 * r])};
  }));
  $("b").textContent = both[1].map.given.B.toPrecision(4);
}

let waiting = 0;
function drawRows() {
  const b = law.behaviour(now);
  for (const [key] of SHOW) {
    const cell = $("now-" + key);
    cell.textContent = brief(b[key]);
    cell.dataset.value = JSON.stringify(b[key], (_, x) => typeof x === "number" && !isFinite(x) ? null : x);
    cell.classList.toggle("changed", brief(b[key]) !== brief(E[key]));
  }
  $("clamps").replaceChildren(...b.clamped.map(code =>
    element("li", {textContent: code + ": " + (E.tuning.clamps[code] || "")})));
  if (!b.clamped.length) $("clamps").append(element("li", {textContent: "nothing"}));
  document.body.dataset.rows = "current";
}

/** Lines and curves at once, the table as soon as no further change waits: it takes a tenth of a second. */
function changed(problem) {
  $("problem").textContent = problem;
  if (problem) return;
  $("line").textContent = attributes();
  $("option").parentNode.hidden = now.timestep === start.timestep;
  $("option").textContent = '<option timestep="' + written(now.timestep) + '"/>';
  drawCurves();
  document.body.dataset.rows = "old";
  clearTimeout(waiting);
  waiting = setTimeout(drawRows, 20);
}

function buildControls() {
  $("sliders").replaceChildren(...CONTROLS.map(([key, kind]) => control(key, kind(), now, changed)));
  $("format").textContent = now.direct ? "as timeconst and dampratio" : "as stiffness and damping (direct format)";
  changed("");
}

heading(E);
$("lines").append(copyable("line"), copyable("option"));
for (const [key, meaning] of SHOW) {
  const cell = id => element("td", {className: "n", id});
  $("rows").append(element("tr", {}, element("td", {textContent: key.replaceAll("_", " ")}), cell("json-" + key),
    cell("now-" + key), element("td", {textContent: meaning})));
  $("json-" + key).textContent = exact(E[key]);
}
for (const [name, source] of Object.entries(E.sources)) {
  const row = $("sources").insertRow();
  for (const text of [name, source.value.join(" "), source.rule, source.origins.join(" , ")]) {
    row.insertCell().textContent = text;
  }
}
$("formatnote").textContent = "Both formats ask for the same motion; only timeconst is kept above two timesteps.";
$("format").addEventListener("click", () => {
  const other = law.otherFormat(now);
  if (!other) {
    $("problem").textContent = "stiffness and damping must be above 0 to be written as timeconst and dampratio";
    return;
  }
  now = other;
  for (const key of ["ref0", "ref1"]) now[key] = Number(written(now[key]));
  buildControls();
});
$("reset").addEventListener("click", () => {
  now = {...start};
  buildControls();
});
buildControls();
