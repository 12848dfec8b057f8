"""Links the lines of a template to the lines of the files that it became.

Invariant: the links come from the report of the conversion; only the line numbers are looked up in the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, final

from transpile.model import ir
from transpile.model.ir import Template
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.span import Located

HEAD = compile_lazily(r'^(resource|data|module|variable|output|locals|provider|terraform)\b((?: "[^"]*")*) \{')
LABEL = compile_lazily(r'"([^"]*)"')
LOCAL = compile_lazily(r"^  (\w+) += ")
TERRAFORM = ".tf"


class LineRange(NamedTuple):
    """Lines of a file, counted from 1."""

    file: str
    first: int
    last: int


class Link(NamedTuple):
    """A property, or another key, and its fate. `line`: in the template, 0 if the key is not written there. `to`: the
    lines that it became.
    """

    path: str
    line: int
    fate: Mapping[str, str]
    to: LineRange | None


@final
class PageItem:
    """A resource, parameter, condition or output: its lines, its fate, and the lines that it became (`to`)."""

    def __init__(self, kind: str, name: str, place: LineRange, fate: str, about: str = "") -> None:
        self.kind, self.name, self.place, self.fate, self.about = kind, name, place, fate, about
        self.to: list[LineRange] = []
        self.links: list[Link] = []


@final
class TerraformBlocks:
    """The lines of the blocks and locals in the Terraform code of one directory, by address: `local.is_public`. `at`:
    the index. The code is hot2tf's own, so its indentation suffices to find them.
    """

    def __init__(self, files: Mapping[str, str], folder: str) -> None:
        self.texts = {name: text.split("\n") for name, text in files.items() if is_terraform_file(name, folder)}
        self.at: dict[str, LineRange] = {}
        for name, lines in self.texts.items():
            first, address = 0, ""
            for number, line in enumerate(lines, 1):
                if (head := HEAD.match(line)) is not None:
                    first, address = number, block_address(head[1], LABEL.findall(head[2]))
                    if line.endswith("}"):
                        self.at[address] = LineRange(name, number, number)
                elif line == "}" and first:
                    self.at[address] = LineRange(name, first, number)
                    first = 0
                elif first and address == "locals" and (local := LOCAL.match(line)) is not None:
                    self.at[f"local.{local[1]}"] = LineRange(name, number, find_block_end(lines, number))
        self.folder, self.files = folder, files

    def find_embedded(self, file: str | None, name: str) -> LineRange | None:
        """The lines of a resource in the template of a stack that stays with Heat; None if it is not there."""
        path = f"{self.folder}/{file}" if self.folder else file
        lines = self.files.get(path or "", "").split("\n")
        begins = re.compile(rf"^  ['\"]?{re.escape(name)}['\"]?:")
        inside = False
        for number, line in enumerate(lines, 1):
            inside = line.startswith("resources:") if line[:1].strip() else inside
            if inside and begins.match(line):
                last = number
                while last < len(lines) and (lines[last].startswith("   ") or not lines[last].strip()):
                    last += 1
                return LineRange(path or "", number, last)
        return None

    def find_block(self, address: str) -> LineRange | None:
        """The lines of an address of the report: of a block, a local, or a member of either; None if there are none."""
        if address in self.at:
            return self.at[address]
        if address.partition("[")[0] in self.at:
            return self.at[address.partition("[")[0]]
        if address.startswith("local."):
            return self.at.get(".".join(re.split(r"[.\[]", address)[:2]))
        return None

    def find_argument(self, place: LineRange, path: str) -> LineRange:
        """The lines of an argument in a block; all of the block if it has no such argument."""
        words = [word for word in re.split(r"[.\[]", path) if word and not word.rstrip("]").isdigit()]
        lines = self.texts[place.file]
        for word in words[:1]:
            plain = re.escape(word)
            begins = re.compile(rf"^  (?:{plain} += |{plain} \{{|dynamic \"{plain}\" \{{)")
            for number in range(place.first + 1, place.last):
                if begins.match(lines[number - 1]):
                    return LineRange(place.file, number, find_block_end(lines, number))
        return place


def is_terraform_file(name: str, folder: str) -> bool:
    """Whether a file is Terraform code of a directory."""
    return name.endswith(TERRAFORM) and name.rpartition("/")[0] == folder


def block_address(kind: str, labels: list[str]) -> str:
    if kind == "resource":
        return ".".join(labels)
    return ".".join([{"variable": "var"}.get(kind, kind), *labels])


def find_block_end(lines: list[str], number: int) -> int:
    """The number of the last line of the block or argument that begins in a line: the next line that is indented no
    more closes it.
    """
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    opened = lines[number - 1].rstrip().endswith(("{", "[", "(", "EOT"))
    if not opened:
        return number
    for after in range(number, len(lines)):
        line = lines[after]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            return after + 1
    return len(lines)


def collect_items(template: Template, report: Mapping[str, Any], blocks: TerraformBlocks) -> Iterator[PageItem]:
    """The parameters, conditions, resources and outputs of one template, in its order, with their links."""
    source = template.source
    lines = Lines(template)
    for name, param in template.parameters.items():
        entry = report["parameters"].get(name, {})
        yield make_simple_item("parameter", name, lines.line_range(param), entry.get("variable"), "var", blocks)
    for name, condition in template.conditions.items():
        entry = report["conditions"].get(name, {})
        yield make_simple_item("condition", name, lines.line_range(condition), entry.get("local"), "local", blocks)
    for name, resource in template.resources.items():
        entry = report["resources"].get(name)
        if entry is None:
            continue
        about = entry.get("why") or entry.get("kept", {}).get("why", "")
        item = PageItem("resource", name, lines.line_range(resource), entry["treatment"], about)
        item.to = [place for address in entry["addresses"] if (place := blocks.find_block(address)) is not None]
        if (inside := blocks.find_embedded(entry.get("template"), name)) is not None:
            item.to.append(inside)
        written = dict(property_offsets(resource))
        for path, fate in {**entry["properties"], **entry.get("keys", {})}.items():
            at = written.get(path, -1)
            to = blocks.find_block(fate["to"]) if "to" in fate else None
            if to is not None and fate.get("argument"):
                to = blocks.find_argument(to, fate["argument"])
            item.links.append(Link(path, source.line_and_column(at)[0] if at >= 0 else 0, fate, to))
        yield item
    for name, output in template.outputs.items():
        entry = report["outputs"].get(name, {})
        yield make_simple_item("output", name, lines.line_range(output), entry.get("output"), "output", blocks)


def make_simple_item(
    kind: str, name: str, place: LineRange, label: str | None, sort: str, blocks: TerraformBlocks
) -> PageItem:
    item = PageItem(kind, name, place, "native" if label else "folded")
    block = blocks.find_block(f"{sort}.{label}") if label else None
    item.to = [block] if block is not None else []
    return item


@final
class Lines:
    """The lines that parts of a template take."""

    def __init__(self, template: Template) -> None:
        self.source = template.source

    def line_range(self, where: Located) -> LineRange:
        first = self.source.line_and_column(max(where.at, 0))[0]
        lines = self.source.text[max(where.at, 0) : max(where.end, where.at, 0)].split("\n")
        while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
            lines.pop()  # comments behind it belong to the next block
        return LineRange(self.source.name, first, first + len(lines) - 1)


def property_offsets(resource: ir.Resource) -> Iterator[tuple[str, int]]:
    """The dotted paths of a resource's properties and keys, with their offsets: `("networks.0.port", 210)`."""
    yield from resource.keys.items()
    waiting: list[tuple[str, ir.Expr | None]] = [("", resource.properties)]
    while waiting:
        path, expression = waiting.pop()
        for word, at, inner in list_children(expression):
            below = f"{path}.{word}" if path else word
            yield below, at
            waiting.append((below, inner))


def list_children(expression: ir.Expr | None) -> Iterable[tuple[str, int, ir.Expr]]:
    if isinstance(expression, ir.Map):
        return [(entry.key, entry.at, entry.value) for entry in expression.entries]
    if isinstance(expression, ir.Seq):
        return [(str(i), item.at, item) for i, item in enumerate(expression.items)]
    return []
