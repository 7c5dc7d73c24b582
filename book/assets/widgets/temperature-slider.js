// One temperature: the reliability diagram, the NLL and the ECE of a set of predictions.

class TemperatureSlider extends Widget {
  start() {
    const best = this.data.temperature;
    this.curve = [];
    for (let i = 0; i <= 60; i++) {
      const t = 0.5 * 8 ** (i / 60);
      this.curve.push([t, this.measure(t)]);
    }
    const top = (key) => Math.ceil(10 * Math.max(...this.curve.map((p) => p[1][key]))) / 10;
    this.diagram = new Plot([0, 1], [0, 1], "confidence", "accuracy");
    this.loss = new Plot([0, 4], [0, top("nll")], "temperature T", "NLL (nats)");
    this.errors = new Plot([0, 4], [0, top("ece")], "temperature T", "ECE");
    this.temperature = this.slider("T", "Temperature T", { min: 0.5, max: 4, step: 0.01, value: 1 }, (t) => t.toFixed(2));
    this.button(`Set T to ${best.toFixed(2)}, the optimum of the calibration set`, () => (this.temperature.value = best));
    this.figures(this.diagram, this.loss, this.errors);
    this.fill = this.asTable(["Confidence", "Samples", "Mean confidence", "Accuracy"]);
    this.update();
  }
  tempered(t) {
    return this.data.logits.map((z, i) => tempered(z, this.data.labels[i], t));
  }
  measure(t) {
    const rows = this.tempered(t);
    const of = (key) => mean(rows.map((row) => row[key]));
    const groups = equalWidth(rows.map((r) => r.score), rows.map((r) => r.hit), 15);
    return { groups, ece: ece(groups, rows.length), nll: of("nll"), confidence: of("score"), accuracy: of("hit") };
  }
  update() {
    const t = this.temperature.value;
    const now = this.measure(t);
    const said = `T = ${t.toFixed(2)}: ECE ${percent(now.ece)}, NLL ${now.nll.toFixed(4)}, mean confidence ${percent(now.confidence, 1)}, accuracy ${percent(now.accuracy, 1)}`;
    this.temperature.say();
    drawBins(this.diagram, now.groups, `Reliability diagram at ${said}`);
    for (const [plot, key] of [[this.loss, "nll"], [this.errors, "ece"]]) {
      plot.clear(`${key.toUpperCase()} against temperature, marked at ${t.toFixed(2)}`);
      plot.line(this.curve.map(([at, value]) => [at, value[key]]), "w-curve");
      plot.dot([t, now[key]], "w-dot");
    }
    this.status.textContent = said;
    this.fill(binRows(now.groups));
    this.values({ ece: now.ece, nll: now.nll, accuracy: now.accuracy });
  }
}

customElements.define("temperature-slider", TemperatureSlider);
