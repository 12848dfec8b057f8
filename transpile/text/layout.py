"""Lays out a document as canonical YAML: indentation, flow or block style, blank lines, comments.

Invariant: the output depends only on the document, its comments and its blank lines, and is read as the same document.
docs/style.md gives the rules and their reasons. A document consists of `Lit`, `Seq` and `Map` only; a function call is
a map with one key.
"""

from __future__ import annotations

import bisect
import functools
import re
from typing import TYPE_CHECKING, NamedTuple, final

from transpile.model import ir
from transpile.text import yaml_scalars as scalars

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

WIDTH = 80
REFERENCES = frozenset(("get_param", "get_resource", "get_attr", "get_file", "Ref", "Fn::GetAtt"))
DATE = re.compile(r"\d{4}-\d\d-\d\d")  # a version, which Heat reads as a text with and without quotes
PROSE = ("description", "Description")
BLANK_ABOVE = re.compile(r"\n\r?\n\s*(?:-[ \t]+)*(?=\S)")  # a line of spaces may belong to a block scalar


class Section(NamedTuple):
    """How a section of a document is laid out: `verbatim` (the version), as `declarations`, or else as any value."""

    verbatim: bool = False
    declarations: bool = False


VALUE = Section()


class Style(NamedTuple):
    """The differences between languages. `step`: columns by which a list is indented below its key; `left`, `right`:
    the braces of a map on one line; `gap`: the blanks before a comment at the end of a line; `short`: a map with one of
    these keys and no others may be on one line; `dashed`: but not as an item of a block list; `below`: keys whose lists
    have a line for each item; `versions`: the format of a version, {} for its text.
    """

    step: int = 2
    left: str = "{ "
    right: str = " }"
    gap: str = "  "
    short: frozenset[str] = REFERENCES
    dashed: bool = False
    below: frozenset[str] = frozenset()
    versions: str = "{}"


HOT = Style()


@functools.lru_cache(maxsize=4)
def blank_above(text: str) -> frozenset[int]:
    """The offsets of elements that follow a blank line."""
    return frozenset(m.end() for m in BLANK_ABOVE.finditer(text))


@final
class Layout:
    """Prints one document into `out`, one entry for each line or block scalar."""

    def __init__(
        self,
        comments: Iterable[ir.Comment] = (),
        gaps: Collection[int] = (),
        style: Style = HOT,
        quoted: Collection[int] = (),
    ) -> None:
        """`quoted`: the offsets of texts that are always in double quotes."""
        self.out: list[str] = []
        self.style, self.quoted = style, quoted
        self.gaps = gaps
        self.comments: dict[int, list[ir.Comment]] = {}
        for comment in comments:
            self.comments.setdefault(comment.anchor, []).append(comment)
        self.anchors = sorted(self.comments)
        self.pending: list[ir.Comment] = []  # comments after the last printed element, at the same depth
        self.kept: tuple[str, str] | None = None  # the last block scalar that ends in white space, and its quoted form

    # comments

    def take(self, at: int, *places: str) -> list[ir.Comment]:
        """Removes and returns the comments of the element at an offset. `places`: `before`, `end` or `after` it."""
        if at not in self.comments:
            return []
        here = self.comments[at]
        found = [c for c in here if c.where in places]
        if len(found) == len(here):
            del self.comments[at]
        elif found:
            self.comments[at] = [c for c in here if c.where not in places]
        return found

    def above(self, comments: list[ir.Comment], pad: str, first: bool) -> None:
        """Prints comments on their own lines."""
        for comment in comments:
            if comment.at in self.gaps and not first:
                self.part()
            self.out.append(f"{pad}{shown(comment.text)}")
            first = False

    def beside(self, at: int) -> str:
        """The comment for the end of a line, with the gap before it; empty if there is none."""
        if at not in self.comments:
            return ""
        found = self.take(at, "end")
        if found[1:]:  # a line has room for only one
            self.comments.setdefault(at, []).extend(ir.Comment(c.text, at, "after", c.at) for c in found[1:])
        return f"{self.style.gap}{shown(found[0].text)}" if found else ""

    def part(self) -> None:
        """Adds a blank line, unless it would become part of the block scalar above."""
        if not self.open():
            self.out.append("")

    def open(self) -> bool:
        """Whether the output ends with a block scalar that would take a blank line below it as its own (`|+`)."""
        kept = self.kept
        return kept is not None and bool(self.out) and self.out[-1] is kept[0] and kept[0].endswith("\n")

    def inside(self, expr: ir.Expr) -> bool:
        """Whether an expression contains comments."""
        if not self.comments or type(expr) is ir.Lit:
            return False
        first, last = bisect.bisect_left(self.anchors, expr.at), bisect.bisect_left(self.anchors, expr.end)
        return any(a in self.comments for a in self.anchors[first:last])

    # on one line

    def flow(self, expr: ir.Expr) -> str | None:
        """An expression on one line in flow style, or None if that is not possible."""
        if type(expr) is ir.Lit:
            value = expr.value
            if isinstance(value, str):
                return None if "\n" in value else self.text(expr, value, True)
            return scalars.scalar(value)
        if type(expr) is ir.Seq:
            items = []
            for item in expr.items:
                if (found := self.flow(item)) is None:
                    return None
                items.append(found)
            return f"[{', '.join(items)}]"
        assert type(expr) is ir.Map
        pairs = []
        for entry in expr.entries:
            if (found := self.flow(entry.value)) is None:
                return None
            pairs.append(f"{scalars.text(entry.key, True)}: {found}")
        return f"{self.style.left}{', '.join(pairs)}{self.style.right}" if pairs else "{}"

    def text(self, expr: ir.Lit, value: str, flow: bool = False) -> str:
        """A text on one line."""
        return scalars.quoted(value) if expr.at in self.quoted else scalars.text(value, flow)

    def short(self, expr: ir.Expr) -> bool:
        """Whether a list with this item may be on one line."""
        if type(expr) is ir.Lit:
            return True
        if type(expr) is ir.Seq:
            return all(map(self.short, expr.items))
        return type(expr) is ir.Map and (not expr.entries or self.reference(expr))

    def reference(self, expr: ir.Map) -> bool:
        """Whether a map may be on one line."""
        if len(expr.entries) != 1 or expr.entries[0].key not in self.style.short:
            return False
        return not self.style.dashed or self.short(expr.entries[0].value)

    def inline(self, expr: ir.Expr, column: int) -> str | None:
        """An expression as it follows its key or dash on the same line; None if it goes below."""
        if type(expr) is ir.Lit:
            value = expr.value
            if isinstance(value, str):
                return None if "\n" in value else self.text(expr, value)
            return scalars.scalar(value)
        if type(expr) is ir.Map:
            if not expr.entries:
                return "{}"
            if not self.reference(expr):
                return None
        elif type(expr) is ir.Seq:
            if not expr.items:
                return "[]"
            if not all(map(self.short, expr.items)):
                return None
        if self.inside(expr):
            return None
        found = self.flow(expr)
        return found if found is not None and column + len(found) <= WIDTH else None

    # block style

    def map(self, entries: Iterable[ir.Entry], indent: int) -> None:
        pad = " " * indent
        first = True
        for entry in entries:
            value = entry.value
            if (
                type(value) is ir.Lit
                and not (self.comments or self.pending)
                and entry.key not in PROSE
                and not is_tall(value)
            ):
                if entry.at in self.gaps and not first:
                    self.part()
                # by far the most common case
                plain = value.at not in self.quoted or not isinstance(value.value, str)
                shown = scalars.scalar(value.value) if plain else scalars.quoted(str(value.value))
                self.out.append(f"{scalars.key(entry.key, pad)} {shown}")
            else:
                self.entry(entry, pad, first)
            first = False
        self.below(pad)

    def below(self, pad: str) -> None:
        """Prints the comments after the last element of a collection."""
        if self.pending:
            self.above(self.pending, pad, True)
            self.pending = []

    def entry(self, entry: ir.Entry, pad: str, first: bool, parted: bool = False, section: Section = VALUE) -> None:
        """Prints one `key: value` with the comments above and beside it. Comments below it wait for the next element.

        `parted`: the caller handles blank lines above.
        """
        at, value = entry.at, entry.value
        self.over(at, pad, first, parted)
        key = scalars.key(entry.key, pad)
        if section.verbatim and type(value) is ir.Lit and isinstance(value.value, str) and DATE.fullmatch(value.value):
            self.out.append(f"{key} {self.style.versions.format(value.value)}{self.beside(at)}")
        elif section.declarations and type(value) is ir.Map and value.entries:
            self.out.append(key + self.beside(at))
            self.declarations(value.entries, len(pad) + 2)
        else:
            below = entry.key in self.style.below and type(value) is ir.Seq and bool(value.items)
            self.value(key, value, at, len(pad), prose=entry.key in PROSE, below=below)
        if self.comments:
            self.pending = self.take(at, "after", "end")

    def over(self, at: int, pad: str, first: bool, parted: bool = False) -> None:
        """Prints the lines above an entry or item: comments, those after the previous one first, and a blank line."""
        if self.comments or self.pending:
            comments, self.pending = self.pending + self.take(at, "before"), []
            if comments:
                self.above(comments, pad, first or parted)
                first = parted = False
        if at in self.gaps and not first and not parted:
            self.part()

    def value(self, lead: str, value: ir.Expr, at: int, indent: int, prose: bool = False, below: bool = False) -> None:
        """Prints the value behind a key or dash (`lead`). `at`: the element whose comment goes to the end of the line;
        `below`: the value is on lines of its own.
        """
        found = None if below else self.inline(value, len(lead) + 1)
        beside = self.beside(at) if self.comments else ""
        if prose and type(value) is ir.Lit and isinstance(value.value, str):
            long = found is None or len(lead) + 1 + len(found) > WIDTH
            folded = scalars.folded(value.value, indent + 2, WIDTH) if long else None
            if folded is not None:
                self.block(lead, folded, beside, value.value)
                return
        if found is not None:
            self.out.append(f"{lead} {found}{beside}")
        elif type(value) is ir.Lit:
            assert isinstance(value.value, str)
            block = scalars.block(value.value, indent + 2)
            if block is None:
                self.out.append(f"{lead} {scalars.text(value.value)}{beside}")
            else:
                self.block(lead, block, beside, value.value)
        elif type(value) is ir.Map:
            self.out.append(f"{lead}{beside}")
            self.map(value.entries, indent + 2)
        elif type(value) is ir.Seq:
            self.out.append(f"{lead}{beside}")
            self.seq(value.items, indent + self.style.step)

    def block(self, lead: str, block: str, beside: str, value: str) -> None:
        header, _, body = block.partition("\n")
        self.out.append(f"{lead} {header}{beside}\n{body}")
        if value[-1:].isspace():
            self.kept = self.out[-1], f"{lead} {scalars.text(value)}{beside}"

    def seq(self, items: Iterable[ir.Expr], indent: int) -> None:
        pad = " " * indent
        first = True
        for item in items:
            at = getattr(item, "at", -1)
            self.over(at, pad, first)
            first = False
            self.item(item, at, indent)
        self.below(pad)

    def item(self, item: ir.Expr, at: int, indent: int) -> None:
        pad = " " * indent
        block = self.style.dashed and isinstance(item, ir.Map) and bool(item.entries)
        if isinstance(item, ir.Lit) or (not block and self.inline(item, indent + 2) is not None):
            self.value(f"{pad}-", item, at, indent)
            after = self.take(at, "after", "end") if self.comments else []
        else:
            start = len(self.out)
            after = []
            if isinstance(item, ir.Map):
                if len(item.entries) > 1 and self.comments:
                    after = self.take(at, "after")  # comments of the item, not of its first key
                self.map(item.entries, indent + 2)
            elif isinstance(item, ir.Seq):
                self.seq(item.items, indent + 2)
            while self.out[start].lstrip().startswith("#"):  # a comment above the first key moves above the dash
                self.out[start] = pad + self.out[start].lstrip()
                start += 1
            line = f"{pad}- {self.out[start][indent + 2 :]}"
            if self.kept is not None and self.out[start] is self.kept[0]:
                self.kept = line, f"{pad}- {self.kept[1][indent + 2 :]}"
            self.out[start] = line
        self.pending = after

    # declarations

    def declarations(self, entries: Iterable[ir.Entry], indent: int) -> None:
        """Prints entries, with a blank line between two of them if either takes more than one line."""
        pad = " " * indent
        before: list[str] = []
        for entry in entries:
            parted = self.open()  # before the entry, which may have such a scalar, too
            whole, self.out = self.out, []
            self.entry(entry, pad, first=not before, parted=True)
            part, self.out = self.out, whole
            if before and (tall(part) or tall(before)) and not parted:
                self.out.append("")
            self.out += part
            before = part
        self.below(pad)

    def document(self, root: ir.Map, sections: Mapping[str, Section], *, stripped: bool) -> str:
        """The text of a document whose sections are in order. `stripped`: its reader strips white space from the end,
        so a block scalar at the end that needs it is quoted instead.
        """
        places = [entry.at for entry in root.entries] or [-1]
        head = self.take(min(places), "before") if places[0] != min(places) else []
        tail = self.take(max(places), "after") if places[-1] != max(places) else []
        if head:  # the head of the file stays at the top, even if the section below it moves; likewise the tail
            self.above(head, "", True)
            self.out.append("")
        first = not self.out
        for entry in root.entries:
            if not first and self.out[-1] != "":
                self.part()
            self.entry(entry, "", first, parted=not first, section=sections.get(entry.key, VALUE))
            first = False
        self.pending += tail
        self.below("")
        rest = [c for found in self.comments.values() for c in found]  # empty unless a place was not printed
        self.above(sorted(rest, key=lambda c: c.at), "", True)
        if stripped and self.kept is not None and self.out[-1] is self.kept[0]:
            self.out[-1] = self.kept[1]
        return "\n".join(self.out) + "\n"


def tall(lines: list[str]) -> bool:
    return len(lines) > 1 or "\n" in lines[0]


def is_tall(value: ir.Lit) -> bool:
    return isinstance(value.value, str) and "\n" in value.value


def shown(text: str) -> str:
    """A comment as printed, including the `#`."""
    clean = text.rstrip()
    return f"#{clean}" if clean[:1] in ("", " ", "#", "!") else f"# {clean}"
