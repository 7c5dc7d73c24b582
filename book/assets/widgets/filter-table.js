// Tables that filter and sort.
(() => {
  const { make, newId } = book.base;

  // Text in alphabetical order, numbers in theirs.
  const compare = (a, b) => a.localeCompare(b, "en", { numeric: true });

  // Wraps a table that is whole without scripts; filters="Paper,Verdict" names columns with a list,
  // start="Paper=Guo 2017" what is chosen at first. Of a long one on a page of its own, a few rows are
  // shown until somebody asks for a word, for a kind or for all.
  const AT_FIRST = 12;
  class FilterTable extends HTMLElement {
    connectedCallback() {
      if (this.rows) return;
      const table = this.querySelector("table");
      this.body = table.tBodies[0];
      this.rows = [...this.body.rows];
      this.heads = [...table.tHead.rows[0].cells];
      const names = this.heads.map((head) => head.textContent.trim());
      this.controls = make("div", { class: "w-control" });
      this.search = this.control("Search", make("input", { type: "search" }));
      this.lists = (this.getAttribute("filters") || "").split(",").filter(Boolean).map((name) => {
        const column = names.indexOf(name);
        const values = [...new Set(this.rows.map((row) => row.cells[column].textContent.trim()))].sort(compare);
        const options = ["all", ...values].map((value) => make("option", { value }, value));
        return { column, list: this.control(name, make("select", {}, ...options)) };
      });
      const [first, value] = (this.getAttribute("start") || "").split("=");
      this.lists.filter(({ column }) => names[column] === first).forEach(({ list }) => (list.value = value));
      this.heads.forEach((head, column) => {
        const button = make("button", { type: "button" }, names[column]);
        button.addEventListener("click", () => this.sort(column));
        head.setAttribute("scope", "col");
        head.replaceChildren(button);
      });
      this.status = make("p", { class: "w-status", "aria-live": "polite" });
      this.prepend(this.controls, this.status);
      if (this.matches(".ledger, .rules") && this.rows.length > 2 * AT_FIRST) {
        this.more = make("button", { type: "button", class: "w-more" }, "Show all rows");
        this.more.addEventListener("click", () => this.showAll());
        this.append(this.more);
        const times = this.matches(".ledger") ? ["beforeprint", "afterprint"] : []; // the other is a hundred pages
        times.forEach((time) => addEventListener(time, () => this.update(time)));
      }
      this.update();
      this.open();
      addEventListener("hashchange", () => this.open());
    }
    // The row that the address names, as ledger.html#claim-guo-width, is shown with its cases.
    open() {
      const row = this.rows.find(({ id }) => id && id === location.hash.slice(1));
      if (!row) return;
      this.showAll();
      row.hidden = false;
      row.querySelectorAll("details").forEach((details) => (details.open = true));
      row.scrollIntoView();
    }
    control(text, field) {
      field.id = newId();
      field.addEventListener("input", () => this.showAll());
      this.controls.append(make("span", { class: "w-field" }, make("label", { for: field.id }, text), field));
      return field;
    }
    showAll() {
      this.more?.remove();
      this.more = undefined;
      this.update();
    }
    update(time) {
      const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const most = this.more && time !== "beforeprint" ? AT_FIRST : Infinity;
      let count = 0;
      for (const row of this.rows) {
        const text = row.textContent.toLowerCase();
        const chosen = this.lists.every(
          ({ column, list }) => list.value === "all" || row.cells[column].textContent.trim() === list.value,
        );
        row.hidden = count >= most || !(chosen && words.every((word) => text.includes(word)));
        count += !row.hidden;
      }
      this.status.textContent = `${count} of ${this.rows.length} rows`;
    }
    sort(column) {
      const isDown = this.heads[column].getAttribute("aria-sort") === "ascending";
      this.heads.forEach((head) => head.removeAttribute("aria-sort"));
      this.heads[column].setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const text = (row) => row.cells[column].textContent.trim();
      const byText = (a, b) => compare(text(a), text(b));
      const number = (row) => (text(row) === "" ? -Infinity : Number(text(row).replace("−", "-")));
      const byNumber = (a, b) => number(a) - number(b);
      const order = this.rows.some((row) => Number.isNaN(number(row))) ? byText : byNumber;
      this.rows.sort((a, b) => (isDown ? -1 : 1) * order(a, b));
      this.body.append(...this.rows);
      this.update();
    }
  }

  customElements.define("filter-table", FilterTable);
})();
