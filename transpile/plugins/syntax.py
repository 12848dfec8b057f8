"""Reads a plug-in module: bytes become a text and Python's syntax tree, within bounds.

Invariant: nothing is compiled or run. A module for Python 2 is translated token by token, and places still refer to
the original text.
"""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
import warnings
from typing import NamedTuple, final

from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.source import Source
from transpile.model.span import Span, word_at

TOKEN = compile_lazily(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>[uUbBrR]{0,2}(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"
        |'(?:[^\\\n']|\\.)*'|"(?:[^\\\n"]|\\.)*"))
    |(?P<name>[^\W\d]\w*)
    |(?P<newline>\n)
    |(?P<space>[ \t\f\r]+|\\\r?\n)
    |(?P<op>>>|.)""",
    re.VERBOSE | re.DOTALL,
)

SIZE = 1 << 19  # bytes of a module, five times as many as the largest module in use has


class UnreadableModule(Exception):
    """A module that cannot be parsed. `at`: the offset in its text."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.message, self.at = message, at


@final
class PluginUnit:
    """A module's text and tree. `old`: whether it is Python 2."""

    __slots__ = ("_lines", "_shifts", "_starts", "name", "old", "path", "source", "text", "tree")

    def __init__(self, path: str, name: str, text: str, budget: Budget) -> None:
        self.path, self.name, self.text = path, name, text
        self.source = Source(path, text, budget=budget)
        self.tree: ast.Module | None = None
        self.old = False
        self._shifts: dict[int, int] = {}
        self._starts: list[int] | None = None
        self._lines: list[str] = []

    def parse_tree(self) -> ast.Module:
        """The syntax tree; parsed once. Raises UnreadableModule."""
        if self.tree is None:
            self.tree = self._parse_tree()
        return self.tree

    def _parse_tree(self) -> ast.Module:
        try:
            return parse_python(self.text)
        except SyntaxError as error:
            first = error
        except (ValueError, RecursionError, MemoryError) as error:
            raise UnreadableModule(explain_syntax_error(error)) from None
        again = translate_module(self.text)
        try:
            tree = parse_python(again.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
        else:
            self.old, self._shifts = True, again.shifts
            return tree
        raise UnreadableModule(
            explain_syntax_error(first), self.text_offset(first.lineno or 1, 0) + max((first.offset or 1) - 1, 0)
        ) from None

    def text_offset(self, line: int, column: int) -> int:
        """The offset in the text of a node's place; its columns count bytes of UTF-8."""
        if self._starts is None:
            self._lines = list(io.StringIO(self.text, newline=""))
            self._starts = list(itertools.accumulate(map(len, self._lines), initial=0))
        number = min(max(line, 1), len(self._starts)) - 1
        column = max(column - self._shifts.get(line, 0), 0)
        words = self._lines[number] if number < len(self._lines) else ""
        if not words.isascii():
            column = len(words.encode()[:column].decode(errors="ignore"))
        return min(self._starts[number] + column, len(self.text))

    def span(self, node: ast.AST) -> Span:
        """The place of a node; of a function or class, its first line."""
        line = getattr(node, "lineno", 1)
        at = self.text_offset(line, getattr(node, "col_offset", 0))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return word_at(at, self.text[at:].split("\n", 1)[0].rstrip())
        end = self.text_offset(getattr(node, "end_lineno", line), getattr(node, "end_col_offset", 0))
        return Span(at, max(end, at))


def parse_python(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about invalid escapes in texts
        return ast.parse(text)


def explain_syntax_error(error: BaseException) -> str:
    """Why a module does not parse, in words."""
    if isinstance(error, RecursionError | MemoryError):
        return "it is nested too deeply"
    if isinstance(error, SyntaxError):
        return str(error.msg)
    return str(error).partition("(")[0].strip() or "it is no Python"


def decode_module(data: bytes) -> str:
    """The text of a module, in the encoding that it declares. Raises UnreadableModule."""
    if b"\0" in data:
        raise UnreadableModule("it contains null bytes", data.index(b"\0"))
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError, ValueError):
        text = data.decode(
            "latin-1"
        )  # as in Python 2: any byte is accepted, and the names and texts of schemas are ASCII
    return text.removeprefix("\ufeff")


class Translated(NamedTuple):
    """The text for Python 3; `shifts`: columns added to a line."""

    text: str
    shifts: dict[int, int]


class Token(NamedTuple):
    kind: str
    text: str


def translate_module(text: str) -> Translated:
    """The text of a module for Python 3. It may still not parse, if the module is not Python 2 either."""
    tokens = [Token(m.lastgroup or "", m[0]) for m in TOKEN.finditer(text)]
    out = [token.text for token in tokens]
    significant = [i for i, token in enumerate(tokens) if token.kind not in ("space", "comment")]
    depth, begins = 0, True
    for at, i in enumerate(significant):
        token = tokens[i]
        if begins and token.kind == "name":
            translate_statement(tokens, out, significant[at:])
        depth = max(depth + (token.text in "([{") - (token.text in ")]}"), 0) if token.kind == "op" else depth
        begins = token.text == ";" or (depth == 0 and (token.kind == "newline" or token.text == ":"))
    lines, shifts = [], {}
    for row, line in enumerate("".join(out).split("\n"), 1):
        blank = line[: len(line) - len(line.lstrip(" \t\f"))]
        if "\t" in blank:
            wide = blank.expandtabs(8)
            shifts[row] = len(wide) - len(blank)
            line = wide + line[len(blank) :]
        lines.append(line)
    return Translated("\n".join(lines), shifts)


def translate_statement(tokens: list[Token], out: list[str], significant: list[int]) -> None:
    """Translates the start of a statement: its keyword, and the rest of `except A, e` and `raise A, b`."""
    word, *rest = significant
    if tokens[word].text == "print" and rest and tokens[rest[0]].text not in ("=", ".", "(", ",", ")", ">>", ";", "\n"):
        out[word] = "not  "
    elif tokens[word].text in ("except", "raise"):
        depth = 0
        for i in rest:
            token = tokens[i]
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            if depth == 0 and (token.kind == "newline" or token.text in (":", ";")):
                break
            if depth == 0 and token.text == ",":
                out[i] = "|"
