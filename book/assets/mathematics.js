// MathJax comes when a formula is on the screen, or with the first sign of a reader. It sets what is
// near, one formula after the other, so that the page answers in between; `setMathematics()` sets all.
(() => {
  const NEAR = "150% 0px"; // what a reader may reach next
  const SIGNS = ["pointerdown", "pointermove", "keydown", "scroll"];
  const folder = new URL("mathjax/", document.currentScript.src).href;
  const pause = () => new Promise((done) => setTimeout(done));
  const waiting = new Set();
  let last = Promise.resolve();
  let started = false;

  const ready = new Promise((done) => {
    const loader = { load: ["core", "input/tex", "output/chtml", "a11y/assistive-mml"] };
    window.MathJax = { ...window.MathJax, loader, startup: { typeset: false, pageReady: done } };
  });

  function start() {
    if (started) return;
    started = true;
    const script = document.createElement("script");
    script.src = `${folder}startup.js`;
    document.head.append(script);
  }

  // An equation that scrolls sideways on a phone does so by keyboard too.
  const setAll = async (nodes) => {
    await MathJax.typesetPromise(nodes);
    const equations = 'mjx-container[display="true"]:not([tabindex])';
    document.querySelectorAll(equations).forEach((node) => (node.tabIndex = 0));
  };

  // What is on the screen is set at once, so that the text moves once.
  function takeNext() {
    const onScreen = [...waiting].filter((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    const nodes = onScreen.length ? onScreen : [...waiting].slice(0, 1);
    nodes.forEach((node) => waiting.delete(node));
    return nodes;
  }

  async function setWaiting() {
    await ready;
    for (; waiting.size; await pause()) await setAll(takeNext());
  }

  function queueNear(entries, observer) {
    const near = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
    if (!near.length) return;
    start();
    near.forEach((node) => (observer.unobserve(node), waiting.add(node)));
    last = last.then(setWaiting);
  }

  function watch(rootMargin) {
    const observer = new IntersectionObserver(queueNear, { rootMargin });
    document.querySelectorAll(".math").forEach((node) => observer.observe(node));
  }

  // A page whose formulas are all folded away needs nothing before one is opened.
  function begin() {
    const formulas = [...document.querySelectorAll(".math")];
    if (formulas.some((node) => node.checkVisibility?.({ visibilityProperty: true }) ?? true)) start();
  }

  let noticed = false;
  function notice() {
    if (noticed) return;
    noticed = true;
    begin();
    watch(NEAR);
  }

  window.setMathematics = () => {
    start();
    waiting.clear();
    return (last = last.then(() => ready).then(() => setAll()));
  };
  // A page may be printed without any sign of a reader: what sets the mathematics then is there, but not while the
  // page still loads.
  const idle = window.requestIdleCallback ?? ((act) => act());
  addEventListener("load", () => (watch("0px"), setTimeout(() => idle(begin), 5000)));
  addEventListener("beforeprint", () => window.MathJax?.typeset?.());
  SIGNS.forEach((sign) => addEventListener(sign, notice, { once: true, passive: true }));
})();
