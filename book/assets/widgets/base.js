// What the interactive figures share: drawing, controls and settings in the address. No library, no request.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = ["svg", "g", "rect", "line", "path", "circle", "text", "title"];
const SIZE = { width: 360, height: 260, left: 72, right: 12, top: 12, bottom: 40 };

function make(tag, attributes = {}, ...children) {
  const node = DRAWN.includes(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function tick(value) {
  return Number(value.toPrecision(3)).toString();
}

function percent(value, digits = 2) {
  return `${(100 * value).toFixed(digits)} %`;
}

// A pair of axes; ticks: labels in place of numbers.
class Plot {
  constructor([x0, x1], [y0, y1], xLabel, yLabel, role = "img") {
    this.svg = make("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role, class: "w-plot" });
    this.title = make("title");
    this.axes = make("g", { class: "w-axes" });
    this.marks = make("g");
    this.svg.append(this.title, this.axes, this.marks);
    this.labels = [xLabel, yLabel];
    this.scale([x0, x1], [y0, y1]);
  }
  scale([x0, x1], [y0, y1]) {
    Object.assign(this, { x0, x1, y0, y1 });
    this.axes.replaceChildren();
    for (let i = 0; i <= 4; i++) {
      const x = x0 + (i * (x1 - x0)) / 4;
      const y = y0 + (i * (y1 - y0)) / 4;
      this.axes.append(
        make("line", { x1: this.x(x), x2: this.x(x), y1: this.y(y0), y2: this.y(y1), class: "w-grid" }),
        make("line", { x1: this.x(x0), x2: this.x(x1), y1: this.y(y), y2: this.y(y), class: "w-grid" }),
        make("text", { x: this.x(x), y: this.y(y0) + 14, "text-anchor": "middle" }, tick(x)),
        make("text", { x: SIZE.left - 5, y: this.y(y) + 4, "text-anchor": "end" }, tick(y)),
      );
    }
    const [xLabel, yLabel] = this.labels;
    const middle = SIZE.top + (SIZE.height - SIZE.top - SIZE.bottom) / 2;
    this.axes.append(
      make("text", { x: this.x((x0 + x1) / 2), y: SIZE.height - 6, "text-anchor": "middle" }, xLabel),
      make("text", { x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, yLabel),
    );
  }
  x(value) {
    return SIZE.left + ((value - this.x0) / (this.x1 - this.x0)) * (SIZE.width - SIZE.left - SIZE.right);
  }
  y(value) {
    const inner = SIZE.height - SIZE.top - SIZE.bottom;
    return SIZE.top + inner - ((value - this.y0) / (this.y1 - this.y0)) * inner;
  }
  // Where on the axes a pointer is.
  at(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = SIZE.width / box.width;
    const across = ((event.clientX - box.left) * scale - SIZE.left) / (SIZE.width - SIZE.left - SIZE.right);
    const up = 1 - ((event.clientY - box.top) * scale - SIZE.top) / (SIZE.height - SIZE.top - SIZE.bottom);
    return [this.x0 + across * (this.x1 - this.x0), this.y0 + up * (this.y1 - this.y0)];
  }
  clear(title) {
    this.marks.replaceChildren();
    this.title.textContent = title;
    this.svg.setAttribute("aria-label", title);
  }
  line(points, name) {
    const path = points.map(([x, y], i) => `${i ? "L" : "M"}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`);
    this.marks.append(make("path", { d: path.join(""), class: `w-line ${name}` }));
  }
  dot([x, y], name, r = 5) {
    this.marks.append(make("circle", { cx: this.x(x).toFixed(1), cy: this.y(y).toFixed(1), r, class: name }));
  }
  bar(left, right, bottom, top, name) {
    const [low, high] = [Math.min(bottom, top), Math.max(bottom, top)];
    this.marks.append(
      make("rect", {
        x: this.x(left) + 0.5,
        width: Math.max(this.x(right) - this.x(left) - 1, 0.5),
        y: this.y(high),
        height: this.y(low) - this.y(high),
        class: name,
      }),
    );
  }
  say(x, y, text, anchor = "start") {
    this.marks.append(make("text", { x: this.x(x), y: this.y(y), "text-anchor": anchor, class: "w-label" }, text));
  }
}

// Bars of accuracy up to the hits of each bin, and the gap from there to its mean score.
function drawBins(plot, groups, title) {
  plot.clear(title);
  for (const g of groups) {
    if (!g.n) continue;
    const [confidence, accuracy] = [g.score / g.n, g.hit / g.n];
    plot.bar(g.low, g.high, 0, accuracy, "w-accuracy");
    plot.bar(g.low, g.high, accuracy, confidence, "w-gap");
  }
  plot.line([[plot.x0, plot.x0], [1, 1]], "w-diagonal");
}

function binRows(groups) {
  return groups
    .filter((g) => g.n)
    .map((g) => [`${g.low.toFixed(2)} to ${g.high.toFixed(2)}`, g.n, percent(g.score / g.n, 1), percent(g.hit / g.n, 1)]);
}

// Whether a control can take a value that an address gives.
function fits(control, value) {
  if (control.options) return [...control.options].some((option) => option.value === value);
  return control.type !== "range" || (value !== "" && Number.isFinite(Number(value)));
}

let counter = 0;

// Calls `begin` of a figure once, before it comes on the screen or on paper.
const waiting = new Set();
const coming = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => beginNow(entry.target)),
  { rootMargin: "100% 0px" },
);
function beginNow(figure) {
  coming.unobserve(figure);
  if (waiting.delete(figure)) figure.begin();
}
addEventListener("beforeprint", () => waiting.forEach(beginNow));
addEventListener("hashchange", () => [...waiting].filter((figure) => figure.isNamed()).forEach(beginNow));

// An interactive figure: reads its data from a JSON script inside it, draws, says in a sentence what it
// shows, and keeps its settings in the address as #name:key=value;key=value, where a link can give them.
class Widget extends HTMLElement {
  connectedCallback() {
    if (this.data || waiting.has(this)) return;
    waiting.add(this);
    if (document.getElementById(this.id) !== this) this.id = `${this.id}-${++counter}`; // the second of its kind
    if (this.isNamed()) beginNow(this);
    else coming.observe(this);
  }
  isNamed() {
    return decodeURIComponent(location.hash).startsWith(`#${this.id}:`);
  }
  begin() {
    this.data = JSON.parse(this.querySelector('script[type="application/json"]').textContent);
    this.querySelector(".w-fallback")?.remove();
    this.settings = {};
    this.status = make("p", { class: "w-status", "aria-live": "polite" });
    this.link = make("a", { class: "w-link" }, "Link to this setting");
    this.start();
    this.append(this.link);
    this.recall();
    this.link.href = this.address();
    addEventListener("hashchange", () => this.recall());
  }
  address() {
    const pairs = Object.entries(this.settings).map(([key, setting]) => `${key}=${setting.value}`);
    return `#${this.id}:${pairs.join(";")}`;
  }
  remember() {
    this.link.href = this.address();
    history.replaceState(null, "", this.link.href);
  }
  recall() {
    const [name, text] = decodeURIComponent(location.hash).split(":");
    if (name !== `#${this.id}` || text === undefined) return;
    for (const pair of text.split(";")) {
      const [key, value] = pair.split("=");
      if (Object.hasOwn(this.settings, key) && fits(this.settings[key], value)) this.settings[key].value = value;
    }
    this.update();
    this.link.href = this.address();
    this.scrollIntoView();
  }
  control(key, text, input, ...rest) {
    input.id = `w-${++counter}`;
    input.addEventListener("input", () => this.update());
    input.addEventListener("change", () => this.remember());
    const node = make("div", { class: "w-control" }, make("label", { for: input.id }, text), input, ...rest);
    this.append(node);
    this.settings[key] = input;
    return node;
  }
  slider(key, text, { min, max, step, value }, show = String) {
    const input = make("input", { type: "range", min, max, step, value });
    const output = make("output");
    const node = this.control(key, text, input, output);
    let before = value;
    input.addEventListener("pointerdown", () => (before = input.value));
    input.addEventListener("pointercancel", () => {
      input.value = before; // the touch became a scroll of the page
      input.dispatchEvent(new Event("input"));
      input.dispatchEvent(new Event("change"));
    });
    output.htmlFor = input.id;
    return {
      node,
      input,
      get value() {
        return Number(input.value);
      },
      set value(v) {
        input.value = v;
      },
      say() {
        output.textContent = show(Number(input.value));
        input.setAttribute("aria-valuetext", output.textContent);
      },
    };
  }
  choice(key, text, options) {
    const input = make("select", {}, ...options.map(([value, name]) => make("option", { value }, name)));
    this.control(key, text, input);
    return input;
  }
  button(text, act) {
    const button = make("button", { type: "button" }, text);
    button.addEventListener("click", () => {
      act();
      this.update();
      this.remember();
    });
    this.append(button);
    return button;
  }
  figures(...plots) {
    this.append(this.status, make("div", { class: "w-figures" }, ...plots.map((p) => p.svg)));
  }
  asTable(headings) {
    const body = make("tbody");
    const head = make("tr", {}, ...headings.map((h) => make("th", { scope: "col" }, h)));
    const table = make("table", {}, make("thead", {}, head), body);
    this.append(make("details", {}, make("summary", {}, "The same as a table"), table));
    return (rows) =>
      body.replaceChildren(...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, String(cell))))));
  }
  values(numbers) {
    Object.entries(numbers).forEach(([key, value]) => this.setAttribute(`data-${key}`, value));
  }
}
