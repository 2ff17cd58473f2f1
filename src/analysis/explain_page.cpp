// An explanation as one HTML page: the numbers of the JSON, curves of d(r), k(r), force against depth and of a drop,
// and sliders that move them. Nothing is fetched: style, script and numbers are in the page. The script repeats the
// scalar map (analysis/scalar_map.cpp) for what sliders say; the column "as written" is the JSON itself.

#include <string>

#include "pliant/explain.h"
#include "pliant/json.h"

namespace pliant {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>)";

constexpr const char* kStyle = R"(</title><style>
body{font:15px/1.45 system-ui,sans-serif;margin:24px auto;max-width:1080px;padding:0 16px;
  color:#1c2330;background:#fafbfc}
h1{font-size:22px;margin:0 0 4px}p{margin:4px 0 12px}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(330px,1fr));gap:16px}
figure{margin:0;background:#fff;border:1px solid #dde2ea;border-radius:6px;padding:8px}
figcaption{font-size:13px;color:#4b5566}
svg{width:100%;height:190px}path{fill:none;stroke-width:1.8}.now{stroke:#d1495b}
.was{stroke:#9aa7b8;stroke-dasharray:4 3}
.axis{stroke:#c3cbd6;stroke-width:1}text{font-size:10px;fill:#6a7585}
table{border-collapse:collapse;margin:12px 0;background:#fff}
td,th{border:1px solid #dde2ea;padding:3px 10px;text-align:left}td.n{text-align:right;font-variant-numeric:tabular-nums}
label{display:grid;grid-template-columns:210px 1fr 110px;gap:10px;align-items:center;margin:3px 0}small{color:#6a7585}
)";

constexpr const char* kBody = R"(</style></head><body>
<h1 id="title"></h1><p id="sentence"></p><p id="note"></p>
<div id="sliders"></div><p><button id="reset" type="button">as written</button></p>
<div class="grid">
<figure><svg id="impedance" viewBox="0 0 340 190"></svg>
  <figcaption>impedance d(r): share of its wish that comes true, against depth [mm]</figcaption></figure>
<figure><svg id="stiffness" viewBox="0 0 340 190"></svg>
  <figcaption>stiffness k(r) = K d(r) [1/s²] against depth [mm]; damping b = <span id="b"></span> 1/s</figcaption>
  </figure>
<figure><svg id="force" viewBox="0 0 340 190"></svg>
  <figcaption>force of a slow press [N] against depth [mm]</figcaption></figure>
<figure><svg id="drop" viewBox="0 0 340 190"></svg>
  <figcaption>height [mm] against time [ms] after an impact</figcaption></figure>
</div>
<table><thead><tr><th>behaviour</th><th>as written</th><th>as the sliders say</th><th>meaning</th></tr></thead>
  <tbody id="rows"></tbody></table>
<h2 style="font-size:17px">Where the numbers come from</h2><table id="sources"></table><ul id="clamps"></ul>
<script>
const E = )";

constexpr const char* kScript = R"(;
const $ = id => document.getElementById(id);
const direct = E.solref[0] <= 0;
const LIST = [
  ["ref0", direct ? "stiffness of solref [1/s²]" : "timeconst [s]", Math.abs(E.solref[0]), true],
  ["ref1", direct ? "damping of solref [1/s]" : "dampratio", Math.abs(E.solref[1]), true],
  ["d0", "d0: impedance at the surface", E.solimp[0], false, 0.0001, 0.9999],
  ["dw", "dwidth: impedance beyond the width", E.solimp[1], false, 0.0001, 0.9999],
  ["width", "width [m]", E.solimp[2], true], ["mid", "midpoint", E.solimp[3], false, 0.0001, 0.9999],
  ["power", "power", E.solimp[4], false, 1, 8], ["h", "timestep [s]", E.timestep, true],
  ["impact", "impact speed [m/s]", E.impact, true]];
const start = {};
for (const [k, , v] of LIST) start[k] = v;
let now = {...start};
const clamp = (x, a, b) => Math.min(b, Math.max(a, x));
function law(p) {
  const t = direct || E.discrete ? p.ref0 : Math.max(p.ref0, 2 * p.h / E.substeps), dw = clamp(p.dw, 1e-4, 0.9999);
  const K = direct ? p.ref0 / (dw * dw) : 1 / (dw * dw * t * t * p.ref1 * p.ref1);
  const B = direct ? p.ref1 / dw : 2 / (dw * t);
  const d0 = clamp(p.d0, 1e-4, 0.9999), mid = clamp(p.mid, 1e-4, 0.9999), q = Math.max(1, p.power);
  const imp = r => {
    if (d0 === dw || p.width <= 1e-15) return 0.5 * (d0 + dw);
    const x = Math.abs(r) / p.width;
    if (x >= 1) return dw;
    if (x === 0) return d0;
    let y = x;
    if (q !== 1) y = x <= mid ? Math.pow(x, q) / Math.pow(mid, q - 1) :
        1 - Math.pow(1 - x, q) / Math.pow(1 - mid, q - 1);
    return d0 + y * (dw - d0);
  };
  const soft = d => Math.max(1e-15, (1 - d) * E.estimate / d), A = E.response, a0 = -A * (E.load || 0);
  // integrator discrete: spring and damper of the step's end, no stiffer than a step resolves
  const row = d => {
    if (!E.discrete) return {K, B, R: soft(d)};
    let k = K, b = B;
    if (!direct && !E.two_sided && p.h * p.h * K * d > 1) { k = 1 / (p.h * p.h * d); b = 2 * p.ref1 * Math.sqrt(k); }
    const s = 1 + p.h * b + p.h * p.h * k * d;
    return {K: k / s, B: (b + p.h * k * d) / s, R: Math.max(soft(0.9999), soft(d) / s)};
  };
  const R = d => row(d).R;
  const push = (d, r, v) => { const w = row(d), f = (-w.B * v - w.K * d * r - a0) / (A + w.R);
      return E.two_sided ? f : Math.max(0, f); };
  const touches = r => E.two_sided || r < 0;
  const accel = ([r, v]) => a0 + A * (touches(r) ? push(imp(r), r, v) : 0);
  const step = (r, v) => {
    const h = p.h / E.substeps;
    if (E.runge_kutta) {
      const slope = x => [x[1], accel(x)], at = (k, t) => [r + t * k[0], v + t * k[1]];
      const k1 = slope([r, v]), k2 = slope(at(k1, h / 2)), k3 = slope(at(k2, h / 2)), k4 = slope(at(k3, h));
      return [0, 1].map(i => [r, v][i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
    }
    const held = touches(r), d = imp(r);
    for (let k = 0; k < E.substeps; ++k) { v += h * (a0 + A * (held ? push(d, r, v) : 0)); r += h * v; }
    return [r, v];
  };
  const press = x => x <= 0 ? 0 : row(imp(-x)).K * imp(-x) * x / R(imp(-x));
  const rest = () => {
    if (!(E.load > 0)) return 0;
    let lo = 0, hi = 1e-12;
    while (press(hi) < E.load) { lo = hi; hi *= 1.1; if (hi > 1e3) return Infinity; }
    for (let i = 0; i < 80; ++i) { const m = 0.5 * (lo + hi); if (press(m) < E.load) lo = m; else hi = m; }
    return hi;
  };
  const run = (phase, most, path) => {
    let r = phase * p.impact * p.h, v = -p.impact, touched = -1, came = p.impact;
    const out = {e: 0, steps: Infinity, depth: 0};
    for (let n = 0; n < most; ++n) {
      if (path) path.push([n * p.h * 1e3, r * 1e3]);
      if (touched < 0) came = Math.max(came, -v);
      if (touched < 0 && (r < 0 || v > 0)) touched = n;
      if (touched >= 0 && r >= 0 && out.steps === Infinity) { out.e = Math.max(0, v / came); out.steps = n - touched;
          if (!path) return out; }
      out.depth = Math.max(out.depth, -r);
      [r, v] = step(r, v);
      if (!isFinite(r) || Math.abs(r) > 1e3) return out;
    }
    return out;
  };
  return {K, B, imp, press, rest, run};
}
function behaviour(p) {
  const l = law(p), n = 256;
  let e = 0, lo = Infinity, hi = -Infinity, steps = 0, depth = 0;
  for (let i = 0; i < n; ++i) {
    const b = l.run((i + 0.5) / n, 4000);
    e += b.e / n; steps += b.steps / n; lo = Math.min(lo, b.e); hi = Math.max(hi, b.e);
    depth = Math.max(depth, b.depth);
  }
  return {rest_depth: l.rest(), restitution: e, restitution_range: [lo, hi], contact_steps: steps, max_depth: depth};
}
const SHOW = [["rest_depth", "depth at rest [m]"], ["restitution", "speed after / before an impact"],
  ["restitution_range", "its range over where in a step the impact falls"],
  ["contact_steps", "steps of the first contact"],
  ["max_depth", "deepest in the impact [m]"], ["settle_time", "time to come to rest [s]"],
  ["creep_speed", "slow slip on the steepest slope [m/s]"],
  ["stiffness", "force per depth of a slow press [N/m]"], ["damping", "force per speed [N s/m]"],
  ["frequency", "natural frequency [Hz]"],
  ["dampratio", "damping ratio: below 1 it oscillates"], ["stable_dt", "longest stable timestep [s]"],
  ["load", "force that presses [N]"]];
const text = x => x === null || x === undefined ? "unlimited" : Array.isArray(x) ? x.map(text).join(" … ") :
    !isFinite(x) ? "unlimited" : String(x);
const brief = x => Array.isArray(x) ? x.map(brief).join(" … ") : !isFinite(x) ? "unlimited" : Number(x).toPrecision(4);
function curve(id, lists) {
  let x0 = Infinity, x1 = -Infinity, y0 = 0, y1 = -Infinity;
  for (const l of lists) for (const [x, y] of l) if (isFinite(y)) { x0 = Math.min(x0, x); x1 = Math.max(x1, x);
      y0 = Math.min(y0, y); y1 = Math.max(y1, y); }
  if (!(x1 > x0)) x1 = x0 + 1;
  if (!(y1 > y0)) y1 = y0 + 1;
  const X = x => 46 + 284 * (x - x0) / (x1 - x0), Y = y => 168 - 156 * (y - y0) / (y1 - y0);
  const point = (q, i) => (i ? "L" : "M") + X(q[0]).toFixed(2) + " " + Y(q[1]).toFixed(2);
  const path = (l, c) => '<path class="' + c + '" d="' + l.filter(q => isFinite(q[1])).map(point).join("") + '"/>';
  $(id).innerHTML = '<path class="axis" d="M46 12V168H330"/>' + path(lists[0], "was") + path(lists[1], "now") +
    '<text x="2" y="18">' + y1.toPrecision(3) + '</text><text x="2" y="170">' + y0.toPrecision(3) +
        '</text><text x="46" y="184">' +
    x0.toPrecision(3) + '</text><text x="290" y="184">' + x1.toPrecision(3) + "</text>";
}
function draw() {
  const both = [start, now].map(p => ({p, l: law(p)}));
  const reach = 1.6 * Math.max(...both.map(({p, l}) => Math.max(p.width, Math.min(l.rest(), 1), 1e-5)));
  const over = f => both.map(({p, l}) => Array.from({length: 161}, (_, i) => { const r = reach * i / 160;
      return [1e3 * r, f(l, r, p)]; }));
  curve("impedance", over((l, r) => l.imp(-r)));
  curve("stiffness", over((l, r) => l.K * l.imp(-r)));
  curve("force", over((l, r) => l.press(r)));
  curve("drop", both.map(({p, l}) => { const path = [];
      l.run(0.5, Math.min(3000, Math.ceil(Math.max(0.25, 40 * p.h) / p.h)), path); return path; }));
  $("b").textContent = both[1].l.B.toPrecision(4);
  const b = behaviour(now);
  for (const [k] of SHOW) $("now-" + k).textContent = k in b ? brief(b[k]) : "";
}
$("title").textContent = E.kind + ": " + E.title;
$("sentence").textContent = E.sentence + (E.origin ? " — " + E.origin : "");
$("note").textContent = E.note;
for (const [k, meaning] of SHOW) {
  const row = $("rows").insertRow();
  row.innerHTML = "<td>" + k.replaceAll("_", " ") + '</td><td class="n" id="json-' + k + '"></td>' +
      '<td class="n" id="now-' + k + '"></td><td>' + meaning + "</td>";
  $("json-" + k).textContent = text(E[k]);
}
for (const [k, name, value, logarithmic, low, high] of LIST) {
  const label = document.createElement("label"), slide = document.createElement("input"),
      shown = document.createElement("small");
  const base = value > 0 ? value : 1e-3;
  slide.type = "range"; slide.id = "slider-" + k; slide.step = "any";
  slide.min = logarithmic ? Math.log(base / 20) : low; slide.max = logarithmic ? Math.log(base * 20) : high;
  const put = () => { slide.value = logarithmic ? Math.log(Math.max(now[k], base / 20)) : now[k];
      shown.textContent = Number(now[k]).toPrecision(4); };
  slide.addEventListener("input", () => { now[k] = logarithmic ? Math.exp(Number(slide.value)) : Number(slide.value);
      shown.textContent = now[k].toPrecision(4); draw(); });
  label.append(name, slide, shown);
  $("sliders").append(label);
  label.put = put;
  put();
}
$("reset").addEventListener("click", () => { now = {...start};
    for (const l of $("sliders").children) l.put(); draw(); });
for (const [name, s] of Object.entries(E.sources)) {
  const row = $("sources").insertRow();
  for (const cell of [name, s.value.join(" "), s.rule, s.origins.join(" , ")]) row.insertCell().textContent = cell;
}
for (const c of E.clamped) { const item = document.createElement("li"); item.textContent = c.code + ": " + c.text;
    $("clamps").append(item); }
draw();
</script></body></html>
)";

// A mimic has no depth, bounce or impedance: its page shows how a residual dies away. The curve is that of the implicit
// spring (constraint/kinds/mimic_soft_hd.h); exact and hard mimics have no spring and no curve.
constexpr const char* kMimicBody = R"(</style></head><body>
<h1 id="title"></h1><p id="sentence"></p><p id="note"></p>
<div id="sliders"></div>
<div class="grid" id="curves"></div>
<table><thead><tr><th>behaviour</th><th>value</th><th>meaning</th></tr></thead><tbody id="rows"></tbody></table>
<script>
const E = )";

constexpr const char* kMimicScript = R"(;
const $ = id => document.getElementById(id);
$("title").textContent = E.kind + ": " + E.title;
$("sentence").textContent = E.sentence + (E.origin ? " — " + E.origin : "");
$("note").textContent = E.note;
const soft = E.frequency > 0;
const SHOW = [["residual", E.residual, "how far the joints are from what the sentence says, now [m or rad]"]];
if (soft) SHOW.push(["frequency", E.frequency, "of the spring that closes the residual [Hz]"],
  ["dampratio", E.dampratio, "damping ratio: below 1 the residual swings, at 1 it closes fastest"]);
SHOW.push(["timestep", E.timestep, "[s]; any is stable"]);
for (const [k, v, meaning] of SHOW) {
  const row = $("rows").insertRow();
  row.innerHTML = "<td>" + k + '</td><td class="n" id="json-' + k + '"></td><td>' + meaning + "</td>";
  $("json-" + k).textContent = String(v);
}
if (soft) {
  $("curves").innerHTML = '<figure><svg id="decay" viewBox="0 0 340 190"></svg>' +
    "<figcaption>share of a residual that is left, against time [ms]</figcaption></figure>";
  const start = {frequency: E.frequency, dampratio: E.dampratio, timestep: E.timestep}, now = {...start};
  // implicit: v' = (v − h w² r) / (1 + 2 h z w + h² w²), r' = r + h v'
  const path = (p, span) => {
    const w = 2 * Math.PI * p.frequency, h = p.timestep, list = [[0, 1]];
    let r = 1, v = 0;
    for (let n = 1; n * h <= span && n < 20000; ++n) {
      v = (v - h * w * w * r) / (1 + 2 * h * p.dampratio * w + h * h * w * w);
      r += h * v;
      list.push([1e3 * n * h, r]);
    }
    return list;
  };
  const draw = () => {
    const span = 3 / Math.min(start.frequency, now.frequency), lists = [path(start, span), path(now, span)];
    const low = Math.min(-0.1, ...lists.flat().map(q => q[1]));
    const X = x => 46 + 284 * x / (1e3 * span), Y = y => 168 - 156 * (y - low) / (1 - low);
    const corner = (q, i) => (i ? "L" : "M") + X(q[0]).toFixed(2) + " " + Y(q[1]).toFixed(2);
    const line = (l, c) => '<path class="' + c + '" d="' + l.map(corner).join("") + '"/>';
    $("decay").innerHTML = '<path class="axis" d="M46 12V168H330"/>' + line(lists[0], "was") + line(lists[1], "now") +
      '<text x="2" y="18">1</text><text x="290" y="184">' + (1e3 * span).toPrecision(3) + "</text>";
  };
  const names = {frequency: "natural frequency [Hz]", dampratio: "damping ratio", timestep: "timestep [s]"};
  for (const [k, name] of Object.entries(names)) {
    const [label, slide, shown] = ["label", "input", "small"].map(tag => document.createElement(tag));
    const base = start[k] > 0 ? start[k] : 0.1;
    slide.type = "range"; slide.id = "slider-" + k; slide.step = "any";
    slide.min = Math.log(base / 20); slide.max = Math.log(base * 20); slide.value = Math.log(base);
    shown.textContent = start[k].toPrecision(4);
    slide.addEventListener("input", () => {
      now[k] = Math.exp(Number(slide.value));
      shown.textContent = now[k].toPrecision(4);
      draw();
    });
    label.append(name, slide, shown);
    $("sliders").append(label);
  }
  draw();
}
</script></body></html>
)";

/// JSON that may stand in a script: no "</" and no "<!--".
std::string for_script(std::string json) {
  for (size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at + 6)) json.replace(at, 1, "\\u003c");
  return json;
}

std::string for_html(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

}  // namespace

std::string explain_page(const Explanation& e) {
  const bool mimic = e.kind == "mimic";
  return kHead + for_html(e.title) + kStyle + (mimic ? kMimicBody : kBody) + for_script(explain_json(e)) +
         (mimic ? kMimicScript : kScript);
}

}  // namespace pliant
