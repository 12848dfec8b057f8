"""Prints a template as canonical HOT.

The easy rule to break: the text read again is the same template, to the last byte of every value. A call of a
reference stands in flow style where it fits, maps and lists of more in block style; comments stand where they stood.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, final

from emitters.hot import scalars
from transpile import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WIDTH = 80
REFERENCES = ("get_param", "get_resource", "get_attr", "get_file", "Ref", "Fn::GetAtt")


def to_map(expr: ir.Expr) -> ir.Expr:
    """A call in the form of the map that it is written as; what is data stays as it is."""
    if isinstance(expr, ir.ParamRef):
        name: ir.Expr = ir.Lit(expr.name)
        return single(expr.fn, ir.Seq((name, *expr.path)) if expr.path else name, expr)
    if isinstance(expr, ir.ResourceRef):
        return single(expr.fn, ir.Lit(expr.name), expr)
    if isinstance(expr, ir.AttrRef):
        return single(expr.fn, ir.Seq((ir.Lit(expr.name), *expr.path)), expr)
    if isinstance(expr, ir.FileRef):
        return single("get_file", ir.Lit(expr.name), expr)
    if isinstance(expr, ir.ConditionRef):
        return ir.Lit(expr.name, expr.at, expr.end)
    if isinstance(expr, ir.If):
        return single(
            expr.fn, ir.Seq((expr.condition, expr.then, *(() if expr.orelse is None else (expr.orelse,)))), expr
        )
    if isinstance(expr, ir.Repeat):
        entries = [ir.Entry("for_each", ir.Map(expr.for_each)), ir.Entry("template", expr.template)]
        if expr.permutations is not None:
            entries.append(ir.Entry("permutations", expr.permutations))
        return single("repeat", ir.Map(tuple(entries)), expr)
    if isinstance(expr, ir.Call):
        return single(expr.fn, expr.arg, expr)
    return expr


def single(name: str, arg: ir.Expr, expr: ir.Expr) -> ir.Map:
    return ir.Map((ir.Entry(name, arg, expr.at),), expr.at, expr.end)


@final
class Printer:
    """Prints one template; comments are taken from it as their places come by."""

    def __init__(self, comments: Iterable[ir.Comment]) -> None:
        self.comments: dict[int, list[ir.Comment]] = {}
        for comment in comments:
            self.comments.setdefault(comment.anchor, []).append(comment)
        self.anchors = sorted(self.comments)

    def between(self, start: int, end: int) -> list[int]:
        """The anchors from an offset up to another whose comments were not handed out yet."""
        first, last = bisect.bisect_left(self.anchors, start), bisect.bisect_left(self.anchors, end)
        return [a for a in self.anchors[first:last] if a in self.comments]

    def take(self, start: int, end: int = -1) -> list[str]:
        """The comments at an offset, or anchored from there up to another; each is handed out once."""
        if not self.comments or start < 0:
            return []
        if end < 0:
            return [c.text for c in self.comments.pop(start, [])]
        return [c.text for a in self.between(start, end) for c in self.comments.pop(a)]

    def flow(self, expr: ir.Expr) -> str | None:
        """The expression on one line, in flow style; None where it cannot stand so."""
        expr = to_map(expr)
        if isinstance(expr, ir.Lit):
            if isinstance(expr.value, str) and "\n" in expr.value:
                return None
            return scalars.scalar(expr.value, flow=True)
        if isinstance(expr, ir.Seq):
            items = [self.flow(i) for i in expr.items]
            return None if None in items else f"[{', '.join(i for i in items if i is not None)}]"
        if isinstance(expr, ir.Map):
            if not expr.entries:
                return "{}"
            pairs = [(scalars.text(e.key, True), self.flow(e.value)) for e in expr.entries]
            return None if any(v is None for _, v in pairs) else "{ " + ", ".join(f"{k}: {v}" for k, v in pairs) + " }"
        return None

    def commented(self, expr: ir.Expr) -> bool:
        """Whether comments belong to something inside an expression."""
        if not self.comments:
            return False
        at, end = getattr(expr, "at", -1), getattr(expr, "end", -1)
        return at >= 0 and bool(self.between(at, end))

    def inline(self, expr: ir.Expr, column: int) -> str | None:
        """How an expression stands behind its key or dash; None if it goes below."""
        if isinstance(expr, ir.Lit):
            if isinstance(expr.value, str) and "\n" in expr.value:
                return None
            return scalars.scalar(expr.value)
        if self.commented(expr):
            return None
        call = not isinstance(expr, (ir.Seq, ir.Map))
        shape = to_map(expr)
        if (isinstance(shape, ir.Map) and not shape.entries) or (isinstance(shape, ir.Seq) and not shape.items):
            return self.flow(shape)
        if isinstance(shape, ir.Map) and not (call and next(iter(shape.entries)).key in REFERENCES):
            return None
        if isinstance(shape, ir.Seq) and not all(
            isinstance(i, ir.Lit) or not isinstance(i, (ir.Map,)) for i in shape.items
        ):
            return None
        if isinstance(shape, ir.Seq) and not all(self.short(i) for i in shape.items):
            return None
        found = self.flow(shape)
        return found if found is not None and column + len(found) <= WIDTH else None

    def short(self, expr: ir.Expr) -> bool:
        """Whether an item of a list may stand in a list on one line."""
        if isinstance(expr, ir.Lit):
            return True
        if isinstance(expr, ir.Seq):
            return all(self.short(i) for i in expr.items)
        return isinstance(expr, (ir.ParamRef, ir.ResourceRef, ir.AttrRef, ir.FileRef, ir.ConditionRef))

    def value(self, expr: ir.Expr, indent: int, column: int) -> str:
        """What stands behind `key:`, its separator included."""
        found = self.inline(expr, column + 1)
        if found is not None:
            return f" {found}"
        if isinstance(expr, ir.Lit):
            assert isinstance(expr.value, str)
            shown = scalars.block(expr.value, indent + 2)
            return f" {shown if shown is not None else scalars.text(expr.value)}"
        shape = to_map(expr)
        if isinstance(shape, ir.Lit):
            return f" {scalars.scalar(shape.value)}"
        return "\n" + "\n".join(self.lines(shape, indent + 2))

    def lines(self, expr: ir.Expr, indent: int) -> list[str]:
        """A map or list in block style."""
        pad = " " * indent
        out: list[str] = []
        if isinstance(expr, ir.Map):
            for entry in expr.entries:
                out += self.comment_lines(self.take(entry.at), pad)
                key = scalars.text(entry.key)
                out.append(f"{pad}{key}:{self.value(entry.value, indent, indent + len(key) + 1)}")
        elif isinstance(expr, ir.Seq):
            for item in expr.items:
                out += self.comment_lines(self.take(getattr(item, "at", -1)), pad)
                out += self.item(item, indent)
        return out

    def item(self, item: ir.Expr, indent: int) -> list[str]:
        pad = " " * indent
        found = self.inline(item, indent + 2)
        if found is not None:
            return [f"{pad}- {found}"]
        if isinstance(item, ir.Lit):
            assert isinstance(item.value, str)
            shown = scalars.block(item.value, indent + 2)
            return [f"{pad}- {shown if shown is not None else scalars.text(item.value)}"]
        first, *rest = self.lines(to_map(item), indent + 2)
        if first.lstrip().startswith("#"):  # a comment above the first key
            body = [first, *rest]
            count = next(i for i, line in enumerate(body) if not line.lstrip().startswith("#"))
            return [line[2:] for line in body[:count]] + [f"{pad}- {body[count][indent + 2 :]}", *body[count + 1 :]]
        return [f"{pad}- {first[indent + 2 :]}", *rest]

    @staticmethod
    def comment_lines(comments: list[str], pad: str) -> Iterator[str]:
        for text in comments:
            clean = " ".join(text.split("\n")).rstrip()
            yield f"{pad}#{clean}" if clean[:1] in ("", " ", "#", "!") else f"{pad}# {clean}"

    def entry(self, key: str, expr: ir.Expr, indent: int) -> str:
        """One `key: value`."""
        name = scalars.text(key)
        return f"{' ' * indent}{name}:{self.value(expr, indent, indent + len(name) + 1)}"
