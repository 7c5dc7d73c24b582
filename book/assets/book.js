for (const button of document.querySelectorAll(".search-button-field, .theme-switch-button")) {
  button.removeAttribute("aria-label"); // its text is its name
}

// The sidebar shows where the reader is, also after a jump.
const sidebar = document.querySelector(".bd-sidebar-primary");
const here = sidebar?.querySelector("li.active > a");
const beside = () => {
  const { top, bottom } = here.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) sidebar.scrollTop += top - innerHeight / 2;
};
if (here) addEventListener("load", () => requestAnimationFrame(beside));

// Tables wider than the text use the page's right third, where the theme makes room for them. They
// are measured when they come near, which spares a layout of the page before it is shown.
const boxes = document.querySelectorAll("div.cell_output .text_html, filter-table, .pst-scrollable-table-container");
const widen = (found) => {
  for (const box of [...found].filter((one) => one.scrollWidth > one.clientWidth + 1)) {
    (box.closest("div.cell") || box).classList.add("full-width");
  }
};
// On a phone a cell of sentences is wide enough to be read, and the table scrolls.
boxes.forEach((box) => box.querySelectorAll("td").forEach((cell) => cell.classList.toggle("prose", cell.textContent.length > 60)));
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

// The theme lets the keyboard reach what scrolls sideways when a page opens or is resized; what
// opens later needs it too.
const opened = () => requestAnimationFrame(() => dispatchEvent(new Event("resize")));
document.addEventListener("toggle", opened, true);
document.addEventListener("click", (event) => event.target.closest(".admonition-title") && opened());

// A link to a place on the page is followed again while what stands above it still grows: for five
// seconds, or until the reader moves.
const place = document.getElementById(location.hash.slice(1));
const growing = new ResizeObserver(() => place.scrollIntoView());
const arrived = () => growing.disconnect();
if (place) growing.observe(document.querySelector("article.bd-article") || document.body);
["wheel", "touchstart", "keydown", "pointerdown", "hashchange"].forEach((move) => addEventListener(move, arrived, { passive: true, once: true }));
setTimeout(arrived, 5000);

// The path of ten stops remembers, in this browser alone, which of them were read to their end.
const named = (address) => new URL(address, location).pathname.split("/").slice(-2).join("/");
const stops = () => new Set(JSON.parse(localStorage.getItem("stops") || "[]"));
const show = () => document.querySelectorAll(".path li a").forEach((stop) => stop.classList.toggle("seen", stops().has(named(stop.href))));
const end = document.querySelector("article.bd-article > section > :last-child");
try {
  show();
  if (end) new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    localStorage.setItem("stops", JSON.stringify([...stops().add(named(location))]));
    show();
  }).observe(end);
} catch { /* a browser that keeps nothing shows the path without marks */ }
