// Photographs that a network is sure about: the reader picks those that it has wrong.
(() => {
  const { make, photograph, Widget } = book.base;
  const { sum } = book.definitions;

  class SurePhotographs extends Widget {
    start() {
      const { photographs, sprite } = this.data;
      this.picked = new Set();
      this.shown = "hidden";
      this.tiles = photographs.map(({ says, sure }, i) => {
        const picture = make("div", photograph(i, photographs.length, sprite, `Photograph ${i + 1}`));
        const tile =
          make("button", { type: "button", "aria-pressed": "false" }, picture, make("span", {}, `${says}, ${sure}`));
        tile.addEventListener("click", () => {
          if (this.shown === "shown") return;
          if (!this.picked.delete(i)) this.picked.add(i);
          this.update();
          this.remember();
        });
        return tile;
      });
      this.append(make("div", { class: "w-photographs" }, ...this.tiles));
      this.setting("picked", () => [...this.picked].map((i) => i + 1).join("-"), (text) => {
        this.picked = new Set(text.split("-").map((n) => Number(n) - 1).filter((i) => i in photographs));
      });
      this.setting("wrong", () => this.shown, (text) => (this.shown = text === "shown" ? text : "hidden"));
      this.reveal = this.button("Mark the wrong ones", () => (this.shown = "shown"));
      this.append(this.status);
      this.update();
    }
    onPaper() {
      this.shown = "shown";
    }
    update() {
      const { photographs, says: conclusion } = this.data;
      const wrong = photographs.map(({ is, says }) => is !== says);
      const n = sum(wrong.map(Number));
      this.reveal.hidden = this.shown === "shown";
      this.tiles.forEach((tile, i) => {
        const { says, is, sure } = photographs[i];
        const marked = wrong[i] && this.shown === "shown";
        tile.setAttribute("aria-pressed", this.picked.has(i));
        tile.classList.toggle("w-wrong", marked);
        tile.lastChild.textContent = marked ? `✗ ${says}, ${sure}; it is: ${is}` : `${says}, ${sure}`;
      });
      if (this.shown !== "shown") {
        this.status.textContent =
          `Which ${n} of these ${photographs.length} are wrong? Pick them: ${this.picked.size} picked.`;
        return;
      }
      const found = [...this.picked].filter((i) => wrong[i]).length;
      const yours = this.picked.size ? `You picked ${this.picked.size} and found ${found} of the ${n}. ` : "";
      this.status.textContent = `${yours}${n} of these ${photographs.length} are wrong. ${conclusion}`;
      this.record({ wrong: n, found });
    }
  }

  customElements.define("sure-photographs", SurePhotographs);
})();
