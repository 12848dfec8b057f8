"use strict";
// Marks what belongs together. Texts are never made here; only classes, focus and `hidden` change.
(() => {
  const lines = [...document.querySelectorAll(".line[data-items]")];
  const fates = document.getElementById("fates");
  const of = new Map(); // the lines of an item
  for (const line of lines) {
    for (const item of line.dataset.items.split(" ")) {
      if (!of.has(item)) of.set(item, []);
      of.get(item).push(line);
    }
  }
  let marked = [];
  let last = null; // the line that the focus goes back to

  const items = (line) => line.dataset.items.split(" ");
  const itemOf = (line) => {
    // the one that takes the fewest lines is what is meant
    const own = items(line);
    return own.reduce((best, one) => (of.get(one).length < of.get(best).length ? one : best));
  };
  const mark = (line) => {
    for (const one of marked) one.classList.remove("on");
    marked = line ? items(line).length > 3 ? of.get(itemOf(line)) : items(line).flatMap((item) => of.get(item)) : [];
    for (const one of marked) one.classList.add("on");
  };
  const other = (line, item) => {
    const here = line.closest(".pane");
    return of.get(item).find((one) => one.closest(".pane") !== here);
  };
  const close = () => {
    fates.hidden = true;
    for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
    if (last) last.focus();
    last = null;
  };
  const choose = (line) => {
    const item = itemOf(line);
    for (const one of fates.querySelectorAll(".fate")) one.hidden = one.id !== `i${item}`;
    for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
    for (const one of of.get(item)) one.classList.add("chosen");
    fates.hidden = false;
    last = line;
    const there = other(line, item);
    if (there) there.scrollIntoView({ block: "center" });
    fates.scrollTop = 0;
  };

  for (const line of lines) {
    line.addEventListener("pointerenter", () => mark(line));
    line.addEventListener("focus", () => mark(line));
    line.addEventListener("click", () => choose(line));
    line.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(line);
        fates.focus();
      }
    });
  }
  document.getElementById("close").addEventListener("click", close);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !fates.hidden) close();
  });
})();
