// What the interactive figures share: drawing, controls and settings in the address. No library, no request.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const DRAWN = ["svg", "g", "rect", "line", "path", "circle", "text", "title", "defs", "pattern", "clipPath"];
  const LETTER = 13; // height of the letters; a unit of a plot is a pixel of the page
  const GAP = 12;
  let counter = 0;

  // An id that no other element of the page has.
  const newId = (stem = "w") => `${stem}-${++counter}`;

  function make(tag, attributes = {}, ...children) {
    const node = DRAWN.includes(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
    set(node, attributes).append(...children);
    return node;
  }

  function set(node, attributes) {
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }

  function percent(value, digits = 2) {
    return `${(100 * value).toFixed(digits)}\u00a0%`; // on one line
  }

  // The path of discs around these places.
  const discs = (places, r) =>
    places
      .map(([x, y]) => `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`)
      .join("");

  const soon = globalThis.requestIdleCallback ?? setTimeout; // when nothing else is to be done
  const wantsStill = matchMedia("(prefers-reduced-motion: reduce)");
  const GLIDE = 600; // milliseconds

  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  // Round values of an axis with their labels: steps of 1, 2 or 5 times a power of ten, at most `most` of them.
  function ticks(low, high, most) {
    const unit = 10 ** Math.floor(Math.log10((high - low) / most));
    const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => (high - low) / size <= most + 1e-9);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const labelled = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
      labelled.push([k * step, k ? (k * step).toFixed(digits).replace("-", "−") : "0"]);
    }
    return labelled;
  }

  // A pair of axes. `options`: xTicks or yTicks, pairs of value and label; left, head: room beside and above; role.
  class Plot {
    constructor(xRange, yRange, xLabel, yLabel, options = {}) {
      this.svg = make("svg", { role: options.role || "img", class: "w-plot" });
      this.title = make("title");
      this.axes = make("g", { class: "w-axes" });
      this.marks = make("g", { class: "w-layer" });
      this.frame = make("rect");
      const id = newId();
      this.inside = `url(#${id})`; // a line ends at the axes
      this.svg.append(this.title, make("clipPath", { id }, this.frame), this.axes, this.marks);
      this.labels = [xLabel, yLabel];
      this.options = options;
      [this.x0, this.x1, this.y0, this.y1] = [...xRange, ...yRange];
      this.size(300, 240);
    }
    size(width, height) {
      Object.assign(this, { width, height, right: width - 16 });
      Object.assign(this, { top: 12 + (this.options.head || 0), bottom: height - (this.labels[0] ? 44 : 26) });
      set(this.svg, { viewBox: `0 0 ${width} ${height}`, width, height });
      this.scale([this.x0, this.x1], [this.y0, this.y1]);
    }
    scale([x0, x1], [y0, y1]) {
      Object.assign(this, { x0, x1, y0, y1 });
      const { width, height, labels } = this;
      const setting = JSON.stringify([x0, x1, y0, y1, width, height, labels, this.options.yTicks]);
      if (setting === this.drawnSetting) return; // the axes are as they stand
      this.drawnSetting = setting;
      this.drawAxes();
    }
    drawAxes() {
      const { x0, x1, y0, y1 } = this;
      this.axes.replaceChildren();
      const yTicks = this.options.yTicks || ticks(y0, y1, 5);
      const longest = Math.max(0, ...yTicks.map(([, label]) => label.length));
      this.left = this.options.left || 10 + LETTER * (0.57 * longest + (this.labels[1] ? 1.1 : 0));
      const { left, right, top, bottom } = this;
      set(this.frame, { x: left - 2, y: top - 2, width: right - left + 4, height: bottom - top + 4 });
      this.drawGridAcross(this.options.xTicks || ticks(x0, x1, right - left < 260 ? 4 : 5));
      this.drawGridUp(yTicks);
      this.drawLabels();
    }
    drawGridAcross(xTicks) {
      const { top, bottom } = this;
      for (const [value, label] of xTicks) {
        const x = this.x(value);
        this.axes.append(
          make("line", { x1: x, x2: x, y1: top, y2: bottom, class: "w-grid" }),
          this.tick(x, bottom + 16, label, "middle", this.options.xTicks)
        );
      }
    }
    drawGridUp(yTicks) {
      const { left, right } = this;
      for (const [value, label] of yTicks) {
        const y = this.y(value);
        this.axes.append(
          make("line", { x1: left, x2: right, y1: y, y2: y, class: "w-grid" }),
          this.tick(left - 5, y + 4, label, "end", this.options.yTicks)
        );
      }
    }
    drawLabels() {
      const { left, right, top, bottom } = this;
      const [xLabel, yLabel] = this.labels;
      if (xLabel) this.axes.append(this.letters((left + right) / 2, this.height - 6, xLabel));
      if (!yLabel) return;
      const upright = this.letters(13, (top + bottom) / 2, yLabel);
      upright.setAttribute("transform", `rotate(-90 13 ${(top + bottom) / 2})`);
      this.axes.append(upright);
    }
    // Numbers of an axis that is fitted to its marks would give them away while these are covered.
    tick(x, y, text, anchor, fixed) {
      const words = this.letters(x, y, text, anchor);
      if (!fixed) words.setAttribute("class", "w-tick");
      return words;
    }
    letters(x, y, text, anchor = "middle") {
      return make("text", { x, y, "text-anchor": anchor }, text);
    }
    x(value) {
      return this.left + ((value - this.x0) / (this.x1 - this.x0)) * (this.right - this.left);
    }
    y(value) {
      return this.bottom - ((value - this.y0) / (this.y1 - this.y0)) * (this.bottom - this.top);
    }
    // Where on the axes a pointer is.
    at(event) {
      const box = this.svg.getBoundingClientRect();
      const scale = this.width / box.width;
      const across = ((event.clientX - box.left) * scale - this.left) / (this.right - this.left);
      const up = (this.bottom - (event.clientY - box.top) * scale) / (this.bottom - this.top);
      return [this.x0 + across * (this.x1 - this.x0), this.y0 + up * (this.y1 - this.y0)];
    }
    clear(title) {
      this.marks.replaceChildren();
      this.title.textContent = title;
      this.svg.setAttribute("aria-label", title || "not drawn before the question is answered");
    }
    line(points, name) {
      this.lines([points], name);
    }
    lines(curves, name) {
      const at = ([x, y]) => `${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`;
      const path = curves.map((points) => points.map((point, i) => `${i ? "L" : "M"}${at(point)}`).join(""));
      this.marks.append(make("path", { d: path.join(""), class: `w-line ${name}`, "clip-path": this.inside }));
    }
    dot(point, name, r = 5) {
      this.dots([point], name, r);
    }
    // Dots of one look are one mark: hundreds are drawn anew at every touch.
    dots(points, name, r) {
      this.marks.append(make("path", { d: discs(points.map(([x, y]) => [this.x(x), this.y(y)]), r), class: name }));
    }
    // Heads of arrows, at most as long as the arrows are.
    heads(arrows, name) {
      const path = arrows.map((ends) => {
        const [[x0, y0], [x1, y1]] = ends.map(([x, y]) => [this.x(x), this.y(y)]);
        const length = Math.hypot(x1 - x0, y1 - y0);
        if (length < 0.5) return "";
        const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
        const [back, side] = [Math.min(7, length), Math.min(3, length / 2)];
        const corner = (sign) =>
          `l${(-back * dx - sign * side * dy).toFixed(1)} ${(-back * dy + sign * side * dx).toFixed(1)}`;
        return `M${x1.toFixed(1)} ${y1.toFixed(1)}${corner(1)}l${(2 * side * dy).toFixed(1)} ` +
          `${(-2 * side * dx).toFixed(1)}z`;
      });
      this.marks.append(make("path", { d: path.join(""), class: name }));
    }
    bar(left, right, bottom, top, name) {
      this.bars([[left, right, bottom, top]], name);
    }
    // Bars of one look: left, right and both ends of each.
    bars(boxes, name) {
      const path = boxes.map(([left, right, ...ends]) => {
        const width = Math.max(this.x(right) - this.x(left) - 1, 0.5).toFixed(1);
        const [top, bottom] = [Math.max(...ends), Math.min(...ends)].map((end) => this.y(end).toFixed(1));
        return `M${(this.x(left) + 0.5).toFixed(1)} ${top}h${width}V${bottom}h-${width}z`;
      });
      this.marks.append(make("path", { d: path.join(""), class: name }));
    }
    // A bar across for each class; `look` gives its class, `mark` what stands before its name.
    classes(names, values, look, mark = () => "") {
      values.forEach((value, k) => {
        const row = names.length - k;
        this.bar(0, Math.max(value, 0.003), row - 0.85, row - 0.15, look(k));
        this.marks.append(this.letters(this.left - 4, this.y(row - 0.5) + 5, mark(k) + names[k], "end"));
      });
    }
    // A label beside a mark; it stays within the axes.
    say(x, y, text, anchor = "start") {
      const wide = 0.56 * LETTER * text.length;
      const [before, after] = { start: [0, wide], middle: [wide / 2, wide / 2], end: [wide, 0] }[anchor];
      const words = this.letters(
        clamp(this.x(x), this.left + before, this.width - after),
        clamp(this.y(y), this.top + LETTER, this.bottom - 4),
        text,
        anchor
      );
      words.setAttribute("class", "w-label");
      this.marks.append(words);
    }
  }

  // The picture of this number among `count` that stand side by side.
  function photograph(number, count, sprite, label) {
    const style =
      `background-image: url(${sprite}); background-position: ${(100 * number) / (count - 1)}% 0; background-size: ` +
      `${100 * count}% 100%`;
    return { class: "w-photograph", role: "img", "aria-label": label, style };
  }

  // Bytes of a text.
  const unpacked = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

  // The numbers of those that are true, from zero.
  const indicesOfTrue = (flags) => Array.from(flags.keys()).filter((i) => flags[i]);

  // Whether a control can take a value that an address gives.
  function fits(control, value) {
    if (control.options) return [...control.options].some((option) => option.value === value);
    return control.type !== "range" || (value !== "" && Number.isFinite(Number(value)));
  }

  // A part of an address as text; empty where it is none.
  function decoded(part) {
    try {
      return decodeURIComponent(part);
    } catch {
      return "";
    }
  }

  // Hands the data of a figure to `then`. Where they are many they are a script of their own, which a page from a
  // folder can load too.
  function withData(figure, then) {
    const inside = figure.querySelector('script[type="application/json"]');
    if (!inside.dataset.file) return then(JSON.parse(inside.textContent));
    const file = make("script", { src: inside.dataset.file });
    file.addEventListener("load", () => then(file.data));
    inside.replaceWith(file);
  }

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
  const beginAll = () => waiting.forEach(beginNow);
  addEventListener("hashchange", () => [...waiting].filter((figure) => figure.isNamed()).forEach(beginNow));
  // A page may be printed without any sign of a reader: its figures are there then, but do not begin while it still
  // loads.
  addEventListener("load", () => setTimeout(() => waiting.forEach((figure) => soon(() => beginNow(figure))), 5000));

  // A text, or what a function makes of the settings as they are.
  const current = (part) => (typeof part === "function" ? part() : part);

  // What a figure asks before it shows what the data say. Its parts:
  // question, answers: texts, or functions of the settings, which follow the controls until the reader has answered
  // right: the number of the right answer, or of each that the data allow: within chance none is right or wrong
  // covers: the plots, the status, the buttons whose marks stay hidden so long
  // seen: says in a sentence what was to be seen, by the settings at that time
  // settle: sets what was asked about; may be missing
  class Question {
    constructor(figure, parts) {
      Object.assign(this, { settle() {}, ...parts, figure });
      this.text = make("p");
      this.reply = make("p", { class: "w-seen", "aria-live": "polite" });
      this.buttons = current(this.answers).map((_, i) => this.button(i));
      this.row = make("div", { class: "w-buttons" }, ...this.buttons);
      this.box = make("div", { class: "w-ask" }, this.text, this.row, this.reply);
      this.signs = this.covers.filter((cover) => cover.svg).map(({ svg }) => this.sign(svg));
      this.prose = document.querySelectorAll(`details.after-${figure.localName}`); // what the page says of the answer
      this.cover(true);
      this.follow();
    }
    button(answer) {
      const button = make("button", { type: "button" });
      button.addEventListener("click", () => this.figure.uncover(answer));
      return button;
    }
    // A large question mark on a plot that is covered.
    sign(svg) {
      const sign = make("text", { x: "55%", y: "50%", class: "w-unknown", "aria-hidden": "true" }, "?");
      svg.append(sign);
      return sign;
    }
    cover(isCovered) {
      this.covers.forEach((cover) => (cover.svg ?? cover).classList.toggle("w-covered", isCovered));
    }
    openProse(isOpen) {
      this.prose.forEach((part) => (part.open = isOpen));
    }
    // Asks by the settings as they are.
    follow() {
      this.text.textContent = current(this.question);
      const answers = current(this.answers);
      this.buttons.forEach((button, i) => (button.textContent = answers[i]));
      this.box.hidden = !this.text.textContent;
    }
    verdict(answer) {
      const allowed = [this.right()].flat();
      if (!allowed.includes(answer)) return "not so";
      return allowed.length > 1 ? "these data allow it, and more than it" : "right";
    }
    // On paper the answer is told, and taken back afterwards.
    tell(isTold) {
      this.openProse(isTold);
      this.reply.textContent = isTold ? this.seen() : "";
      this.cover(!isTold);
      this.signs.forEach((sign) => (sign.style.display = isTold ? "none" : ""));
    }
    // Tells the answer for good, and what the reader's is worth if there is one.
    end(answer) {
      const judged =
        answer === undefined ? "" : `You said “${current(this.answers)[answer]}”: ${this.verdict(answer)}. `;
      this.reply.textContent = judged + this.seen();
      this.openProse(true);
      this.cover(false);
      [this.row, ...this.signs].forEach((node) => node.remove());
    }
  }

  // An interactive figure: reads its data from a JSON script inside it, draws, says in a sentence what it
  // shows, and keeps its settings in the address as #name:key=value;key=value, where a link can give them.
  class Widget extends HTMLElement {
    connectedCallback() {
      if (this.data || waiting.has(this)) return;
      waiting.add(this);
      if (document.getElementById(this.id) !== this) this.id = newId(this.id); // the second of its kind
      if (this.isNamed()) beginNow(this);
      else coming.observe(this);
    }
    isNamed() {
      return location.hash.startsWith(`#${this.id}:`);
    }
    begin() {
      withData(this, (data) => this.beginWith(data));
    }
    beginWith(data) {
      this.data = data;
      this.querySelector(".w-fallback")?.remove();
      this.settings = {};
      this.status = make("p", { class: "w-status", "aria-live": "polite" });
      this.link = make("a", { class: "w-link" }, "Link to this setting");
      this.start();
      this.append(this.link);
      this.recall();
      this.link.href = this.address();
      begun.add(this);
      addEventListener("hashchange", () => this.recall());
    }
    address() {
      const pair = ([key, setting]) => `${key}=${encodeURIComponent(setting.value)}`;
      return `#${this.id}:${Object.entries(this.settings).map(pair).join(";")}`;
    }
    remember() {
      this.link.href = this.address();
      history.replaceState(null, "", this.link.href);
    }
    recall() {
      if (!this.isNamed()) return;
      for (const pair of location.hash.slice(this.id.length + 2).split(";")) {
        const end = pair.indexOf("=");
        const [key, value] = [pair.slice(0, end), decoded(pair.slice(end + 1))];
        if (Object.hasOwn(this.settings, key) && fits(this.settings[key], value)) this.settings[key].value = value;
      }
      this.refresh();
      this.uncover();
      this.link.href = this.address();
      this.scrollIntoView();
    }
    // Draws the figure as it is set; the open question follows.
    refresh() {
      this.update();
      this.question?.follow();
    }
    // A row with a control and its label; `key` is its name in the address.
    control(key, text, input, ...rest) {
      input.id = newId();
      input.addEventListener("input", () => this.refresh());
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
    // Buttons stand in one row until something else follows them.
    button(text, act) {
      const button = make("button", { type: "button" }, text);
      button.addEventListener("click", () => {
        act();
        this.refresh();
        this.remember();
      });
      if (!this.lastElementChild?.matches(".w-buttons")) this.append(make("div", { class: "w-buttons" }));
      this.lastElementChild.append(button);
      return button;
    }
    // A setting that no control shows, such as what was drawn: `read` gives its text, `write` takes one.
    setting(key, read, write) {
      this.settings[key] = Object.defineProperty({}, "value", { get: read, set: write });
    }
    // How wide a panel may be before the panels stand one below the other, and how high.
    get panel() {
      return {
        narrowest: 210,
        widest: this.panels.length > 1 ? 380 : 720,
        height: this.panels.length > 2 && !this.beside ? () => 195 : (width) => clamp(0.8 * width, 215, 230),
      };
    }
    // Panels of one size and one size of letters: side by side where there is room.
    figures(...plots) {
      this.panels = plots;
      this.frame = make("div", { class: "w-figures" }, ...plots.map((plot) => plot.svg));
      this.append(this.status, this.frame);
      this.resize();
      new ResizeObserver(() => this.resize() && this.update()).observe(this.frame);
    }
    resize() {
      const room = this.frame.clientWidth || 320;
      if (room === this.room) return false;
      this.room = room;
      const { narrowest, most = this.panels.length } = this.panel;
      const columns = clamp(Math.floor((room + GAP) / (narrowest + GAP)), 1, most);
      this.beside = columns > 1;
      const { widest, height } = this.panel;
      const width = Math.floor(Math.min((room - GAP * (columns - 1)) / columns, widest));
      this.panels.forEach((plot) => plot.size(width, Math.round(height(width))));
      return true;
    }
    // Asks what to expect before it is shown; `Question` says what the parts are.
    ask(parts) {
      this.question = new Question(this, parts);
      this.append(this.question.box);
    }
    // Ends the open question: by an answer, or without one where a link gives the settings.
    uncover(answer) {
      const { question } = this;
      if (!question) return;
      question.end(answer); // while it is open: what the reply says may rest on that
      this.question = undefined;
      const isAnswered = answer !== undefined;
      if (isAnswered) question.settle();
      this.update();
      if (isAnswered) this.remember();
    }
    // Whether the question is open.
    get asks() {
      return Boolean(this.question) && !this.paper;
    }
    // On paper a figure shows what its still shows and tells what it asks; afterwards it is as the reader left it.
    print() {
      this.paper ??= Object.entries(this.settings).map(([key, setting]) => [key, setting.value]);
      this.onPaper?.();
      this.question?.tell(true);
      this.update();
    }
    printed() {
      if (!this.paper) return; // its data came while the page was printed
      const left = this.onPaper ? this.paper : [];
      this.paper = undefined;
      left.forEach(([key, value]) => (this.settings[key].value = value));
      this.question?.tell(false);
      this.update();
    }
    // A point of a plot that one drags, or moves with the keys: `move` takes the steps of a key to the right and up,
    // `drag` the place of the pointer. A finger on it draws and does not scroll.
    handle(plot, label, move, drag, look = {}) {
      const node = make("circle", {
        r: 12,
        class: "w-handle",
        role: "slider",
        tabindex: 0,
        "aria-label": label,
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        "aria-valuenow": 0,
        ...look,
      });
      const steps = {
        ArrowUp: [0, 1],
        ArrowDown: [0, -1],
        ArrowRight: [1, 0],
        ArrowLeft: [-1, 0],
        PageUp: [0, 5],
        PageDown: [0, -5],
        Home: [-Infinity, -Infinity],
        End: [Infinity, Infinity],
      };
      node.addEventListener("keydown", (event) => {
        if (!Object.hasOwn(steps, event.key)) return;
        event.preventDefault();
        move(...steps[event.key]);
        this.remember();
      });
      node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
      node.addEventListener("pointerdown", (event) => {
        event.preventDefault(); // or letters are selected
        node.focus({ preventScroll: true });
        node.setPointerCapture(event.pointerId);
      });
      node.addEventListener(
        "pointermove", (event) => drag && node.hasPointerCapture(event.pointerId) && drag(...plot.at(event))
      );
      node.addEventListener("pointerup", () => this.remember());
      plot.svg.append(node);
      return node;
    }
    // Marks on their way from where they were to these places: `draw` takes the places of each moment. At once where
    // motion is not wanted.
    glide(to, draw) {
      const glide = (this.lastGlide = {}); // who glides anew stops the one before
      const from = this.places?.length === to.length ? this.places : to;
      const began = performance.now();
      const step = (now) => {
        if (glide !== this.lastGlide) return;
        const part = wantsStill.matches || from === to ? 1 : clamp((now - began) / GLIDE, 0, 1);
        const share = part * part * (3 - 2 * part); // slow at both ends
        const between = (start, end) => start + share * (end - start);
        this.places = to.map((place, i) => place.map((end, axis) => between(from[i][axis], end)));
        draw(this.places);
        if (part < 1) requestAnimationFrame(step);
      };
      step(began);
    }
    // Samples while a frame has time, until there are enough; a change begins anew, and its first picture comes at
    // once.
    work(enough) {
      const job = (this.job = {}); // who works anew stops the one before
      const stint = (milliseconds) => {
        if (job !== this.job) return;
        const end = performance.now() + milliseconds;
        while (!enough() && performance.now() < end) this.sample();
        this.show();
        if (!enough()) requestAnimationFrame(() => setTimeout(() => stint(4))); // after the picture
      };
      stint(1);
    }
    asTable(headings) {
      const body = make("tbody");
      const head = make("tr", {}, ...headings.map((heading) => make("th", { scope: "col" }, heading)));
      const table = make("table", {}, make("thead", {}, head), body);
      const details = make(
        "details",
        {},
        make("summary", {}, "The same as a table"),
        make("div", { class: "w-scroll", tabindex: "0" }, table)
      );
      let rows = [];
      const rowOf = (cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, String(cell))));
      let isWaiting = false;
      const write = () => {
        isWaiting = false;
        if (details.open) body.replaceChildren(...rows.map(rowOf));
      };
      details.addEventListener("toggle", write);
      this.append(details);
      return (newRows) => {
        rows = newRows;
        if (isWaiting || !details.open) return;
        isWaiting = true;
        requestAnimationFrame(() => setTimeout(write)); // after the picture
      };
    }
    // Numbers that the figure shows, as attributes: tests read them there.
    record(numbers) {
      Object.entries(numbers).forEach(([key, value]) => this.setAttribute(`data-${key}`, value));
    }
  }
  const begun = new Set();
  addEventListener("beforeprint", () => {
    beginAll();
    begun.forEach((figure) => figure.print());
  });
  addEventListener("afterprint", () => begun.forEach((figure) => figure.printed()));

  // What the letters in figures stand for: in full, and in a few words.
  const WORDS = {
    ECE: ["expected calibration error", "mean gap, confidence to accuracy"],
    NLL: ["negative log-likelihood", "mean of −log p of the true class"],
    KS: ["error of the kind of Kolmogorov and Smirnov", "largest gap of hits and scores, both summed up"],
    AUROC: ["area under the receiver operating characteristic", "chance that a right answer is surer than a wrong one"],
  };
  const abbreviation = (name) => make("span", {}, make("abbr", { title: WORDS[name][0] }, name), `: ${WORDS[name][1]}`);

  const SHAPES = { "w-range": "M8 1H16M12 1V11M8 11H16", "w-arrow": "M1 6H22M16 3L22 6L16 9" };

  // A mark of a class as a legend shows it.
  function sampleOf(name) {
    if (/dot/.test(name)) return make("circle", { cx: 12, cy: 6, r: 4, class: name });
    if (name === "w-card") return make("rect", { x: 8, y: 1, width: 8, height: 10, class: name });
    if (/accuracy|over|under|chance|share/.test(name))
      return make("rect", { x: 2, y: 0.5, width: 20, height: 11, class: name });
    return make("path", { d: SHAPES[name] ?? "M1 6H23", class: `w-line ${name}` });
  }

  // What the marks of a figure mean: pairs of a class and a text; a line unless the class is of an area or a dot. Then
  // what the letters of `words` stand for.
  function legend(pairs, words = []) {
    const items = pairs.map(([name, text]) => {
      const swatch = make("svg", { width: 24, height: 12, "aria-hidden": "true" }, sampleOf(name));
      return make("li", {}, swatch, text);
    });
    return make("ul", { class: "w-legend" }, ...items, ...words.map((word) => make("li", {}, abbreviation(word))));
  }

  // What other scripts use of this one: names of a script stay in its block.
  (globalThis.book ??= {}).base = {
    abbreviation, beginAll, clamp, discs, indicesOfTrue, legend, LETTER, make, newId, percent, photograph, Plot, set,
    soon, unpacked, Widget, withData,
  };
})();
