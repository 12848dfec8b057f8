// The input of the page as the fragment of an address, which browsers never send: `#1.` and compressed JSON.

const PREFIX = "#1.";
const LARGEST = 4 << 20; // characters of an input

async function through(stream, bytes) {
  const result = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await result.arrayBuffer());
}

export async function writeFragment(state) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(state)));
  let text = "";
  for (let at = 0; at < packed.length; at += 8192) text += String.fromCharCode(...packed.subarray(at, at + 8192));
  return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// The input of a fragment; null if there is none, or it is damaged.
export async function readFragment(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  try {
    const text = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const reader = new Blob([Uint8Array.from(text, (c) => c.charCodeAt(0))])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"))
      .getReader();
    const decoder = new TextDecoder();
    let all = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      all += decoder.decode(part.value, { stream: true });
      if (all.length > LARGEST) return null;
    }
    return checkState(JSON.parse(all + decoder.decode()));
  } catch {
    return null;
  }
}

// A link is a stranger's text: only what has the form of an input is taken.
export function checkState(state) {
  const isText = (value) => typeof value === "string";
  const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  if (!isMap(state) || !isMap(state.files) || !isText(state.template) || !Object.hasOwn(state.files, state.template)) return null;
  const isContent = (value) => isText(value) || (isMap(value) && isText(value.base64));
  if (!Object.values(state.files).every(isContent)) return null;
  const environments = Array.isArray(state.environments) ? state.environments.filter((name) => isText(name) && Object.hasOwn(state.files, name)) : [];
  const options = isMap(state.options) ? state.options : {};
  const texts = (map) => (isMap(map) && Object.values(map).every(isText) ? map : {});
  return { files: state.files, template: state.template, environments, options, parameters: texts(state.parameters), render: isMap(state.render) ? state.render : null };
}
