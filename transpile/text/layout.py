"""Lays out a document as canonical YAML: indentation, flow or block style, blank lines, comments.

Invariant: the output depends only on the document, its comments and its blank lines, and is read as the same document.
docs/checking.md has the rules. A document consists of `Lit`, `Seq` and `Map` only; a function call
is a map with one key.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, final

from transpile.model import ir
from transpile.model.lazy_patterns import compile_lazily
from transpile.text import yaml_scalars as scalars

WIDTH = 80
REFERENCES = frozenset(("get_param", "get_resource", "get_attr", "get_file", "Ref", "Fn::GetAtt"))
DATE = compile_lazily(r"\d{4}-\d\d-\d\d")  # a version, which Heat reads as a text with and without quotes
PROSE = ("description", "Description")
BLANK_ABOVE = compile_lazily(r"\n\r?\n\s*(?:-[ \t]+)*(?=\S)")  # a line of spaces may belong to a block scalar


class SectionLayout(NamedTuple):
    """How a section of a document is laid out: `verbatim` (the version), as `declarations`, or else as any value."""

    verbatim: bool = False
    declarations: bool = False


VALUE = SectionLayout()


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

    def take_comments(self, at: int, *places: str) -> list[ir.Comment]:
        """Removes and returns the comments of the element at an offset. `places`: `before`, `end` or `after` it."""
        if at not in self.comments:
            return []
        here = self.comments[at]
        taken = [c for c in here if c.where in places]
        if len(taken) == len(here):
            del self.comments[at]
        elif taken:
            self.comments[at] = [c for c in here if c.where not in places]
        return taken

    def print_comments(self, comments: list[ir.Comment], pad: str, first: bool) -> None:
        """Prints comments on their own lines."""
        for comment in comments:
            if comment.at in self.gaps and not first:
                self.print_blank_line()
            self.out.append(f"{pad}{format_comment(comment.text)}")
            first = False

    def take_end_comment(self, at: int) -> str:
        """The comment for the end of a line, with the gap before it; empty if there is none."""
        if at not in self.comments:
            return ""
        comments = self.take_comments(at, "end")
        if comments[1:]:  # a line has room for only one
            self.comments.setdefault(at, []).extend(ir.Comment(c.text, at, "after", c.at) for c in comments[1:])
        return f"{self.style.gap}{format_comment(comments[0].text)}" if comments else ""

    def print_blank_line(self) -> None:
        """Adds a blank line, unless it would become part of the block scalar above."""
        if not self.ends_with_open_scalar():
            self.out.append("")

    def ends_with_open_scalar(self) -> bool:
        """Whether the output ends with a block scalar that would take a blank line below it as its own (`|+`)."""
        kept = self.kept
        return kept is not None and bool(self.out) and self.out[-1] is kept[0] and kept[0].endswith("\n")

    def contains_comments(self, expression: ir.Expr) -> bool:
        """Whether an expression contains comments."""
        if not self.comments or type(expression) is ir.Lit:
            return False
        first, last = bisect.bisect_left(self.anchors, expression.at), bisect.bisect_left(self.anchors, expression.end)
        return any(a in self.comments for a in self.anchors[first:last])

    # on one line

    def format_flow(self, expression: ir.Expr) -> str | None:
        """An expression on one line in flow style, or None if that is not possible."""
        if type(expression) is ir.Lit:
            value = expression.value
            if isinstance(value, str):
                return None if "\n" in value else self.format_string(expression, value, True)
            return scalars.print_scalar(value)
        if type(expression) is ir.Seq:
            items = []
            for item in expression.items:
                if (text := self.format_flow(item)) is None:
                    return None
                items.append(text)
            return f"[{', '.join(items)}]"
        assert type(expression) is ir.Map
        pairs = []
        for entry in expression.entries:
            if (text := self.format_flow(entry.value)) is None:
                return None
            pairs.append(f"{scalars.quote_if_needed(entry.key, True)}: {text}")
        return f"{self.style.left}{', '.join(pairs)}{self.style.right}" if pairs else "{}"

    def format_string(self, literal: ir.Lit, value: str, flow: bool = False) -> str:
        """A text on one line."""
        return scalars.quote_with_escapes(value) if literal.at in self.quoted else scalars.quote_if_needed(value, flow)

    def is_short_item(self, expression: ir.Expr) -> bool:
        """Whether a list with this item may be on one line."""
        if type(expression) is ir.Lit:
            return True
        if type(expression) is ir.Seq:
            return all(map(self.is_short_item, expression.items))
        return type(expression) is ir.Map and (not expression.entries or self.is_short_map(expression))

    def is_short_map(self, expression: ir.Map) -> bool:
        """Whether a map may be on one line."""
        if len(expression.entries) != 1 or expression.entries[0].key not in self.style.short:
            return False
        return not self.style.dashed or self.is_short_item(expression.entries[0].value)

    def format_inline(self, expression: ir.Expr, column: int) -> str | None:
        """An expression as it follows its key or dash on the same line; None if it goes below."""
        if type(expression) is ir.Lit:
            value = expression.value
            if isinstance(value, str):
                return None if "\n" in value else self.format_string(expression, value)
            return scalars.print_scalar(value)
        if type(expression) is ir.Map:
            if not expression.entries:
                return "{}"
            if not self.is_short_map(expression):
                return None
        elif type(expression) is ir.Seq:
            if not expression.items:
                return "[]"
            if not all(map(self.is_short_item, expression.items)):
                return None
        if self.contains_comments(expression):
            return None
        text = self.format_flow(expression)
        return text if text is not None and column + len(text) <= WIDTH else None

    # block style

    def print_map(self, entries: Iterable[ir.Entry], indent: int) -> None:
        pad = " " * indent
        first = True
        for entry in entries:
            value = entry.value
            if (
                type(value) is ir.Lit
                and not self.pending
                and entry.at not in self.comments
                and entry.key not in PROSE
                and not is_multiline_literal(value)
            ):
                if entry.at in self.gaps and not first:
                    self.print_blank_line()
                # by far the most common case
                plain = value.at not in self.quoted or not isinstance(value.value, str)
                scalar = scalars.print_scalar(value.value) if plain else scalars.quote_with_escapes(str(value.value))
                self.out.append(f"{scalars.print_key(entry.key, pad)} {scalar}")
            else:
                self.print_entry(entry, pad, first)
            first = False
        self.print_pending(pad)

    def print_pending(self, pad: str) -> None:
        """Prints the comments after the last element of a collection."""
        if self.pending:
            self.print_comments(self.pending, pad, True)
            self.pending = []

    def print_entry(
        self, entry: ir.Entry, pad: str, first: bool, parted: bool = False, section: SectionLayout = VALUE
    ) -> None:
        """Prints one `key: value` with the comments above and beside it. Comments below it wait for the next element.

        `parted`: the caller handles blank lines above.
        """
        at, value = entry.at, entry.value
        self.print_above(at, pad, first, parted)
        key = scalars.print_key(entry.key, pad)
        if section.verbatim and type(value) is ir.Lit and isinstance(value.value, str) and DATE.fullmatch(value.value):
            self.out.append(f"{key} {self.style.versions.format(value.value)}{self.take_end_comment(at)}")
        elif section.declarations and type(value) is ir.Map and value.entries:
            self.out.append(key + self.take_end_comment(at))
            self.print_declarations(value.entries, len(pad) + 2)
        else:
            below = entry.key in self.style.below and type(value) is ir.Seq and bool(value.items)
            self.print_value(key, value, at, len(pad), prose=entry.key in PROSE, below=below)
        if self.comments:
            self.pending = self.take_comments(at, "after", "end")

    def print_above(self, at: int, pad: str, first: bool, parted: bool = False) -> None:
        """Prints the lines above an entry or item: comments, those after the previous one first, and a blank line."""
        if self.comments or self.pending:
            comments, self.pending = self.pending + self.take_comments(at, "before"), []
            if comments:
                self.print_comments(comments, pad, first or parted)
                first = parted = False
        if at in self.gaps and not first and not parted:
            self.print_blank_line()

    def print_value(
        self, lead: str, value: ir.Expr, at: int, indent: int, prose: bool = False, below: bool = False
    ) -> None:
        """Prints the value behind a key or dash (`lead`). `at`: the element whose comment goes to the end of the line;
        `below`: the value is on lines of its own.
        """
        inline = None if below else self.format_inline(value, len(lead) + 1)
        comment = self.take_end_comment(at) if self.comments else ""
        if prose and type(value) is ir.Lit and isinstance(value.value, str):
            long = inline is None or len(lead) + 1 + len(inline) > WIDTH
            folded = scalars.print_folded_scalar(value.value, indent + 2, WIDTH) if long else None
            if folded is not None:
                self.print_block(lead, folded, comment, value.value)
                return
        if inline is not None:
            self.out.append(f"{lead} {inline}{comment}")
        elif type(value) is ir.Lit:
            assert isinstance(value.value, str)
            block = scalars.print_block_scalar(value.value, indent + 2)
            if block is None:
                self.out.append(f"{lead} {scalars.quote_if_needed(value.value)}{comment}")
            else:
                self.print_block(lead, block, comment, value.value)
        elif type(value) is ir.Map:
            self.out.append(f"{lead}{comment}")
            self.print_map(value.entries, indent + 2)
        elif type(value) is ir.Seq:
            self.out.append(f"{lead}{comment}")
            self.print_sequence(value.items, indent + self.style.step)

    def print_block(self, lead: str, block: str, comment: str, value: str) -> None:
        header, _, body = block.partition("\n")
        self.out.append(f"{lead} {header}{comment}\n{body}")
        if value[-1:].isspace():
            self.kept = self.out[-1], f"{lead} {scalars.quote_if_needed(value)}{comment}"

    def print_sequence(self, items: Iterable[ir.Expr], indent: int) -> None:
        pad = " " * indent
        first = True
        for item in items:
            at = getattr(item, "at", -1)
            self.print_above(at, pad, first)
            first = False
            self.print_item(item, at, indent)
        self.print_pending(pad)

    def print_item(self, item: ir.Expr, at: int, indent: int) -> None:
        pad = " " * indent
        block = self.style.dashed and isinstance(item, ir.Map) and bool(item.entries)
        if isinstance(item, ir.Lit) or (not block and self.format_inline(item, indent + 2) is not None):
            self.print_value(f"{pad}-", item, at, indent)
            after = self.take_comments(at, "after", "end") if self.comments else []
        else:
            start = len(self.out)
            after = []
            if isinstance(item, ir.Map):
                if len(item.entries) > 1 and self.comments:
                    after = self.take_comments(at, "after")  # comments of the item, not of its first key
                self.print_map(item.entries, indent + 2)
            elif isinstance(item, ir.Seq):
                self.print_sequence(item.items, indent + 2)
            while self.out[start].lstrip().startswith("#"):  # a comment above the first key moves above the dash
                self.out[start] = pad + self.out[start].lstrip()
                start += 1
            line = f"{pad}- {self.out[start][indent + 2 :]}"
            if self.kept is not None and self.out[start] is self.kept[0]:
                self.kept = line, f"{pad}- {self.kept[1][indent + 2 :]}"
            self.out[start] = line
        self.pending = after

    # declarations

    def print_declarations(self, entries: Iterable[ir.Entry], indent: int) -> None:
        """Prints entries, with a blank line between two of them if either takes more than one line."""
        pad = " " * indent
        before: list[str] = []
        for entry in entries:
            parted = self.ends_with_open_scalar()  # before the entry, which may have such a scalar, too
            whole, self.out = self.out, []
            self.print_entry(entry, pad, first=not before, parted=True)
            part, self.out = self.out, whole
            if before and (has_several_lines(part) or has_several_lines(before)) and not parted:
                self.out.append("")
            self.out += part
            before = part
        self.print_pending(pad)

    def print_document(self, root: ir.Map, sections: Mapping[str, SectionLayout], *, stripped: bool) -> str:
        """The text of a document whose sections are in order. `stripped`: its reader strips white space from the end,
        so a block scalar at the end that needs it is quoted instead.
        """
        places = [entry.at for entry in root.entries] or [-1]
        head = self.take_comments(min(places), "before") if places[0] != min(places) else []
        tail = self.take_comments(max(places), "after") if places[-1] != max(places) else []
        if head:  # the head of the file stays at the top, even if the section below it moves; likewise the tail
            self.print_comments(head, "", True)
            self.out.append("")
        first = not self.out
        for entry in root.entries:
            if not first and self.out[-1] != "":
                self.print_blank_line()
            self.print_entry(entry, "", first, parted=not first, section=sections.get(entry.key, VALUE))
            first = False
        self.pending += tail
        self.print_pending("")
        rest = [c for group in self.comments.values() for c in group]  # empty unless a place was not printed
        self.print_comments(sorted(rest, key=lambda c: c.at), "", True)
        if stripped and self.kept is not None and self.out[-1] is self.kept[0]:
            self.out[-1] = self.kept[1]
        return "\n".join(self.out) + "\n"


def has_several_lines(lines: list[str]) -> bool:
    return len(lines) > 1 or "\n" in lines[0]


def is_multiline_literal(value: ir.Lit) -> bool:
    return isinstance(value.value, str) and "\n" in value.value


def format_comment(text: str) -> str:
    """A comment as printed, including the `#`."""
    clean = text.rstrip()
    return f"#{clean}" if clean[:1] in ("", " ", "#", "!") else f"# {clean}"
