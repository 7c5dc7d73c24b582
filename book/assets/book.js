// The theme lets the keyboard reach what scrolls sideways when a page opens or is resized; what
// opens later needs it too.
for (const button of document.querySelectorAll(".search-button-field, .theme-switch-button")) {
  button.removeAttribute("aria-label"); // its text is its name
}
const opened = () => requestAnimationFrame(() => dispatchEvent(new Event("resize")));
document.addEventListener("toggle", opened, true);
document.addEventListener("click", (event) => event.target.closest(".admonition-title") && opened());
