// One temperature: the reliability diagram, the NLL and the ECE of a set of predictions.

class TemperatureSlider extends Widget {
  start() {
    const best = this.data.temperature;
    const { labels } = this.data;
    const roots = unpacked(this.data.logits); // of what each is below the largest
    const classes = roots.length / labels.length;
    this.logits = labels.map((_, i) => Float64Array.from(roots.subarray(i * classes, (i + 1) * classes), (r) => -this.data.deepest * (r / 255) ** 2));
    const grid = Array.from({ length: 41 }, (_, i) => 0.5 * 8 ** (i / 40));
    const measured = new Map(); // when it is asked for: all at once would stop the page while it loads
    const at = (t) => measured.get(t) ?? measured.set(t, this.measure(t)).get(t);
    this.curve = (low, high) => grid.filter((t) => t >= low && t <= high).map((t) => [t, at(t)]);
    const least = (key) => this.curve(0, Infinity).reduce((a, b) => (b[1][key] < a[1][key] ? b : a))[0];
    const guesses = [0.5, 0.8, 1].map((part) => part * best);
    this.visited = [1, 1]; // temperatures, before the question is answered
    const top = (key) => Math.ceil(20 * Math.max(at(grid[0])[key], at(grid[40])[key])) / 20; // both are largest at an end
    this.diagram = new Diagram();
    this.loss = new Plot([0, 4], [0, top("nll")], "temperature T", "NLL (nats)");
    this.errors = new Plot([0, 4], [0, top("ece")], "temperature T", "ECE");
    this.temperature = this.slider("T", "Temperature T", { min: 0.5, max: 4, step: 0.01, value: 1 }, (t) => t.toFixed(2));
    const optimum = this.button(`Set T to ${best.toFixed(2)}, the optimum of the calibration set`, () => (this.temperature.value = best));
    this.ask(
      "By which number T should the outputs (logits) be divided? Other images, the calibration set, decide. Guess.",
      guesses.map((t) => `about ${t.toFixed(1)}`),
      () => guesses.indexOf(best),
      [optimum],
      () => `It is ${best.toFixed(2)}, where the NLL of the calibration set is smallest. On the images shown the NLL is smallest near ${least("nll").toFixed(1)} and the ECE near ${least("ece").toFixed(1)}: other images, and another error, give a slightly different best number. The accuracy is the same at every temperature.`,
      () => (this.temperature.value = best),
    );
    this.figures(this.diagram, this.loss, this.errors);
    this.append(legend(GRAMMAR, ["ECE", "NLL"]));
    this.fill = this.asTable(["Confidence", "Samples", "Mean confidence", "Accuracy"]);
    this.update();
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
    return { groups, scores, ece: ece(groups, scores.length), nll, confidence: mean(scores), accuracy: mean(hits) };
  }
  update() {
    const t = this.temperature.value;
    const now = this.measure(t);
    const said = `T = ${t.toFixed(2)}: ECE ${percent(now.ece)}, NLL ${now.nll.toFixed(3)}, mean confidence ${percent(now.confidence, 1)}, accuracy ${percent(now.accuracy, 1)}.`;
    this.temperature.say();
    this.diagram.draw(now.groups, `Reliability diagram at ${said}`, now.scores);
    this.visited = [Math.min(t, this.visited[0]), Math.max(t, this.visited[1])];
    const [low, high] = this.asks ? this.visited : [0, Infinity]; // the reader's hand draws the curves
    const known = this.curve(low, high);
    for (const [plot, key] of [[this.loss, "nll"], [this.errors, "ece"]]) {
      plot.clear(`${key.toUpperCase()} against temperature, marked at ${t.toFixed(2)}`);
      plot.line(known.map(([at, value]) => [at, value[key]]), "w-curve");
      plot.dot([t, now[key]], "w-dot");
      if (known.length < 2) plot.say(t + 0.2, now[key], "move T to draw it");
    }
    this.status.textContent = said;
    this.fill(binRows(now.groups));
    this.values({ ece: now.ece, nll: now.nll, accuracy: now.accuracy });
  }
}

customElements.define("temperature-slider", TemperatureSlider);
