// The arena's leaderboard: a row a map, for the networks and the size that are chosen; a row opens to its cases.
(() => {
  const { abbreviation, make, newId, percent, set, withData } = book.base;

  const BOARD = [
    ["map", "Map", "name of the map"],
    ["gain", "Gain", "NLL of temperature scaling less its own, in thousandths of a nat"],
    ["low", "95 % interval", "over data sets, Student's"],
    ["rank", "Rank", "mean rank by NLL"],
    ["best", "Best", "probability of the largest mean gain"],
    ["regret", "Regret", "NLL lost to the map that is best on the other half, in thousandths of a nat"],
    ["failed", "Failed", "share of fits"],
    ["ece", "ECE", "15 bins"],
    ["ece_chance", "By chance", "ECE of a calibrated network with the same confidences"],
    ["accuracy_change", "Accuracy", "change by the map"],
    ["fit_seconds", "Fit, s", "median of the processor seconds"],
    ["datasets", "Data sets", "that its gain is over: those where it ran on every network"],
  ];
  const LARGE_FIRST = ["gain", "best", "accuracy_change"]; // at the first press
  const PERCENT = ["best", "failed", "ece", "ece_chance", "accuracy_change"];
  const SIGNS = { "-1": "−", 0: "", 1: "+" };
  const signed = (value, digits) => `${SIGNS[Math.sign(value)]}${Math.abs(value).toFixed(digits)}`;

  class ArenaBoard extends HTMLElement {
    connectedCallback() {
      if (!this.begun) withData(this, (data) => this.begin(data));
      this.begun = true;
    }
    begin(data) {
      this.data = data;
      this.order = ["gain", true]; // the column, and whether the largest comes first
      this.open = new Set();
      const { networks, sizes } = this.data;
      const controls = make("div", { class: "w-control" });
      const list = (text, values) => {
        const options = values.map((value) => make("option", { value }, value));
        const field = make("select", { id: newId() }, ...options);
        field.addEventListener("input", () => this.update());
        controls.append(make("span", { class: "w-field" }, make("label", { for: field.id }, text), field));
        return field;
      };
      this.networks = list("Networks", networks);
      this.size = list("Calibration samples", sizes);
      const save = make("button", { type: "button" }, "Save these cases as csv");
      save.addEventListener("click", () => setTimeout(() => this.save())); // the press is drawn first
      controls.append(save);
      this.status = make("p", { class: "w-status", "aria-live": "polite" });
      this.heads = BOARD.map(([name, title, says]) => {
        const button = make("button", { type: "button", title: says }, title);
        button.addEventListener("click", () => this.sort(name));
        return make("th", { scope: "col" }, button);
      });
      this.body = make("tbody");
      const head = make("thead", {}, make("tr", {}, ...this.heads));
      const scroll = make("div", { class: "w-scroll", tabindex: "0", role: "region", "aria-label": "Leaderboard" });
      scroll.append(make("table", {}, head, this.body));
      this.querySelector(".w-fallback").remove();
      const words = make(
        "p",
        { class: "w-words" },
        abbreviation("NLL"),
        ". ",
        abbreviation("ECE"),
        ". By chance: the ECE of a calibrated network. Gain and regret: in thousandths of a nat of NLL."
      );
      this.append(controls, this.status, scroll, words);
      this.update();
    }
    // The rows of the leaderboard as objects.
    get rows() {
      const { columns, rows, maps } = this.data;
      const chosen = rows[`${this.networks.value}|${this.size.value}`] || [];
      const named = (row) => Object.fromEntries(columns.map((name, i) => [name, row[i]]));
      return chosen.map((row) => ({ ...named(row), map: maps[row.at(-1)] }));
    }
    // The cases of a map, or of all maps, as objects; gain null where the map is out.
    cases(map) {
      const { settings, sizes, cases, maps, groups, domains } = this.data;
      const chosen = this.networks.value;
      const isLast = chosen === this.data.networks.at(-1); // the networks that other libraries' maps met
      const number = map && maps.indexOf(map);
      const fits = (setting) =>
        isLast || chosen === "all" || groups[setting[2]] === chosen || domains[setting[3]] === chosen;
      return cases.filter((row) => row.at(-1) === Number(isLast) && (!map || row[2] === number))
        .map(
          ([setting, size, m, gain, ece, chance, failed]) =>
            ({ setting: settings[setting], size: sizes[size], map: maps[m], gain, ece, chance, failed })
        )
        .filter((row) => fits(row.setting) && (this.size.value === "all" || this.size.value === row.size));
    }
    sort(name) {
      const [before, isDown] = this.order;
      this.order = [name, before === name ? !isDown : LARGE_FIRST.includes(name)];
      this.update();
    }
    update() {
      const [name, isDown] = this.order;
      const isLast = (row) => row[name] === null; // what has no value stands at the end, whatever the order
      const compare = (a, b) => Number(a[name] > b[name]) - Number(a[name] < b[name]);
      const order = (a, b) => isLast(a) - isLast(b) || (isDown ? -1 : 1) * compare(a, b);
      this.heads.forEach((head, i) => {
        if (BOARD[i][0] === name) head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      const rows = this.rows.sort(order);
      const chosen = `${this.networks.value}|${this.size.value}`;
      if (chosen !== this.chosen) {
        this.rowsOfMaps = new Map(); // rows on the screen, by map: sorting moves them
        this.bare = this.cases("none").length;
      }
      this.chosen = chosen;
      const datasets = Math.max(0, ...rows.map((row) => row.datasets));
      this.status.textContent = rows.length
        ? `${rows.length} maps, ${datasets} data sets, ${this.bare} cases without a map; in italics: maps of other ` +
          "libraries"
        : "No network has that many samples.";
      this.body.replaceChildren(...rows.flatMap((row) => this.rowsOfMaps.get(row.map) ?? this.makeRows(row)));
    }
    // The row of a map, and its cases below it where it is open.
    makeRows(row) {
      const open = this.open.has(row.map);
      const other = this.data.others.includes(this.data.maps.indexOf(row.map));
      const button = make(
        "button",
        { type: "button", class: other ? "w-other" : "", "aria-expanded": open },
        `${open ? "▾" : "▸"} ${row.map}`
      );
      button.addEventListener("click", () => {
        const opens = !this.open.delete(row.map);
        if (opens) this.open.add(row.map);
        set(button, { "aria-expanded": opens }).textContent = `${opens ? "▾" : "▸"} ${row.map}`;
        if (opens) trs[0].after((trs[1] = cases()));
        else trs.pop().remove();
      });
      const cells = BOARD.slice(1).map(([name]) => make("td", { "data-name": name }, this.text(name, row)));
      const trs = [make("tr", {}, make("th", { scope: "row" }, button), ...cells)];
      const cases = () => make("tr", {}, make("td", { colspan: BOARD.length }, this.casesOf(row.map)));
      if (open) trs.push(cases());
      this.rowsOfMaps.set(row.map, trs);
      return trs;
    }
    text(name, row) {
      if (row[name] === null) return "–";
      const endText = (end) => signed(end, Math.abs(end) < 100 ? 1 : 0);
      if (name === "low") return [row.low, row.high].map(endText).join(" to ");
      if (name === "gain") return signed(row.gain, 1);
      if (name === "accuracy_change") return `${signed(100 * row[name], 2)} %`;
      if (PERCENT.includes(name)) return percent(row[name], name.startsWith("ece") ? 2 : 1);
      return Number(row[name].toPrecision(name === "fit_seconds" ? 2 : 3)).toString();
    }
    casesOf(map) {
      const titles = ["Network", "Data set", "Samples", "Gain", "ECE", "By chance", ""];
      const head = make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title)));
      const cases = this.cases(map).sort((a, b) => b.gain - a.gain);
      const row = ({ setting, size, gain, ece, chance, failed }) => {
        const [first, second] = setting;
        const cells = [first, second, size, signed(gain, 1), percent(ece), percent(chance), failed ? "failed" : ""];
        return make("tr", {}, ...cells.map((cell) => make("td", {}, String(cell))));
      };
      const body = make("tbody", {}, ...cases.slice(0, 8).map(row));
      requestAnimationFrame(
        () => setTimeout(() => body.append(...cases.slice(8).map(row)))
      ); // once these are on the screen
      return make(
        "table",
        { class: "w-cases" },
        make("caption", {}, `Cases of ${map}, largest gain first`),
        make("thead", {}, head),
        body
      );
    }
    save() {
      const head = "network,dataset,classes,samples,map,gain_millinats,ece,ece_chance,failed";
      const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const lines = this.cases().map(({ setting, size, map, gain, ece, chance, failed }) => {
        const cells = [setting[0], setting[1], setting[4], size, map, gain, ece, chance, failed];
        return cells.map((cell) => quoted(String(cell))).join(",");
      });
      const link = make("a", { download: "arena-cases.csv" });
      link.href = URL.createObjectURL(new Blob([[head, ...lines].join("\n") + "\n"], { type: "text/csv" }));
      link.click();
      URL.revokeObjectURL(link.href);
    }
  }

  customElements.define("arena-board", ArenaBoard);
})();
