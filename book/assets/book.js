// What a page of the book does by itself: a function each, called in this order at the end.
(() => {
  // The address of a page below the root of the site, as marks and minutes are kept by it.
  const pageName = (address) => new URL(address, location).pathname.split("/").slice(-2).join("/");
  // What a reader has reached who read to the end.
  const end = document.querySelector("article.bd-article > section > :last-child");

  // The text of a button is its name.
  function nameButtonsByText() {
    for (const button of document.querySelectorAll(".search-button-field, .theme-switch-button")) {
      button.removeAttribute("aria-label");
    }
  }

  // The sidebar shows where the reader is, also after a jump.
  function scrollSidebarToPage() {
    const sidebar = document.querySelector(".bd-sidebar-primary");
    const entry = sidebar?.querySelector("li.active > a");
    const scrollToEntry = () => {
      const { top, bottom } = entry.getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) sidebar.scrollTop += top - innerHeight / 2;
    };
    if (entry) addEventListener("load", () => requestAnimationFrame(scrollToEntry));
  }

  // Tables wider than the text use the page's right third, where the theme makes room for them. They
  // are measured when they come near, which spares a layout of the page before it is shown.
  function widenTables() {
    const scrolling = "div.cell_output .text_html, filter-table, .pst-scrollable-table-container";
    const boxes = document.querySelectorAll(scrolling);
    const widen = (tables) => {
      for (const box of [...tables].filter((table) => table.scrollWidth > table.clientWidth + 1)) {
        (box.closest("div.cell") || box).classList.add("full-width");
      }
    };
    // On a phone a cell of sentences is wide enough to be read, and the table scrolls.
    boxes.forEach(
      (box) =>
        box.querySelectorAll("td").forEach((cell) => cell.classList.toggle("prose", cell.textContent.length > 60))
    );
    // What still goes on to the right fades there.
    const fade = (box) => box.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    boxes.forEach((box) => box.addEventListener("scroll", () => fade(box), { passive: true }));
    addEventListener("resize", () => boxes.forEach(fade));
    const nearing = new IntersectionObserver((entries) => {
      const near = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
      near.forEach((box) => nearing.unobserve(box));
      widen(near);
      near.forEach(fade);
    }, { rootMargin: "100% 0px" });
    boxes.forEach((box) => nearing.observe(box));
    addEventListener("beforeprint", () => widen(boxes));
  }

  // The theme lets the keyboard reach what scrolls sideways when a page opens or is resized; what
  // opens later needs it too.
  function announceOpened() {
    const opened = () => requestAnimationFrame(() => dispatchEvent(new Event("resize")));
    document.addEventListener("toggle", opened, true);
    document.addEventListener("click", (event) => event.target.closest(".admonition-title") && opened());
  }

  // A link to a name of the reference opens what is folded below it, or around it.
  function unfoldLinkedName() {
    const unfold = () => {
      const name = document.getElementById(location.hash.slice(1));
      const folds = [name?.closest("details"), name?.parentElement.querySelector(":scope > dd > details.described")];
      folds.filter(Boolean).forEach((fold) => (fold.open = true));
    };
    unfold();
    addEventListener("hashchange", unfold);
  }

  // A link to a place on the page is followed again while what stands above it still grows: for five
  // seconds, or until the reader moves.
  function followGrowingPage() {
    const target = document.getElementById(location.hash.slice(1));
    const growing = new ResizeObserver(() => target.scrollIntoView());
    const arrived = () => growing.disconnect();
    if (target) growing.observe(document.querySelector("article.bd-article") || document.body);
    ["wheel", "touchstart", "keydown", "pointerdown", "hashchange"].forEach(
      (move) => addEventListener(move, arrived, { passive: true, once: true })
    );
    setTimeout(arrived, 5000);
  }

  // The path of ten stops remembers, in this browser alone, which of them were read to their end.
  function markReadStops() {
    const stops = () => new Set(JSON.parse(localStorage.getItem("stops") || "[]"));
    const mark = () => {
      const links = document.querySelectorAll(".path li a");
      links.forEach((stop) => stop.classList.toggle("seen", stops().has(pageName(stop.href))));
    };
    try {
      mark();
      if (end) new IntersectionObserver(([{ isIntersecting }]) => {
        if (!isIntersecting) return;
        localStorage.setItem("stops", JSON.stringify([...stops().add(pageName(location))]));
        mark();
      }).observe(end);
    } catch { /* a browser that keeps nothing shows the path without marks */ }
  }

  // A word of the glossary opens its sentence where it stands. Without a script, or with another
  // button or key, its link leads to the glossary.
  function openMeanings() {
    let word = null;
    const meaning = document.createElement("span");
    meaning.className = "meaning";
    meaning.id = "meaning";
    meaning.setAttribute("role", "note");
    const closeMeaning = () => {
      word?.removeAttribute("aria-describedby");
      word?.setAttribute("aria-expanded", "false");
      meaning.remove();
      word = null;
    };
    const openMeaning = (link) => {
      const name = document.createElement("strong");
      name.textContent = link.textContent;
      const more = document.createElement("a");
      more.href = link.href;
      more.textContent = "Glossary";
      meaning.replaceChildren(name, `: ${link.dataset.term} `, more);
      word = link;
      word.setAttribute("aria-expanded", "true");
      word.setAttribute("aria-describedby", "meaning");
      word.after(meaning);
      meaning.style.left = "0px"; // below the word, but inside the text
      const text = word.closest("article").getBoundingClientRect();
      meaning.style.maxWidth = `${Math.min(text.width, 352)}px`;
      const place = word.getBoundingClientRect();
      const box = meaning.getBoundingClientRect();
      const left = Math.min(place.left, text.right - box.width);
      meaning.style.left = `${Math.max(left, text.left) - box.left}px`;
      meaning.style.top = `${parseFloat(getComputedStyle(meaning).top) + place.bottom + 6 - box.top}px`;
    };
    document.querySelectorAll("a[data-term]").forEach((link) => link.setAttribute("aria-expanded", "false"));
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[data-term]");
      const openWord = word;
      if (!event.target.closest?.(".meaning")) closeMeaning();
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (link !== openWord) openMeaning(link);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !word) return;
      const back = word;
      closeMeaning();
      back.focus();
    });
  }

  // How long this reader took, in this browser alone: minutes in which the page was seen and moved,
  // from its opening until its end was reached. They stand beside those that are counted.
  function measureMinutes() {
    const estimate = document.querySelector(".page-minutes");
    const took = () => JSON.parse(localStorage.getItem("minutes") || "{}");
    const sayTook = () => {
      const minutes = took()[pageName(location)];
      if (!estimate || !minutes) return;
      const words = estimate.querySelector(".took") || estimate.appendChild(document.createElement("span"));
      words.className = "took";
      words.textContent = `; you took ${minutes}`;
    };
    if (estimate) {
      let seconds = 0;
      let moved = Date.now();
      const move = () => {
        moved = Date.now();
      };
      const signs = ["scroll", "keydown", "pointermove", "pointerdown"];
      signs.forEach((sign) => addEventListener(sign, move, { passive: true }));
      const clock = setInterval(() => {
        if (!document.hidden && Date.now() - moved < 120000) seconds += 5; // else nobody reads
      }, 5000);
      try {
        sayTook();
        if (end) new IntersectionObserver(([{ isIntersecting }], observer) => {
          if (!isIntersecting || seconds < 60) return; // who jumps to the end has not read
          clearInterval(clock);
          observer.disconnect();
          const minutes = { ...took(), [pageName(location)]: Math.round(seconds / 60) };
          localStorage.setItem("minutes", JSON.stringify(minutes));
          sayTook();
        }).observe(end);
      } catch { /* a browser that keeps nothing measures nothing */ }
    }
  }

  nameButtonsByText();
  scrollSidebarToPage();
  widenTables();
  announceOpened();
  unfoldLinkedName();
  followGrowingPage();
  markReadStops();
  openMeanings();
  measureMinutes();
})();
