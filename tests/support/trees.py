"""Random strings, values and HCL trees, always the same ones for the same seed.

The generated data must be able to break a printer: templates inside strings, quotes, line ends of all kinds, text that
looks like a heredoc, characters that combine with their neighbours.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Not,
    Note,
    Object,
    Op,
    Splat,
    StringTemplate,
    Traversal,
    Tuple,
)

PIECES = [
    *("$", "$$", "${", "%{", "%", "$${", "%%{", "~}", "${~", "{", "}", "%{if", "${a}"),
    *('"', "\\", "'", "\\n", '\\"', "#", "//", "/*", "*/", "null", "EOT", "<<EOT", "<<-EOT", "\nEOT\n"),
    *("\n", "\r\n", "\r", "\t", " ", "  ", "\n  x", "\n\n", "\n\t", "\n ", " \n"),
    *("a", "b", "é", "e\u0301", "\u0301", "𐀀", "👨\u200d👩\u200d👧", "\U0001f3fd", "\u0e31", "\u1100\u1161"),
    *("\x01", "\x08", "\x0b", "\x1b", "\x7f", "\x85", "\u00a0", "\u2028", "\u2029", "\ufeff", "\u200d", "\ufffd"),
]
NAMES = ["name", "for", "in", "null", "true", "a", "long_name", "größe", "x-y", "0x", "a b", "", "${x}", 'q"', "count"]


class Drawn:
    """The data generated from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self, most: int = 8) -> str:
        return "".join(self.random.choice(PIECES) for _ in range(self.random.randint(0, most)))

    def value(self, depth: int = 0) -> Any:
        """Data with the types that Terraform has."""
        kind = self.random.random()
        if depth > 3 or kind < 0.55:
            return self.text()
        if kind < 0.7:
            return self.random.choice([None, True, False, 0, 1, -3, 2.5, -0.125, 10**20, 1e-7])
        if kind < 0.85:
            return [self.value(depth + 1) for _ in range(self.random.randint(0, 4))]
        return {
            self.random.choice(NAMES) + self.text(2): self.value(depth + 1) for _ in range(self.random.randint(0, 4))
        }

    def name(self) -> Traversal:
        return Traversal(
            self.random.choice([("var", "x"), ("local", "long_local_name"), ("count", "index"), ("each", "key")])
        )

    def expr(self, depth: int = 0) -> Expr:
        """Any expression; its meaning does not matter."""

        def pick(choices: list[Expr]) -> Expr:
            return self.random.choice(choices)

        if depth > 3:
            return pick([self.text(3), self.name(), 1, -2, 2.5, True, None])

        def more() -> Expr:
            return self.expr(depth + 1)

        def some() -> Expr:
            """Any expression except a literal, because selection and iteration need something else."""
            return pick([self.name(), Fn("try", (more(), self.name())), Tuple((more(),)), Attr(self.name(), "list")])

        def several() -> tuple[Expr, ...]:
            return tuple(more() for _ in range(self.random.randint(0, 4)))

        def word(*words: str) -> str:
            return self.random.choice(words)

        forms: list[Callable[[], Expr]] = [
            lambda: self.text(),
            lambda: self.text(20),
            self.name,
            lambda: Attr(Index(self.name(), pick([0, "a key", self.name(), Fn("f", (more(),))])), "id"),
            lambda: Splat(self.name(), ("a", "b")),
            lambda: Fn(word("join", "merge", "try"), several()),
            lambda: Fn("concat", (more(),), expand=True),
            lambda: Op(word("+", "-", "*", "%", "==", "!=", "<", ">=", "&&", "||"), more(), more()),
            lambda: Not(some()),
            lambda: Cond(more(), more(), more()),
            lambda: Tuple(several()),
            lambda: Object(tuple((word(*NAMES, self.text(2)), value) for value in several())),
            lambda: ForTuple(("v",), some(), more(), pick([None, self.name()])),
            lambda: ForObject(("k", "v"), some(), self.name(), more(), pick([None, self.name()])),
            lambda: StringTemplate(tuple(part for part in (self.text(4), more(), self.text(4)) if part != "")),
        ]
        return self.random.choice(forms)()

    def item(self, depth: int = 0) -> Argument | Block | Note:
        kind = self.random.random()
        if kind < 0.05:
            return Note([" a note", *([""] if kind < 0.02 else []), " on lines"])
        comments = [" why", ""] if kind > 0.9 else []
        if depth > 2 or kind < 0.7:
            name = self.random.choice(
                [n for n in NAMES if n.replace("-", "").replace("_", "").isalpha() and n != "for"]
            )
            return Argument(name, self.expr(), comments=comments)
        return self.block(self.random.choice(["lifecycle", "network", "provisioner"]), depth, comments)

    def block(self, kind: str, depth: int = 0, comments: list[str] | None = None) -> Block:
        labels = ("kind", self.random.choice(["a", "b_c", "größe"])) if depth == 0 else ()
        block = Block(kind, labels, comments=comments or [])
        seen: set[str] = set()
        for _ in range(self.random.randint(0, 6)):
            item = self.item(depth + 1)
            if not (isinstance(item, Argument) and item.name in seen):  # an argument is set only once
                seen |= {item.name} if isinstance(item, Argument) else set()
                block.body.append(item)
        return block

    def file(self) -> list[Argument | Block | Note]:
        out: list[Argument | Block | Note] = [self.block("resource") for _ in range(self.random.randint(1, 3))]
        return [Note([" at the head"]), *out] if self.random.random() < 0.2 else out


def data(value: Any) -> Expr:
    """Data as an expression."""
    if isinstance(value, list):
        return Tuple(tuple(data(v) for v in value))
    if isinstance(value, dict):
        return Object(tuple((k, data(v)) for k, v in value.items()))
    literal: Expr = value
    return literal
