// Answers on the reader's own numbers: a table comes in, is read by the rules of `calib_report`, and is measured, all
// in the browser. A worker computes, so that the page stays quick; a page from a folder, which may have none,
// computes itself.
// `answer_desk` of `book.show.explorables.answer_desk` puts it on a page, with its data.
(() => {
  const { clamp, legend, make, percent, withData } = book.base;
  const { Diagram, GRAMMAR } = book.diagram;

  const DESK = new URL("../desk/", document.currentScript.src).href;
  const PARTS = ["papaparse", "table", "roles", "checks", "reading", "proposals", "measure", "words", "answer"];
  const PAGE = TEXTS.page;
  const worded = (text, words) => text.replace(/\{(\w+)\}/g, (_, name) => words[name]);

  // What answers: a worker, or the page with the worker's scripts.
  class Desk {
    constructor() {
      this.count = 0;
      this.waiting = new Map();
      try {
        this.worker = new Worker(`${DESK}worker.js`);
        this.worker.onmessage = ({ data }) => this.waiting.get(data.id)(data.answer);
        this.worker.onerror = () => this.alone();
      } catch {
        this.alone();
      }
    }
    alone() {
      this.worker = undefined;
      this.loaded ??= PARTS.reduce((before, name) => before.then(() => new Promise((done) => {
        const part = make("script", { src: `${DESK}${name}.js` });
        part.addEventListener("load", done);
        document.head.append(part);
      })), Promise.resolve());
      this.waiting.forEach((done, id) => this.loaded.then(() => done(answerTo(this.asked.get(id)))));
    }
    asked = new Map();
    async ask(request) {
      if (!this.worker) {
        await this.loaded;
        return answerTo(request);
      }
      const id = ++this.count;
      this.asked.set(id, request);
      const answer = new Promise((done) => this.waiting.set(id, done));
      this.worker.postMessage({ id, ...request });
      return answer.finally(() => (this.asked.delete(id), this.waiting.delete(id)));
    }
  }

  class AnswerDesk extends HTMLElement {
    connectedCallback() {
      if (!this.desk) withData(this, (data) => this.begin(data));
    }
    begin(examples) {
      this.desk = new Desk();
      this.querySelector(".w-fallback")?.remove();
      const file = make("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv,text/plain", id: "desk-file" });
      file.addEventListener("change", () => file.files.length && this.readFile(file.files[0]));
      const drop = make("div", { class: "desk-drop" }, make("label", { for: "desk-file"
                        }, PAGE.choose), file, make("span", {}, PAGE.drop));
      for (const name of ["dragover", "drop"]) drop.addEventListener(name, (event) => event.preventDefault());
      drop.addEventListener("dragover", () => drop.classList.add("desk-over"));
      drop.addEventListener("dragleave", () => drop.classList.remove("desk-over"));
      drop.addEventListener(
        "drop",
        (event) => {
          drop.classList.remove("desk-over");
          if (event.dataTransfer.files.length) this.readFile(event.dataTransfer.files[0]);
        }
      );
      const pasted = make(
        "textarea",
        { id: "desk-paste", rows: 3, spellcheck: "false", placeholder: "confidence,correct\n0.93,1\n0.71,0" }
      );
      const read = make("button", { type: "button" }, PAGE.read);
      read.addEventListener(
        "click", () => pasted.value.trim() && this.read({ text: pasted.value, isPasted: true }, "pasted.csv")
      );
      pasted.addEventListener("paste", () => setTimeout(() => read.click()));
      const label = make("label", { for: "desk-paste" }, PAGE.paste);
      const paste = make("div", { class: "desk-paste" }, label, pasted, read);
      const buttons = examples.map(({ name, file: title, text }) => {
        const button = make("button", { type: "button" }, name);
        button.addEventListener("click", () => this.read({ text }, title));
        return button;
      });
      const exampleRow = make("div", { class: "desk-examples" }, make("span", {}, PAGE.examples), ...buttons);
      this.status = make("p", { class: "w-status", role: "status" });
      this.out = make("div", { class: "desk-out" });
      this.append(drop, paste, exampleRow, make("p", { class: "desk-private" }, PAGE.private), this.status, this.out);
    }
    async readFile(file) {
      this.read({ bytes: await file.arrayBuffer() }, file.name);
    }
    async read(request, name) {
      const began = performance.now();
      Object.assign(this, { name, heading: request.isPasted ? request.text.trim().split("\n")[0] : undefined });
      this.status.textContent = PAGE.working;
      const answer = await this.desk.ask(request);
      this.show(answer);
      requestAnimationFrame(() => this.setAttribute("data-milliseconds", Math.round(performance.now() - began)));
    }
    show(answer) {
      this.answer = answer;
      this.setAttribute("data-state", this.showParts(answer));
    }
    // Shows an answer, and returns what it is.
    showParts(answer) {
      if (answer.report) {
        this.showAnswer(answer);
        return "answer";
      }
      if (answer.readings) {
        this.showReadings(answer.readings);
        return "readings";
      }
      this.showRefusal(answer);
      return answer.beyond ? "beyond" : "refused";
    }
    showRefusal({ beyond, refused, isJudged }) {
      this.status.textContent =
        beyond
          ? worded(PAGE.beyond, { what: beyond })
          : worded(PAGE.refused, { problem: refused.replace(/[.:]+$/, "") });
      this.out.replaceChildren(...(isJudged === false ? [] : this.waysOut()));
    }
    // What to call, and what needs no question.
    waysOut() {
      const command = make("pre", {}, `calib look ${inQuotes(this.name)}`);
      const contract = make("details", {}, make("summary", {}, PAGE.contract), make("pre", {}, TEXTS.contract));
      return [command, contract];
    }
    showReadings(readings) {
      const isOnly = readings.length === 1;
      this.status.textContent = isOnly ? PAGE.is_right : PAGE.which;
      const cards = readings.map((reading, choice) => {
        const button = make("button", { type: "button" }, isOnly ? PAGE.yes : PAGE.accept);
        button.addEventListener("click", async () => {
          this.show(await this.desk.ask({ choice }));
          this.status.focus();
        });
        return make(
          "section",
          { class: "desk-reading", "aria-label": `${choice + 1}: ${reading.readAs}` },
          ...this.inWords(reading),
          button
        );
      });
      this.out.replaceChildren(...cards, make("p", {}, PAGE.if_not), ...this.waysOut());
    }
    inWords({ readAs, rows, leftOut, accuracy, confidence, n }) {
      const nodes = [make("p", {}, `${readAs}.`), make("ul", {}, ...rows.map((row) => make("li", {}, row)))];
      nodes.push(make("p", {}, worded(PAGE.in_all, {
                        accuracy: percent(accuracy, 1),
                        confidence: percent(confidence, 1),
                        n: n.toLocaleString("en"),
                      })));
      if (leftOut.length) nodes.push(make("p", {}, worded(PAGE.left_out, { names: leftOut.join(", ") })));
      return nodes;
    }
    showAnswer({ report, decision, sentence, formula, platt, reading, rows, more }) {
      this.status.textContent = decision;
      this.status.tabIndex = -1;
      const noun = TEXTS.nouns[report.task];
      const words = { n: report.n.toLocaleString("en"), noun };
      const read = make("details", { open: "" }, make("summary", {}, PAGE.how_read), ...this.inWords(reading));
      const [score, hit] = TEXTS.words[report.task];
      const plot = new Diagram(score.toLowerCase(), hit.toLowerCase());
      const frame = make("div", { class: "w-figures" }, plot.svg);
      const link = () => make("a", { href: `#${report.entry}` }, TEXTS.entry[report.entry]);
      const entry = report.entry ? [make("p", { class: "desk-entry" }, `${PAGE.entry} `, link())] : [];
      const byHand = formula ? [make("p", { class: "desk-formula" }, formula)] : [];
      const parts = [
        ...byHand,
        make("p", {}, sentence),
        ...(platt ? [make("p", { class: "desk-platt" }, platt)] : []),
        ...entry,
        read,
        frame,
        this.legend(),
        this.numbers(rows),
      ];
      parts.push(make("p", {}, make("strong", {}, `${worded(PAGE.more, words)}. `), more));
      if (report.classes) parts.push(this.classes(report.classes));
      this.out.replaceChildren(...parts, ...this.same(reading, report));
      this.draw = () => {
        const width = clamp(frame.clientWidth || 320, 260, 520);
        plot.size(width, Math.round(0.75 * width));
        plot.draw(report.bins, worded(PAGE.diagram, words));
      };
      this.draw();
      new ResizeObserver(() => this.draw()).observe(frame);
    }
    legend() {
      return legend(GRAMMAR);
    }
    numbers(rows) {
      const heads = [PAGE.number, PAGE.value, PAGE.interval, PAGE.chance, PAGE.why].map(
        (text) => make("th", { scope: "col" }, text)
      );
      const body = rows.map(({ key, name, value, ends, chance }) => {
        const subjects = [key];
        if (ends && key === "ece") subjects.push("interval");
        if (chance) subjects.push("chance");
        const links = subjects.map((subject) => {
          const label = TEXTS.link[subject];
          return make("a", { href: `${TEXTS.pages[label]}.html` }, TEXTS.chapters[label]);
        });
        const cell = make("td", {}, ...links.flatMap((link, i) => (i ? ["; ", link] : [link])));
        return make(
          "tr",
          { "data-number": key },
          make("th", { scope: "row" }, name),
          ...[value, ends, chance].map((text) => make("td", {}, text)),
          cell
        );
      });
      const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body));
      return make("div", { class: "w-scroll", tabindex: "0" }, table);
    }
    classes(rows) {
      const heads = [PAGE.class, PAGE.probability, PAGE.frequency].map((text) => make("th", { scope: "col" }, text));
      const body = rows.map(
        ({ name, probability, frequency }) => make(
          "tr",
          {},
          make("th", { scope: "row" }, name),
          make("td", {}, percent(probability, 1)),
          make("td", {}, percent(frequency, 1))
        )
      );
      const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body));
      return make(
        "details", {}, make("summary", {}, PAGE.classes), make("div", { class: "w-scroll", tabindex: "0" }, table)
      );
    }
    // Lines of Python, and a command, that do the same.
    same({ options, typed: flags }, { lack_of_samples, looks_wrong, temperature, task, kind, n_classes }) {
      const typed = Object.entries(options).map(([name, value]) => `, ${name}=${pythonOf(value)}`).join("");
      const lines = [
        "import calib, calib_report",
        `outputs = calib_report.read(${pythonOf(this.name)}${typed})`,
        "score, hit = outputs.pairs",
        "print(calib.bootstrap(calib.ece, hit, score, rng=0), calib.error_if_calibrated(score))",
      ];
      const isJudged = !lack_of_samples && !looks_wrong; // else no temperature is shown either
      if (isJudged)
        lines.push("scaling = calib.TemperatureScaling().fit(*outputs.to_fit)", "print(scaling.temperature_)");
      if (temperature) {
        const takes = kind !== "logits" && (task !== "classes" || n_classes === 2) ? "one_score" : kind;
        lines.push(`print(scaling.predict_proba(outputs.to_fit[0]))  # ${TEXTS.new_samples[takes]}`);
      }
      const command = ["calib", "report", this.name, ...flags].map(inQuotes).join(" ");
      const nodes = [
        make("p", {}, temperature ? PAGE.code_of_map : PAGE.code),
        make("pre", { class: "desk-python", tabindex: "0" }, lines.join("\n")),
        make("p", {}, PAGE.command),
        make("pre", { class: "desk-command", tabindex: "0" }, command),
      ];
      if (this.heading)
        nodes.push(make(
          "p", {}, worded(PAGE.pasted, { heading: /^[-+\d.]/.test(this.heading) ? "column 1,column 2" : this.heading })
        ));
      return [...nodes, make("p", { class: "desk-private" }, PAGE.drawn)];
    }
  }

  function pythonOf(value) {
    if (value === true || value === false) return value ? "True" : "False";
    if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
    return typeof value === "number" ? String(value) : JSON.stringify(value);
  }

  const inQuotes = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

  customElements.define("answer-desk", AnswerDesk);
})();
