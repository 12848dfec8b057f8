"""Terraform's dependency graph of a written configuration, computed from its files.

It has the nodes of `terraform graph -type=plan`: a node for each resource, data source, local, variable and output of
each module, one that begins a module (`count` and `for_each` of its call), and one that ends it and waits for all of
it. A reference to an output of a module waits for that output; any other reference to a module (`module.x`,
`module.x[*].y`, `module.x[count.index].y`) waits for its end.
"""

from __future__ import annotations

import dataclasses
import functools
import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from transpile.resolve import graph

Path: TypeAlias = tuple[str, ...]  # the calls that lead to a module
Node: TypeAlias = tuple[Path, str]
Traversal: TypeAlias = tuple[str, ...]
BEGIN, END = "begin", "end"

CODE = re.compile(
    r'(?P<skip>[ \t\r]+|#[^\n]*)|(?P<here><<-?(?P<mark>\w+)\n)|(?P<word>[^\W\d][\w-]*|\d+)|(?P<sign>[^"])|"', re.S
)
QUOTED = re.compile(r'(?:[^"\\$%]|\\.|\$\$\{|%%\{|[$%](?!\{))*', re.S)
HEREDOC = re.compile(r"(?:[^$%\n]|\$\$\{|%%\{|[$%](?!\{))*", re.S)


class Cycle(Exception):
    """A cycle, which Terraform would refuse."""


class Token(NamedTuple):
    kind: str  # word, sign or text
    text: str


class Scanner:
    """Turns a file into tokens. Interpolated expressions follow their text, in parentheses."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.out: list[Token] = []

    def code(self, *, until: bool = False) -> None:
        """Reads up to the end of the file, or of an interpolation."""
        depth = 0
        while self.at < len(self.text):
            match = CODE.match(self.text, self.at)
            assert match is not None
            self.at = match.end()
            if match["skip"]:
                continue
            if match["here"]:
                self.heredoc(match["mark"])
            elif match["word"]:
                self.out.append(Token("word", match["word"]))
            elif match["sign"]:
                if until and match["sign"] == "}" and not depth:
                    return
                depth += {"{": 1, "}": -1}.get(match["sign"], 0)
                self.out.append(Token("sign", match["sign"]))
            else:
                self.quoted()

    def quoted(self) -> None:
        literal, place = "", len(self.out)
        self.out.append(Token("text", ""))
        while True:
            match = QUOTED.match(self.text, self.at)
            assert match is not None
            literal, self.at = literal + match[0], match.end()
            if self.text[self.at] == '"':
                self.at += 1
                break
            self.interpolation()
        self.out[place] = Token("text", literal)

    def heredoc(self, mark: str) -> None:
        self.out.append(Token("text", ""))
        end = re.compile(rf"[ \t]*{mark}(?=\n|$)")
        fresh = True  # at the beginning of a line
        while not (fresh and (match := end.match(self.text, self.at))):
            inner = HEREDOC.match(self.text, self.at)
            assert inner is not None
            self.at, fresh = inner.end(), False
            if self.text[self.at] == "\n":
                self.at, fresh = self.at + 1, True
            else:
                self.interpolation()
        self.at = match.end()

    def interpolation(self) -> None:
        self.at += 2
        self.out.append(Token("sign", "("))
        self.code(until=True)
        self.out.append(Token("sign", ")"))


@dataclasses.dataclass
class Block:
    """A block of a file. `references`: of the whole block; `arguments`: by name, those of its own body."""

    words: tuple[str, ...]
    references: set[Traversal] = dataclasses.field(default_factory=set)
    arguments: dict[str, set[Traversal]] = dataclasses.field(default_factory=dict)
    texts: dict[str, str] = dataclasses.field(default_factory=dict)  # arguments that are plain texts


def blocks(text: str) -> Iterator[Block]:
    """The blocks at the top of a file."""
    scanner = Scanner(text)
    scanner.code()
    tokens, at = [*scanner.out, Token("sign", "\n")], 0
    while at < len(tokens):
        if tokens[at].kind != "word":
            at += 1
            continue
        words = []
        while tokens[at] != Token("sign", "{"):
            words.append(tokens[at].text)
            at += 1
        block = Block(tuple(words))
        at = body(tokens, at + 1, block, top=True)
        yield block


def body(tokens: list[Token], at: int, into: Block, *, top: bool) -> int:
    """Reads a body up to its closing brace."""
    while tokens[at] != Token("sign", "}"):
        if tokens[at].kind != "word":
            at += 1
            continue
        name, after = tokens[at].text, tokens[at + 1]
        if after == Token("sign", "="):
            end = expression(tokens, at + 2)
            references = set(traversals(tokens[at + 2 : end]))
            into.references |= references
            if top:
                into.arguments[name] = references
                if tokens[at + 2].kind == "text":
                    into.texts[name] = tokens[at + 2].text
            at = end
        else:
            while tokens[at] != Token("sign", "{"):
                at += 1
            at = body(tokens, at + 1, into, top=False)
    return at + 1


def expression(tokens: list[Token], at: int) -> int:
    """The index at which an expression ends: at the end of a line outside all brackets."""
    depth = 0
    while depth or tokens[at] != Token("sign", "\n"):
        if tokens[at].kind == "sign":
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(tokens[at].text, 0)
        at += 1
    return at


def traversals(tokens: list[Token]) -> Iterator[Traversal]:
    """The references in an expression: names with their attributes, literal indexes left out, "*" for any other
    index.
    """
    dot, opens, closes = Token("sign", "."), Token("sign", "["), Token("sign", "]")
    for at, token in enumerate(tokens):
        if token.kind != "word" or (at and tokens[at - 1] == dot):
            continue
        parts, i = [token.text], at + 1
        while i + 1 < len(tokens):
            if tokens[i] == dot and tokens[i + 1].kind == "word":
                parts.append(tokens[i + 1].text)
                i += 2
            elif tokens[i] == opens and i + 2 < len(tokens) and tokens[i + 2] == closes and literal(tokens[i + 1]):
                i += 3
            else:
                if tokens[i] == opens or tokens[i] == dot:
                    parts.append("*")
                break
        if len(parts) > 1:
            yield tuple(parts)


def literal(token: Token) -> bool:
    return token.kind == "text" or token.text.isdigit()


def format_node(node: Node) -> str:
    """A node as Terraform names it."""
    path, name = node
    return ".".join([*(f"module.{module_name}" for module_name in path), name])


@functools.lru_cache(4096)
def read(text: str) -> tuple[Block, ...]:
    return tuple(blocks(text))


class Configuration:
    """A configuration with all its modules, expanded. `edges`: from each node to those it waits for. `managed`: the
    resources, by the path of their module and their address. `source`: the folder of each module.
    """

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.files = files
        self.edges: dict[Node, list[Node]] = {}
        self.managed: dict[Path, list[str]] = {}
        self.source: dict[Path, str] = {}
        self.arguments: dict[Path, list[Node]] = {}
        self.folders: dict[str, list[str]] = {}
        for name in files:
            if name.endswith(".tf"):
                self.folders.setdefault(posixpath.dirname(name), []).append(name)
        self.module((), "")

    def blocks(self, folder: str) -> list[Block]:
        blocks: list[Block] = []
        for name in sorted(self.folders.get(folder, ())):
            text = self.files[name]
            blocks += read(text if isinstance(text, str) else text.decode())
        return blocks

    def module(self, path: Path, folder: str) -> None:
        self.source[path], self.managed[path] = folder, []
        mine = self.blocks(folder)
        resource_names = {".".join(b.words[1:]) for b in mine if b.words[0] == "resource"}
        inside: list[Node] = []

        def node(name: str, references: set[Traversal], within: Path = path) -> None:
            waits = [(within, BEGIN)] if within == path else []
            for reference in references:
                waits += self.targets(path, resource_names, reference)
            self.edges[within, name] = waits
            inside.append((within, name))

        self.edges.setdefault((path, BEGIN), [])
        for block in mine:
            kind, *labels = block.words
            if kind == "resource":
                self.managed[path].append(".".join(labels))
                node(".".join(labels), block.references)
            elif kind == "data":
                node(".".join(("data", *labels)), block.references)
            elif kind == "locals":
                for name, references in block.arguments.items():
                    node(f"local.{name}", references)
            elif kind == "output":
                node(f"output.{labels[0]}", block.arguments["value"] | block.arguments.get("depends_on", set()))
            elif kind == "variable" and (path, f"var.{labels[0]}") not in self.edges:
                node(f"var.{labels[0]}", set())
            elif kind == "module":
                child = (*path, labels[0])
                for name, references in block.arguments.items():
                    if name not in ("source", "count", "for_each", "depends_on"):
                        node(f"var.{name}", references, child)
                        self.edges[child, f"var.{name}"].append((child, BEGIN))
                        self.arguments.setdefault(child, []).append((child, f"var.{name}"))
                begin = [(path, BEGIN)]
                for name in ("count", "for_each", "depends_on"):
                    for reference in block.arguments.get(name, ()):
                        begin += self.targets(path, resource_names, reference)
                self.edges[child, BEGIN] = begin
                self.module(child, posixpath.normpath(posixpath.join(folder, block.texts["source"])))
                inside.append((child, END))
        self.edges[path, END] = [*inside, *self.arguments.get(path, ()), (path, BEGIN)]

    def targets(self, path: Path, resource_names: set[str], reference: Traversal) -> list[Node]:
        """The nodes that a reference names."""
        first = reference[0]
        if first in ("var", "local"):
            return [(path, ".".join(reference[:2]))]
        if first == "data":
            return [(path, ".".join(reference[:3]))]
        if first == "module":
            child = (*path, reference[1])
            return [(child, f"output.{reference[2]}") if len(reference) > 2 and reference[2] != "*" else (child, END)]
        return [(path, ".".join(reference[:2]))] if ".".join(reference[:2]) in resource_names else []

    @functools.cached_property
    def bits(self) -> dict[Node, int]:
        """A bit for each resource."""
        return {
            node: 1 << i
            for i, node in enumerate((p, name) for p, addresses in self.managed.items() for name in addresses)
        }

    @functools.cached_property
    def reached(self) -> dict[Node, int]:
        """The resources that each node waits for."""
        masks: dict[Node, int] = {}
        names = {format_node(node): node for node in self.edges}
        edges = {
            format_node(node): [format_node(to) for to in waits if to in self.edges]
            for node, waits in self.edges.items()
        }
        for circle in graph.strong_components(edges):
            if len(circle) > 1 or circle[0] in edges[circle[0]]:
                raise Cycle([names[node_name] for node_name in circle])
            here = 0
            for node_name in edges[circle[0]]:
                here |= self.bits.get(names[node_name], 0) | masks[names[node_name]]
            masks[names[circle[0]]] = here
        return masks
