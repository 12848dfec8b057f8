"""Finds the places of keys and values in a TOML text, because `tomllib` does not return them.

Invariant: the text is valid TOML, because `tomllib` has read it before. A path leads to a value in the result of
`tomllib`, with the keys of tables and the indexes of arrays: `("overrides", 0, "paths")`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, final

from transpile.model.lazy_patterns import compile_lazily
from transpile.model.span import Span

Path = tuple[str | int, ...]
BARE = compile_lazily(r"[A-Za-z0-9_-]+")
PLAIN = compile_lazily(r"[^\s,\]}#]+(?: [0-9][^\s,\]}#]*)?")  # a number, a word or a date, which may have one space
BASIC = compile_lazily(r'"(?:[^"\\]++|\\.)*+"')
BLANK = compile_lazily(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
SPACE = compile_lazily(r"[ \t]*+")
MOST_PARTS = 50  # the parts of a dotted key; the time that tomllib takes grows with the square of their number
DOTTED = compile_lazily(
    r"""(?<![\w"'-])[\w"'-]++(?:[ \t]*+\.[ \t]*+[\w"'-]++){%d}""" % MOST_PARTS  # noqa: UP031 - braces
)


class TomlPlace(NamedTuple):
    """The places of a key and its value. `key`: the last part of a dotted key; for an item of an array, the item."""

    key: Span
    value: Span


def find_toml_places(text: str) -> Mapping[Path, TomlPlace]:
    """Returns the place of each key and array item.

    The place of a table is its header, `[tool.hot2tf]`, or the first dotted key that creates it, `limits.nesting = 50`.
    """
    return _TomlScanner(text).document()


@final
class _TomlScanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.places: dict[Path, TomlPlace] = {}
        self.arrays: dict[Path, int] = {}  # arrays of tables: the number of the last one

    def document(self) -> Mapping[Path, TomlPlace]:
        table: Path = ()
        self.skip(BLANK)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self.header()
            else:
                self.pair(table)
            self.skip(BLANK)
        return self.places

    def skip(self, pattern: re.Pattern[str]) -> None:
        if (match := pattern.match(self.text, self.at)) is not None:
            self.at = match.end()

    def header(self) -> Path:
        several = self.text.startswith("[[", self.at)
        begin = self.at
        self.at += 2 if several else 1
        parts = self.key()
        self.skip(SPACE)
        self.at += 2 if several else 1
        span = Span(begin, self.at)
        table = self.within((), [name for name, _ in parts[:-1]])
        table = (*table, parts[-1][0])
        if several:
            self.arrays[table] = number = self.arrays.get(table, -1) + 1
            self.places.setdefault(table, TomlPlace(span, span))
            table = (*table, number)
        else:
            table = self.within(table[:-1], [parts[-1][0]])
        self.places[table] = TomlPlace(span, span)
        return table

    def within(self, table: Path, names: list[str]) -> Path:
        """Returns the path of a table inside another table. In an array of tables, the last table is meant."""
        for name in names:
            table = (*table, name)
            if table in self.arrays:
                table = (*table, self.arrays[table])
        return table

    def key(self) -> list[tuple[str, Span]]:
        """Reads a key. Returns its parts, each with its place."""
        parts = []
        while True:
            self.skip(SPACE)
            begin = self.at
            name = self.part()
            parts.append((name, Span(begin, self.at)))
            self.skip(SPACE)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def part(self) -> str:
        if self.text[self.at] in "\"'":
            return self.string()
        match = BARE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return match[0]

    def string(self) -> str:
        """Reads a quoted key. tomllib decodes the escapes in it."""
        import tomllib

        begin = self.at
        if self.text[begin] == "'":
            self.at = self.text.index("'", begin + 1) + 1
            return self.text[begin + 1 : self.at - 1]
        self.skip(BASIC)
        return str(tomllib.loads(f"a = {self.text[begin : self.at]}")["a"])

    def pair(self, table: Path) -> None:
        parts = self.key()
        self.at += 1  # the equals sign
        self.skip(SPACE)
        begin = self.at
        path = table
        for name, span in parts[:-1]:
            path = (*path, name)
            self.places.setdefault(path, TomlPlace(span, span))
        last, span = parts[-1]
        path = (*path, last)
        self.value(path)
        self.places[path] = TomlPlace(span, Span(begin, self.at))

    def value(self, path: Path) -> None:
        text, begin = self.text, self.at
        if text.startswith(('"""', "'''"), begin):
            self.long(text[begin : begin + 3])
        elif text.startswith("'", begin):
            self.at = text.index("'", begin + 1) + 1
        elif text.startswith('"', begin):
            self.skip(BASIC)
        elif text.startswith("[", begin):
            self.array(path)
        elif text.startswith("{", begin):
            self.inline(path)
        else:
            self.skip(PLAIN)

    def long(self, quotes: str) -> None:
        """Skips a string of several lines. Its content may end with one or two quotes before the closing quotes."""
        at = self.at + 3
        while not self.text.startswith(quotes, at):
            at += 2 if quotes == '"""' and self.text[at] == "\\" else 1
        at += 3
        while self.text.startswith(quotes[0], at):
            at += 1
        self.at = at

    def array(self, path: Path) -> None:
        self.at += 1
        number = 0
        while True:
            self.skip(BLANK)
            if self.text[self.at] == "]":
                break
            begin = self.at
            self.value((*path, number))
            span = Span(begin, self.at)
            self.places[(*path, number)] = TomlPlace(span, span)
            number += 1
            self.skip(BLANK)
            if self.text[self.at] == ",":
                self.at += 1
        self.at += 1

    def inline(self, path: Path) -> None:
        self.at += 1
        while True:
            self.skip(BLANK)
            if self.text[self.at] == "}":
                break
            self.pair(path)
            self.skip(BLANK)
            if self.text[self.at] == ",":
                self.at += 1
        self.at += 1
