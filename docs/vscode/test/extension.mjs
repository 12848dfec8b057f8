// Runs the extension as it is packed, in an editor that has only what it needs, with the real server.
// node test/extension.mjs PROGRAM; after `npm run compile`. Prints what the editor saw, as JSON.

import { mkdtempSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "hot2tf-"));
const seen = { boxes: [], watchers: 0, codes: [] };
const listeners = {};
const commands = {};
const documents = [];
const settings = { path: "hot2tf-is-not-installed" };

// Whatever nobody asks about: each member is a class without effects.
const hollow = (known = {}) => new Proxy(known, { get: (of, name) => of[name] ?? (name === "then" ? undefined : class { dispose() {} }) });
const disposable = (end = () => {}) => ({ dispose: end });
const event = (name) => (listener) => ((listeners[name] ??= new Set()).add(listener), disposable(() => listeners[name].delete(listener)));
const no = () => disposable();
const registers = new Proxy({}, { get: () => no });
class Emitter {
  listeners = new Set();
  event = (listener) => (this.listeners.add(listener), disposable(() => this.listeners.delete(listener)));
  fire(value) { this.listeners.forEach((listener) => listener(value)); }
  dispose() {}
}
class Uri {
  constructor(text) { [this.text, this.scheme, this.fsPath] = [text, text.split(":")[0], decodeURIComponent(new URL(text).pathname)]; }
  static parse(text) { return new Uri(text); }
  static file(path) { return new Uri(pathToFileURL(path).href); }
  toString() { return this.text; }
}
const channel = hollow({ appendLine: no, append: no, show: no, dispose: no });
const vscode = hollow({
  version: "1.91.0",
  EventEmitter: Emitter,
  Uri,
  CodeActionKind: { Empty: { append: no } },
  CancellationTokenSource: class { token = { isCancellationRequested: false, onCancellationRequested: no }; cancel() {} dispose() {} },
  env: { appName: "test", language: "en" },
  extensions: { all: [], getExtension: () => undefined },
  commands: { registerCommand: (name, run) => ((commands[name] = run), disposable()) },
  window: {
    createOutputChannel: () => channel, onDidChangeActiveTextEditor: no, onDidChangeVisibleTextEditors: no, visibleTextEditors: [],
    tabGroups: { all: [], onDidChangeTabs: no, onDidChangeTabGroups: no },
    showErrorMessage: async (words) => void seen.boxes.push(words),
  },
  languages: new Proxy({
    match: (selector, document) => Number(selector.some((one) => one.language === document.languageId)),
    createDiagnosticCollection: () => ({ set: (_, list) => listeners.found?.forEach((done) => done(list)), delete: no, clear: no, dispose: no }),
  }, { get: (of, name) => of[name] ?? no }),
  workspace: new Proxy({
    workspaceFolders: [{ uri: new Uri(pathToFileURL(folder).href), name: "test" }],
    textDocuments: documents,
    notebookDocuments: [],
    getConfiguration: () => ({ get: (name) => settings[name], inspect: no }),
    createFileSystemWatcher: () => ((seen.watchers += 1), { onDidCreate: no, onDidChange: no, onDidDelete: no, dispose: () => void (seen.watchers -= 1) }),
  }, { get: (of, name) => of[name] ?? event(name) }),
});
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

function open(name, text) {
  const uri = new Uri(pathToFileURL(join(folder, name)).href);
  writeFileSync(join(folder, name), text);
  const document = { uri, fileName: uri.fsPath, languageId: "yaml", version: 1, isClosed: false, getText: () => text };
  documents.push(document);
  listeners.onDidOpenTextDocument?.forEach((listener) => listener(document));
}
const report = (step) => console.log(JSON.stringify({ step, boxes: seen.boxes.length > 0, watchers: seen.watchers, codes: seen.codes }));
const until = async (holds) => { while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50)); };
event("found")((list) => list.length && (seen.codes = list.map((one) => one.code?.value ?? one.code)));

const late = setTimeout(() => (report("late"), process.exit(3)), 60000);
const extension = createRequire(import.meta.url)("../out/extension.js");
extension.activate({ subscriptions: [] });
open("compose.yaml", "services:\n  web: {image: nginx}\n");
await new Promise((resolve) => setTimeout(resolve, 300));
report("no file of Heat");
open("stack.yaml", "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {nmae: a}}\n");
await until(() => seen.boxes.length);
report("not installed");
seen.boxes = [];
settings.path = process.argv[2];
for (const step of ["restarted", "restarted again"]) {
  seen.codes = [];
  await commands["hot2tf.restart"]();
  await until(() => seen.codes.length && seen.watchers);
  report(step);
}
await extension.deactivate();
report("stopped");
clearTimeout(late);
process.exit(0);
