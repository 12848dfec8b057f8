// How the language server is started. It knows nothing of VS Code, so that a test without an editor starts it the same way.

import type { ServerOptions } from "vscode-languageclient/node";

export const LANGUAGES = ["yaml", "json"];

export function serverOptions(program: string): ServerOptions & { command: string; args: string[] } {
  return { command: program, args: ["lsp"] };
}
