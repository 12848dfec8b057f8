// How the language server is started, and for which texts. It knows nothing of VS Code, so that a test needs no editor.

import type { ServerOptions } from "vscode-languageclient/node";

export const LANGUAGES = ["yaml", "json"];

// Keys at the top level, as in transpile/front/kinds.py: one that only Heat has, or nothing but sections of environments.
const OWN = new Set([
  "heat_template_version", "HeatTemplateFormatVersion", "AWSTemplateFormatVersion", "homing_template_version",
  "parameter_defaults", "resource_registry", "parameter_merge_strategies", "encrypted_param_names", "event_sinks",
]);
const SECTIONS = new Set([...OWN, "parameters", "requires"]);
const LONGEST = 1 << 16; // characters that are looked at

export function serverOptions(program: string): ServerOptions & { command: string; args: string[] } {
  return { command: program, args: ["lsp"] };
}

// Whether a text looks like one of Heat's. The server decides; this only decides whether to start it.
export function mayBeHeat(text: string): boolean {
  const keys = topKeys(text.slice(0, LONGEST));
  return keys.some((key) => OWN.has(key)) || (keys.length > 0 && keys.every((key) => SECTIONS.has(key)));
}

function topKeys(text: string): string[] {
  if (!/^\s*\{/.test(text)) return [...text.matchAll(/^["']?([^\s"'#:{}[\]-][^"'#:{}[\]\n]*?)["']?[ \t]*:(?=\s|$)/gm)].map(([, key]) => key);
  try {
    return Object.keys(JSON.parse(text) as object);
  } catch {
    return [...text.matchAll(/["'{,\s](\w+)["']?\s*:/g)].map(([, key]) => key);
  }
}
