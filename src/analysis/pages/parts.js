// Parts of the tuning pages: numbers to slide or type, curves, lines to copy.

const $ = id => document.getElementById(id);
const brief = x => Array.isArray(x) ? x.map(brief).join(" … ") :
  x === null || x === undefined || !isFinite(x) ? "unlimited" : Number(x).toPrecision(4);
const exact = x => Array.isArray(x) ? x.map(exact).join(" … ") :
  x === null || x === undefined || !isFinite(x) ? "unlimited" : String(x);
/** Shortest text of at most six digits: what a person would write into a file. */
const written = x => String(Number(Number(x).toPrecision(6)));

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Curves over a common pair of axes. Each: {class, points: [[x, y], …]}. */
function curves(id, list) {
  let x0 = Infinity, x1 = -Infinity, y0 = 0, y1 = -Infinity;
  for (const {points} of list) {
    for (const [x, y] of points) {
      if (!isFinite(y)) continue;
      x0 = Math.min(x0, x);
      x1 = Math.max(x1, x);
      y0 = Math.min(y0, y);
      y1 = Math.max(y1, y);
    }
  }
  if (!isFinite(x0)) x0 = 0;
  if (!(x1 > x0)) x1 = x0 + 1;
  if (!(y1 > y0)) y1 = y0 + 1;
  const X = x => 46 + 284 * (x - x0) / (x1 - x0), Y = y => 168 - 156 * (y - y0) / (y1 - y0);
  const corner = ([x, y], i) => (i ? "L" : "M") + X(x).toFixed(2) + " " + Y(y).toFixed(2);
  const path = ({class: name, points}) =>
    '<path class="' + name + '" d="' + points.filter(q => isFinite(q[1])).map(corner).join("") + '"/>';
  const text = (x, y, value) => '<text x="' + x + '" y="' + y + '">' + value.toPrecision(3) + "</text>";
  $(id).innerHTML = '<path class="axis" d="M46 12V168H330"/>' + list.map(path).join("") + text(2, 18, y1) +
    text(2, 170, y0) + text(46, 184, x0) + text(290, 184, x1);
}

/**
 * A number to slide or to type. `kind`: {name, low, high, logarithmic}; bounds are those of what may be typed, the
 * slider of a logarithmic one spans a factor of 20 about the start. Typed nonsense is marked and changes nothing.
 */
function control(key, kind, now, changed) {
  const base = now[key] > 0 ? now[key] : 1e-3, log = kind.logarithmic;
  const slide = element("input", {type: "range", id: "slider-" + key, step: "any"});
  const type = element("input", {type: "text", id: "number-" + key, inputMode: "decimal", autocomplete: "off"});
  slide.min = log ? Math.log(base / 20) : kind.low;
  slide.max = log ? Math.log(base * 20) : kind.high;
  const label = element("label", {className: "control"}, kind.name, slide, type);
  const allowed = x => isFinite(x) && x >= kind.low && x <= kind.high && (x > kind.low || !kind.above);
  const slid = () => { slide.value = log ? Math.log(Math.max(now[key], 1e-300)) : now[key]; };
  label.put = () => {
    slid();
    type.value = written(now[key]);
    type.classList.remove("wrong");
  };
  slide.addEventListener("input", () => {
    now[key] = Number(written(log ? Math.exp(Number(slide.value)) : Number(slide.value)));
    type.value = written(now[key]);
    type.classList.remove("wrong");
    changed("");
  });
  type.addEventListener("input", () => {
    const value = type.value.trim() === "" ? NaN : Number(type.value), good = allowed(value);
    type.classList.toggle("wrong", !good);
    if (!good) {
      const least = (kind.above ? "above " : "at least ") + kind.low;
      const most = isFinite(kind.high) ? " and at most " + kind.high : "";
      changed(kind.name + ": “" + type.value + "” is no number " + least + most);
      return;
    }
    now[key] = value;
    slid();
    changed("");
  });
  label.put();
  return label;
}

/** A line of text with a button that copies it. */
function copyable(id) {
  const code = element("code", {id}), button = element("button", {type: "button", textContent: "copy"});
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "copied";
    } catch {
      // files opened from a disk may not write to the clipboard: the text is selected instead
      getSelection().selectAllChildren(code);
      button.textContent = document.execCommand("copy") ? "copied" : "press Ctrl-C";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  return element("div", {className: "line"}, code, button);
}

/** Sources, clamps and headings that all pages have. */
function heading(E) {
  $("title").textContent = E.kind + ": " + E.title;
  $("sentence").textContent = E.sentence + (E.origin ? " — " + E.origin : "");
  $("note").textContent = E.note;
  if (E.playing) $("links").append(element("a", {href: E.playing, id: "playing", textContent: "see it move"}));
}
