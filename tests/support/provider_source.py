"""Facts about imports, read off the Go source and the documentation of the OpenStack provider.

Invariant: the source is only read, and only facts that a test names are compared. Where the source is, an environment
variable says; nothing of it is part of this project.
"""

from __future__ import annotations

import os
import pathlib
import re
from typing import NamedTuple

VARIABLE = "HOT2TF_PROVIDER_SOURCE"  # a checkout of terraform-provider-openstack, of the version of provider.json
SETS_TAGS = "expandObjectReadTags"  # reads only those tags that the state has


def root() -> pathlib.Path | None:
    """The checkout, if there is one."""
    path = os.environ.get(VARIABLE, "")
    return pathlib.Path(path) if path and (pathlib.Path(path) / "openstack" / "provider.go").is_file() else None


class Facts(NamedTuple):
    """importable: whether the resource has an importer. optional: its arguments that may be given, with their
    defaults, or an empty text. read: the attributes that reading or importing sets. examples: the IDs of its page.
    reader: the text of the function that reads the resource.
    """

    importable: bool
    optional: dict[str, str]
    read: frozenset[str]
    examples: tuple[str, ...]
    reader: str


def facts(source: pathlib.Path) -> dict[str, Facts]:
    """The facts about each resource type in the provider's source."""
    functions: dict[str, str] = {}
    for path in sorted((source / "openstack").glob("*.go")):
        if path.name.endswith("_test.go"):
            continue
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r"^func (?:\([^)]*\) )?(\w+)\(", text, re.MULTILINE):
            functions[match[1]] = text[match.start() : text.find("\n}\n", match.start()) + 3]
    provider = (source / "openstack" / "provider.go").read_text(encoding="utf-8")
    types = re.findall(r'"(openstack_\w+)":\s+(\w+)\(\)', provider[provider.index("ResourcesMap:") :])
    return {name: of(name, functions[made], functions, source) for name, made in types}


def of(name: str, text: str, functions: dict[str, str], source: pathlib.Path) -> Facts:
    importer = re.search(
        r"Importer:\s+&schema\.ResourceImporter\{\s*State(?:Context)?:\s*(.*?),\n\t\t\}", text, re.DOTALL
    )
    reader = re.search(r"Read(?:Context)?:\s+(\w+)", text)
    assert reader is not None, name
    read = sets(reader[1], functions, set())
    if importer is not None:
        read |= set(re.findall(r'\bd\.Set\(\s*"(\w+)"', functions.get(importer[1], importer[1])))
    page = source / "docs" / "resources" / f"{name.removeprefix('openstack_')}.md"
    page_text = page.read_text(encoding="utf-8").partition("\n## Import")[2] if page.is_file() else ""
    examples = re.findall(r"terraform import [\w.-]+ (\S+)", page_text)
    return Facts(
        importer is not None, arguments(text, functions), frozenset(read), tuple(examples), functions[reader[1]]
    )


def sets(function: str, functions: dict[str, str], seen: set[str]) -> set[str]:
    """The attributes that a function sets, with those that it calls with the resource. A list of tags that is compared
    with the state's does not count.
    """
    if function in seen or function not in functions or function == SETS_TAGS:
        return set()
    seen.add(function)
    text = functions[function]
    attributes = set(re.findall(r'\b\w+\.Set\(\s*"(\w+)"', text))
    for call in re.finditer(r"\b(\w+)\(([^()]*)\)", text):
        if re.search(r"(^|,\s*)d\s*(,|$)", call[2]):
            attributes |= sets(call[1], functions, seen)
    return attributes


def arguments(text: str, functions: dict[str, str]) -> dict[str, str]:
    """The arguments of a resource that may be given, with their defaults as the source spells them."""
    start = text.index("{", text.index("Schema: map[string]*schema.Schema") + len("Schema: map[string]*schema.Schema"))
    defaults: dict[str, str] = {}
    at = start + 1
    entry = re.compile(r'\s*(?://[^\n]*\n\s*)*"(\w+)":\s*(\w+\(\)|(?:&schema\.Schema)?\{)')
    while (match := entry.match(text, at)) is not None:
        if match[2].endswith("()"):
            body, at = functions.get(match[2][:-2], ""), match.end()
        else:
            body = braced(text, match.end() - 1)
            at = match.end() - 1 + len(body)
        inner = re.search(r"Elem:\s+&schema\.Resource", body)
        top = body.replace(braced(body, body.index("{", inner.end())), "") if inner else body
        if re.search(r"(Required|Optional):\s+true", top):
            default = re.search(r"Default:\s+(.*?),?\n", top)
            defaults[match[1]] = default[1] if default is not None else ""
        at += text.startswith(",", at)
    return defaults


def braced(text: str, start: int) -> str:
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
