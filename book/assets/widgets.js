// Interactive figures of the book: small custom elements, no library, no request.
// Each reads its data from a JSON script inside it, and says in text what it draws.

const SVG = "http://www.w3.org/2000/svg";
const SIZE = { width: 360, height: 260, left: 58, right: 12, top: 12, bottom: 40 };

function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "line", "path", "circle", "text", "title"].includes(tag);
  const node = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

class Plot {
  constructor([x0, x1], [y0, y1], xLabel, yLabel) {
    Object.assign(this, { x0, x1, y0, y1 });
    this.svg = make("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img", class: "w-plot" });
    this.title = make("title");
    this.axes = make("g", { class: "w-axes" });
    this.marks = make("g");
    this.svg.append(this.title, this.axes, this.marks);
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
  clear(title) {
    this.marks.replaceChildren();
    this.title.textContent = title;
    this.svg.setAttribute("aria-label", title);
  }
  line(points, name) {
    const path = points.map(([x, y], i) => `${i ? "L" : "M"}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`);
    this.marks.append(make("path", { d: path.join(""), class: `w-line ${name}` }));
  }
  dot([x, y], name) {
    this.marks.append(make("circle", { cx: this.x(x), cy: this.y(y), r: 5, class: name }));
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
}

function tick(value) {
  return Number(value.toPrecision(3)).toString();
}

function percent(value, digits = 2) {
  return `${(100 * value).toFixed(digits)} %`;
}

// ---------------------------------------------------------------- the book's definitions

// Softmax of logits at temperature T: the largest probability, its class, and log p of the label.
function tempered(logits, label, temperature) {
  const scaled = logits.map((z) => z / temperature);
  const top = Math.max(...scaled);
  const total = scaled.reduce((sum, z) => sum + Math.exp(z - top), 0);
  return { score: 1 / total, hit: Number(scaled.indexOf(top) === label), nll: Math.log(total) + top - scaled[label] };
}

// Bins ((m-1)/M, m/M], the first closed at 0.
function equalWidth(scores, hits, bins) {
  const groups = Array.from({ length: bins }, (_, m) => ({ low: m / bins, high: (m + 1) / bins, n: 0, score: 0, hit: 0 }));
  scores.forEach((score, i) => {
    let m = Math.min(Math.max(Math.ceil(score * bins) - 1, 0), bins - 1);
    if (m > 0 && score <= m / bins) m -= 1;
    if (m < bins - 1 && score > (m + 1) / bins) m += 1;
    groups[m].n += 1;
    groups[m].score += score;
    groups[m].hit += hits[i];
  });
  return groups;
}

function ece(groups, n) {
  return groups.reduce((sum, g) => sum + Math.abs(g.hit - g.score), 0) / n;
}

function drawBins(plot, groups, title) {
  plot.clear(title);
  for (const g of groups) {
    if (!g.n) continue;
    const [confidence, accuracy] = [g.score / g.n, g.hit / g.n];
    plot.bar(g.low, g.high, 0, accuracy, "w-accuracy");
    plot.bar(g.low, g.high, accuracy, confidence, "w-gap");
  }
  plot.line([[0, 0], [1, 1]], "w-diagonal");
}

function binRows(groups) {
  return groups
    .filter((g) => g.n)
    .map((g) => [`${g.low.toFixed(2)} to ${g.high.toFixed(2)}`, g.n, percent(g.score / g.n, 1), percent(g.hit / g.n, 1)]);
}

// ---------------------------------------------------------------- elements

let counter = 0;

class Widget extends HTMLElement {
  connectedCallback() {
    if (this.data) return;
    this.data = JSON.parse(this.querySelector('script[type="application/json"]').textContent);
    this.querySelector(".w-fallback")?.remove();
    this.status = make("p", { class: "w-status", "aria-live": "polite" });
    this.start();
  }
  slider(text, { min, max, step, value }, show) {
    const id = `w-${++counter}`;
    const input = make("input", { type: "range", id, min, max, step, value });
    const output = make("output", { for: id });
    input.addEventListener("input", () => this.update());
    this.append(make("div", { class: "w-control" }, make("label", { for: id }, text), input, output));
    return {
      get value() {
        return Number(input.value);
      },
      set value(v) {
        input.value = v;
      },
      input,
      say: () => {
        output.textContent = show(Number(input.value));
        input.setAttribute("aria-valuetext", output.textContent);
      },
    };
  }
  figures(...plots) {
    this.append(make("div", { class: "w-figures" }, ...plots.map((p) => p.svg)), this.status);
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

class TemperatureSlider extends Widget {
  start() {
    const best = this.data.temperature;
    this.curve = [];
    for (let i = 0; i <= 60; i++) {
      const t = 0.5 * 8 ** (i / 60);
      this.curve.push([t, this.measure(t).nll]);
    }
    const top = Math.max(...this.curve.map((p) => p[1]));
    this.diagram = new Plot([0, 1], [0, 1], "confidence", "accuracy");
    this.loss = new Plot([0, 4], [0, Math.ceil(top * 10) / 10], "temperature T", "NLL (nats)");
    this.temperature = this.slider("Temperature T", { min: 0.5, max: 4, step: 0.01, value: 1 }, (t) => t.toFixed(2));
    const button = make("button", { type: "button" }, `Set T to the optimum, ${best.toFixed(2)}`);
    button.addEventListener("click", () => {
      this.temperature.value = best;
      this.update();
    });
    this.append(button);
    this.figures(this.diagram, this.loss);
    this.fill = this.asTable(["Confidence", "Samples", "Mean confidence", "Accuracy"]);
    this.update();
  }
  measure(t) {
    const { logits, labels } = this.data;
    const rows = logits.map((z, i) => tempered(z, labels[i], t));
    const mean = (key) => rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
    const groups = equalWidth(rows.map((r) => r.score), rows.map((r) => r.hit), 15);
    return { groups, ece: ece(groups, rows.length), nll: mean("nll"), confidence: mean("score"), accuracy: mean("hit") };
  }
  update() {
    const t = this.temperature.value;
    const now = this.measure(t);
    const said = `T = ${t.toFixed(2)}: ECE ${percent(now.ece)}, NLL ${now.nll.toFixed(4)}, mean confidence ${percent(now.confidence, 1)}, accuracy ${percent(now.accuracy, 1)}`;
    this.temperature.say();
    drawBins(this.diagram, now.groups, `Reliability diagram at ${said}`);
    this.loss.clear(`NLL against temperature, marked at ${t.toFixed(2)}`);
    this.loss.line(this.curve, "w-curve");
    this.loss.dot([t, now.nll], "w-dot");
    this.status.textContent = said;
    this.fill(binRows(now.groups));
    this.values({ ece: now.ece, nll: now.nll, accuracy: now.accuracy });
  }
}

class BinsSlider extends Widget {
  start() {
    const { scores, hits } = this.data;
    const all = Array.from({ length: 100 }, (_, i) => [i + 1, ece(equalWidth(scores, hits, i + 1), scores.length)]);
    this.curve = all;
    const top = Math.max(...all.map((p) => p[1]));
    this.diagram = new Plot([0, 1], [0, 1], "confidence", "accuracy");
    this.errors = new Plot([0, 100], [0, Math.ceil(top * 100) / 100], "number of bins M", "ECE");
    this.bins = this.slider("Number of bins M", { min: 1, max: 100, step: 1, value: 15 }, (m) => String(m));
    this.figures(this.diagram, this.errors);
    this.fill = this.asTable(["Confidence", "Samples", "Mean confidence", "Accuracy"]);
    this.update();
  }
  update() {
    const { scores, hits } = this.data;
    const m = this.bins.value;
    const groups = equalWidth(scores, hits, m);
    const value = ece(groups, scores.length);
    const said = `M = ${m}: ECE ${percent(value)}; ${groups.filter((g) => g.n).length} bins hold data`;
    this.bins.say();
    drawBins(this.diagram, groups, `Reliability diagram with ${said}`);
    this.errors.clear(`ECE against the number of bins, marked at ${m}`);
    this.errors.line(this.curve, "w-curve");
    this.errors.dot([m, value], "w-dot");
    this.status.textContent = said;
    this.fill(binRows(groups));
    this.values({ ece: value });
  }
}

// Steps: the book computes one curve and a few numbers for each position of the slider.
class StepsSlider extends Widget {
  start() {
    const { label, steps, x, y, start, reference, columns } = this.data;
    this.plot = new Plot(x.range, y.range, x.label, y.label);
    this.position = this.slider(label, { min: 0, max: steps.length - 1, step: 1, value: start }, (i) => steps[i].name);
    this.figures(this.plot);
    this.fill = this.asTable(columns);
    this.reference = reference;
    this.update();
  }
  update() {
    const step = this.data.steps[this.position.value];
    this.position.say();
    this.plot.clear(step.says);
    if (this.reference) this.plot.line(this.reference, "w-diagonal");
    this.plot.line(step.line, "w-curve");
    if (step.dot) this.plot.dot(step.dot, "w-dot");
    this.status.textContent = step.says;
    this.fill(this.data.steps.map((s) => [s.name, ...s.cells]));
    this.values(step.values);
  }
}

// A quiz for the reader: how sure are you that each statement is true?
class BetQuiz extends Widget {
  start() {
    this.answers = this.data.map((item, i) => {
      const box = make("fieldset", {}, make("legend", {}, `${i + 1}. ${item.statement}`));
      this.append(box);
      const before = this.lastChild;
      const slider = this.slider("Chance that this is true", { min: 0, max: 100, step: 5, value: 50 }, (v) => `${v} %`);
      before.append(this.lastChild);
      slider.say();
      return slider;
    });
    const button = make("button", { type: "button" }, "Show how well I am calibrated");
    button.addEventListener("click", () => this.score());
    this.append(button);
    this.plot = new Plot([0, 1], [0, 1], "your confidence", "how often you were right");
    this.figures(this.plot);
    this.plot.clear("Your reliability diagram, once you have answered");
    this.fill = this.asTable(["Statement", "It is", "You said"]);
  }
  update() {
    this.answers.forEach((a) => a.say());
  }
  score() {
    const p = this.answers.map((a) => a.value / 100);
    const truth = this.data.map((item) => Number(item.true));
    const scores = p.map((v) => Math.max(v, 1 - v));
    const hits = p.map((v, i) => (v === 0.5 ? 0.5 : Number(v > 0.5 === Boolean(truth[i]))));
    const groups = equalWidth(scores, hits, 10);
    const brier = p.reduce((sum, v, i) => sum + (v - truth[i]) ** 2, 0) / p.length;
    const value = ece(groups, p.length);
    const mean = (v) => v.reduce((a, b) => a + b, 0) / v.length;
    const lean = mean(scores) - mean(hits);
    const word = Math.abs(lean) < 0.005 ? "neither over- nor under-confident" : lean > 0 ? "overconfident" : "underconfident";
    const said = `Right ${percent(mean(hits), 0)} of the time at a mean confidence of ${percent(mean(scores), 0)}: ${word} here. Brier score ${brier.toFixed(3)} (always saying 50 % gives 0.250), ECE ${percent(value, 0)} with 10 bins and ${p.length} answers.`;
    drawBins(this.plot, groups, `Your reliability diagram. ${said}`);
    this.status.textContent = said;
    this.fill(this.data.map((item, i) => [item.statement, item.true ? "true" : "false", percent(p[i], 0)]));
    this.values({ brier, ece: value });
  }
}

customElements.define("temperature-slider", TemperatureSlider);
customElements.define("bins-slider", BinsSlider);
customElements.define("steps-slider", StepsSlider);
customElements.define("bet-quiz", BetQuiz);

// ---------------------------------------------------------------- tables that filter and sort

// Text in alphabetical order, numbers in theirs.
const compare = (a, b) => a.localeCompare(b, "en", { numeric: true });

// Wraps a table that is whole without scripts; filters="Paper,Verdict" names columns with a list,
// start="Paper=Guo 2017" what is chosen at first.
class FilterTable extends HTMLElement {
  connectedCallback() {
    if (this.rows) return;
    const table = this.querySelector("table");
    this.body = table.tBodies[0];
    this.rows = [...this.body.rows];
    this.heads = [...table.tHead.rows[0].cells];
    const names = this.heads.map((head) => head.textContent.trim());
    this.controls = make("div", { class: "w-control" });
    this.search = this.control("Search", make("input", { type: "search" }));
    this.lists = (this.getAttribute("filters") || "").split(",").filter(Boolean).map((name) => {
      const column = names.indexOf(name);
      const values = [...new Set(this.rows.map((row) => row.cells[column].textContent.trim()))].sort(compare);
      const options = ["all", ...values].map((value) => make("option", { value }, value));
      return { column, list: this.control(name, make("select", {}, ...options)) };
    });
    const [first, value] = (this.getAttribute("start") || "").split("=");
    this.lists.filter(({ column }) => names[column] === first).forEach(({ list }) => (list.value = value));
    this.heads.forEach((head, column) => {
      const button = make("button", { type: "button" }, names[column]);
      button.addEventListener("click", () => this.sort(column));
      head.setAttribute("scope", "col");
      head.replaceChildren(button);
    });
    this.status = make("p", { class: "w-status", "aria-live": "polite" });
    this.prepend(this.controls, this.status);
    this.update();
  }
  control(text, field) {
    field.id = `w-${++counter}`;
    field.addEventListener("input", () => this.update());
    this.controls.append(make("label", { for: field.id }, text), field);
    return field;
  }
  update() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of this.rows) {
      const text = row.textContent.toLowerCase();
      const chosen = this.lists.every(
        ({ column, list }) => list.value === "all" || row.cells[column].textContent.trim() === list.value,
      );
      row.hidden = !(chosen && words.every((word) => text.includes(word)));
      shown += !row.hidden;
    }
    this.status.textContent = `${shown} of ${this.rows.length} rows`;
  }
  sort(column) {
    const down = this.heads[column].getAttribute("aria-sort") === "ascending";
    this.heads.forEach((head) => head.removeAttribute("aria-sort"));
    this.heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    const text = (row) => row.cells[column].textContent.trim();
    const order = (a, b) => compare(text(a), text(b));
    const number = (row) => (text(row) === "" ? -Infinity : Number(text(row).replace("−", "-")));
    const numeric = this.rows.every((row) => !Number.isNaN(number(row)));
    this.rows.sort((a, b) => (down ? -1 : 1) * (numeric ? number(a) - number(b) : order(a, b)));
    this.body.append(...this.rows);
  }
}

customElements.define("filter-table", FilterTable);
