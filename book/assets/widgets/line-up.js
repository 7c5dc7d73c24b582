// The line-up: eight reliability diagrams, one real and seven of a calibrated network with the same confidences.
(() => {
  const { clamp, legend, make, percent, Plot, soon, unpacked, Widget } = book.base;
  const { curveAt, drawHits, drawScores, ece, equalWidth, generator, mean, trueError } = book.definitions;
  const { drawBars, GRAMMAR } = book.diagram;

  const DIAGRAMS = 8;
  const FIRST = 3; // rounds, after which it says what n made of them
  const LINE_UPS = 100; // simulated, to say it
  const NEARLY = 0.9; // the share of line-ups that it asks about

  // Whether the reader picked the real one.
  const isFound = ({ picked, real }) => picked === real + 1;

  class LineUp extends Widget {
    start() {
      const { sources, worlds } = this.data;
      this.sources = Object.fromEntries(Object.entries(sources).map(([name, text]) => [name, this.unpack(text)]));
      const names = [...Object.keys(sources), ...Object.keys(worlds)];
      this.source = this.choice("source", "The real one is", names.map((name) => [name, name]));
      this.source.addEventListener("input", () => {
        [this.picked, this.open] = [[], false]; // a game is of one source
        this.refresh();
      });
      [this.game, this.picked, this.open] = [this.data.game, [], false];
      this.setting("game", () => this.game, (text) => (this.game = Math.trunc(Number(text)) || this.data.game));
      this.setting("picked", () => this.picked.join("-"), (text) => {
        const numbers = text.split("-").filter((n) => n >= 1 && n <= DIAGRAMS).map(Number);
        this.picked = numbers.slice(0, this.data.rounds.length);
        this.open = this.picked.length > 0;
      });
      const ends = [[0, "0"], [1, "1"]];
      const look = { xTicks: ends, yTicks: ends, left: 20 };
      const plots = Array.from({ length: DIAGRAMS }, () => new Plot([0, 1], [0, 1], "", "", look));
      this.figures(...plots);
      this.tiles = plots.map((plot, i) => {
        const tile = make("button", { type: "button", class: "w-tile", "aria-label": `Diagram ${i + 1}` }, plot.svg);
        tile.addEventListener("click", () => this.pick(i));
        return tile;
      });
      this.frame.append(...this.tiles);
      this.next = this.button("Next round", () => (this.open = false));
      this.again = this.button("New game", () => ([this.game, this.picked, this.open] = [this.game + 1, [], false]));
      this.append(legend([...GRAMMAR.slice(0, 4), GRAMMAR.at(-1)], ["ECE"]));
      if (this.data.asks) this.askFromWhich([...new Set(this.data.rounds.slice(0, FIRST))]);
      this.fill = this.asTable(["Round", "n", "Real", "You picked", "Its ECE", "ECE of the seven"]);
      this.update();
    }
    askFromWhich(sizes) {
      const enough = () => sizes.findIndex((n) => this.largest(n) >= NEARLY);
      const ofSize = (n) => `${(LINE_UPS * this.largest(n)).toFixed(0)} of ${LINE_UPS} line-ups at n = ${n}`;
      this.ask({
        question: () =>
          `From how many images on has the real one, ${this.source.value}, the largest ECE in nine line-ups of ten?`,
        answers: [...sizes.map((n) => `n = ${n}`), "more than that"],
        right: () => (enough() < 0 ? sizes.length : enough()),
        covers: [],
        seen: () =>
          `It has the largest ECE in ${sizes.map(ofSize).join(", ")}; ` +
          `by chance alone it would in ${(LINE_UPS / DIAGRAMS).toFixed(0)}.`,
      });
    }
    get panel() {
      return { narrowest: 140, widest: 184, most: 4, height: (width) => clamp(0.75 * width, 112, 132) };
    }
    // Scores in fifteen bits, and whether each was right in the last.
    unpack(text) {
      const numbers = new Uint16Array(unpacked(text).buffer);
      return Array.from(numbers, (v) => [(v >> 1) / 32767, v & 1]);
    }
    pick(i) {
      if (this.open) return;
      this.picked.push(i + 1);
      this.open = true;
      this.update();
      this.remember();
      if (this.picked.length < this.data.rounds.length) soon(() => this.round(this.picked.length));
    }
    // n predictions of the source, drawn without replacement; or of a world.
    sample(n, random) {
      const name = this.source.value;
      if (name in this.data.worlds) {
        const { a, curve } = this.data.worlds[name];
        const scores = Array.from(drawScores(n, a, random));
        return { scores, hits: drawHits(scores, (s) => curveAt(curve, s), random) };
      }
      const pairs = [...this.sources[name]];
      const size = Math.min(n, pairs.length);
      for (let i = 0; i < size; i++) {
        const j = i + Math.floor(random() * (pairs.length - i));
        [pairs[i], pairs[j]] = [pairs[j], pairs[i]];
      }
      return { scores: pairs.slice(0, size).map(([s]) => s), hits: pairs.slice(0, size).map(([, h]) => h) };
    }
    round(number) {
      this.rounds ??= {};
      return {
        ...(this.rounds[[this.game, number, this.source.value]] ??= this.drawRound(number)),
        picked: this.picked[number],
      };
    }
    drawRound(number) {
      const random = generator(100 * this.game + number);
      const real = Math.floor(random() * DIAGRAMS);
      return { real, ...this.lineUp(this.data.rounds[number], real, random) };
    }
    lineUp(size, real, random) {
      const { scores, hits } = this.sample(size, random);
      const groups = Array.from(
        { length: DIAGRAMS }, (_, i) => equalWidth(scores, i === real ? hits : drawHits(scores, (s) => s, random), 10)
      );
      const errors = groups.map((g) => ece(g, scores.length));
      const others = errors.filter((_, i) => i !== real);
      return {
        n: scores.length,
        groups,
        errors,
        error: errors[real],
        low: Math.min(...others),
        high: Math.max(...others),
      };
    }
    // In which share of line-ups of this size the real one has the largest ECE; equal ones share it.
    largest(n) {
      this.shares ??= {};
      return (this.shares[[n, this.source.value]] ??= this.simulateLargest(n));
    }
    simulateLargest(n) {
      const random = generator(7 + n);
      const shares = Array.from({ length: LINE_UPS }, () => {
        const { errors, error } = this.lineUp(n, 0, random);
        return error === Math.max(...errors) ? 1 / errors.filter((other) => other === error).length : 0;
      });
      return mean(shares);
    }
    update() {
      const done = this.picked.length;
      const round = this.round(this.open ? done - 1 : done);
      this.drawDiagrams(round);
      const isOver = this.open && done === this.data.rounds.length;
      this.next.hidden = !this.open || isOver;
      this.again.hidden = !isOver;
      const account = this.picked.map((_, i) => this.round(i));
      const found = account.filter(isFound).length;
      const task = `Round ${this.open ? done : done + 1} of ${this.data.rounds.length}, n = ${round.n}. `;
      this.status.textContent = task + (this.open ? this.answerText(round, account) : this.questionText(round));
      this.fill(account.map(
        ({ n, real, picked, error, low, high }, i) =>
          [i + 1, n, real + 1, picked, percent(error), `${percent(low)} to ${percent(high)}`]
      ));
      this.record({ round: done, found, real: round.real + 1, n: round.n, ece: round.error });
    }
    // Diagrams are drawn anew only where their data or their size changed, not where the answer alone is told.
    drawDiagrams({ groups, picked, real }) {
      const isSame = groups === this.drawnGroups && this.room === this.drawnRoom;
      [this.drawnGroups, this.drawnRoom] = [groups, this.room];
      const isTold = Boolean(this.open || this.paper);
      this.panels.forEach((plot, i) => {
        if (!isSame) {
          plot.clear(`Diagram ${i + 1} of ${DIAGRAMS}`);
          drawBars(plot, groups[i].filter(({ n }) => n));
        }
        this.tiles[i].setAttribute("aria-pressed", this.open && picked === i + 1);
        this.tiles[i].classList.toggle("w-real", isTold && real === i);
      });
    }
    errorsText({ error, low, high }) {
      return `its ECE is ${percent(error, 1)}, that of the seven ${percent(low, 1)} to ${percent(high, 1)}`;
    }
    questionText(round) {
      const task = this.paper
        ? `Number ${round.real + 1} is real: ${this.errorsText(round)}.`
        : "Press the one that is real.";
      return `Seven of these networks are calibrated and differ by chance alone. ${task}`;
    }
    answerText(round, account) {
      const world = this.data.worlds[this.source.value];
      const truth = world ? ` Its true error is ${percent(trueError(world.curve, world.a), 1)}.` : "";
      const verdict = isFound(round) ? "Right" : `No, number ${round.real + 1} is real`;
      const found = `${account.filter(isFound).length} of ${account.length} found`;
      const story = account.length >= FIRST ? this.story(account) : "";
      return `${verdict}: ${this.errorsText(round)}. ${found}; by chance one in ${DIAGRAMS}.${truth}${story}`;
    }
    // What n made of the rounds: how often the reader found it, and how often whoever takes the largest ECE does.
    story(account) {
      const sizes = [...new Set(account.map(({ n }) => n))].sort((a, b) => a - b);
      const roundsOf = (n) => account.filter((round) => round.n === n);
      const texts = sizes.map((n) =>
        `n = ${n}, you ${roundsOf(n).filter(isFound).length} of ${roundsOf(n).length}, the largest ECE ` +
        `${(LINE_UPS * this.largest(n)).toFixed(0)} of ${LINE_UPS}`);
      return ` What n makes of it, by how often the real one is found: ${texts.join("; ")}. The network is the same ` +
        "in every round: a gap is seen only where n lets chance be small.";
    }
  }

  customElements.define("line-up", LineUp);
})();
