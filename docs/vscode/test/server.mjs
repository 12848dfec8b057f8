// Starts the server as the extension does, opens a template with a mistake, and prints the codes of its diagnostics.
// node test/server.mjs [PROGRAM]; after `npm run compile`.

import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-jsonrpc/node");
const { serverOptions, LANGUAGES } = require("../out/server.js");

const text = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {nmae: a}}\n";
const folder = mkdtempSync(join(tmpdir(), "hot2tf-"));
const uri = pathToFileURL(join(folder, "stack.yaml")).href;
writeFileSync(join(folder, "stack.yaml"), text);
const { command, args } = serverOptions(process.argv[2] || "hot2tf");
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
const found = new Promise((resolve) => {
  connection.onNotification("textDocument/publishDiagnostics", (said) => said.diagnostics.length && resolve(said.diagnostics));
});
connection.listen();
const folders = [{ uri: pathToFileURL(folder).href, name: "test" }];
await connection.sendRequest("initialize", { processId: process.pid, rootUri: folders[0].uri, workspaceFolders: folders, capabilities: {} });
await connection.sendNotification("initialized", {});
await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: LANGUAGES[0], version: 1, text } });
const late = setTimeout(() => process.exit(3), 60000);
console.log((await found).map((one) => one.code).join(" "));
clearTimeout(late);
await connection.sendRequest("shutdown");
await connection.sendNotification("exit");
server.on("exit", (status) => process.exit(status ?? 0));
