// Steps: the book computes one curve and a few numbers for each position of the slider.
class StepsSlider extends Widget {
  start() {
    const { label, steps, x, y, start, reference, columns } = this.data;
    this.plot = new Plot(x.range, y.range, x.label, y.label);
    this.position = this.slider("step", label, { min: 0, max: steps.length - 1, step: 1, value: start }, (i) => steps[i].name);
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

customElements.define("steps-slider", StepsSlider);
