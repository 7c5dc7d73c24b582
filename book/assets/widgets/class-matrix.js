// What the top label hides: for the images that get one class, how far the mean probability of each class is from its
// share. Repairing a class takes its own factor and shift for its logit in place of the common temperature.
(() => {
  const { legend, percent, Plot, unpacked, Widget } = book.base;
  const { ece, equalWidth, poissonBinomial, rangeOf, softmax, sum, zeros } = book.definitions;

  // Whether hits lie outside the exact range of calibrated probabilities, and how often chance puts them there.
  function outside(probabilities, hits) {
    if (!probabilities.length) return { beyond: false, chance: 0 };
    const distribution = poissonBinomial(probabilities);
    const [low, high] = rangeOf(distribution);
    const { first, mass } = distribution;
    return {
      beyond: hits < low || hits > high,
      chance: 1 - sum(Array.from(mass.subarray(low - first, high - first + 1))),
    };
  }

  class ClassMatrix extends Widget {
    start() {
      const { classes, y } = this.data;
      const roots = unpacked(this.data.logits);
      const K = classes.length;
      this.logits =
        y.map((_, i) => Array.from(roots.subarray(i * K, (i + 1) * K), (r) => -this.data.deepest * (r / 255) ** 2));
      this.named = this.logits.map((z) => z.indexOf(0));
      this.repaired = new Array(K).fill(false);
      this.setting("repaired", () => this.repaired.map(Number).join(""), (text) => {
        if (text.length === K) this.repaired = Array.from(text, (digit) => digit === "1");
      });
      this.buttons = classes.map((name, k) => this.button(name, () => (this.repaired[k] = !this.repaired[k])));
      this.plot = new Plot([0, K], [0, K], "probability of class", "images that get class", {
        xTicks: classes.map((_, k) => [k + 0.5, String(k + 1)]),
        yTicks: classes.map((name, k) => [K - k - 0.5, `${name} ${k + 1}`]),
      });
      this.bars = new Plot([0, K], [0, K], "cells of the class beyond chance", "", { yTicks: [], left: 92 });
      const cells = K * K;
      const counts = [false, true].map((isRepaired) => this.measure(new Array(K).fill(isRepaired)));
      const [before, after] = counts.map(({ beyond }) => beyond.flat().filter(Boolean).length);
      const chance = counts[0].chance;
      this.ask({
        question:
          `After one temperature these are ${cells} cells: images that get a class, and the probability of each ` +
          `class. Chance alone would put about ${chance.toFixed(0)} of them beyond its range. How many are?`,
        answers: ["about as many", "two to four times as many", "more than that"],
        right: () => [2, 4, Infinity].findIndex((times) => before < times * chance),
        covers: [this.plot, this.bars, this.status],
        seen: () =>
          `Beyond it are ${before}. The top label counts the diagonal alone. Repair class by class: with all ` +
          `repaired ${percent(after / before, 0)} of them are left. Repairs mend how surely a class is named, not ` +
          "with which others it is confused.",
      });
      this.figures(this.plot, this.bars);
      this.append(legend(
        [
          ["w-over", "says too much, beyond chance"],
          ["w-under", "says too little, beyond chance"],
          ["w-chance", "within chance"],
        ],
        ["ECE"]
      ));
      this.fill = this.asTable(["Class", "Number", "Mean probability", "Share", "Cells beyond chance"]);
      this.update();
    }
    probabilities(z, repaired) {
      const { temperature, factors, shifts } = this.data;
      return softmax(z.map((v, k) => (repaired[k] ? factors[k] * v + shifts[k] : v / temperature)));
    }
    // Mean probability less share in each cell, whether that is beyond chance, and how many cells chance puts there.
    measure(repaired) {
      const { classes, y } = this.data;
      const K = classes.length;
      const [gap, hits] = [zeros(K, K), zeros(K, K)];
      const forecasts = gap.map((row) => row.map(() => [])); // probabilities of each cell
      const mass = new Array(K).fill(0);
      const [scores, right] = [[], []];
      this.logits.forEach((z, i) => {
        const p = this.probabilities(z, repaired);
        const row = this.named[i];
        p.forEach((score, k) => {
          const hit = Number(y[i] === k);
          gap[row][k] += score - hit;
          hits[row][k] += hit;
          forecasts[row][k].push(score);
          mass[k] += score / y.length;
        });
        const top = p.indexOf(Math.max(...p));
        scores.push(p[top]);
        right.push(Number(top === y[i]));
      });
      const judged = forecasts.map((row, j) => row.map((scores, k) => outside(scores, hits[j][k])));
      const beyond = judged.map((row) => row.map((cell) => cell.beyond));
      const chance = sum(judged.flat().map((cell) => cell.chance));
      return { gap, beyond, chance, mass, ece: ece(equalWidth(scores, right, 15), y.length) };
    }
    drawCells(gap, beyond) {
      const K = gap.length;
      const boxes = { "w-over": [], "w-under": [], "w-chance": [] };
      const lookOf = (j, k) => {
        if (!beyond[j][k]) return "w-chance";
        return gap[j][k] > 0 ? "w-over" : "w-under";
      };
      gap.forEach((row, j) => row.forEach((_, k) => {
        boxes[lookOf(j, k)].push([k + 0.06, k + 0.94, K - j - 0.94, K - j - 0.06]);
      }));
      Object.entries(boxes).forEach(([look, cells]) => this.plot.bars(cells, look));
    }
    update() {
      const { classes, y } = this.data;
      const K = classes.length;
      const { gap, beyond, chance, mass, ece: error } = this.measure(this.repaired);
      const inClass = classes.map((_, k) => beyond.filter((row) => row[k]).length);
      const names = classes.filter((_, k) => this.repaired[k]);
      const summary =
        `${sum(inClass)} of ${K * K} cells are beyond chance; ECE of the top label ${percent(error)}. Repaired: ` +
        `${names.length ? names.join(", ") : "no class"}.`;
      this.plot.clear(
        "The class that the network names against each class: a cell is marked where its gap is beyond chance."
      );
      this.drawCells(gap, beyond);
      this.bars.clear("Cells beyond chance by class");
      this.bars.classes(classes, inClass, () => "w-accuracy", (k) => `${k + 1} `);
      this.buttons.forEach((button, k) => button.setAttribute("aria-pressed", this.repaired[k]));
      this.status.textContent = summary;
      const share = (k) => y.filter((label) => label === k).length / y.length;
      this.fill(classes.map((name, k) => [name, k + 1, percent(mass[k], 1), percent(share(k), 1), inClass[k]]));
      this.record({ beyond: sum(inClass), chance, ece: error });
    }
  }

  customElements.define("class-matrix", ClassMatrix);
})();
