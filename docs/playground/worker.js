// hot2tf itself, off the page's thread. It loads Python from the site, and then gives up every way to the network.
import { loadPyodide } from "./runtime/pyodide.mjs";

const NETWORK = ["fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "importScripts"];
let session = null;

async function start({ wheels }) {
  const base = new URL("./runtime/", import.meta.url).href;
  const archives = wheels.map(async (name) => (await fetch(base + name)).arrayBuffer());
  const python = await loadPyodide({ indexURL: base, packageBaseUrl: base, env: { HOME: "/home" } });
  const place = "/packages";
  for (const archive of archives) python.unpackArchive(await archive, "zip", { extractDir: place });
  for (const name of NETWORK) {
    try {
      Object.defineProperty(self, name, { value: undefined, configurable: false, writable: false });
    } catch {
      delete self[name];
    }
  }
  session = python.runPython(`
import sys
sys.path.insert(0, "${place}")
from transpile.playground.session import PlaygroundSession, working_directory
PlaygroundSession(working_directory())
`);
}

self.onmessage = async ({ data }) => {
  const begin = performance.now();
  try {
    if (data.kind === "start") {
      await start(data);
      self.postMessage({ kind: "ready", id: data.id, milliseconds: performance.now() - begin });
    } else if (data.kind === "convert") {
      const answer = session.answer(JSON.stringify(data.request));
      self.postMessage({ kind: "answer", id: data.id, answer: JSON.parse(answer), milliseconds: performance.now() - begin });
    } else if (data.kind === "archive") {
      const bytes = session.archive();
      const copy = bytes.toJs();
      bytes.destroy();
      self.postMessage({ kind: "answer", id: data.id, answer: copy }, [copy.buffer]);
    }
  } catch (error) {
    self.postMessage({ kind: "failed", id: data.id, why: String(error && error.message ? error.message : error) });
  }
};
