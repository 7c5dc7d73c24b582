// What somebody in the last row cannot read of the printed slides: letters too small, too little
// contrast, what stands over the edge.
() => {
  const LETTERS = 24, CONTRAST = 7.5; // px on a slide of 1280 by 720
  const light = ([r, g, b]) => {
    const linear = [r, g, b].map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const colour = (text) => text.match(/[\d.]+/g).map(Number);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const found = colour(getComputedStyle(e).backgroundColor);
      if (found.length === 3 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  const contrast = (element) => {
    const [a, b] = [colour(getComputedStyle(element).color), behind(element)].map(light);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const unseen = "aside.notes, script, style, mjx-assistive-mml, .slide-number-pdf, [role=group]";
  const pages = [...document.querySelectorAll(".pdf-page")];
  const height = Math.min(...pages.map((page) => page.getBoundingClientRect().height));
  return pages.flatMap((page, number) => {
    const frame = page.getBoundingClientRect();
    const bottom = frame.top + height; // a page that holds too much becomes two
    const shown = [...page.querySelectorAll("mjx-container, img")].filter((e) => !e.closest("[role=group]"));
    const letters = [...page.querySelectorAll("mjx-container")];
    const words = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      const element = words.currentNode.parentElement;
      if (words.currentNode.textContent.trim() && !element.closest(unseen)) letters.push(element);
    }
    const boxes = [...letters, ...shown].map((e) => e.getBoundingClientRect());
    const least = Math.min(...letters.map((e) => parseFloat(getComputedStyle(e).fontSize)));
    const faint = Math.min(...letters.map(contrast));
    const over = Math.max(frame.height - height, ...boxes.flatMap((b) =>
      [frame.left - b.left, frame.top - b.top, b.right - frame.right, b.bottom - bottom]));
    const found = [
      [least < LETTERS, `letters of ${least.toFixed()} px`],
      [faint < CONTRAST, `a contrast of ${faint.toFixed(1)}`],
      [over > 0, `something ${over.toFixed()} px over the edge`],
    ];
    const at = `slide ${number + 1}, ${page.querySelector("h1, h2").textContent}`;
    return found.filter(([wrong]) => wrong).map(([, what]) => `${at}: ${what}`);
  });
}
