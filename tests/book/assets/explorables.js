// Visits the states of an interactive figure and says what is wrong in each, as short texts.
(() => {
  const SCREENS = { wide: 640, narrow: 1.6 * 844 };
  const frame = () => new Promise(requestAnimationFrame);
  const parts = (box) => [box.left, box.right, box.top, box.bottom];

  function overlaps(texts) {
    const boxes = texts.map((text) => [text.textContent, parts(text.getBoundingClientRect())]);
    const shared = ([a, b, c, d], [e, f, g, h]) => Math.min(Math.min(b, f) - Math.max(a, e), Math.min(d, h) - Math.max(c, g) - 3);
    return boxes.flatMap(([one, box], i) => boxes.slice(i + 1).filter(([, other]) => shared(box, other) > 1).map(([two]) => `“${one}” over “${two}”`));
  }

  function clipped(svg) {
    const [left, right, top, bottom] = parts(svg.getBoundingClientRect());
    const outside = ([a, b, c, d]) => a < left - 1 || b > right + 1 || c < top - 1 || d > bottom + 1;
    return [...svg.querySelectorAll("text")].filter((text) => outside(parts(text.getBoundingClientRect()))).map((text) => `“${text.textContent}” clipped`);
  }

  // Faults of a figure as it is now.
  function faults(node) {
    const shown = [...node.querySelectorAll("svg.w-plot")].filter((svg) => svg.checkVisibility());
    const size = (svg) => (parseFloat(getComputedStyle(svg).fontSize) * svg.getBoundingClientRect().width) / svg.viewBox.baseVal.width;
    const found = shown.flatMap((svg) => [...clipped(svg), ...overlaps([...svg.querySelectorAll("text")].filter((text) => text.checkVisibility({ visibilityProperty: true })))]);
    const sizes = shown.map((svg) => [size(svg), svg.getBoundingClientRect().width, svg.getBoundingClientRect().height].map(Math.round).join());
    if (new Set(sizes).size > 1) found.push(`panels of several sizes: ${sizes.join(" ")}`);
    if (shown.some((svg) => size(svg) < 11.95)) found.push("letters below 12 px");
    const told = [...node.children].filter((child) => !child.matches("script, table")).map((child) => child.outerHTML);
    const table = node.matches("filter-table"); // its rows come and go with the same text: read once
    const text = !table ? node.innerText : node.wasRead ? "" : node.textContent;
    const odd = /[^"<>]{0,30}\b(NaN|undefined|Infinity)\b/.exec(told.join() + text);
    node.wasRead = true;
    if (odd) found.push(odd[0]);
    const limit = SCREENS[innerWidth > 1000 ? "wide" : "narrow"];
    const { height } = node.getBoundingClientRect();
    if (node.panels && height > limit) found.push(`${Math.round(height)} px high`);
    if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX === "visible") found.push("wider than its place");
    return found;
  }

  const set = (control, value) => {
    control.value = value;
    control.dispatchEvent(new Event("input", { bubbles: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  };

  // Every option of every list (of a table, which does the same for each, four), both ends and the
  // middle of every slider, every button; how many states these were, and what is wrong in any.
  window.everyState = async (node) => {
    const wrong = new Set();
    let states = 0;
    const look = async (what) => {
      await frame();
      states += 1;
      faults(node).forEach((fault) => wrong.add(`${what}: ${fault}`));
    };
    await look("at first");
    for (const list of node.querySelectorAll("select")) {
      const first = list.value;
      for (const option of [...list.options].slice(0, node.matches("filter-table") ? 4 : Infinity)) {
        set(list, option.value);
        await look(`${list.labels[0].textContent} ${option.textContent}`);
      }
      set(list, first);
    }
    for (const slider of node.querySelectorAll("input[type=range]")) {
      const [first, low, high] = [slider.value, Number(slider.min), Number(slider.max)];
      for (const value of [low, (low + high) / 2, high]) {
        set(slider, value);
        await look(`${slider.labels[0].textContent} ${slider.value}`);
      }
      set(slider, first);
    }
    const pressed = new Set();
    const name = (button) => button.ariaLabel || button.textContent;
    for (let button; (button = [...node.querySelectorAll("button")].find((one) => !pressed.has(name(one)) && one.checkVisibility())); ) {
      pressed.add(name(button));
      button.click();
      await look(`after “${name(button).slice(0, 30)}”`);
    }
    return [states, [...wrong]];
  };
  window.faultsOf = faults;
})();
