"""Renders a conversion as one HTML page, which needs no network.

Invariant: the script only moves classes and focus. The page has no hidden values and no date: equal conversions give
equal bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import markupsafe

from transpile.diagnostics.model import Diagnostic
from transpile.model.ir import Template
from transpile.page.links import LineRange, PageItem, TerraformBlocks, collect_items
from transpile.pipeline import Conversion
from transpile.resolve.masks import conceal_ranges
from transpile.text.html_pages import generate_page

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
    diagnostics: tuple[Diagnostic, ...] = ()


class PageText(NamedTuple):
    """A template or a file, its first LONGEST lines. `more`: how many follow."""

    name: str
    lines: list[Line]
    more: int


GRAPH = "graph"  # the target that draws


def render_conversion(conversion: Conversion, convert: Callable[[str, Mapping[str, Any]], Conversion]) -> str:
    """The page of a conversion, with its graph. `convert`: converts the same input to a target, with options of it."""
    drawn = convert(GRAPH, {"form": "svg"}) if conversion.ok else None
    return render_page(conversion, str(next(iter(drawn.files.values()))) if drawn is not None and drawn.ok else "")


def render_page(conversion: Conversion, graph: str = "") -> str:
    """The page of a conversion that wrote files. `graph`: an SVG. It is not escaped, so it must be one of our own."""
    style = graph.partition("<style>")[2].partition("</style>")[0]
    content = PageContent(conversion)
    variables = {
        "graph": markupsafe.Markup(graph),
        "source": conversion.report["source"],
        "left": content.template_texts(),
        "right": content.output_texts(),
        "items": list(enumerate(content.items)),
        "diagnostics": content.other_diagnostics(),
        "words": WORDS,
        "anchor": content.anchor_of,
        "counts": content.count_fates(),
    }
    return "".join(generate_page(__package__, variables, ("links.js", "script.js"), (style,)))


class PageContent:
    """The items of a conversion, and which lines on the left and right belong to them."""

    def __init__(self, conversion: Conversion) -> None:
        self.conversion = conversion
        self.files = {  # main.tf first
            name: content
            for name, content in sorted(conversion.files.items(), key=file_order)
            if isinstance(content, str) and name.endswith(SHOWN) and not name.startswith(".")
        }
        self.items: list[PageItem] = []
        self.left: dict[str, dict[int, list[int]]] = {}  # by text and line
        self.right: dict[str, dict[int, list[int]]] = {}
        self.read: dict[str, Template] = {}
        first = conversion.report["source"]
        for template in sorted(conversion.templates, key=lambda candidate: candidate.source.name != first):
            self.read.setdefault(template.source.name, template)
        self.add_template(conversion.report, conversion.report["source"], "")
        seen: set[str] = set()
        waiting = [conversion.report]
        while waiting:
            for name, module in waiting.pop().get("modules", {}).items():
                if name not in seen:
                    seen.add(name)
                    waiting.append(module["report"])
                    self.add_template(module["report"], module["source"], f"modules/{name}")

    def add_template(self, report: Mapping[str, Any], source: str, folder: str) -> None:
        template = self.read.get(source)
        if template is None:
            return
        for item in collect_items(template, report, TerraformBlocks(self.files, folder)):
            number = len(self.items)
            self.items.append(item)
            self.mark_lines(self.left, item.place, number)
            for place in dict.fromkeys(item.to):
                self.mark_lines(self.right, place, number)

    def mark_lines(self, lines: dict[str, dict[int, list[int]]], place: LineRange, number: int) -> None:
        owners = lines.setdefault(place.file, {})
        for line in range(place.first, min(place.last, LONGEST) + 1):
            owners.setdefault(line, []).append(number)

    def template_texts(self) -> list[PageText]:
        diagnostics_by_line: dict[str, dict[int, list[Diagnostic]]] = {}
        for diagnostic in self.conversion.diagnostics:
            if diagnostic.source is not None:
                line = diagnostic.source.line_and_column(max(diagnostic.at, 0))[0]
                diagnostics_by_line.setdefault(diagnostic.source.name, {}).setdefault(line, []).append(diagnostic)
        result = []
        for template in self.read.values():
            source = template.source.rendered_from[0] if template.source.rendered_from is not None else template.source
            texts = [
                conceal_ranges(source.line_text(n + 1), source.secret_columns(n + 1))
                for n in range(source.text.count("\n") + 1)
            ]
            result.append(self.make_text(source.name, texts, self.left, diagnostics_by_line.get(source.name, {})))
        return result

    def output_texts(self) -> list[PageText]:
        hide = self.conversion.hide
        return [self.make_text(name, hide(words).split("\n"), self.right, {}) for name, words in self.files.items()]

    def make_text(
        self,
        name: str,
        texts: Sequence[str],
        owners: Mapping[str, Mapping[int, Sequence[int]]],
        diagnostics: Mapping[int, Sequence[Diagnostic]],
    ) -> PageText:
        mine = owners.get(name, {})
        while texts and not texts[-1]:
            texts = texts[:-1]
        lines = []
        for number, words in enumerate(texts[:LONGEST], 1):
            here = tuple(mine.get(number, ()))
            begins = tuple(item_number for item_number in here if item_number not in mine.get(number - 1, ()))
            lines.append(Line(number, words, here, begins, tuple(diagnostics.get(number, ()))))
        return PageText(name, lines, max(len(texts) - LONGEST, 0))

    def anchor_of(self, place: LineRange | None) -> str:
        """The ID of the first line of a range in the page; empty for None."""
        if place is None:
            return ""
        if place.file in self.read:
            return f"l{list(self.read).index(place.file)}-{place.first}"
        return f"r{list(self.files).index(place.file)}-{place.first}"

    def other_diagnostics(self) -> list[Diagnostic]:
        """The diagnostics that point into no text of the page."""
        return [
            diagnostic
            for diagnostic in self.conversion.diagnostics
            if diagnostic.source is None or diagnostic.source.name not in self.read
        ]

    def count_fates(self) -> dict[str, int]:
        kinds: dict[str, int] = {}
        for item in self.items:
            if item.kind == "resource":
                kinds[item.fate] = kinds.get(item.fate, 0) + 1
        return {fate: kinds[fate] for fate in WORDS if fate in kinds}


def file_order(file: tuple[str, object]) -> tuple[int, bool, str]:
    return file[0].count("/"), file[0] != "main.tf", file[0]
