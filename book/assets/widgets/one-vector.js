// One image, its logits and one temperature; below, the NLL of the whole set at that temperature.
(() => {
  const { legend, make, percent, photograph, Plot, set, Widget } = book.base;
  const { entropy, softmax } = book.definitions;

  class OneVector extends Widget {
    start() {
      const { images, classes, curve } = this.data;
      this.image =
        this.choice("image", "Image", images.map((image, i) => [String(i), `${i + 1}: ${classes[image.label]}`]));
      this.photograph = make("div");
      this.image.parentElement.append(this.photograph);
      const steps = { min: 0, max: curve.length - 1, step: 1 };
      const start = curve.findIndex(([t]) => t >= 1);
      this.best = curve.reduce((a, b) => (b[1] < a[1] ? b : a));
      this.temperature = this.slider("T", "Temperature T", { ...steps, value: start }, (i) => curve[i][0].toFixed(2));
      const look = this.button(
        `Only to look: T = ${this.best[0].toFixed(2)}, where these images have the least NLL`,
        () => (this.temperature.value = curve.indexOf(this.best))
      );
      this.bars = new Plot([0, 1], [0, classes.length], "probability", "", { yTicks: [], left: 84 });
      const top = Math.ceil(10 * Math.max(...curve.map((p) => p[1]))) / 10;
      this.loss = new Plot([0, Math.ceil(curve.at(-1)[0])], [0, top], "temperature T", "NLL, test set (nats)");
      const largest = (t) => Math.max(...softmax(images[Number(this.image.value)].logits, t));
      const named = () => `Photograph ${Number(this.image.value) + 1}`;
      this.ask({
        question: () =>
          `${named()}: at T = 1 the network says ${percent(largest(1), 1)}. What does it say where the NLL of all ` +
          "test images is least?",
        answers: ["more than 90 %", "60 % to 90 %", "less than 60 %"],
        right: () => [0.9, 0.6, 0].findIndex((least) => largest(this.best[0]) > least),
        covers: [look, this.loss],
        seen: () =>
          `${percent(largest(this.best[0]), 1)}. One number for all images takes as much from a sure answer that ` +
          "is right as from one that is wrong.",
        settle: () => (this.temperature.value = curve.indexOf(this.best)),
      });
      this.figures(this.bars, this.loss);
      this.append(legend([["w-accuracy", "the true class"], ["w-chance", "the other classes"]], ["NLL"]));
      this.fill = this.asTable(["Class", "Logit", "Probability"]);
      this.update();
    }
    update() {
      const { images, classes, curve, sprite } = this.data;
      const number = Number(this.image.value);
      const image = images[number];
      const [t, nll] = curve[this.temperature.value];
      const p = softmax(image.logits, t);
      const nats = entropy(p);
      const top = p.indexOf(Math.max(...p));
      const verdict = top === image.label ? "right" : `wrong: it is ${classes[image.label]}`;
      const leastText = this.asks ? "" : ` (least ${this.best[1].toFixed(4)} at ${this.best[0].toFixed(2)})`;
      const summary =
        `T = ${t.toFixed(2)}: says ${classes[top]} with ${percent(p[top], 1)}, ${verdict}. Entropy ` +
        `${nats.toFixed(3)} nats. NLL of the test set ${nll.toFixed(4)}${leastText}.`;
      this.temperature.say();
      set(
        this.photograph, photograph(number, images.length, sprite, `Photograph ${number + 1}: ${classes[image.label]}`)
      );
      this.bars.clear(`Probabilities at ${summary}`);
      this.bars.classes(classes, p, (k) => (k === image.label ? "w-accuracy" : "w-chance"));
      this.loss.clear(`NLL of the test set against temperature, marked at ${t.toFixed(2)}`);
      this.loss.line(curve, "w-curve");
      this.loss.dot([t, nll], "w-dot");
      this.status.textContent = summary;
      this.fill(classes.map((name, k) => [name, image.logits[k].toFixed(2), percent(p[k], 2)]));
      this.record({ temperature: t, entropy: nats, nll, largest: p[top] });
    }
  }

  customElements.define("one-vector", OneVector);
})();
