// Draws who uses which module: stacks on the left, or their directories when there are many, and modules on the right.

const LEFT = 24, RIGHT = 24; // nodes of each side
const ALIKE = 4; // so many stacks of one directory that use the same modules are one node
const STEP = 30, BOX = 22, WIDE = 380, GAP = 230, NARROW = 280, ARCS = 90, CHARACTER = 7.5;

function shape(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map((child) => (typeof child === "string" ? seen(child) : child)));
  return made;
}

const clipped = (text, width) => {
  const room = Math.floor(width / CHARACTER);
  return text.length <= room ? text : `…${text.slice(text.length - room + 1)}`;
};

function split(parts, stacks) { // a directory into what is in it
  const groups = new Map();
  for (const one of stacks) {
    const name = one.output.split("/").slice(0, parts + 1).join("/");
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(one);
  }
  return [...groups].map(([name, found]) => ({ name, stacks: found, parts: parts + 1 }));
}

function grouped(stacks) { // the largest directory is split until there would be too many
  let groups = split(0, stacks).sort((a, b) => b.stacks.length - a.stacks.length);
  if (groups.length > LEFT) {
    const rest = groups.slice(LEFT - 1);
    groups = [...groups.slice(0, LEFT - 1), { name: "", stacks: rest.flatMap((group) => group.stacks), others: rest.length }];
  }
  for (const done = new Set(); ;) {
    const largest = groups.filter((group) => group.name && group.stacks.length > 1 && !done.has(group)).sort((a, b) => b.stacks.length - a.stacks.length)[0];
    if (!largest) return groups;
    const inner = split(largest.parts, largest.stacks);
    const alike = largest.stacks.length >= ALIKE && new Set(largest.stacks.map((one) => direct(one).join())).size === 1;
    if (!(alike && inner.length > 1) && groups.length - 1 + inner.length <= LEFT) groups = groups.flatMap((group) => (group === largest ? inner : [group]));
    else done.add(largest);
  }
}

function direct(one) { // the modules of a stack without those that its other modules call
  const called = new Set(one.modules.flatMap((i) => HEAD.modules[i][2]));
  const found = one.modules.filter((i) => !called.has(i));
  return found.length ? found : one.modules;
}

function draw() {
  const chosen = byId("g-module").value;
  const only = chosen === "" ? null : Number(chosen);
  const number = new Map();
  for (const one of STACKS) for (const i of one.modules) number.set(i, (number.get(i) ?? 0) + 1);
  let modules;
  if (only === null) modules = [...number.keys()].sort((a, b) => number.get(b) - number.get(a) || a - b).slice(0, RIGHT);
  else modules = [only, ...HEAD.modules[only][2], ...HEAD.modules.flatMap(([, , calls], i) => (calls.includes(only) ? [i] : []))].slice(0, RIGHT);
  modules = [...new Set(modules)];
  const shown = new Set(modules);
  const users = STACKS.filter((one) => (only === null ? one.modules.some((i) => shown.has(i)) : one.modules.includes(only)));
  const groups = users.length ? grouped(users) : [];
  const uses = groups.map(({ stacks }) => {
    const found = new Map();
    for (const one of stacks) for (const i of direct(one)) if (shown.has(i)) found.set(i, (found.get(i) ?? 0) + 1);
    return found;
  });
  // each side in the order of the middle of what it is connected with, so that few lines cross
  let left = groups.map((_, i) => i);
  for (let round = 0; round < 6; round += 1) {
    const at = new Map(modules.map((m, i) => [m, i]));
    const middle = (i) => { const all = [...uses[i].keys()].map((m) => at.get(m)); return all.length ? all.reduce((a, b) => a + b, 0) / all.length : 0; };
    left.sort((a, b) => middle(a) - middle(b) || a - b);
    const place = new Map(left.map((g, i) => [g, i]));
    const centre = (m) => { const all = left.filter((g) => uses[g].has(m)).map((g) => place.get(g)); return all.length ? all.reduce((a, b) => a + b, 0) / all.length : 1e9; };
    modules.sort((a, b) => centre(a) - centre(b) || a - b);
  }
  const height = Math.max(left.length, modules.length, 1) * STEP + 30;
  const width = WIDE + GAP + NARROW + ARCS;
  const y = (i, n) => 30 + (i + 0.5) * ((height - 30) / n);
  const drawing = byId("drawing");
  const edges = [], nodes = [];
  const light = (test) => () => {
    drawing.classList.add("lit");
    for (const edge of edges) edge.made.classList.toggle("on", test(edge));
  };
  const dark = () => drawing.classList.remove("lit");
  const node = (x, at, wide, text, title, kind, test, act) => {
    const made = shape("g", { class: `node ${kind}`, tabindex: 0, role: act ? "button" : "img", "aria-label": seen(title) },
      shape("title", {}, title), shape("rect", { class: "box", x, y: at - BOX / 2, width: wide, height: BOX, rx: kind === "module" ? 11 : 3 }),
      shape("text", { x: x + 10, y: at + 4.5 }, clipped(text, wide - 20)));
    for (const name of ["mouseenter", "focus"]) made.addEventListener(name, light(test));
    for (const name of ["mouseleave", "blur"]) made.addEventListener(name, dark);
    if (act) {
      made.addEventListener("click", act);
      made.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); } });
    }
    nodes.push(made);
  };
  const row = new Map(modules.map((m, i) => [m, y(i, modules.length)]));
  left.forEach((g, i) => {
    const at = y(i, left.length);
    for (const [m, n] of uses[g]) {
      const [x1, x2, to] = [WIDE, WIDE + GAP, row.get(m)];
      const made = shape("path", { class: "edge", "stroke-width": Math.min(9, 1.2 + Math.log2(n)), d: `M${x1} ${at}C${x1 + GAP / 2} ${at} ${x2 - GAP / 2} ${to} ${x2} ${to}` });
      edges.push({ made, g, from: null, m });
    }
    const { name, stacks, others } = groups[g];
    const single = stacks.length === 1;
    const title = others ? `${others} more directories` : single ? stacks[0].output : `${name}/`;
    const text = single ? title : `${title} · ${format(stacks.length)} stacks`;
    node(0.75, at, WIDE - 1, text, text, "group", (edge) => edge.g === g,
      () => { clear(); controls.text.value = others ? "" : title; again(); byId("stacks").scrollIntoView(); });
  });
  for (const m of modules) {
    for (const other of HEAD.modules[m][2]) {
      if (!row.has(other)) continue;
      const [x, from, to] = [WIDE + GAP + NARROW, row.get(m), row.get(other)];
      const out = Math.min(ARCS * 1.2, 25 + Math.abs(to - from) / 3);
      edges.push({ made: shape("path", { class: "call", "stroke-width": 1.5, d: `M${x} ${from}C${x + out} ${from} ${x + out} ${to} ${x} ${to}` }), g: null, from: m, m: other });
    }
    const n = number.get(m) ?? 0;
    node(WIDE + GAP, row.get(m), NARROW, `${HEAD.modules[m][0]} · ${format(n)}`, `${HEAD.modules[m][0]} (${HEAD.modules[m][1]}): ${n} stacks`, "module",
      (edge) => edge.m === m || edge.from === m, () => { byId("g-module").value = only === m ? "" : String(m); draw(); });
  }
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawing.setAttribute("width", width);
  drawing.setAttribute("height", height);
  drawing.replaceChildren(
    shape("text", { class: "soft", x: 0, y: 14 }, groups.some(({ stacks }) => stacks.length > 1) ? "Stacks, by directory" : "Stacks"),
    shape("text", { class: "soft", x: WIDE + GAP, y: 14 }, "Modules, with the number of their stacks"),
    ...edges.map((edge) => edge.made), ...nodes);
  const some = modules.length < HEAD.modules.length && only === null ? `These are ${modules.length} of ${format(HEAD.modules.length)} modules; choose another one above. ` : "";
  const calls = edges.some((edge) => edge.from !== null) ? "Dashed lines: a module that calls another one. " : "";
  byId("g-note").textContent = `${some}${calls}A module chosen in the drawing is shown alone; a stack is shown in the table.`;
}

if (byId("g-module")) {
  byId("g-module").append(...HEAD.modules.map(([name, template], i) => element("option", { value: i }, template ? `${name} (${template})` : name)));
  byId("g-module").addEventListener("change", draw);
  draw();
}
