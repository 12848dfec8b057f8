// The words of a line with their kinds, for colours. Nothing depends on them: a wrong one is only a wrong colour.

const YAML = /(?<comment>(?:^|(?<=\s))#.*)|(?<string>"(?:\\.|[^"\\])*"|'(?:''|[^'])*')|(?<key>[\w.$:-]+(?=\s*:(?:\s|$)))|(?<number>(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-]))|(?<word>(?<![\w-])(?:true|false|null|yes|no|OS::[\w:]+|AWS::[\w:]+)(?![\w-]))/g;
const HCL = /(?<comment>#.*|\/\/.*)|(?<string>"(?:\\.|[^"\\])*")|(?<key>^\s*[\w-]+(?=\s*=(?!=)))|(?<number>(?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-]))|(?<word>(?<![\w.-])(?:resource|data|module|variable|output|locals|provider|terraform|lifecycle|dynamic|content|moved|import|check|run|for|in|if|true|false|null)(?![\w-]))/g;
const JSON_ = /(?<key>"(?:\\.|[^"\\])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\])*")|(?<number>-?\d+(?:\.\d+)?)|(?<word>true|false|null)/g;
const LANGUAGES = { yaml: YAML, yml: YAML, template: YAML, env: YAML, j2: YAML, tf: HCL, tfvars: HCL, hcl: HCL, example: HCL, json: JSON_ };
const LONGEST = 2000; // characters of a line with colours

export function splitLine(line, name) {
  const pattern = LANGUAGES[name.slice(name.lastIndexOf(".") + 1)];
  if (!pattern || line.length > LONGEST) return [["", line]];
  const parts = [];
  let at = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > at) parts.push(["", line.slice(at, match.index)]);
    const kind = Object.keys(match.groups).find((key) => match.groups[key] !== undefined);
    parts.push([`t-${kind}`, match[0]]);
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push(["", line.slice(at)]);
  return parts;
}
