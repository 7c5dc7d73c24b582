// A quiz for the reader: how sure are you that each statement is true? Then: your own reliability diagram.

const BINS = 10;
const CALIBRATED_DRAWS = 4000;

class BetQuiz extends Widget {
  start() {
    const { statements, crowd } = this.data;
    this.answers = statements.map((item, i) => {
      const box = make("fieldset", {}, make("legend", {}, `${i + 1}. ${item.statement}`));
      const slider = this.slider(i + 1, "Chance that this is true", { min: 0, max: 100, step: 5, value: 50 }, (v) => `${v} %`);
      this.append(box);
      box.append(slider.node);
      return slider;
    });
    this.settings.scored = { value: "no" };
    this.button("Show how well I am calibrated", () => (this.settings.scored.value = "yes"));
    this.plot = new Plot([0.5, 1], [0, 1], "your confidence", "how often you were right");
    this.figures(this.plot);
    this.crowd = crowd;
    this.plot.clear("Your reliability diagram, once you have answered");
    this.fill = this.asTable(["Statement", "It is", "You said"]);
    this.update();
  }
  update() {
    this.answers.forEach((a) => a.say());
    const open = this.answers.filter((a) => a.value === 50).length;
    if (this.settings.scored.value === "yes") this.score();
    else this.status.textContent = `${open} of ${this.answers.length} stand at 50 %, which takes no side.`;
  }
  score() {
    const { statements } = this.data;
    const p = this.answers.map((a) => a.value / 100);
    const truth = statements.map((item) => Number(item.true));
    const sided = p.map((v, i) => ({ score: Math.max(v, 1 - v), hit: Number(v > 0.5 === Boolean(truth[i])) })).filter((_, i) => p[i] !== 0.5);
    const brier = mean(p.map((v, i) => (v - truth[i]) ** 2));
    this.fill(statements.map((item, i) => [item.statement, item.true ? "true" : "false", percent(p[i], 0)]));
    if (!sided.length) {
      this.status.textContent = "You took no side on any statement; move a slider first.";
      return;
    }
    const [scores, hits] = [sided.map((a) => a.score), sided.map((a) => a.hit)];
    const groups = equalWidth(scores, hits, BINS);
    const value = ece(groups, scores.length);
    const binOf = (s) => equalWidth([s], [0], BINS).findIndex((g) => g.n);
    const expected = errorIfCalibrated(scores, binOf);
    const random = generator(1);
    const draws = Array.from({ length: CALIBRATED_DRAWS }, () => ece(equalWidth(scores, drawHits(scores, (s) => s, random), BINS), scores.length));
    const share = mean(draws.map((d) => Number(d >= value - 1e-9)));
    const lean = mean(scores) - mean(hits);
    const word = Math.abs(lean) < 0.005 ? "neither over- nor underconfident" : lean > 0 ? "overconfident" : "underconfident";
    const said = `You took a side on ${scores.length} of ${p.length} statements, and were right on ${percent(mean(hits), 0)} of them at a mean confidence of ${percent(mean(scores), 0)}: ${word} here. Your ECE is ${percent(value, 0)}. A perfectly calibrated person who was as sure as you would show ${percent(expected, 0)} on average, and as much as you in ${percent(share, 0)} of quizzes. Brier score ${brier.toFixed(3)}; saying 50 % to everything gives 0.250.`;
    drawBins(this.plot, groups, `Your reliability diagram. ${said}`);
    this.plot.line(this.crowd, "w-second");
    this.crowd.forEach((point) => this.plot.dot(point, "w-second-dot", 3.5));
    this.plot.say(0.88, 0.6, "others", "end");
    this.status.textContent = said;
    this.values({ brier, ece: value, expected, share });
  }
}

customElements.define("bet-quiz", BetQuiz);
