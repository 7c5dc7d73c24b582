// Which map: a few questions, and the row of one table that answers them, as `calib_report.decide.choice` finds it.

const choiceOf = (n, classes) => {
  const size = classes <= 2 ? "two" : classes <= TEXTS.few_classes ? "several" : "many";
  return TEXTS.choices.find((row) => (row.classes ?? size) === size && n < (row.a_class_below ?? Infinity) * classes && n < (row.below ?? Infinity));
};

class MapChooser extends HTMLElement {
  connectedCallback() {
    if (this.have) return;
    this.querySelector(".w-fallback")?.remove();
    const ask = TEXTS.chooser;
    this.have = this.select(ask.have, Object.entries(ask.haves));
    this.classes = this.number(ask.classes, 10, 2, 1e6);
    this.samples = this.number(ask.samples, 1000, 1, 1e9);
    this.purpose = this.select(ask.purpose, [["", ask.any], ...Object.entries(TEXTS.purposes).map(([key, [words]]) => [key, words])]);
    this.out = make("div", { role: "status" });
    this.append(this.out);
    this.update();
  }
  field(text, input) {
    input.id = `w-${++counter}`;
    input.addEventListener("input", () => this.update());
    this.append(make("div", { class: "w-control" }, make("label", { for: input.id }, text), input));
    return input;
  }
  select(text, options) {
    return this.field(text, make("select", {}, ...options.map(([value, name]) => make("option", { value }, name))));
  }
  number(text, value, min, max) {
    return this.field(text, make("input", { type: "number", value, min, max, step: 1 }));
  }
  update() {
    const ask = TEXTS.chooser;
    const isOfTwo = ["second", "one"].includes(this.have.value);
    this.classes.closest(".w-control").hidden = isOfTwo;
    const [n, k] = [Number(this.samples.value), isOfTwo ? 2 : Number(this.classes.value)];
    if (!(n >= 1 && k >= 2)) return this.out.replaceChildren(make("p", {}, ask.numbers));
    const row = choiceOf(n, k);
    const first = make("p", {}, make("strong", {}, `${row.do[0].toUpperCase()}${row.do.slice(1)}.`), " ", ask.on[this.have.value], " ", ...this.why(row.chapters));
    const nodes = [first];
    if (this.purpose.value) {
      const advice = TEXTS.situations.find(({ when }) => when === TEXTS.purposes[this.purpose.value][1]);
      nodes.push(make("p", {}, `${ask.then} ${advice.method}. ${ask.never} ${advice.not_when}. `, ...this.why(advice.chapters)));
    }
    this.setAttribute("data-choice", row.name);
    this.out.replaceChildren(...nodes);
  }
  why(labels) {
    const links = labels.map((label) => make("a", { href: `${TEXTS.pages[label]}.html` }, TEXTS.chapters[label]));
    return [`${TEXTS.chooser.why} `, ...links.flatMap((link, i) => (i ? ["; ", link] : [link])), "."];
  }
}

customElements.define("map-chooser", MapChooser);
