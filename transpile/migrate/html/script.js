"use strict";
// The table of stacks: sorts, filters, turns pages, and opens a stack. Text from templates is only ever set as text.

const parse = (element) => JSON.parse(element.textContent);
const byId = (id) => document.getElementById(id);
const HEAD = parse(byId("head"));
const DETAILS = document.querySelectorAll("script.one"); // read when a stack is opened
const SIZE = 50; // rows of a page
const PRINTED = 1000; // rows on paper
const EMBEDDED = 4; // the place of what stays in Heat among the treatments
const MARKS = [["error", "✕", "error"], ["warning", "▲", "warning"], ["info", "●", "note"]];
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const seen = (text) => text.replace(UNSEEN, "·");
let strings = null;

const STACKS = [...document.querySelectorAll("script.rows")].flatMap(parse).map((row, at) => {
  const [output, template, name, converted, treatments, dropped, [errors, warnings, notes], kept, codes, modules, edited, valid, folder] = row;
  return {
    at, output, template, name, converted, treatments, dropped, errors, warnings, notes, kept, codes, modules, edited, valid, folder,
    resources: treatments.reduce((a, b) => a + b, 0), embedded: treatments[EMBEDDED],
    words: `${output}\n${template}\n${name}`.toLowerCase(),
  };
});

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null).map((child) => (typeof child === "string" ? seen(child) : child)));
  return made;
}

const format = (n) => n.toLocaleString("en");
const zero = (n) => (n ? format(n) : element("span", { class: "zero" }, "0"));
const mark = (severity) => element("i", { class: `mark ${MARKS[severity][0]}`, title: MARKS[severity][2] }, MARKS[severity][1]);
const encoded = (path) => path.split("/").map((part) => encodeURIComponent(part.toWellFormed ? part.toWellFormed() : part)).join("/");

function link(start, path, ...text) { // `start` begins with a dot, so that no path can name another scheme
  return start && path ? element("a", { href: start + encoded(path), class: "path" }, ...text) : element("span", { class: "path" }, ...text);
}

// filters

const state = { column: "output", up: true, page: 0, reason: null };
const controls = Object.fromEntries(["text", "status", "heat", "type", "code", "module", "warnings"].map((n) => [n, byId(`f-${n}`)]));
const value = (name) => (controls[name] ? controls[name].value : "");

function options(name, found) {
  if (controls[name]) controls[name].append(...found.map(([key, text]) => element("option", { value: key }, text)));
}

const sorted = (found) => [...new Set(found)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
options("type", sorted(HEAD.reasons.map(([type]) => type)).map((type) => [type, type]));
options("code", sorted(HEAD.codes).map((code) => [code, code]));
options("module", HEAD.modules.map(([name]) => [name, name]));

function wanted() {
  const text = value("text").trim().toLowerCase().split(/\s+/).filter(Boolean);
  const reasons = new Set();
  HEAD.reasons.forEach(([type], i) => { if (type === value("type")) reasons.add(i); });
  const code = HEAD.codes.indexOf(value("code"));
  const module = HEAD.modules.findIndex(([name]) => name === value("module"));
  const { status, heat } = { status: value("status"), heat: value("heat") };
  return STACKS.filter((one) =>
    text.every((word) => one.words.includes(word))
    && (!status || (status === "refused" ? !one.valid : String(one.converted) === status))
    && (!heat || (one.converted && String(+(one.kept.length > 0)) === heat))
    && (!value("type") || one.kept.some(([reason]) => reasons.has(reason)))
    && (!value("code") || one.codes.some(([i]) => i === code))
    && (!value("module") || one.modules.includes(module))
    && (!controls.warnings.checked || one.warnings > 0)
    && (state.reason === null || one.kept.some(([reason]) => reason === state.reason)));
}

// columns: title, key to sort by, content

const keeping = (one) => {
  if (!one.kept.length) return "";
  const types = [...new Set(one.kept.map(([reason]) => HEAD.reasons[reason][0]))];
  return types[0] + (types.length > 1 ? ` and ${types.length - 1} more` : "");
};
const standing = (one) => (!one.converted ? ["no", "✕ failed"] : !one.valid ? ["no", "✕ not valid"] : one.kept.length ? ["heat", "◐ needs Heat"] : ["ok", HEAD.leaves ? "✓ no Heat" : "✓ converted"]);
const COLUMNS = [
  ["Status", "status", (one) => 3 * !one.converted + 2 * !one.valid + !!one.kept.length, (one) => element("span", { class: standing(one)[0] }, standing(one)[1])],
  ["Stack", "output", (one) => one.output, opener],
  ["Resources", "resources", (one) => one.resources, (one) => zero(one.resources)],
  ...(HEAD.leaves ? [
    ["In Heat", "embedded", (one) => one.embedded, (one) => zero(one.embedded)],
    ["Kept in Heat by", "kept", (one) => keeping(one), (one) => keeping(one)],
    ["Dropped", "dropped", (one) => one.dropped, (one) => zero(one.dropped)],
  ] : []),
  ["Modules", "modules", (one) => one.modules.length, (one) => zero(one.modules.length)],
  ["Errors", "errors", (one) => one.errors, (one) => zero(one.errors)],
  ["Warnings", "warnings", (one) => one.warnings, (one) => zero(one.warnings)],
];
const TEXTS = new Set(["status", "output", "kept"]);

function opener(one) {
  const cut = one.output.lastIndexOf("/") + 1;
  const parts = one.output.slice(0, cut).split(/(?<=[/_-])/).flatMap((part) => [part, element("wbr")]);
  const shown = [element("span", { class: "dim" }, ...parts), one.output.slice(cut), ...(one.name ? [` (${one.name})`] : [])];
  if (!DETAILS.length) return link(one.converted ? HEAD.destination : "", one.folder, ...shown);
  return element("button", { type: "button", class: "open path", "aria-expanded": "false", onclick: (event) => open(one, event.currentTarget) }, ...shown);
}

function head(plain) { // on paper, only a head without buttons is repeated on each page
  const row = document.querySelector("#table thead tr");
  row.replaceChildren(...COLUMNS.map(([title, name]) => {
    const arrow = state.column === name ? (state.up ? " ↑" : " ↓") : "";
    const turn = () => {
      state.up = state.column === name ? !state.up : TEXTS.has(name);
      Object.assign(state, { column: name, page: 0 });
      show();
      row.querySelector(`[data-column="${name}"]`).focus();
    };
    return element("th", { scope: "col", class: TEXTS.has(name) ? name : `${name} n`, "aria-sort": state.column !== name ? null : state.up ? "ascending" : "descending" },
      plain ? title + arrow : element("button", { type: "button", "data-column": name, onclick: turn }, title + arrow));
  }));
}

function show(all = false) {
  const found = wanted();
  const key = COLUMNS.find(([, name]) => name === state.column)[2];
  const way = state.up ? 1 : -1;
  const keys = new Map(found.map((one) => [one, key(one)]));
  found.sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    return x < y ? -way : x > y ? way : a.at - b.at;
  });
  const pages = Math.max(1, Math.ceil(found.length / SIZE));
  state.page = Math.min(state.page, pages - 1);
  const rows = all ? found.slice(0, PRINTED) : found.slice(state.page * SIZE, (state.page + 1) * SIZE);
  document.querySelector("#table tbody").replaceChildren(...rows.map((one) =>
    element("tr", { class: "stack" }, ...COLUMNS.map(([, name, , content]) => element("td", { class: TEXTS.has(name) ? name : `${name} n` }, content(one))))));
  head(all);
  const beyond = all && found.length > PRINTED ? `; the first ${format(PRINTED)} are printed, filter the page to print others` : "";
  byId("shown").textContent = `${format(found.length)} of ${format(STACKS.length)} stacks${beyond}`;
  byId("page").textContent = `${state.page + 1} / ${pages}`;
  byId("previous").disabled = state.page === 0;
  byId("next").disabled = state.page >= pages - 1;
  const chip = byId("chip");
  chip.hidden = state.reason === null;
  if (state.reason !== null) {
    const [type, , why] = HEAD.reasons[state.reason];
    chip.replaceChildren(seen(`Only stacks that this keeps in Heat: ${type}: ${why}. `),
      element("button", { type: "button", onclick: () => { state.reason = null; again(); } }, "Show all"));
  }
}

function again() {
  state.page = 0;
  show();
}

function clear() {
  for (const control of Object.values(controls)) if (control) { control.value = ""; control.checked = false; }
  state.reason = null;
}

function pick(kind, what) { // shows the stacks that something is about
  clear();
  if (kind === "reason") state.reason = Number(what);
  else controls[kind].value = what;
  again();
  byId("stacks").scrollIntoView();
  byId("stacks-title").setAttribute("tabindex", "-1");
  byId("stacks-title").focus({ preventScroll: true });
}

// a stack

function open(one, button) {
  const row = button.closest("tr");
  const shown = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!shown));
  if (shown) row.nextElementSibling.remove();
  else row.after(element("tr", { class: "details" }, element("td", { colspan: COLUMNS.length }, ...details(one))));
}

function table(titles, rows) {
  return element("table", {}, element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))),
    element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", { class: "long" }, cell))))));
}

function details(one) {
  strings ??= parse(byId("strings"));
  const [environments, why, resources, lost, said, more, edited, files, asks, verdicts] = parse(DETAILS[one.at]);
  const source = (path) => link(/^[a-z]+:\/\//i.test(path) ? "" : HEAD.source, path, path);
  const modules = one.modules.map((i) => HEAD.modules[i][0]);
  const commas = (found) => found.flatMap((item, i) => (i ? [", ", item] : [item]));
  const facts = [
    ["Template", [source(one.template)]],
    ["Environments", commas(environments.map(source))],
    ["Why so", [strings[why]]],
    ["Output", one.converted ? [link(HEAD.destination, one.folder, `${one.folder}/`)] : []],
    ["Files", commas(files.map((i) => link(one.converted ? HEAD.destination : "", `${one.folder}/${strings[i]}`, strings[i])))],
    ["Modules", commas(modules.map((name) => link(HEAD.destination, `${HEAD.folder}/${name}`, name)))],
    ["Terraform asks for", [asks.join(", ")]],
    ...verdicts.map(([tool, valid, messages]) => [tool, [[valid ? "valid" : "not valid", ...messages].join("; ")]]),
    ["Edited by hand", [edited.join(", ")]],
  ].filter(([, what]) => what.length && what[0] !== "");
  const out = [element("dl", {}, ...facts.flatMap(([title, what]) => [element("dt", {}, title), element("dd", {}, ...what)]))];
  const left = (n) => (n ? element("p", { class: "note" }, `${format(n)} more are in the report in JSON.`) : null);
  const part = (title, content, n) => out.push(element("h4", {}, title), content, ...[left(n)].filter(Boolean));
  const inside = (i) => (strings[i] === one.template ? "" : strings[i]);
  const kinds = [EMBEDDED, 0, 1, 3, 2];
  for (const kind of kinds) {
    const found = resources.filter((resource) => resource[4] === kind);
    if (!found.length) continue;
    const nested = found.some(([template]) => inside(template));
    const noted = found.some(([, , , , , , reason]) => strings[reason]);
    const titles = ["Resource", "Type", ...(kind === EMBEDDED ? [] : ["Became"]), ...(noted ? ["Why"] : []), ...(nested ? ["In the nested template"] : [])];
    part(`${HEAD.leaves ? HEAD.treatments[kind].replace(/^./, (c) => c.toUpperCase()) : "Converted"} (${found.length})`,
      table(titles, found.map(([template, name, type, line, , addresses, reason]) => [
        name + (line ? `, line ${line}` : addresses), element("code", {}, strings[type]), ...(kind === EMBEDDED ? [] : [element("code", {}, addresses)]), ...(noted ? [strings[reason]] : []), ...(nested ? [inside(template)] : []),
      ])));
  }
  if (more[0]) out.push(left(more[0]));
  if (lost.length) {
    part(`Dropped (${lost.length})`, table(["What", "Why", "Template"], lost.map(([template, what, reason]) => [element("code", {}, what), strings[reason], strings[template]])), more[1]);
  }
  if (said.length) {
    part(`Diagnostics (${said.length})`, element("ul", { class: "said" }, ...said.map(([severity, code, message, file, line, column, hint]) =>
      element("li", {}, mark(severity), element("b", {}, code), ` ${message} `,
        strings[file] ? element("small", {}, source(strings[file]), line ? `:${line}:${column}` : "", " ") : null,
        strings[hint] ? element("small", {}, strings[hint]) : null))), more[2]);
  }
  return out;
}

// the page

// a text field says "change" when it is left, perhaps for a button in the table, which must not be replaced then
for (const control of Object.values(controls)) if (control) control.addEventListener(control === controls.text ? "input" : "change", again);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("f-clear").addEventListener("click", () => { clear(); again(); });
byId("previous").addEventListener("click", () => { state.page -= 1; show(); });
byId("next").addEventListener("click", () => { state.page += 1; show(); });
document.addEventListener("click", (event) => {
  const button = event.target.closest("button.pick");
  if (button) pick(button.dataset.kind, button.dataset.value);
});
for (const ranked of document.querySelectorAll("table.ranked")) {
  const more = ranked.querySelectorAll("tr.more").length;
  if (!more) continue;
  ranked.classList.add("short");
  const button = element("button", { type: "button", class: "expand", onclick: () => {
    button.textContent = ranked.classList.toggle("short") ? `Show ${format(more)} more` : "Show fewer";
  } }, `Show ${format(more)} more`);
  ranked.after(button);
}
window.addEventListener("beforeprint", () => show(true));
window.addEventListener("afterprint", () => show());
show();
