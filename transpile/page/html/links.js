"use strict";
// Which lines belong together, for the page of --html and for the playground of the documentation. Texts are never made
// here; only classes and focus change.
// lines: elements with the numbers of their items in data-items. sideOf: the pane of a line. choose: what a click on a
// line does, or Enter.
function linkLines(lines, sideOf, choose) {
  const of = new Map(); // the lines of an item
  for (const line of lines) {
    for (const item of line.dataset.items.split(" ")) {
      if (!of.has(item)) of.set(item, []);
      of.get(item).push(line);
    }
  }
  let marked = [];

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
  const other = (line, item) => of.get(item).find((one) => sideOf(one) !== sideOf(line));

  for (const line of lines) {
    line.addEventListener("pointerenter", () => mark(line));
    line.addEventListener("focus", () => mark(line));
    line.addEventListener("click", () => choose(line));
    line.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(line, true);
      }
    });
  }
  return { of, itemOf, mark, other };
}
