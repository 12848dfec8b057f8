// Files and folders that are dropped or chosen, as a map from paths to contents.

const LARGEST = 2 << 20; // bytes of a file
const MOST = 500; // files
const LEFT_OUT = /(^|\/)(\.git|\.hg|\.svn|node_modules|__pycache__|\.terraform|\.tox|\.venv)\//;

async function readContent(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return { base64: btoa(text) };
  }
}

// `skipped`: how many were too large, or too many.
export async function readFiles(pairs) {
  const files = {};
  let skipped = 0;
  for (const [path, file] of pairs) {
    if (LEFT_OUT.test(path)) continue;
    if (file.size > LARGEST || Object.keys(files).length >= MOST) skipped += 1;
    else files[path] = await readContent(file);
  }
  return { files: withoutCommonFolder(files), skipped };
}

export function pairsOfInput(list) {
  return [...list].map((file) => [file.webkitRelativePath || file.name, file]);
}

export async function pairsOfDrop(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
  if (!entries.length) return pairsOfInput(transfer.files);
  const pairs = [];
  const visit = async (entry, prefix) => {
    if (pairs.length > 4 * MOST || LEFT_OUT.test(`${prefix}${entry.name}/`)) return;
    if (entry.isFile) {
      pairs.push([prefix + entry.name, await new Promise((resolve, reject) => entry.file(resolve, reject))]);
      return;
    }
    const reader = entry.createReader();
    const next = () => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    for (let some = await next(); some.length; some = await next()) {
      for (const one of some) await visit(one, `${prefix}${entry.name}/`);
    }
  };
  for (const entry of entries) await visit(entry, "");
  return pairs;
}

function withoutCommonFolder(files) {
  const names = Object.keys(files);
  const folder = names.length ? names[0].split("/")[0] + "/" : "/";
  if (!names.every((name) => name.startsWith(folder))) return files;
  return Object.fromEntries(names.map((name) => [name.slice(folder.length), files[name]]));
}

// The file that is most likely meant as the template: the first by depth and name.
export function guessTemplate(files) {
  const names = Object.keys(files).sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  const isTemplate = (name) =>
    typeof files[name] === "string" && /heat_template_version|HeatTemplateFormatVersion|AWSTemplateFormatVersion|homing_template_version/.test(files[name]);
  const nested = new Set(names.filter((name) => names.some((one) => one !== name && typeof files[one] === "string" && files[one].includes(name.split("/").pop()))));
  const candidates = names.filter(isTemplate);
  return candidates.find((name) => !nested.has(name)) || candidates[0] || names[0] || "";
}
