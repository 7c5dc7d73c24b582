// Photographs that a network is sure about; which ones are wrong shows on a click.

class SurePhotographs extends Widget {
  start() {
    const { photographs, sprite } = this.data;
    const last = photographs.length - 1;
    this.figures_ = photographs.map((photograph, i) => {
      const picture = make("div", { class: "w-photograph", role: "img", "aria-label": `Photograph ${i + 1}` });
      picture.style = `background-image: url(${sprite}); background-position: ${(100 * i) / last}% 0; background-size: ${100 * (last + 1)}% 100%`;
      const words = make("figcaption", {}, `${photograph.says}, ${photograph.sure}`);
      const figure = make("figure", {}, picture, words);
      return { figure, words, photograph };
    });
    this.append(make("div", { class: "w-photographs" }, ...this.figures_.map((f) => f.figure)));
    this.settings.wrong = { value: "hidden" };
    this.button("Mark the wrong ones", () => (this.settings.wrong.value = "shown"));
    this.append(this.status);
    this.status.textContent = `Which of these ${photographs.length} does it have wrong?`;
  }
  update() {
    if (this.settings.wrong.value !== "shown") return;
    const wrong = this.figures_.filter(({ photograph: { is, says } }) => is !== says);
    wrong.forEach(({ figure, words, photograph: { is, says, sure } }) => {
      figure.classList.add("w-wrong");
      words.textContent = `✗ ${says}, ${sure}; it is: ${is}`;
    });
    this.status.textContent = `${wrong.length} of these ${this.figures_.length} are wrong. ${this.data.says}`;
    this.values({ wrong: wrong.length });
  }
}

customElements.define("sure-photographs", SurePhotographs);
