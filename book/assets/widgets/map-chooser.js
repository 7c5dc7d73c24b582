// Which map: a few questions, and the rows of three tables that answer them: `choices`, by size, as
// `calib_report.deciding.advice.map_by_size` finds it; `purposes`, and `situations`, the advice for each.
(() => {
  const { make, newId } = book.base;

  const MOST = { classes: 1e6, samples: 1e8 }; // beyond these a number is mistyped

  const isCount = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

  function sizeOf(classes) {
    if (classes <= 2) return "two";
    return classes <= TEXTS.few_classes ? "several" : "many";
  }

  // The first row whose limits hold this number of samples.
  const choiceOf = (n, classes) => {
    const size = sizeOf(classes);
    const isOfSize = (row) => (row.classes ?? [size]).includes(size);
    const isBelow = (row) => n < (row.a_class_below ?? Infinity) * classes && n < (row.below ?? Infinity);
    return TEXTS.choices.find((row) => isOfSize(row) && isBelow(row));
  };

  const purposesOf = (have) => TEXTS.purposes.filter((purpose) => purpose.have.includes(have));

  // What to do, on what, and what then: the purpose decides whether a map is needed, the size decides which.
  function chosen(have, n, classes, name) {
    const purpose = TEXTS.purposes.find((row) => row.name === name);
    const advice = TEXTS.situations.find(({ when }) => when === purpose.row);
    const cannot = purpose.cannot?.[have];
    if (cannot) return { name: "none", do: cannot, on: "", chapters: advice.chapters };
    if (n < purpose.least) return { name: "none", do: purpose.few, on: "", chapters: advice.chapters };
    if (purpose.do) return { name: "none", do: purpose.do, on: "", chapters: [], then: advice, method: advice.method };
    const row = choiceOf(n, classes);
    if (!row.classes) return { name: row.name, do: row.do, on: "", chapters: row.chapters }; // too few for any map
    const on = TEXTS.chooser[classes <= 2 ? "on_one_score" : "on_all"][have];
    const method = classes > 2 && purpose.of_several ? purpose.of_several : advice?.method;
    return { name: row.name, do: row.do, on, chapters: row.chapters, then: advice, method };
  }

  class MapChooser extends HTMLElement {
    connectedCallback() {
      if (this.have) return;
      this.querySelector(".w-fallback")?.remove();
      const ask = TEXTS.chooser;
      this.have = this.select(ask.have, Object.entries(ask.haves));
      this.classes = this.number(ask.classes, 10, MOST.classes, 2);
      this.samples = this.number(ask.samples, 1000, MOST.samples, 1);
      this.purpose = this.select(ask.purpose, []);
      this.out = make("div", { role: "status" });
      this.append(this.out);
      this.update();
    }
    field(text, input) {
      input.id = newId();
      input.addEventListener("input", () => this.update());
      this.append(make("div", { class: "w-control" }, make("label", { for: input.id }, text), input));
      return input;
    }
    select(text, options) {
      return this.field(text, make("select", {}, ...this.options(options)));
    }
    options(options) {
      return options.map(([value, name]) => make("option", { value }, name));
    }
    // Only what the outputs can serve is offered.
    offer(have) {
      const [purposes, before] = [purposesOf(have), this.purpose.value];
      this.purpose.replaceChildren(...this.options(purposes.map(({ name, words }) => [name, words])));
      if (purposes.some(({ name }) => name === before)) this.purpose.value = before;
    }
    number(text, value, max, min) {
      return this.field(text, make("input", { type: "number", value, min, max, step: 1 }));
    }
    // What to type where a number is none that can be counted; nothing is rounded.
    problem([n, k]) {
      if (!isCount(k, 2, MOST.classes)) return TEXTS.chooser.number_of_classes.replace("{most}", MOST.classes);
      if (!isCount(n, 1, MOST.samples)) return TEXTS.chooser.number_of_samples.replace("{most}", MOST.samples);
      return "";
    }
    update() {
      const ask = TEXTS.chooser;
      const have = this.have.value;
      const isOfTwo = ["second", "one"].includes(have);
      this.classes.closest(".w-control").hidden = isOfTwo;
      this.offer(have);
      const [n, k] = [Number(this.samples.value), isOfTwo ? 2 : Number(this.classes.value)];
      const problem = this.problem([n, k]);
      if (problem) return this.out.replaceChildren(make("p", {}, problem));
      const answer = chosen(have, n, k, this.purpose.value);
      const first = make(
        "p",
        {},
        make("strong", {}, `${answer.do[0].toUpperCase()}${answer.do.slice(1)}.`),
        ` ${answer.on} `,
        ...this.why(answer.chapters)
      );
      const nodes = [first];
      if (answer.then) {
        nodes.push(make(
          "p",
          {},
          `${ask.then} ${answer.method}. ${ask.never} ${answer.then.not_when}. `,
          ...this.why(answer.then.chapters)
        ));
      }
      this.setAttribute("data-choice", answer.name);
      this.out.replaceChildren(...nodes);
    }
    why(labels) {
      if (!labels.length) return [];
      const links = labels.map((label) => make("a", { href: `${TEXTS.pages[label]}.html` }, TEXTS.chapters[label]));
      return [`${TEXTS.chooser.why} `, ...links.flatMap((link, i) => (i ? ["; ", link] : [link])), "."];
    }
  }

  customElements.define("map-chooser", MapChooser);

  // Its rules, for who asks them without a click.
  (globalThis.book ??= {}).mapChooser = { choiceOf, chosen, purposesOf };
})();
