// Buttons that run a page's cells in the page. Nothing is loaded before a click, and all of it from the site.
(() => {
  const PAGE = JSON.parse(document.getElementById("run-page").textContent);
  const HERE = document.currentScript.src.replace(/run\.js.*$/, "");
  const SITE = new URL(PAGE.root, location.href).href;
  const AWAY = location.protocol === "file:"
    ? "A page opened from a file cannot start Python: make serve shows the book at an address."
    : "";

  function element(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  // ---------------------------------------------------------------- the worker

  let worker;
  let count = 0;
  const waiting = new Map();

  function ask(task, rest, progress = () => {}) {
    const id = ++count;
    worker.postMessage({ id, task, ...rest });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject, progress }));
  }

  function receive({ data: { id, progress, done, failed } }) {
    const { resolve, reject, progress: say } = waiting.get(id);
    if (progress !== undefined) return say(progress);
    waiting.delete(id);
    return failed === undefined ? resolve(done) : reject(new Error(failed));
  }

  let ready;
  function prepare(say) {
    ready ??= (async () => {
      worker = new Worker(`${HERE}worker.js`, { type: "module" });
      worker.onmessage = receive;
      const started =
        new Promise((_, reject) => (worker.onerror = () => reject(new Error("the worker did not start"))));
      const answer = await fetch(`${SITE}_sources/${PAGE.name}.ipynb`);
      matchCells(await answer.json());
      const page = { site: `${SITE}python/`, page: PAGE, prelude: `${HERE}prelude.py` };
      await Promise.race([ask("prepare", page, say), started]);
      editors.forEach((pre) => pre.setAttribute("contenteditable", "plaintext-only"));
    })();
    ready.catch(() => (ready = undefined));
    return ready;
  }

  // ---------------------------------------------------------------- the page's cells and the notebook's

  const inputs = [...document.querySelectorAll("article div.cell_input")];
  const editors = [];
  const notebook = []; // {source, input: its place on the page, ran}

  const text = (cell) => [].concat(cell.source).join("");

  // Cells that the page does not show have no input on it; the others come in the same order.
  function matchCells(nodes) {
    const rest = [...inputs];
    let exercise;
    for (const cell of nodes.cells) {
      const source = text(cell);
      if (cell.cell_type === "markdown") {
        for (const [, start, label] of source.matchAll(/\{solution-(start|end)\} *(\S*)/g))
          exercise = start === "start" ? label : undefined;
      } else if (cell.cell_type === "code" && source) {
        const tags = cell.metadata.tags || [];
        const hidden = tags.includes("remove-cell") || tags.includes("remove-input");
        notebook.push({ source, exercise, input: hidden ? undefined : rest.shift(), ran: false });
      }
    }
    const visible = notebook.filter((cell) => cell.input);
    const isSame = (cell) => cell.input.querySelector("pre").textContent.trim() === cell.source.trim();
    if (rest.length || !visible.every(isSame)) throw new Error("the page and its notebook differ");
  }

  const sourceOf = (cell) => (cell.input ? cell.input.querySelector("pre").textContent : cell.source);

  async function runAbove(node, say) {
    const above = notebook.filter((cell) => !cell.ran && !cell.exercise);
    const before = above.filter(
      (cell) => notebook.slice(notebook.indexOf(cell)).some((later) => later.input && precedes(later.input, node))
    );
    for (const [i, cell] of before.entries()) {
      if (cell.input && !precedes(cell.input, node)) continue;
      say(`running cell ${i + 1} of ${before.length} above`);
      const { error } = await ask("run", { source: sourceOf(cell) });
      if (error) throw new Error(`a cell above failed\n${error}`);
      cell.ran = true;
    }
  }

  const precedes = (a, b) => a !== b && Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);

  // ---------------------------------------------------------------- buttons

  // Buttons below a cell, one for each action, with room for what comes of them.
  function addBar(input, pre, name, actions) {
    const status = element("span", { class: "run-status", role: "status" });
    const output = element("div", { class: "run-output", "aria-live": "polite" });
    const say = (words) => (status.textContent = words);
    const buttons = Object.entries(actions).map(([label, act]) => {
      const button = element("button", { type: "button" }, label);
      button.addEventListener("click", async () => {
        if (AWAY) return say(AWAY);
        try {
          await prepare(say);
          show(output, await act(say), say);
        } catch (error) {
          show(output, { outputs: [], error: error.message }, say);
        }
      });
      return button;
    });
    pre.setAttribute("aria-label", name);
    pre.setAttribute("role", "textbox");
    pre.setAttribute("aria-multiline", "true");
    if (pre.tabIndex < 0) pre.tabIndex = 0;
    editors.push(pre);
    input.append(element("div", { class: "run-bar" }, ...buttons, status), output);
    return { output, say };
  }

  function show(output, { outputs, error }, say) {
    output.replaceChildren(...outputs.map(([kind, value]) => {
      const node = element(kind === "html" ? "div" : "pre", {});
      if (kind === "html") node.innerHTML = value;
      else node.textContent = value;
      return node;
    }));
    if (error) output.append(element("pre", { class: "run-error" }, error));
    say(error ? "failed" : "ran here");
  }

  // ---------------------------------------------------------------- what is done, kept by this browser alone

  const exercises = [...document.querySelectorAll("article div.exercise[id]")];
  const storage = {
    read: () => JSON.parse(localStorage.getItem("exercises") || "[]"),
    write: (labels) => localStorage.setItem("exercises", JSON.stringify(labels)),
  };
  const boxes = new Map(); // by label
  const countLine = element("p", { class: "exercises-done", role: "status" });

  function showCount() {
    const done = [...boxes.values()].filter((box) => box.checked).length;
    countLine.textContent = `${done} of ${boxes.size} done. Only this browser remembers it.`;
  }

  function keep(label, checked) {
    const box = boxes.get(label);
    if (!box) return;
    box.checked = checked;
    try {
      const others = storage.read().filter((other) => other !== label);
      storage.write([...new Set(checked ? [...others, label] : others)]);
    } catch { /* a browser that keeps nothing: until the page is left */ }
    showCount();
  }

  function remembered() {
    try {
      return new Set(storage.read());
    } catch {
      return new Set();
    }
  }

  const before = remembered();
  for (const exercise of exercises) {
    const line = exercise.querySelector(".exercise-line");
    if (!line) continue;
    const box = element("input", { type: "checkbox" });
    box.checked = before.has(exercise.id);
    box.addEventListener("change", () => keep(exercise.id, box.checked));
    boxes.set(exercise.id, box);
    line.append(element("label", { class: "exercise-done" }, box, " done"));
  }
  if (boxes.size) {
    document.querySelector("#exercises > h2")?.after(countLine);
    showCount();
  }

  // ---------------------------------------------------------------- answers that are numbers, without Python

  // The 32-bit FNV-1a hash, as `book.show.exercises` has it.
  const mark = (text) => [...new TextEncoder().encode(text)].reduce(
    (all, byte) => Math.imul(all ^ byte, 16777619) >>> 0, 2166136261
  );

  // Whether a number has the three digits of the answer, or differs by one in the last.
  function agrees(label, name, value, marks) {
    const [mantissa, exponent] = value.toExponential(2).split("e").map(Number);
    const near =
      [-0.01, 0, 0.01].map((step) => Number(`${mantissa + step}e${exponent}`).toExponential(2).replace("+", ""));
    return near.some((digits) => mark(`${label}:${name}:${digits}`) === marks[name]);
  }

  // How many names a stub leaves open: only where all are numbers can the fields tell that it is done.
  const countOpen = (stub) => (stub.querySelector("pre").textContent.match(/\.\.\./g) || []).length;

  for (const [label, marks] of Object.entries(PAGE.numbers ?? {})) {
    const stub = document.getElementById(label)?.querySelector(".tag_stub .cell_input");
    const place = (name) => stub.textContent.indexOf(name);
    const right = new Set();
    const nOpen = stub ? countOpen(stub) : 0;
    for (const name of Object.keys(stub ? marks : {}).sort((a, b) => place(a) - place(b))) {
      const field =
        element("input", { type: "text", inputmode: "decimal", size: 10, "aria-label": `Your number: ${name}` });
      const status = element("span", { class: "run-status", role: "status" });
      field.addEventListener("change", () => {
        const value = Number(field.value.replace("−", "-").replace(",", ".") || NaN);
        const isRight = agrees(label, name, value, marks);
        const verdict = isRight ? "right" : "not yet (three digits are compared)";
        status.textContent = Number.isNaN(value) ? "a number, please" : verdict;
        right[isRight ? "add" : "delete"](name);
        if (right.size === nOpen) keep(label, true);
      });
      stub.append(element("div", { class: "run-bar run-field" }, element("code", {}, `${name} =`), field, status));
    }
  }

  if (!PAGE.python) return; // the rest needs it

  inputs.filter((input) => !input.closest(".tag_stub, .tag_check")).forEach((input, i) => {
    const pre = input.querySelector("pre");
    const runOne = async () => {
      const cell = notebook.find((known) => known.input === input);
      const result = await ask("run", { source: pre.textContent });
      cell.ran = !result.error;
      return result;
    };
    const runAll = async (say) => {
      await runAbove(input, say);
      return runOne();
    };
    addBar(input, pre, `Code cell ${i + 1}`, { Run: runOne, "Run all above and this": runAll });
  });

  // A stub is checked by the cell below it, on a click and while one writes.
  document.querySelectorAll("article .tag_stub .cell_input").forEach((input) => {
    const pre = input.querySelector("pre");
    const exercise = input.closest(".exercise");
    const test = exercise.querySelector(".tag_check .cell_input pre");
    const check = async (say) => {
      await runAbove(input, say);
      const answer = await ask("run", { source: pre.textContent });
      if (answer.error) return answer;
      const verdict = await ask("run", { source: test.textContent });
      if (verdict.outputs.some(([, value]) => String(value).trim() === "right")) keep(exercise.id, true);
      return verdict;
    };
    exercise.querySelector(".run-here")?.addEventListener("click", async (event) => {
      event.preventDefault();
      input.scrollIntoView({ block: "center" });
      if (AWAY) return say(AWAY);
      try {
        await prepare(say);
        say("change the cell, then press Check");
        pre.focus();
      } catch (error) {
        say(error.message);
      }
    });
    const { output, say } = addBar(input, pre, "Your answer", { Check: check });
    let pause;
    pre.addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(async () => show(output, await check(say), say), 800);
    });
  });
})();
