// Starts `hot2tf lsp` when a file is open that may be one of Heat's. The server decides by their content which are.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { LANGUAGES, mayBeHeat, serverOptions } from "./server";

let client: LanguageClient | undefined;
let wanted = false; // whether a file of Heat has been open, or a person has asked for the server
let work: Promise<void> = Promise.resolve();

// The server itself registers the watchers of files that it needs, and the client drops them when it stops.
async function start(): Promise<void> {
  const { LanguageClient } = await import("vscode-languageclient/node");
  const program = vscode.workspace.getConfiguration("hot2tf").get<string>("path", "hot2tf");
  const documentSelector = LANGUAGES.map((language) => ({ scheme: "file", language }));
  const made = new LanguageClient("hot2tf", "hot2tf", serverOptions(program), { documentSelector });
  try {
    await made.start();
    client = made;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`${program} lsp does not start: ${words}. Set hot2tf.path, and install the extra lsp.`);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

function restart(): Promise<void> {
  wanted = true;
  return (work = work.then(stop).catch(() => undefined).then(start));
}

function look(document: vscode.TextDocument): void {
  if (!wanted && LANGUAGES.includes(document.languageId) && document.uri.scheme === "file" && mayBeHeat(document.getText())) void restart();
}

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand("hot2tf.restart", restart),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument((event) => look(event.document)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (wanted && event.affectsConfiguration("hot2tf.path")) void restart();
    }),
  );
  vscode.workspace.textDocuments.forEach(look);
}

export async function deactivate(): Promise<void> {
  await work.then(stop);
}
