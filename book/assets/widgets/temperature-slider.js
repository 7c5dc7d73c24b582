// One temperature: the reliability diagram, the NLL and the ECE of a set of predictions. It asks which temperature is
// best, how many very sure answers that one leaves, or what too large a temperature does.
(() => {
  const { legend, percent, Plot, unpacked, Widget } = book.base;
  const { ece, equalWidth, errorIfCalibrated, hitRange, mean, sideOf, sum, tempered } = book.definitions;
  const { binRows, Diagram, GRAMMAR } = book.diagram;

  const SURE = 0.99;

  class TemperatureSlider extends Widget {
    start() {
      const { labels } = this.data;
      const roots = unpacked(this.data.logits); // of what each is below the largest
      const classes = roots.length / labels.length;
      this.logits = labels.map(
        (_, i) =>
          Float64Array.from(roots.subarray(i * classes, (i + 1) * classes), (r) => -this.data.deepest * (r / 255) ** 2)
      );
      this.grid = Array.from({ length: 41 }, (_, i) => 0.5 * 8 ** (i / 40));
      this.measured = new Map(); // when it is asked for: all at once would stop the page while it loads
      this.visited = [1, 1]; // temperatures, before the question is answered
      this.diagram = new Diagram();
      this.temperature =
        this.slider("T", "Temperature T", { min: 0.5, max: 4, step: 0.01, value: 1 }, (t) => t.toFixed(2));
      this.optimum = this.button(
        `Set T to ${this.best.toFixed(2)}, the optimum of the calibration set`,
        () => (this.temperature.value = this.best)
      );
      this.plots = this.data.task === "sure" ? this.sureOnes() : this.errors();
      this[this.data.task]();
      this.figures(this.diagram, ...this.plots.map(({ plot }) => plot));
      const mistakes = [["w-curve", "mistakes made"], ["w-diagonal", "mistakes promised"]];
      this.append(
        this.data.task === "sure" ? legend([...GRAMMAR, ...mistakes], ["ECE"]) : legend(GRAMMAR, ["ECE", "NLL"])
      );
      this.fill = this.asTable(["Confidence", "Samples", "Mean confidence", "Accuracy"]);
      this.update();
    }
    get best() {
      return this.data.temperature;
    }
    at(t) {
      return this.measured.get(t) ?? this.measured.set(t, this.measure(t)).get(t);
    }
    curve(low, high) {
      return this.grid.filter((t) => t >= low && t <= high).map((t) => [t, this.at(t)]);
    }
    // A plot of what `values` gives at each temperature, a curve each; all are largest at an end.
    plot(label, step, ...values) {
      const top = Math.max(...[0, 40].flatMap((i) => values.map(({ of }) => of(this.at(this.grid[i])))));
      return { label, values, plot: new Plot([0, 4], [0, Math.ceil(top / step) * step], "temperature T", label) };
    }
    errors() {
      return [
        this.plot("NLL (nats)", 0.05, { look: "w-curve", of: (m) => m.nll }),
        this.plot("ECE", 0.05, { look: "w-curve", of: (m) => m.ece }),
      ];
    }
    sureOnes() {
      const mistakes = [
        { look: "w-diagonal", of: (m) => m.sure.promised },
        { look: "w-curve", of: (m) => m.sure.made },
      ];
      return [
        this.plot("mistakes among them", 100, ...mistakes.reverse()),
        this.plot("very sure answers", 1000, { look: "w-curve", of: (m) => m.sure.n }),
      ];
    }
    // Asks by which number to divide.
    which() {
      const least = (key) => this.curve(0, Infinity).reduce((a, b) => (b[1][key] < a[1][key] ? b : a))[0];
      const guesses = [0.5, 0.8, 1].map((part) => part * this.best);
      this.ask({
        question: "By which number T should the network’s outputs be divided? Guess.",
        answers: guesses.map((t) => `about ${t.toFixed(1)}`),
        right: () => guesses.indexOf(this.best),
        covers: [this.optimum],
        seen: () =>
          `It is ${this.best.toFixed(2)}, where the NLL of the calibration set is smallest. On the images shown ` +
          `the NLL is smallest near ${least("nll").toFixed(1)} and the ECE near ${least("ece").toFixed(1)}: other ` +
          "images, and another error, give a slightly different best number. The accuracy is the same at every " +
          "temperature.",
        settle: () => (this.temperature.value = this.best),
      });
    }
    // Asks how many answers are left of which the repaired network is very sure.
    sure() {
      const [first, last] = [() => this.at(1).sure, () => this.at(this.best).sure];
      const guesses = () => [0.95 * first().n, 0.65 * first().n, last().n].map((n) => 100 * Math.round(n / 100));
      this.ask({
        question: () =>
          `Among its ${first().n} answers of more than ${percent(SURE, 0)} the network promises ` +
          `${first().promised.toFixed(0)} mistakes and makes ${first().made}. Raise T until promise and mistakes ` +
          "agree. How many such answers are left then?",
        answers: () => guesses().map((n) => `about ${n}`),
        right: () => 2,
        covers: [this.optimum],
        seen: () => {
          const [low, high] = hitRange(last().scores.map((s) => 1 - s)).map((share) => Math.round(share * last().n));
          return `At the number that other images choose, ${this.best.toFixed(2)}, it is as sure of ${last().n}. ` +
            `Among them it promises ${last().promised.toFixed(0)} mistakes, which chance makes ${low} to ${high}, ` +
            `and makes ${last().made}.`;
        },
        settle: () => (this.temperature.value = this.best),
      });
    }
    // Asks what the largest temperature does to the ECE.
    tooMuch() {
      const far = 4;
      const errors = () => [this.at(1).ece, this.at(far).ece];
      const chance = () =>
        Math.max(...[1, far].map((t) => errorIfCalibrated(this.at(t).scores, (s) => Math.ceil(15 * s))));
      this.ask({
        question: () =>
          `As trained, this network is too sure, with an ECE of ${percent(errors()[0])}. How large is it at T = ` +
          `${far}?`,
        answers: ["smaller", "as large, within chance", "larger"],
        right: () => 1 + sideOf(errors()[1] - errors()[0], [-chance(), chance()]),
        covers: [this.optimum],
        seen: () =>
          `As trained the ECE is ${percent(errors()[0])}, at T = ${far} it is ${percent(errors()[1])}; a ` +
          `calibrated network would show up to ${percent(chance())}. Too much of the remedy makes it too unsure. ` +
          `The calibration set chooses ${this.best.toFixed(2)}: there ${percent(this.at(this.best).ece)}.`,
        settle: () => (this.temperature.value = far),
      });
    }
    measure(t) {
      const { labels } = this.data;
      const [scores, hits] = [new Array(labels.length), new Array(labels.length)];
      let nll = 0;
      this.logits.forEach((z, i) => {
        const row = tempered(z, labels[i], t);
        [scores[i], hits[i]] = [row.score, row.hit];
        nll += row.nll / labels.length;
      });
      const groups = equalWidth(scores, hits, 15);
      return {
        groups,
        scores,
        sure: this.verySure(scores, hits),
        ece: ece(groups, scores.length),
        nll,
        confidence: mean(scores),
        accuracy: mean(hits),
      };
    }
    verySure(scores, hits) {
      const inside = Array.from(scores.keys()).filter((i) => scores[i] > SURE);
      const chosen = inside.map((i) => scores[i]);
      return {
        n: inside.length,
        scores: chosen,
        promised: sum(chosen.map((s) => 1 - s)),
        made: inside.length - sum(inside.map((i) => hits[i])),
      };
    }
    update() {
      const t = this.temperature.value;
      const now = this.measure(t);
      const errorsText =
        `says ${percent(now.confidence, 1)}, right ${percent(now.accuracy, 1)}; ECE ${percent(now.ece)}, NLL ` +
        `${now.nll.toFixed(3)}`;
      const sureText =
        `${now.sure.n} answers of more than ${percent(SURE, 0)}, of which ${now.sure.promised.toFixed(0)} should ` +
        `be wrong and ${now.sure.made} are; ECE ${percent(now.ece)}`;
      const summary = `T = ${t.toFixed(2)}: ${this.data.task === "sure" ? sureText : errorsText}.`;
      this.temperature.say();
      this.diagram.draw(now.groups, `Reliability diagram at ${summary}`, now.scores);
      this.visited = [Math.min(t, this.visited[0]), Math.max(t, this.visited[1])];
      const [low, high] = this.asks ? this.visited : [0, Infinity]; // the reader's hand draws the curves
      const curve = this.curve(low, high);
      this.plots.forEach(({ plot, label, values }) => {
        plot.clear(`${label} against temperature, marked at ${t.toFixed(2)}`);
        values.forEach(({ look, of }) => plot.line(curve.map(([at, measured]) => [at, of(measured)]), look));
        plot.dot([t, values[0].of(now)], "w-dot");
        if (curve.length < 2) plot.say(t + 0.2, values[0].of(now), "move T");
      });
      this.status.textContent = summary;
      this.fill(binRows(now.groups));
      this.record({
        ece: now.ece,
        nll: now.nll,
        accuracy: now.accuracy,
        sure: now.sure.n,
        promised: now.sure.promised,
        made: now.sure.made,
      });
    }
  }

  customElements.define("temperature-slider", TemperatureSlider);
})();
