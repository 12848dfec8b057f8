"""The arguments whose change makes the OpenStack provider replace a resource (`ForceNew`): `forced_new.json`.

`terraform providers schema -json` does not show them, so they are read off the provider's Go source.

Invariant: the file is generated from the source of a released provider and never edited by hand. Regenerate it with
`python -m emitters.hcl.tables.forced_new CHECKOUT VERSION > emitters/hcl/tables/forced_new.json`.
"""

from __future__ import annotations

import functools
import json
import pathlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence

from transpile.model.lazy_patterns import compile_lazily

FILE = pathlib.Path(__file__).parent / "forced_new.json"
MAP = "map[string]*schema.Schema"
# `"name": {` or `"name": schemaOfIt(),`, with comments before it
ENTRY = compile_lazily(r'\s*(?://[^\n]*\n\s*)*"(\w+)":\s*(\w+\(\)|(?:&schema\.Schema)?\{)')
FORCED = compile_lazily(r"\bForceNew:\s+true\b")
INNER = compile_lazily(r"Elem:\s+&schema\.Resource\b")


@functools.cache
def load_forced_arguments() -> Mapping[str, frozenset[str]]:
    """The paths of arguments whose change forces a new resource, such as `network.port`, by resource type. A path in a
    block that is replaced as a whole is one of them.
    """
    types = json.loads(FILE.read_text(encoding="utf-8"))["types"]
    return {kind: frozenset(paths) for kind, paths in types.items()}


def is_forced(resource: str, argument: str) -> bool:
    """Whether a change of an argument replaces the resource. argument: as the report names it: `network.0.port`."""
    forced = load_forced_arguments().get(resource, frozenset())
    path = ""
    for step in argument.split("."):
        if not step.isdecimal():
            path = f"{path}.{step}" if path else step
            if path in forced:
                return True
    return False


# the generator


def read_source(checkout: pathlib.Path) -> Iterator[tuple[str, list[str]]]:
    """Each resource type of the provider, with the paths of its arguments that force a new resource."""
    functions: dict[str, str] = {}
    for path in sorted((checkout / "openstack").glob("*.go")):
        if not path.name.endswith("_test.go"):
            text = path.read_text(encoding="utf-8")
            for match in re.finditer(r"^func (?:\([^)]*\) )?(\w+)\(", text, re.MULTILINE):
                functions[match[1]] = text[match.start() : text.find("\n}\n", match.start()) + 3]
    provider = (checkout / "openstack" / "provider.go").read_text(encoding="utf-8")
    resources = provider[provider.index("ResourcesMap:") :]
    for kind, function in sorted(re.findall(r'"(openstack_\w+)":\s+(\w+)\(\)', resources)):
        text = functions[function]
        start = text.index(MAP, text.index("Schema:"))
        yield kind, sorted(path for path, forced in walk_arguments(text[start:], functions) if forced)


def walk_arguments(text: str, functions: Mapping[str, str], *, outer: bool = False) -> Iterator[tuple[str, bool]]:
    """The arguments of the first map of schemas in a text, with those of nested blocks, and whether each forces a new
    resource. outer: whether the block around does.
    """
    if MAP not in text:
        return
    at = text.index("{", text.index(MAP) + len(MAP)) + 1
    while (match := ENTRY.match(text, at)) is not None:
        if match[2].endswith("()"):
            body, at = functions.get(match[2][:-2], ""), match.end()
        else:
            body = read_braces(text, match.end() - 1)
            at = match.end() - 1 + len(body)
        inner = INNER.search(body)
        block = read_braces(body, body.index("{", inner.end())) if inner is not None else ""
        forced = outer or FORCED.search(body.replace(block, "") if block else body) is not None
        yield match[1], forced
        for path, inner_forced in walk_arguments(block, functions, outer=forced):
            yield f"{match[1]}.{path}", inner_forced
        at += text.startswith(",", at)


def read_braces(text: str, start: int) -> str:
    """The text from a brace to the one that closes it, with regard to strings and comments."""
    depth, at, quote = 0, start, ""
    while at < len(text):
        character = text[at]
        if quote:
            at += character == "\\" and quote == '"'
            quote = "" if character == quote else quote
        elif character in '"`':
            quote = character
        elif text.startswith("//", at):
            at = text.index("\n", at)
        elif character in "{}":
            depth += 1 if character == "{" else -1
            if not depth:
                return text[start : at + 1]
        at += 1
    raise ValueError("a brace is open")


def format_file(checkout: pathlib.Path, version: str) -> str:
    """The text of the file, with a line for each type."""
    rows = [f"{json.dumps(kind)}: {json.dumps(paths)}" for kind, paths in read_source(checkout)]
    return f'{{"provider": "openstack", "version": {json.dumps(version)}, "types": {{\n' + ",\n".join(rows) + "\n}}\n"


def main(arguments: Sequence[str]) -> int:
    checkout, version = arguments
    sys.stdout.write(format_file(pathlib.Path(checkout), version))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
