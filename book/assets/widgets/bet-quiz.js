// A quiz for the reader: how sure are you that each statement is true? Each answer is marked at once, and the
// reader's own reliability diagram grows.
(() => {
  const { legend, make, percent, Plot, Widget } = book.base;
  const { drawHits, ece, equalWidth, errorIfCalibrated, generator, mean } = book.definitions;
  const { Diagram, GRAMMAR } = book.diagram;

  const BINS = 10;
  const CALIBRATED_DRAWS = 1000;
  const RUNS = 10; // quizzes of somebody else, drawn beside the reader's
  const TOO_SURE = 0.1;
  const RARE = 0.05; // the share of quizzes below which chance is no explanation

  // What is told of an answer by the side that it took: the right one, the wrong one, none.
  const SIDES = {
    true: { mark: "✓", verdict: "You were right" },
    false: { mark: "✗", verdict: "You were wrong" },
    undefined: { mark: "–", verdict: "You took no side" },
  };

  class BetQuiz extends Widget {
    start() {
      const { statements, crowd } = this.data;
      this.answers = statements.map(() => null); // per cent, once answered
      this.at = 0;
      statements.forEach((_, i) => {
        const isPercent = (text) => text !== "" && Number(text) >= 0 && Number(text) <= 100;
        const write = (text) => (this.answers[i] = isPercent(text) ? Number(text) : null);
        this.setting(i + 1, () => this.answers[i] ?? "", write);
      });
      this.task = make("p", { class: "w-task" });
      this.append(this.task);
      this.chance = this.slider(
        "chance", "Chance that this is true", { min: 0, max: 100, step: 5, value: 50 }, (v) => `${v}\u00a0%`
      );
      delete this.settings.chance; // the answers are the settings
      this.give = this.button("Answer", () => (this.answers[this.at] = this.chance.value));
      this.next = this.button("Next statement", () => this.forward());
      this.clear = this.button("Begin again", () => ([this.answers, this.at] = [statements.map(() => null), 0]));
      this.marks = make("p", { class: "w-marks", "aria-label": "Your answers so far" });
      this.append(this.marks);
      this.plot = new Diagram("your confidence", "how often you were right", [0.5, 1]);
      this.crowd = crowd;
      this.runs = new Plot([0, 0.5], [0, 3], "ECE of a whole quiz", "", { yTicks: [], left: 16 });
      this.figures(this.plot, this.runs);
      this.append((this.key = legend([...GRAMMAR, ["w-second", "others"]], ["ECE"])));
      this.seed = 1;
      this.again = this.button(`${RUNS} other quizzes of each`, () => (this.seed += 1));
      this.fill = this.asTable(["Statement", "It is", "You said"]);
      this.update();
    }
    recall() {
      super.recall();
      const open = this.answers.indexOf(null);
      this.at = open < 0 ? this.answers.length - 1 : open;
      this.update();
    }
    forward() {
      const { length } = this.answers;
      const order = this.answers.map((_, i) => (this.at + 1 + i) % length);
      this.at = order.find((i) => this.answers[i] === null) ?? this.at;
      this.chance.value = 50;
    }
    // Whether an answer took the right side; undefined where it took none.
    side(i) {
      const p = this.answers[i];
      if (p === null || p === 50) return undefined;
      return p > 50 === Boolean(this.data.statements[i].true);
    }
    update() {
      const { statements } = this.data;
      const answer = this.answers[this.at];
      const count = this.answers.filter((p) => p !== null).length;
      this.chance.say();
      const onShow = this.paper ? statements.map((_, i) => i) : [this.at];
      const numbered = (i) => `${i + 1} of ${statements.length}. ${statements[i].statement}`;
      this.task.textContent = onShow.map(numbered).join(" ");
      if (answer !== null && !this.paper) {
        const { verdict } = SIDES[this.side(this.at)];
        this.task.append(
          make("strong", {}, ` It is ${this.truthOf(this.at)}. ${verdict}: you said ${answer}\u00a0%.`)
        );
      }
      this.give.hidden = this.chance.input.disabled = answer !== null;
      this.next.hidden = answer === null || count === statements.length;
      this.clear.hidden = count === 0;
      this.marks.textContent = this.answers.map((p, i) => (p === null ? "·" : SIDES[this.side(i)].mark)).join(" ");
      const sided = this.answers.map((_, i) => i).filter((i) => this.side(i) !== undefined);
      this.frame.hidden = this.key.hidden = !sided.length;
      const isWhole = sided.length > 0 && count === statements.length;
      this.again.hidden = !isWhole;
      this.runs.svg.style.display = isWhole ? "" : "none";
      if (sided.length) this.score(sided, count);
      else this.status.textContent = "No answer takes a side yet: 50 % bets on nothing.";
      const answered = statements.map((_, i) => i).filter((i) => this.answers[i] !== null);
      this.fill(answered.map((i) => [statements[i].statement, this.truthOf(i), `${this.answers[i]} %`]));
    }
    truthOf(i) {
      return this.data.statements[i].true ? "true" : "false";
    }
    // The diagram, the ECE and what chance makes of it, from the answers that took a side.
    score(sided, count) {
      const { statements } = this.data;
      const scores = sided.map((i) => Math.max(this.answers[i], 100 - this.answers[i]) / 100);
      const hits = sided.map((i) => Number(this.side(i)));
      const groups = equalWidth(scores, hits, BINS);
      const value = ece(groups, scores.length);
      const binOf = (s) => equalWidth([s], [0], BINS).findIndex((g) => g.n);
      const expected = errorIfCalibrated(scores, binOf);
      const random = generator(1);
      const draws = Array.from(
        { length: CALIBRATED_DRAWS },
        () => ece(equalWidth(scores, drawHits(scores, (s) => s, random), BINS), scores.length)
      );
      const share = mean(draws.map((d) => Number(d >= value - 1e-9)));
      const answered = this.answers.flatMap((p, i) => (p === null ? [] : [[p / 100, Number(statements[i].true)]]));
      const brier = mean(answered.map(([p, truth]) => (p - truth) ** 2));
      const lean = mean(scores) - mean(hits);
      const bias = lean > 0 ? "overconfident" : "underconfident";
      const verdict = share < RARE
        ? `That is more than chance: you are ${bias}.`
        : "So these answers are no evidence that you are miscalibrated.";
      const summary =
        `You took a side on ${scores.length} of ${count} statements: ${percent(mean(hits), 0)} right at a mean ` +
        `confidence of ${percent(mean(scores), 0)}. Your ECE is ${percent(value, 0)}; a perfectly calibrated ` +
        `person as sure as you would show ${percent(expected, 0)} on average, and at least your ECE in ` +
        `${percent(share, 0)} of quizzes. ${verdict}`;
      this.plot.draw(groups, `Your reliability diagram. ${summary}`, scores);
      this.plot.line(this.crowd, "w-second");
      this.crowd.forEach((point) => this.plot.dot(point, "w-second-dot", 3.5));
      const others = count === statements.length ? this.othersBeside(scores, value) : "";
      this.status.textContent = summary + others;
      this.record({ brier, ece: value, expected, share });
    }
    // The ECE of quizzes of two others, as sure as the reader: one is calibrated, one is right less often than that.
    othersBeside(scores, value) {
      const random = generator(100 + this.seed);
      const quiz = (lost) => ece(equalWidth(scores, drawHits(scores, (s) => s - lost, random), BINS), scores.length);
      const rows = [
        ["calibrated", 0, "w-curve-dot"],
        [`right ${100 * TOO_SURE} points less often`, TOO_SURE, "w-second-dot"],
      ].map(([name, lost, look]) => ({ name, look, errors: Array.from({ length: RUNS }, () => quiz(lost)) }));
      this.others = rows;
      const worse = rows.map(({ errors }) => errors.filter((error) => error >= value - 1e-9).length);
      const summary =
        ` Of ${RUNS} quizzes by somebody calibrated, who is as sure as you, ${worse[0]} have at least your ECE; of ` +
        `${RUNS} by somebody who is right ${100 * TOO_SURE} points less often, ${worse[1]}.`;
      const most = Math.max(value, ...rows.flatMap(({ errors }) => errors));
      this.runs.scale([0, Math.ceil(10 * most + 0.5) / 10], [0, 3]);
      this.runs.clear(`Quizzes beside yours.${summary}`);
      this.runs.line([[value, 0], [value, 2.7]], "w-mark");
      this.runs.say(value, 2.75, "you", "middle");
      rows.forEach(({ name, look, errors }, i) => {
        const y = 1.6 - 1.2 * i;
        this.runs.dots(errors.map((error) => [error, y]), look, 5);
        this.runs.say(0, y + 0.35, name);
      });
      return summary;
    }
  }

  customElements.define("bet-quiz", BetQuiz);
})();
