// Starts `hot2tf lsp` for YAML and JSON files. The server decides by their content which are Heat's.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";

import { LANGUAGES, serverOptions } from "./server";

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const program = vscode.workspace.getConfiguration("hot2tf").get<string>("path", "hot2tf");
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml,json,template,env,toml,sh}") },
  };
  client = new LanguageClient("hot2tf", "hot2tf", serverOptions(program), options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const words = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`${program} lsp does not start: ${words}. Set hot2tf.path, and install the extra lsp.`);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("hot2tf.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("hot2tf.path")) void restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}
