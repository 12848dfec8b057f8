"""Shell scripts, written line by line.

Invariant: a value is always one word for the shell, whatever characters it contains.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, final

from emitters.hcl.tree.nodes import Fn
from emitters.hcl.tree.types import STRING, Value

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering, Part
    from emitters.hcl.tree.nodes import Expr
    from transpile.model import ir

QUOTE, QUOTED = "'", "'\\''"
PLAIN = re.compile(r"[\w./,:@%+-]+", re.ASCII)
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
END = "END"


def quoted(value: Expr) -> list[Part]:
    """A value as a word in single quotes."""
    if isinstance(value, str):
        return [f"'{value.replace(QUOTE, QUOTED)}'"]
    return ["'", escaped(value), "'"]


def escaped(value: Expr) -> Part:
    """A value whose single quotes are escaped, to be put between single quotes: `it's` -> `it'\\''s`."""
    if isinstance(value, str):
        return value.replace(QUOTE, QUOTED)
    return Value(Fn("replace", (value, QUOTE, QUOTED)), STRING)


def argument(lowering: Lowering, expr: ir.Expr) -> list[Part]:
    """An expression of a template as one word, in quotes if it needs them."""
    parts = lowering.text(expr)
    if all(isinstance(part, str) for part in parts):
        return [shlex.quote("".join(map(str, parts)))]
    return ["'", *(escaped(part if isinstance(part, str) else lowering.as_text(part)) for part in parts), "'"]


def word(value: Expr) -> list[Part]:
    """A value as a word, in quotes only if it needs them."""
    return [value] if isinstance(value, str) and PLAIN.fullmatch(value) else quoted(value)


@final
class Shell:
    """The lines of a script."""

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def line(self, *parts: Part) -> None:
        self.parts += [*parts, "\n"]

    def export(self, name: str, value: Expr) -> None:
        self.line(f"export {name}=", *quoted(value))

    def command(self, *words: Expr) -> None:
        """A command whose words are values."""
        out: list[Part] = []
        for value in words:
            out += [" ", *word(value)] if out else word(value)
        self.line(*out)

    def file(self, path: str, text: Expr) -> None:
        """Writes commands that put a text into a file. A known text is a here-document, which people can read, unless
        it lacks the last newline, which a here-document would add, or has a line that would end it.
        """
        to = word(path)
        if isinstance(text, str) and text.endswith("\n") and END not in text.split("\n"):
            self.line("cat >", *to, f" <<'{END}'")
            self.parts += [text]
            self.line(END)
        else:
            self.line("printf %s ", *quoted(text), " >", *to)

    def text(self, lowering: Lowering) -> Expr:
        """The whole script."""
        return lowering.compose(self.parts).expr
