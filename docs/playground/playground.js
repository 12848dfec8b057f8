// The page: what it holds (`state`), and what it shows of it. All texts are strangers' texts, and become text nodes.

import { splitLine } from "./colours.js";
import { Converter } from "./converter.js";
import { guessTemplate, pairsOfDrop, pairsOfInput, readFiles } from "./folder.js";
import { checkState, readFragment, writeFragment } from "./permalink.js";

const $ = (id) => document.getElementById(id);
const PAUSE = 120; // milliseconds without a key before a conversion
const LINE = 20; // pixels, as in playground.css
const LONG_LINK = 8000; // characters that some programs cut off
const LONGEST = 20000; // lines of a file that is shown
const SEVERITIES = ["error", "warning", "info"];

let build = null;
let converter = null;
let state = null; // files, template, environments, options, parameters, render
let active = ""; // the file in the editor
let shownFile = ""; // the file of the output
let result = { ok: false, files: {}, diagnostics: [], items: [], command: "", has_secrets: false };
let links = null;
let timer = 0;
let note = ""; // what the page warns of until the input changes

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const isText = (content) => typeof content === "string";
const say = (words) => ($("status").textContent = words);
function warn(words) {
  $("notice").hidden = !words;
  $("notice").textContent = words;
}

// ---- switches

function makeSwitch(row) {
  const change = (value) => {
    const plain = JSON.stringify(value) === JSON.stringify(row.default) || value === "";
    if (plain) delete state.options[row.name];
    else state.options[row.name] = value;
    convertSoon(0);
  };
  let control;
  if (row.kind === "choice") {
    control = element("select", {}, ...row.choices.map((choice) => element("option", { value: choice, textContent: choice })));
    control.onchange = () => change(control.value);
  } else if (row.kind === "flag") {
    control = element("input", { type: "checkbox" });
    control.onchange = () => change(control.checked);
  } else {
    control = element("input", { type: "text", size: 10, spellcheck: false, autocomplete: "off" });
    control.oninput = () => change(row.kind === "texts" ? control.value.split(/[\s,]+/).filter(Boolean) : control.value.trim());
  }
  control.dataset.option = row.name;
  return element("label", { title: row.help, "data-targets": row.targets.join(" ") }, `${row.flag} `, control);
}

function makeSwitches() {
  for (const name of build.switches.targets) $("target").append(element("option", { value: name, textContent: name }));
  $("target").onchange = () => {
    state.options.to = $("target").value;
    if (state.options.to === build.switches.default) delete state.options.to;
    showSwitches();
    convertSoon(0);
  };
  for (const row of build.switches.switches) $(row.first ? "switches" : "further").append(makeSwitch(row));
  for (const [name, title] of [["parameters", "--parameter"], ["render", "--render"]]) {
    const control = element("input", { type: "text", size: 18, placeholder: "name=value, …", spellcheck: false });
    control.dataset.map = name;
    control.onchange = () => {
      const pairs = control.value.split(",").map((pair) => pair.split("=")).filter((pair) => pair.length > 1);
      const map = Object.fromEntries(pairs.map(([key, ...value]) => [key.trim(), value.join("=").trim()]));
      state[name] = name === "render" && !pairs.length ? null : map;
      convertSoon(0);
    };
    $("further").append(element("label", { title: "Values, separated by commas" }, `${title} `, control));
  }
}

function showSwitches() {
  const to = state.options.to || build.switches.default;
  $("target").value = to;
  for (const label of document.querySelectorAll("[data-targets]")) {
    label.hidden = !label.dataset.targets.split(" ").includes(to);
    const control = label.querySelector("[data-option]");
    const row = build.switches.switches.find((one) => one.name === control.dataset.option);
    const value = state.options[row.name] ?? row.default;
    if (row.kind === "flag") control.checked = Boolean(value);
    else if (control !== document.activeElement) control.value = Array.isArray(value) ? value.join(" ") : (value ?? "");
  }
  for (const control of document.querySelectorAll("[data-map]")) {
    const map = state[control.dataset.map] || {};
    control.value = Object.entries(map).map(([key, value]) => `${key}=${isText(value) ? value : JSON.stringify(value)}`).join(", ");
  }
}

// ---- files on the left

function roleOf(name) {
  if (name === state.template) return "template";
  return state.environments.includes(name) ? "environment" : "file";
}

// A list of tabs that arrow keys go through.
function showTabs(where, names, chosen, note, open) {
  const focused = where.contains(document.activeElement);
  where.replaceChildren(
    ...names.map((name) => {
      const tab = element("button", { type: "button", role: "tab", "aria-selected": String(name === chosen), tabIndex: name === chosen ? 0 : -1 }, name);
      if (note(name)) tab.append(element("span", { className: "role", textContent: note(name) }));
      tab.onclick = () => open(name);
      tab.onkeydown = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        open(names[(names.indexOf(name) + step + names.length) % names.length]);
        where.querySelector("[aria-selected=true]").focus();
      };
      return tab;
    }),
  );
  const selected = where.querySelector("[aria-selected=true]");
  if (focused && selected) selected.focus();
}

function showInputs() {
  const names = Object.keys(state.files);
  if (!Object.hasOwn(state.files, active)) active = state.template;
  showTabs($("inputs"), names, active, (name) => ({ template: "template", environment: "environment" })[roleOf(name)] || "", openInput);
  $("name").value = active;
  $("role").value = roleOf(active);
  $("remove").disabled = names.length < 2;
}

function openInput(name) {
  active = name;
  showInputs();
  const content = state.files[name];
  $("text").value = isText(content) ? content : "";
  $("text").readOnly = !isText(content);
  $("text").placeholder = isText(content) ? "" : "This file is not text. It is used as it is.";
  $("editor").scrollTop = 0;
  showInputText();
}

function codeLine(line, number, name, items) {
  const code = element("code");
  for (const [kind, words] of splitLine(line, name)) code.append(kind ? element("span", { className: kind, textContent: words }) : words);
  const made = element("div", { className: items.length ? "line linked" : "line" }, element("span", { className: "number", textContent: number, "aria-hidden": "true" }), code);
  if (items.length) made.dataset.items = items.join(" ");
  return made;
}

// By line of a file, the numbers of the items that stand there.
function itemsByLine(places) {
  const lines = new Map();
  for (const [number, place] of places) {
    for (let line = place.first; line <= place.last; line += 1) {
      if (!lines.has(line)) lines.set(line, []);
      lines.get(line).push(number);
    }
  }
  return lines;
}

function showInputText() {
  const places = result.items.map((item, number) => [number, item.place]).filter(([, place]) => place.file === active);
  const items = itemsByLine(places);
  const worst = new Map();
  for (const one of result.diagnostics) {
    const old = worst.get(one.line);
    if (one.path === active && (!old || SEVERITIES.indexOf(one.severity) < SEVERITIES.indexOf(old))) worst.set(one.line, one.severity);
  }
  const lines = $("text").value.split("\n").slice(0, LONGEST);
  $("backdrop").replaceChildren(
    ...lines.map((line, index) => {
      const made = codeLine(line, index + 1, active, items.get(index + 1) || []);
      if (worst.has(index + 1)) made.lastChild.classList.add("wrong", worst.get(index + 1));
      return made;
    }),
  );
  linkSides();
}

// ---- the output on the right

// The order of the tabs: main.tf, other code, what is for people and programs, hidden files.
function rank(name) {
  if (name === "main.tf") return 0;
  if (name.startsWith(".")) return 4;
  return name.includes("/") ? 3 : name.endsWith(".tf") ? 1 : 2;
}

function showOutput(name) {
  const names = Object.keys(result.files).sort((a, b) => rank(a) - rank(b));
  shownFile = names.includes(name) ? name : names[0] || "";
  showTabs($("outputs"), names, shownFile, () => "", showOutput);
  const content = result.files[shownFile];
  const places = result.items.flatMap((item, number) => item.to.filter((place) => place.file === shownFile).map((place) => [number, place]));
  const items = itemsByLine(places);
  const text = isText(content) ? content : content ? "This file is not text. Download it." : "";
  const lines = text.split("\n").slice(0, LONGEST);
  let before = [];
  $("output").replaceChildren(
    ...(shownFile ? lines : []).map((line, index) => {
      const here = items.get(index + 1) || [];
      const made = codeLine(line, index + 1, shownFile, here);
      if (here.some((item) => !before.includes(item))) Object.assign(made, { tabIndex: 0, role: "button" });
      before = here;
      return made;
    }),
  );
  $("output").scrollTop = 0;
  for (const id of ["copy-file", "download"]) $(id).disabled = !shownFile;
  linkSides();
}

function linkSides() {
  const lines = document.querySelectorAll("#backdrop .line[data-items], #output .line[data-items]");
  links = linkLines([...lines], (line) => line.parentElement, showOther);
}

function describeItem(number) {
  const item = result.items[number];
  $("item").textContent = item ? `${item.kind} ${item.name}${item.about ? `: ${item.about}` : ""}` : "";
}

// Shows in the editor what a line of the output belongs to, and goes there if a key asked for it.
function showOther(line, byKey = false) {
  const number = Number(links.itemOf(line));
  describeItem(number);
  const { file, first } = result.items[number].place;
  goTo(file, first, byKey);
  const again = [...$("backdrop").querySelectorAll(".line[data-items]")].find((one) => one.dataset.items.split(" ").includes(String(number)));
  links.mark(again || null);
}

function goTo(file, line, focus = true) {
  if (!Object.hasOwn(state.files, file)) return;
  if (file !== active) openInput(file);
  $("editor").scrollTop = Math.max(0, (line - 5) * LINE);
  const before = $("text").value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  $("text").setSelectionRange(before, before);
  if (focus) $("text").focus({ preventScroll: true });
}

// Marks what belongs to a line of the editor. `scroll`: the output shows it, too, in another file if need be.
function markLine(number, scroll) {
  const line = $("backdrop").children[number - 1];
  if (!line || !line.dataset.items) {
    links.mark(null);
    describeItem(-1);
    return;
  }
  const item = links.itemOf(line);
  describeItem(Number(item));
  if (scroll) {
    const places = result.items[Number(item)].to;
    if (places.length && !places.some((place) => place.file === shownFile)) showOutput(places[0].file);
    const there = [...$("output").querySelectorAll(".line[data-items]")].find((one) => one.dataset.items.split(" ").includes(item));
    if (there) $("output").scrollTop = there.offsetTop - $("output").offsetTop - 3 * LINE;
  }
  links.mark($("backdrop").children[number - 1]);
}

const caretLine = () => $("text").value.slice(0, $("text").selectionStart).split("\n").length;

// ---- diagnostics

// The diagnostics stand below, or in place of the output if there is none.
function showDiagnostics() {
  const instead = !Object.keys(result.files).length;
  $("main").classList.toggle("refused", instead);
  $("output").hidden = instead;
  if (instead) $("right").append($("findings"));
  else $("command").after($("findings"));
  const sorted = [...result.diagnostics].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  $("none").hidden = sorted.length > 0;
  $("none").textContent = result.refused || "None.";
  $("diagnostics").replaceChildren(
    ...sorted.map((one) => {
      const summary = element("summary", {}, element("b", { textContent: `${one.severity} ${one.code}` }), " ");
      if (one.line && one.path) {
        const at = element("button", { type: "button", className: "at", textContent: `${one.path}:${one.line}` });
        at.onclick = (event) => {
          event.preventDefault();
          goTo(one.path, one.line);
        };
        summary.append(at, " ");
      }
      summary.append(one.message);
      const page = element("a", { href: `../diagnostics/${encodeURIComponent(one.code)}/`, textContent: `${one.code}, with examples` });
      const more = [element("p", { textContent: `${one.title}. ${one.why}` }), element("p", {}, page)];
      if (one.hint) more.unshift(element("p", {}, element("i", { textContent: one.hint })));
      return element("li", { className: one.severity }, element("details", {}, summary, ...more));
    }),
  );
}

// ---- conversions

// `data-state` of the page is busy until no conversion is under way or asked for.
function convertSoon(pause = PAUSE) {
  clearTimeout(timer);
  if (!converter) return;
  document.body.dataset.state = "busy";
  timer = setTimeout(convertNow, pause);
}

async function convertNow() {
  timer = 0;
  const request = { files: state.files, template: state.template, environments: state.environments, options: state.options, parameters: state.parameters, render: state.render };
  let done;
  try {
    done = await converter.convert(request);
  } catch (error) {
    say("Not converted.");
    warn(error.message);
    settle("failed");
    return;
  }
  if (done === null) return;
  const { answer, milliseconds, stopped } = done;
  warn(stopped ? "A pattern, a YAQL expression or a Jinja2 source took too long, and was left out here. The command below runs it within limits." : note);
  result = { ok: false, files: {}, diagnostics: [], items: [], command: result.command, has_secrets: result.has_secrets, ...answer };
  const counts = SEVERITIES.map((severity) => [severity, result.diagnostics.filter((one) => one.severity === severity).length]);
  const words = counts.filter(([, count]) => count).map(([severity, count]) => `${count} ${severity}${count > 1 ? "s" : ""}`);
  const files = Object.keys(result.files).length;
  say(`${result.ok ? `${files} file${files === 1 ? "" : "s"}` : "Not converted"}${words.length ? `; ${words.join(", ")}` : ""} (${Math.round(milliseconds)} ms).`);
  $("line").textContent = result.command;
  $("link").disabled = false;
  const top = $("output").scrollTop;
  const same = shownFile;
  showOutput(same || "main.tf");
  if (same === shownFile) $("output").scrollTop = top;
  showInputText();
  showDiagnostics();
  if (document.activeElement === $("text")) markLine(caretLine(), false);
  document.body.dataset.milliseconds = milliseconds;
  settle(result.ok ? "done" : "refused");
}

function settle(how) {
  if (!timer) document.body.dataset.state = how;
}

function take(newState) {
  state = { environments: [], options: {}, parameters: {}, render: null, ...newState };
  note = "";
  shownFile = "main.tf";
  showSwitches();
  openInput(state.template);
  convertSoon(0);
}

// ---- what the buttons do

async function copy(words, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(words);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => (button.textContent = label), 1500);
}

function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function rename(name) {
  const plain = name.trim().replace(/^\/+/, "");
  if (!plain || plain === active || Object.hasOwn(state.files, plain)) {
    showInputs();
    return;
  }
  const swap = (one) => (one === active ? plain : one);
  state.files = Object.fromEntries(Object.entries(state.files).map(([key, value]) => [swap(key), value]));
  state.template = swap(state.template);
  state.environments = state.environments.map(swap);
  active = plain;
  showInputs();
  convertSoon(0);
}

function setRole(role) {
  state.environments = state.environments.filter((name) => name !== active);
  if (role === "template") state.template = active;
  else if (role === "environment" && active !== state.template) state.environments.push(active);
  showInputs();
  convertSoon(0);
}

async function takeFiles(pairs) {
  const { files, skipped } = await readFiles(pairs);
  if (!Object.keys(files).length) {
    warn("There is no file in it that can be used.");
    return;
  }
  take({ files, template: guessTemplate(files), options: state.options });
  if (skipped) note = `${skipped} files are too large or too many for this page, and were left out.`;
}

function wire() {
  $("bar").onsubmit = (event) => event.preventDefault();
  $("example").onchange = () => {
    const example = build.examples.find((one) => one.title === $("example").value);
    if (example) take(structuredClone(example.state));
  };
  $("text").oninput = () => {
    state.files[active] = $("text").value;
    note = "";
    showInputText();
    convertSoon();
  };
  $("text").addEventListener("pointermove", (event) => markLine(Math.floor((event.clientY - $("text").getBoundingClientRect().top) / LINE) + 1, false));
  $("text").addEventListener("pointerleave", () => links.mark(null));
  $("text").addEventListener("click", () => markLine(caretLine(), true));
  $("text").addEventListener("keyup", (event) => {
    if (/^(Arrow|Page|Home|End)/.test(event.key)) markLine(caretLine(), true);
  });
  $("text").addEventListener("keydown", (event) => {
    if (event.key === "Escape") $("text").dataset.leaving = "yes";
    else if (event.key === "Tab" && !event.shiftKey && !$("text").dataset.leaving) {
      event.preventDefault();
      $("text").setRangeText("  ", $("text").selectionStart, $("text").selectionEnd, "end");
      $("text").oninput();
    } else delete $("text").dataset.leaving;
  });
  $("name").onchange = () => rename($("name").value);
  $("role").onchange = () => setRole($("role").value);
  $("add").onclick = () => {
    let number = 1;
    while (Object.hasOwn(state.files, `file${number}.yaml`)) number += 1;
    state.files[`file${number}.yaml`] = "";
    openInput(`file${number}.yaml`);
    $("name").select();
  };
  $("remove").onclick = () => {
    delete state.files[active];
    state.environments = state.environments.filter((name) => name !== active);
    if (active === state.template) state.template = guessTemplate(state.files);
    openInput(state.template);
    convertSoon(0);
  };
  $("open").onclick = () => $("folder").click();
  $("folder").onchange = () => takeFiles(pairsOfInput($("folder").files));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      $("left").classList.toggle("over", kind === "dragover");
      if (kind === "drop") pairsOfDrop(event.dataTransfer).then(takeFiles);
    });
  }
  $("copy-file").onclick = () => copy(result.files[shownFile], $("copy-file"));
  $("copy-command").onclick = () => copy(result.command, $("copy-command"));
  $("download").onclick = async () => save("out.zip", await converter.archive(), "application/zip");
  $("link").onclick = async () => {
    const fragment = await writeFragment(checkState(state));
    history.replaceState(null, "", fragment);
    await copy(location.href, $("link"));
    const words = result.has_secrets ? ["The link has the values of hidden parameters: whoever has it can read them."] : [];
    if (fragment.length > LONG_LINK) words.push(`The link has ${location.href.length.toLocaleString("en")} characters. Some programs cut long links off.`);
    if (words.length) warn(words.join(" "));
  };
  window.addEventListener("hashchange", async () => {
    const linked = await readFragment(location.hash);
    if (linked) take(linked);
  });
}

async function begin() {
  build = await (await fetch("build.json")).json();
  $("version").textContent = build.version;
  makeSwitches();
  for (const { title } of build.examples) $("example").append(element("option", { value: title, textContent: title }));
  const linked = await readFragment(location.hash);
  state = structuredClone(build.examples[0].state);
  wire();
  if (build.runtime) {
    converter = new Converter(build.runtime, Number(new URLSearchParams(location.search).get("patience")) || undefined);
    converter.start().catch((error) => {
      document.body.dataset.state = "failed";
      say("");
      warn(`Python did not start in this browser: ${error.message}`);
    });
  }
  take(linked || state);
  if (location.hash.length > 1 && !linked) note = "The link is damaged, so an example is shown.";
  if (!build.runtime) {
    document.body.dataset.state = "none";
    say("");
    warn("This copy of the site was built without the runtime, so nothing is converted here. See “How it works”.");
  } else {
    say(`Loading Python, ${build.runtime.megabytes} MB at the first visit…`);
  }
}

begin();
