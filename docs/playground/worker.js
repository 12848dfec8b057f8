// hot2tf itself, off the page's thread. It loads Python from the site, and then gives up every way to the network.
import { loadPyodide } from "./runtime/pyodide.mjs";

const CACHE = "hot2tf-bytecode";
const PLACE = "/packages";
const NETWORK = ["caches", "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "importScripts"];
let session = null;
let keepBytecode = null; // keeps what Python has compiled for the next visit; null if it is kept, or cannot be

// Python compiles 300 modules at the first conversion. The results stay in the browser's storage, under the digest of
// all that they depend on.
async function openBytecode(digest) {
  try {
    const cache = await self.caches.open(CACHE);
    const address = new URL(`./runtime/bytecode-${digest}`, import.meta.url).href;
    const kept = await cache.match(address);
    const keep = async (bytes) => {
      for (const old of await cache.keys()) await cache.delete(old);
      await cache.put(address, new Response(bytes));
    };
    return kept ? { bytes: await kept.arrayBuffer(), keep: null } : { bytes: null, keep };
  } catch {
    return { bytes: null, keep: null }; // no storage, or not for this page
  }
}

async function start({ wheels, digest }) {
  const base = new URL("./runtime/", import.meta.url).href;
  const archives = wheels.map(async (name) => (await fetch(base + name)).arrayBuffer());
  const opened = openBytecode(digest);
  const python = await loadPyodide({ indexURL: base, packageBaseUrl: base, env: { HOME: "/home" } });
  for (const archive of archives) python.unpackArchive(await archive, "zip", { extractDir: PLACE });
  const { bytes, keep } = await opened;
  if (bytes) python.unpackArchive(bytes, "zip", { extractDir: PLACE });
  for (const name of NETWORK) {
    try {
      Object.defineProperty(self, name, { value: undefined, configurable: false, writable: false });
    } catch {
      delete self[name];
    }
  }
  session = python.runPython(`
import sys
sys.dont_write_bytecode = False
sys.path.insert(0, "${PLACE}")
from transpile.playground import bytecode
bytecode.settle_times("${PLACE}")
from transpile.playground.session import PlaygroundSession, working_directory
PlaygroundSession(working_directory())
`);
  keepBytecode = keep && (() => keep(python.runPython(`bytecode.collect("${PLACE}")`).toJs()));
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
      if (keepBytecode) setTimeout(keepBytecode, 1500);
      keepBytecode = null;
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
