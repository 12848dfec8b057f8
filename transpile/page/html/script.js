// The page of --html: what a chosen line shows.
(() => {
  const fates = document.getElementById("fates");
  let last = null; // the line that the focus goes back to

  const close = () => {
    fates.hidden = true;
    for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
    if (last) last.focus();
    last = null;
  };
  const choose = (line, byKey) => {
    const item = links.itemOf(line);
    for (const one of fates.querySelectorAll(".fate")) one.hidden = one.id !== `i${item}`;
    for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
    for (const one of links.of.get(item)) one.classList.add("chosen");
    fates.hidden = false;
    last = line;
    const there = links.other(line, item);
    if (there) there.scrollIntoView({ block: "center" });
    fates.scrollTop = 0;
    if (byKey) fates.focus();
  };
  const lines = [...document.querySelectorAll(".line[data-items]")];
  const links = linkLines(lines, (line) => line.closest(".pane"), choose);

  document.getElementById("close").addEventListener("click", close);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !fates.hidden) close();
  });
})();
