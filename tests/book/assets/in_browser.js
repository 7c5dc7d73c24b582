// What the tests ask of a page. Each question returns the faults it finds, as short texts.
(() => {
  const brief = (node) => node.cloneNode(true).outerHTML.replace(/\s+/g, " ").slice(0, 140);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const frame = () => new Promise(requestAnimationFrame);
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  const THEMES = ["light", "dark"];
  const COLOURS = ["color-contrast", "link-in-text-block"]; // the rules of axe that go by the look
  const CLEAR = "rgba(0, 0, 0, 0)|none|none|1"; // the layer of an element that shows what is below

  function visibleTexts() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement;
      if (walker.currentNode.data.trim() && node.checkVisibility({ visibilityProperty: true })) found.push(node);
    }
    return found;
  }

  // A link within a text differs from its text; elsewhere it stands alone.
  function linked(node) {
    const link = node.closest("a[href]");
    const text = [...(link?.parentElement.childNodes ?? [])].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
    if (!text) return "";
    const { textDecorationLine, borderBottomStyle } = getComputedStyle(link);
    return [textDecorationLine, borderBottomStyle, getComputedStyle(link.parentElement).color].join();
  }

  // Mark an element for each look of a theme that is not known: colour, size and weight of the
  // letters, what they stand on, and of a link within a text how that looks. Return all that are
  // known then.
  function sampleLooks(theme, known) {
    const grounds = new Map();
    const seen = new Set(known);
    const ground = (node) => {
      if (!node) return "";
      if (!grounds.has(node)) {
        const { backgroundColor, backgroundImage, filter, opacity } = getComputedStyle(node);
        const layer = [backgroundColor, backgroundImage, filter, opacity].join("|");
        const below = ground(node.parentElement);
        grounds.set(node, layer === CLEAR ? below : `${layer}|${below}`);
      }
      return grounds.get(node);
    };
    all(`[data-${theme}]`).forEach((node) => delete node.dataset[theme]);
    for (const node of visibleTexts()) {
      const { color, fill, fontSize, fontWeight } = getComputedStyle(node);
      const look = [color, node.closest("svg") ? fill : "", fontSize, fontWeight, linked(node), ground(node)].join("|");
      if (!seen.has(look)) node.dataset[theme] = "";
      seen.add(look);
    }
    return [...seen];
  }

  // Empty what holds no sample: axe looks at all that is there.
  function leaveSamples() {
    const kept = new Set();
    for (let node of all("[data-light], [data-dark]")) {
      for (; node && !kept.has(node); node = node.parentElement) kept.add(node);
    }
    all("body *").filter((node) => !kept.has(node)).forEach((node) => node.replaceChildren());
  }

  async function axeFaults(options) {
    const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, ...options });
    const name = ({ impact, id }, node) => `${impact}: ${id}: ${node.target.join(" ")}: ${node.html.slice(0, 140)}`;
    return violations.flatMap((rule) => rule.nodes.slice(0, 3).map((node) => name(rule, node)));
  }

  const scrolls = (node) =>
    node && (getComputedStyle(node).overflowX !== "visible" || scrolls(node.parentElement.closest("article *")));

  window.ask = {
    // Wait for the mathematics and for what begins when it comes near; open what is folded, and let
    // the theme's scripts see it.
    async ready() {
      document.head.append(Object.assign(document.createElement("style"), { textContent: "section { content-visibility: visible !important }" }));
      dispatchEvent(new Event("beforeprint"));
      await window.setMathematics?.();
      all("article details").forEach((node) => (node.open = true));
      all("article button.toggle-button-hidden").forEach((node) => node.click());
      await wait(100);
      await frame();
      await frame();
      await Promise.race([Promise.all(document.getAnimations().map((one) => one.finished)), wait(3000)]);
    },
    // Leave one equation, one piece of code of each class, two of the rows, items and paragraphs of
    // each parent that are built alike, and two definitions of each kind: axe takes minutes to judge
    // them all. So too of the navigation around the article, unless that is to stay whole.
    thin(whole) {
      for (const node of all("*")) if (node.update) node.update = () => {}; // what is thinned is not drawn again
      all("mjx-container").slice(1).forEach((node) => node.replaceChildren("x"));
      const seen = new Set();
      for (const node of all("pre span")) {
        if (seen.has(node.className) && !node.children.length) node.replaceWith(node.textContent);
        seen.add(node.className);
      }
      all("pre").forEach((node) => node.normalize());
      // A definition of the reference is as long as its text: of these the class alone counts. Rows
      // of a styled table have their number in their classes.
      const named = (node) => (node.getAttribute("class") ?? "").replace(/\d+/g, "");
      const built = (node) => node.tagName === "DL" ? named(node) : `${node.tagName}.${named(node)}(${[...node.children].map(built)})`;
      const counts = new Map();
      const around = whole ? [] : all(".bd-sidebar li");
      for (const node of [...around, ...all("article :is(tr, li, p, dl.py, svg g, svg path, svg circle, svg rect, svg line)")]) {
        const place = node.tagName === "DL" ? document : node.parentElement;
        if (!counts.has(place)) counts.set(place, {});
        const count = counts.get(place);
        const kind = built(node);
        count[kind] = (count[kind] ?? 0) + 1;
        if (count[kind] > 2) node.remove();
      }
    },
    // The kinds of elements around the article, after those that are known.
    frame(known) {
      const kinds = all("body :not(article, article *)").map((node) => `${node.tagName}.${node.getAttribute("class")}`);
      return [...new Set([...known, ...kinds])];
    },
    // What axe finds, colours apart.
    async rules() {
      // After a change of size the theme looks what scrolls, and lets the keyboard go there: 300 ms
      // later where the machine is quiet. Without this wait axe would judge the page before it.
      const late = () => all("pre, .cell_output > .output").some((node) => node.tabIndex < 0 && node.scrollWidth > node.clientWidth);
      await wait(400);
      for (const end = performance.now() + 10_000; late() && performance.now() < end; ) await wait(50);
      axe.configure({ rules: [{ id: "label-content-name-mismatch", enabled: true }] });
      const apart = Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }]));
      return axeFaults({ rules: { ...apart, "target-size": { enabled: innerWidth < 768 } } });
    },
    // What axe finds of colours in the light and in the dark, in one text of each look that is new;
    // and the looks that are known then. If nothing else is asked of the page, only these texts stay.
    async colours(known, last) {
      const looks = {}, faults = {};
      const { dataset } = document.documentElement;
      for (const theme of THEMES) {
        dataset.theme = theme;
        looks[theme] = sampleLooks(theme, known[theme] ?? []);
      }
      if (last) leaveSamples();
      for (const theme of THEMES) {
        dataset.theme = theme;
        axe.configure({ rules: [{ id: "color-contrast", selector: `[data-${theme}]` }] });
        faults[theme] = document.querySelector(`body [data-${theme}]`) ? await axeFaults({ runOnly: COLOURS }) : [];
      }
      dataset.theme = "light";
      return [faults, looks];
    },
    headings() {
      const levels = all(":is(article, .bd-search-container) :is(h1, h2, h3, h4, h5, h6)").map((node) => Number(node.tagName[1]));
      const first = levels.filter((level) => level === 1).length;
      const skips = levels.filter((level, i) => i && level > levels[i - 1] + 1).map((level) => `a skipped level before h${level}`);
      return first === 1 ? skips : [`${first} first-level headings`, ...skips];
    },
    // A look that stays the same when the keyboard arrives; call after a key was pressed.
    focus() {
      const seen = new Set();
      const look = (node) => {
        const { outlineStyle, outlineWidth, boxShadow, backgroundColor, borderColor } = getComputedStyle(node);
        const outline = outlineStyle === "none" ? "" : outlineWidth;
        return [outline, boxShadow, backgroundColor, borderColor].join("|");
      };
      return all("a[href], button, input, select, summary, textarea, [tabindex]").filter((node) => {
        const kind = `${node.tagName} ${node.className} in ${node.parentElement.className}`;
        if (seen.has(kind) || node.disabled || node.tabIndex < 0) return false;
        if (!node.checkVisibility({ visibilityProperty: true })) return false;
        seen.add(kind);
        document.activeElement.blur();
        const before = look(node);
        node.focus({ preventScroll: true });
        return before === look(node);
      }).map(brief);
    },
    code: () =>
      all("article *")
        .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.checkVisibility())
        .filter((node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX))
        .map((node) => `${node.tagName} ${node.clientWidth} of ${node.scrollWidth} px: ${node.textContent.trim().slice(0, 80)}`),
    overflow() {
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= width) return [];
      const wide = all("article *").filter((node) => node.getBoundingClientRect().right > width + 1 && !scrolls(node));
      return [`${document.documentElement.scrollWidth} px wide`, ...wide.slice(0, 3).map(brief)];
    },
    // Text below 12 px, indices of mathematics apart.
    small: () => [...new Set(visibleTexts())].filter((node) => {
      if (node.closest("mjx-container, sub, sup")) return false;
      const { a, b } = node.closest("svg") ? node.getScreenCTM() : { a: 1, b: 0 };
      return parseFloat(getComputedStyle(node).fontSize) * Math.hypot(a, b) < 11.95;
    }).slice(0, 5).map(brief),
  };
})();
