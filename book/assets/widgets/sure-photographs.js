// Photographs that a network is sure about: the reader picks those that it has wrong.
(() => {
  const { make, photograph, Widget } = book.base;
  const { sum } = book.definitions;

  class SurePhotographs extends Widget {
    start() {
      const { photographs, sprite } = this.data;
      this.picked = new Set();
      this.isShown = false; // which are wrong
      this.tiles = photographs.map(({ says, sure }, i) => {
        const picture = make("div", photograph(i, photographs.length, sprite, `Photograph ${i + 1}`));
        const tile =
          make("button", { type: "button", "aria-pressed": "false" }, picture, make("span", {}, `${says}, ${sure}`));
        tile.addEventListener("click", () => {
          if (this.isShown) return;
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
      this.setting("wrong", () => (this.isShown ? "shown" : "hidden"), (text) => (this.isShown = text === "shown"));
      this.reveal = this.button("Mark the wrong ones", () => (this.isShown = true));
      this.append(this.status);
      this.update();
    }
    onPaper() {
      this.isShown = true;
    }
    update() {
      const { photographs, says: conclusion } = this.data;
      const wrong = photographs.map(({ is, says }) => is !== says);
      const n = sum(wrong.map(Number));
      this.reveal.hidden = this.isShown;
      this.tiles.forEach((tile, i) => {
        const { says, is, sure } = photographs[i];
        const isMarked = wrong[i] && this.isShown;
        tile.setAttribute("aria-pressed", this.picked.has(i));
        tile.classList.toggle("w-wrong", isMarked);
        tile.lastChild.textContent = isMarked ? `✗ ${says}, ${sure}; it is: ${is}` : `${says}, ${sure}`;
      });
      if (!this.isShown) {
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
