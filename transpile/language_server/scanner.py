"""Follows the nesting of blocks and brackets through a text that need not be valid YAML, line by line.

A line with a key that is indented no more than the line of an open bracket or quote ends it: the user has not typed
the closing one yet.

Invariant: a line takes a time that depends on its length alone, and only its first LONGEST characters are read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from transpile.model.records import record

if TYPE_CHECKING:
    from transpile.language_server.tree import Path

QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*"""
UNQUOTED = r"""(?:[^\s#&*!|>'"%@`{}\[\],?:-]|[?:-][^\s#])(?:[^#:\n]|:(?=[^ \t\r\n]))*"""
KEY = re.compile(rf"({QUOTED}|{UNQUOTED}):(?=[ \t]|$)")
DASH = re.compile(r"-(?:[ \t]+|$)")
PROPERTY = re.compile(r"(?:[&!][^\s{}\[\],]*[ \t]+)+")  # an anchor or a tag before a value
BLOCK = re.compile(r"[|>][-+0-9]*[ \t]*(?:#.*)?$")
TOKENS = (
    r"[\[\]{},]",
    r":(?=[\s,\[\]{}]|$)",
    r'"(?:[^"\\]|\\.)*("?)',
    r"'(?:[^']|'')*('?)",
    r"[ \t]+\#.*",
    r"""[^\s\[\]{},:"'][^\[\]{},:]*(?::(?=[^\s,\[\]{}])[^\[\]{},:]*)*""",
    r":",
    r"[ \t\r\n]+",
)
FLOW = re.compile("|".join(TOKENS))
LONGEST = 5_000  # characters of a line that are looked at


@final
@record
class Level:
    """An open collection: a block at a column, brackets (`column` -1), or a single pair in a list in brackets (-2):
    `[a: b]`. `step`: the key or index whose value comes next; None before a key. `has_value`: the value of the key
    has begun.
    """

    column: int
    map: bool
    step: str | int | None = None
    value: bool = False


def unquoted(word: str) -> str:
    word = word.strip()
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


@final
class Scanner:
    """The state after the lines that were read."""

    def __init__(self) -> None:
        self.levels: list[Level] = []
        self.block: int | None = None  # the column that a block scalar must be indented beyond
        self.flow: list[Level] = []
        self.opened = -1  # the column of the block with the open bracket or quote
        self.quote = ""
        self.known: dict[Path, str] = {}

    def path(self) -> Path:
        return tuple(one.step for one in (*self.levels, *self.flow) if one.step is not None)

    def line(self, text: str) -> None:
        """Reads a whole line above the cursor."""
        text = text[:LONGEST]
        content = text.lstrip(" ")
        column = len(text) - len(content)
        if self.block is not None:
            if not content.strip() or column > self.block:
                return
            self.block = None
        if self.flow or self.quote:
            if column > self.opened or not KEY.match(content.removeprefix("- ")):
                self.inside(text)
                return
            self.flow, self.quote = [], ""
        if not content or content[0] in "#\r\n" or content.startswith(("---", "%")):
            if content.startswith("---"):
                self.levels = []
            return
        self.starts(content, column)

    def starts(self, content: str, column: int) -> str:
        """Reads a line outside of brackets; returns the text behind the dashes and the key."""
        while (dash := DASH.match(content)) is not None:
            self.item(column)
            content, column = content[dash.end() :], column + dash.end()
        found = KEY.match(content)
        if found is None:
            if content.strip():
                self.value(content, self.levels[-1].column if self.levels else -1)
            return content
        self.named(unquoted(found[1]), column)
        rest = content[found.end() :].lstrip(" \t")
        self.value(rest, column)
        return rest

    def item(self, column: int) -> None:
        while self.levels and self.levels[-1].column > column:
            self.levels.pop()
        top = self.levels[-1] if self.levels else None
        if top is not None and not top.map and top.column == column:
            assert isinstance(top.step, int)
            top.step += 1
        else:
            self.levels.append(Level(column, False, 0))

    def named(self, key: str, column: int) -> None:
        while self.levels and (
            self.levels[-1].column > column or (self.levels[-1].column == column and not self.levels[-1].map)
        ):
            self.levels.pop()
        if self.levels and self.levels[-1].column == column:
            self.levels[-1].step = key
        else:
            self.levels.append(Level(column, True, key))

    def value(self, rest: str, column: int) -> None:
        """Reads the text that follows a key or a dash on its line."""
        rest = PROPERTY.sub("", rest, count=1) if rest[:1] in ("&", "!") else rest
        if not rest or rest[0] == "#":
            return
        if rest[0] in "|>" and BLOCK.match(rest):
            self.block = column
        elif rest[0] in "{[\"'":
            self.opened = column
            self.inside(rest)

    def inside(self, text: str) -> str:
        """Reads a text inside of brackets or quotes; returns the unfinished word at its end."""
        at = 0
        if self.quote:
            at = closing(text, self.quote)
            if at < 0:
                return ""
            self.quote = ""
            if not self.flow:
                return ""
            self.scalar("")
        last = ""
        while at < len(text) and (found := FLOW.match(text, at)) is not None:
            at, token = found.end(), found[0]
            if token[0] in "[{":
                self.flow.append(Level(-1, token == "{", None if token == "{" else 0))
                last = ""
            elif token[0] in "]}":
                if self.flow:
                    self.flow.pop()
                last = ""
                if not self.flow:
                    return text[at:]
            elif token == ",":
                self.next()
                last = ""
            elif token == ":" and self.flow:
                top = self.flow[-1]
                if top.map and not top.value:
                    top.step, top.value = unquoted(last), True
                elif not top.map and last:  # a pair in a list
                    self.flow.append(Level(-2, True, unquoted(last), True))
                last = ""
            elif token[0] in "\"'":
                closed = found[1] if token[0] == '"' else found[2]
                if len(token) == 1 or not closed:
                    self.quote = token[0]
                    return token
                last = token
                self.scalar(unquoted(token))
            elif token.strip() and not token.lstrip().startswith("#"):
                last = token
                self.scalar(token.strip())
            if not self.flow:
                return ""
        return last

    def next(self) -> None:
        if self.flow and self.flow[-1].column == -2:
            self.flow.pop()
        if not self.flow:
            return
        top = self.flow[-1]
        if top.map:
            top.step, top.value = None, False
        else:
            assert isinstance(top.step, int)
            top.step += 1

    def scalar(self, word: str) -> None:
        """Remembers a finished scalar."""
        if self.flow and (self.flow[-1].value or not self.flow[-1].map):
            self.known[self.path()] = word


def closing(text: str, quote: str) -> int:
    """The offset behind the first closing quote; -1 if there is none."""
    pattern = r'(?:[^"\\]|\\.)*"' if quote == '"' else r"(?:[^']|'')*'"
    found = re.match(pattern, text, re.DOTALL)
    return found.end() if found is not None else -1
