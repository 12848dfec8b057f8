"""Shell scripts, written line by line.

Invariant: a value is always one word for the shell, even with spaces and quotes in it.
"""

from __future__ import annotations

import re
import shlex
from typing import final

from emitters.hcl.lowering.lowering import HclLowering, Part
from emitters.hcl.tree.nodes import Expr, Fn
from emitters.hcl.tree.types import STRING, TypedValue
from transpile.model import ir
from transpile.model.lazy_patterns import compile_lazily

QUOTE, QUOTED = "'", "'\\''"
PLAIN = compile_lazily(r"(?!\w+=)[\w./,:@%+=-]+", re.ASCII)  # not an assignment, which would be one before a command
WORD = compile_lazily(r"[A-Za-z_]\w*", re.ASCII)
END = "END"


def quote_value(value: Expr) -> list[Part]:
    """A value as a word in single quotes."""
    if isinstance(value, str):
        return [f"'{value.replace(QUOTE, QUOTED)}'"]
    return ["'", escape_quotes(value), "'"]


def escape_quotes(value: Expr) -> Part:
    """A value whose single quotes are escaped, to be put between single quotes: `it's` -> `it'\\''s`."""
    if isinstance(value, str):
        return value.replace(QUOTE, QUOTED)
    return TypedValue(Fn("replace", (value, QUOTE, QUOTED)), STRING)


def quote_expression(lowering: HclLowering, expr: ir.Expr) -> list[Part]:
    """An expression of a template as one word, in quotes if it needs them."""
    parts = lowering.lower_text_parts(expr)
    if all(isinstance(part, str) for part in parts):
        return [shlex.quote("".join(map(str, parts)))]
    return [
        "'",
        *(escape_quotes(part if isinstance(part, str) else lowering.text_of_value(part)) for part in parts),
        "'",
    ]


def shell_word(value: Expr) -> list[Part]:
    """A value as a word, in quotes only if it needs them."""
    return [value] if isinstance(value, str) and PLAIN.fullmatch(value) else quote_value(value)


@final
class Shell:
    """The lines of a script."""

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def write_line(self, *parts: Part) -> None:
        self.parts += [*parts, "\n"]

    def write_export(self, name: str, value: Expr) -> None:
        self.write_line(f"export {name}=", *quote_value(value))

    def write_command(self, *words: Expr, end: str = "") -> None:
        """Writes a command whose words are values. end: the rest of the line, as the shell reads it."""
        out: list[Part] = []
        for value in words:
            out += [" ", *shell_word(value)] if out else shell_word(value)
        self.write_line(*out, *([end] if end else []))

    def write_file(self, path: str, text: Expr, *, decoded: bool = False) -> None:
        """Writes commands that put a text into a file. A known text is a here-document, which people can read. Other
        texts, those without a last newline, and those with a line that would end a here-document, are quoted. decoded:
        the text is base64, and the file gets the decoded text.
        """
        to = shell_word(path)
        if decoded:
            self.write_line("printf %s ", *quote_value(text), " | base64 -d >", *to)
            return
        if isinstance(text, str) and text.endswith("\n") and END not in text.split("\n"):
            self.write_line("cat >", *to, f" <<'{END}'")
            self.parts += [text]
            self.write_line(END)
        else:
            self.write_line("printf %s ", *quote_value(text), " >", *to)

    def compose(self, lowering: HclLowering) -> Expr:
        """The whole script."""
        return lowering.compose_text(self.parts).expr
