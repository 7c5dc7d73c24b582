for (const button of document.querySelectorAll(".search-button-field, .theme-switch-button")) {
  button.removeAttribute("aria-label"); // its text is its name
}

// Tables wider than the text use the page's right third, where the theme makes room for them.
const boxes = document.querySelectorAll("div.cell_output .text_html, filter-table, .pst-scrollable-table-container");
for (const box of [...boxes].filter((one) => one.scrollWidth > one.clientWidth + 1)) {
  (box.closest("div.cell") || box).classList.add("full-width");
}

// The theme lets the keyboard reach what scrolls sideways when a page opens or is resized; what
// opens later needs it too.
const opened = () => requestAnimationFrame(() => dispatchEvent(new Event("resize")));
document.addEventListener("toggle", opened, true);
document.addEventListener("click", (event) => event.target.closest(".admonition-title") && opened());
