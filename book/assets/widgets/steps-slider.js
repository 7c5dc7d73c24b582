// Steps: the book computes one curve and a few numbers for each position of the slider.

class StepsSlider extends Widget {
  start() {
    const { label, steps, x, y, start, reference, columns, lines, ask } = this.data;
    this.plot = new Plot(x.range, y.range, x.label, y.label);
    this.position = this.slider("step", label, { min: 0, max: steps.length - 1, step: 1, value: start }, (i) => steps[i].name);
    if (ask) this.ask(ask.question, ask.answers, () => ask.right, [this.plot], () => ask.seen);
    this.figures(this.plot);
    if (lines) this.append(legend([["w-curve", lines[0]], ["w-diagonal", lines[1]]]));
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

customElements.define("steps-slider", StepsSlider);
