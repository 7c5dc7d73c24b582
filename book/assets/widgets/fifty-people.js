// One photograph that people name in two ways, and how sure a network is of one: by whose word is it too sure? The
// votes move two of three truths: that of the majority jumps, that of a random person goes along.
(() => {
  const { indicesOfTrue, legend, make, percent, photograph, Plot, Widget } = book.base;

  class FiftyPeople extends Widget {
    start() {
      const { sprite, place, count, names, people, votes, scores, file } = this.data;
      const [first, second] = names;
      this.append(make("div", photograph(place, count, sprite, `A photograph that the file calls ${file}`)));
      this.votes =
        this.slider("votes", `How many of ${people} say ${first}`, { min: 0, max: people, step: 1, value: votes });
      this.crowd = new Plot([0, 10], [0, people / 10], "", "", { xTicks: [], yTicks: [], left: 4 });
      this.words = [`the file's: ${file}`, "the majority's", "a random person's"];
      this.bars =
        new Plot([0, 1.4], [0, 5], `it is a ${first}`, "", { xTicks: [[0, "0"], [1, "100 %"]], yTicks: [], left: 104 });
      this.gaps = new Plot([0, people], [-100, 100], `say ${first}`, "too sure, points");
      const [name, score] = Object.entries(scores)[1];
      this.ask({
        question: () =>
          `${this.votes.value} of ${people} say ${first}. The network, ${name}, says ${first} with ` +
          `${percent(score, 0)}. By whose word is that most nearly right?`,
        answers: this.words,
        right: () => this.nearest(score),
        covers: [this.bars, this.gaps],
        seen: () =>
          `By the file or the majority a single photograph is a ${first} or it is not; only the share of people ` +
          `can be ${percent(score, 0)}. Move the votes: by whose word is it too sure, and when?`,
      });
      this.figures(this.crowd, this.bars, this.gaps);
      this.append(legend([
        ["w-curve-dot", first],
        ["w-second-dot", second],
        ["w-second", "by the file"],
        ["w-curve", "by the majority"],
        ["w-third", "by a random person"],
      ]));
      this.fill =
        this.asTable(["The word of", `It is a ${first}`, ...Object.keys(scores).map((kind) => `Too sure, ${kind}`)]);
      this.update();
    }
    // How often it is what the network says: by the file, by the majority (a coin where the votes are equal), by a
    // random person.
    truths(votes) {
      const { names, people, file } = this.data;
      return [Number(file === names[0]), (Math.sign(2 * votes - people) + 1) / 2, votes / people];
    }
    // The words by which the number is most nearly right.
    nearest(score) {
      const away = this.truths(this.votes.value).map((truth) => Math.abs(score - truth));
      const least = Math.min(...away) + 1e-9;
      return indicesOfTrue(away.map((gap) => gap <= least));
    }
    comparison(score) {
      const inPoints = (truth) => (100 * (score - truth)).toFixed(0).replace("-", "−");
      const points = this.truths(this.votes.value).map(inPoints);
      const [file, majority, person] = points;
      return `Confidence less truth is ${file} points by the file, ${majority} by the majority, ${person} by a ` +
        "random person.";
    }
    update() {
      const { scores, people, names } = this.data;
      const votes = this.votes.value;
      this.votes.say();
      this.crowd.clear(`${votes} of ${people} say ${names[0]}`);
      const dots = Array.from({ length: people }, (_, i) => [(i % 10) + 0.5, people / 10 - Math.floor(i / 10) - 0.5]);
      this.crowd.dots(dots.slice(0, votes), "w-curve-dot", 5);
      this.crowd.dots(dots.slice(votes), "w-second-dot", 5);
      const truths = this.truths(votes);
      const score = Object.values(scores)[1];
      const summary = `${votes} of ${people} say ${names[0]}.${this.asks ? "" : ` ${this.comparison(score)}`}`;
      this.bars.clear(summary);
      const rows = [
        ...Object.entries(scores),
        ...["by the file", "by the majority", "by a person"].map((word, i) => [word, truths[i]]),
      ];
      rows.forEach(([word, value], i) => {
        const y = 4.5 - i;
        this.bars.bar(0, Math.max(value, 0.004), y - 0.35, y + 0.35, i < 2 ? "w-over" : "w-accuracy");
        this.bars.marks.append(this.bars.letters(this.bars.left - 4, this.bars.y(y) + 5, word, "end"));
        this.bars.say(value + 0.03, y - 0.15, percent(value, 0));
      });
      this.gaps.clear(`How many points too sure, by the votes. ${summary}`);
      this.gaps.line([[0, 0], [people, 0]], "w-diagonal");
      const counts = Array.from({ length: people + 1 }, (_, count) => count);
      ["w-second", "w-curve", "w-third"].forEach((look, i) => {
        this.gaps.line(counts.map((count) => [count, 100 * (score - this.truths(count)[i])]), look);
        this.gaps.dot([votes, 100 * (score - truths[i])], `${look}-dot`, 5);
      });
      this.status.textContent = summary;
      const excessText = (sure, truth) => `${(100 * (sure - truth)).toFixed(0)} points`;
      this.fill(rows.slice(2).map(([word, truth]) => {
        const excesses = Object.values(scores).map((sure) => excessText(sure, truth));
        return [word, percent(truth, 0), ...excesses];
      }));
      this.record({ file: score - truths[0], majority: score - truths[1], person: score - truths[2] });
    }
  }

  customElements.define("fifty-people", FiftyPeople);
})();
