"""Renders a conversion as one HTML page, which needs no network.

Invariant: Jinja2 escapes all that comes from templates, and the script only moves classes and focus. The security
policy of the page allows its own style and script alone. The page has no hidden values and no date: equal conversions
give equal bytes.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
from typing import TYPE_CHECKING, Any, NamedTuple

import jinja2
import markupsafe

from transpile.diagnostics.model import MASK
from transpile.model.printable import printable
from transpile.page.links import Blocks, Item, Place, items
from transpile.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from transpile.diagnostics.model import Diagnostic
    from transpile.model.ir import Template
    from transpile.pipeline import Conversion

PACKAGE, FOLDER = "transpile.page", "html"
SHOWN = (".tf", ".tfvars", ".example", ".tftpl", ".yaml", ".yml", ".json", ".md")  # endings of the files on the page
LONGEST = 20_000  # lines of a text
WORDS = {
    "native": "Terraform",
    "module": "modules",
    "folded": "part of another resource, or a local",
    "data": "exists already, only read",
    "embedded": "stays with Heat",
}


class Line(NamedTuple):
    """A line of a text. `items`: the numbers of the items that it belongs to; `begins`: of those that begin there."""

    number: int
    text: str
    items: tuple[int, ...]
    begins: tuple[int, ...]
    said: tuple[Diagnostic, ...] = ()


class Text(NamedTuple):
    """A template or a file, its first LONGEST lines. `more`: how many follow."""

    name: str
    lines: list[Line]
    more: int


GRAPH = "graph"  # the target that draws


def of(done: Conversion, draw: Callable[[], Conversion]) -> str:
    """The page of a conversion, with its graph. `draw`: converts the same input to the target GRAPH, as SVG."""
    drawn = draw() if done.ok else None
    return page(done, str(next(iter(drawn.files.values()))) if drawn is not None and drawn.ok else "")


def page(done: Conversion, graph: str = "") -> str:
    """The page of a conversion that wrote files. `graph`: an SVG. It is not escaped, so it must be one of our own."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(PACKAGE, FOLDER),
        autoescape=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    inner = graph.partition("<style>")[2].partition("</style>")[0]
    style, script = text("style.css"), text("script.js")
    policy = (
        f"default-src 'none'; style-src {hashed(style)} {hashed(inner)}; script-src {hashed(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    found = Found(done)
    return environment.get_template("page.html.j2").render(
        style=markupsafe.Markup(style),
        script=markupsafe.Markup(script),
        policy=policy,
        graph=markupsafe.Markup(graph),
        version=__version__,
        source=done.report["source"],
        left=found.templates(),
        right=found.outputs(),
        items=list(enumerate(found.items)),
        said=found.said(),
        words=WORDS,
        anchor=found.anchor,
        counts=found.counts(),
    )


class Found:
    """The items of a conversion, and which lines on the left and right belong to them."""

    def __init__(self, done: Conversion) -> None:
        self.done = done
        self.files = {  # main.tf first
            name: content
            for name, content in sorted(done.files.items(), key=in_order)
            if isinstance(content, str) and name.endswith(SHOWN) and not name.startswith(".")
        }
        self.items: list[Item] = []
        self.left: dict[str, dict[int, list[int]]] = {}  # by text and line
        self.right: dict[str, dict[int, list[int]]] = {}
        self.read: dict[str, Template] = {}
        first = done.report["source"]
        for template in sorted(done.templates, key=lambda one: one.source.name != first):
            self.read.setdefault(template.source.name, template)
        self.add(done.report, done.report["source"], "")
        seen: set[str] = set()
        waiting = [done.report]
        while waiting:
            for name, module in waiting.pop().get("modules", {}).items():
                if name not in seen:
                    seen.add(name)
                    waiting.append(module["report"])
                    self.add(module["report"], module["source"], f"modules/{name}")

    def add(self, report: Mapping[str, Any], source: str, folder: str) -> None:
        template = self.read.get(source)
        if template is None:
            return
        for item in items(template, report, Blocks(self.files, folder)):
            number = len(self.items)
            self.items.append(item)
            self.cover(self.left, item.place, number)
            for place in dict.fromkeys(item.to):
                self.cover(self.right, place, number)

    def cover(self, lines: dict[str, dict[int, list[int]]], place: Place, number: int) -> None:
        of = lines.setdefault(place.file, {})
        for line in range(place.first, min(place.last, LONGEST) + 1):
            of.setdefault(line, []).append(number)

    def templates(self) -> list[Text]:
        said: dict[str, dict[int, list[Diagnostic]]] = {}
        for one in self.done.diagnostics:
            if one.source is not None:
                line = one.source.position(max(one.at, 0))[0]
                said.setdefault(one.source.name, {}).setdefault(line, []).append(one)
        found = []
        for template in self.read.values():
            source = template.source.made_of[0] if template.source.made_of is not None else template.source
            texts = [concealed(source.line(n + 1), source.concealed(n + 1)) for n in range(source.text.count("\n") + 1)]
            found.append(self.text(source.name, texts, self.left, said.get(source.name, {})))
        return found

    def outputs(self) -> list[Text]:
        hide = self.done.hide
        return [self.text(name, hide(words).split("\n"), self.right, {}) for name, words in self.files.items()]

    def text(
        self,
        name: str,
        texts: Sequence[str],
        owners: Mapping[str, Mapping[int, Sequence[int]]],
        said: Mapping[int, Sequence[Diagnostic]],
    ) -> Text:
        mine = owners.get(name, {})
        while texts and not texts[-1]:
            texts = texts[:-1]
        lines = []
        for number, words in enumerate(texts[:LONGEST], 1):
            here = tuple(mine.get(number, ()))
            begins = tuple(one for one in here if one not in mine.get(number - 1, ()))
            lines.append(Line(number, words, here, begins, tuple(said.get(number, ()))))
        return Text(name, lines, max(len(texts) - LONGEST, 0))

    def anchor(self, place: Place | None) -> str:
        """The ID of the first line of a range in the page; empty for None."""
        if place is None:
            return ""
        if place.file in self.read:
            return f"l{list(self.read).index(place.file)}-{place.first}"
        return f"r{list(self.files).index(place.file)}-{place.first}"

    def said(self) -> list[Diagnostic]:
        """The diagnostics that point into no text of the page."""
        return [one for one in self.done.diagnostics if one.source is None or one.source.name not in self.read]

    def counts(self) -> dict[str, int]:
        kinds: dict[str, int] = {}
        for one in self.items:
            if one.kind == "resource":
                kinds[one.fate] = kinds.get(one.fate, 0) + 1
        return {fate: kinds[fate] for fate in WORDS if fate in kinds}


def in_order(file: tuple[str, object]) -> tuple[int, bool, str]:
    return file[0].count("/"), file[0] != "main.tf", file[0]


def concealed(line: str, ranges: Sequence[tuple[int, int]]) -> str:
    """A line with MASK in place of hidden values. The ranges are replaced from the last, so that offsets stay right."""
    for first, last in reversed(ranges):
        line = line[:first] + MASK + line[last:]
    return line


def text(name: str) -> str:
    return importlib.resources.files(PACKAGE).joinpath(FOLDER, name).read_text(encoding="utf-8")


def hashed(content: str) -> str:
    """The hash by which a security policy allows a style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
