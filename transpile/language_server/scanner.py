"""Follows the nesting of blocks and brackets through a text that need not be valid YAML, line by line.

A line with a key that is indented no more than the line of an open bracket or quote ends it: the user has not typed
the closing one yet.

Invariant: a line takes a time that depends on its length alone, and only its first LONGEST characters are read.
"""

from __future__ import annotations

import re
from typing import final

from transpile.language_server.tree import Path
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import record

QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*"""
UNQUOTED = r"""(?:[^\s#&*!|>'"%@`{}\[\],?:-]|[?:-][^\s#])(?:[^#:\n]|:(?=[^ \t\r\n]))*"""
KEY = compile_lazily(rf"({QUOTED}|{UNQUOTED}):(?=[ \t]|$)")
DASH = compile_lazily(r"-(?:[ \t]+|$)")
PROPERTY = compile_lazily(r"(?:[&!][^\s{}\[\],]*[ \t]+)+")  # an anchor or a tag before a value
BLOCK = compile_lazily(r"[|>][-+0-9]*[ \t]*(?:#.*)?$")
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
FLOW = compile_lazily("|".join(TOKENS))
LONGEST = 5_000  # characters of a line that are looked at


@final
@record
class NestingLevel:
    """An open collection: a block at a column, brackets (`column` -1), or a single pair in a list in brackets (-2):
    `[a: b]`. `step`: the key or index whose value comes next; None before a key. `has_value`: the value of the key
    has begun.
    """

    column: int
    is_map: bool
    step: str | int | None = None
    has_value: bool = False


def strip_quotes(word: str) -> str:
    word = word.strip()
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


@final
class Scanner:
    """The state after the lines that were read."""

    def __init__(self) -> None:
        self.levels: list[NestingLevel] = []
        self.block: int | None = None  # the column that a block scalar must be indented beyond
        self.flow: list[NestingLevel] = []
        self.opened = -1  # the column of the block with the open bracket or quote
        self.quote = ""
        self.finished_scalars: dict[Path, str] = {}

    def current_path(self) -> Path:
        return tuple(level.step for level in (*self.levels, *self.flow) if level.step is not None)

    def read_line(self, text: str) -> None:
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
                self.read_flow(text)
                return
            self.flow, self.quote = [], ""
        if not content or content[0] in "#\r\n" or content.startswith(("---", "%")):
            if content.startswith("---"):
                self.levels = []
            return
        self.read_line_start(content, column)

    def read_line_start(self, content: str, column: int) -> str:
        """Reads a line outside of brackets; returns the text behind the dashes and the key."""
        while (dash := DASH.match(content)) is not None:
            self.enter_item(column)
            content, column = content[dash.end() :], column + dash.end()
        key_match = KEY.match(content)
        if key_match is None:
            if content.strip():
                self.read_value(content, self.levels[-1].column if self.levels else -1)
            return content
        self.enter_key(strip_quotes(key_match[1]), column)
        rest = content[key_match.end() :].lstrip(" \t")
        self.read_value(rest, column)
        return rest

    def enter_item(self, column: int) -> None:
        while self.levels and self.levels[-1].column > column:
            self.levels.pop()
        top = self.levels[-1] if self.levels else None
        if top is not None and not top.is_map and top.column == column:
            assert isinstance(top.step, int)
            top.step += 1
        else:
            self.levels.append(NestingLevel(column, False, 0))

    def enter_key(self, key: str, column: int) -> None:
        while self.levels and (
            self.levels[-1].column > column or (self.levels[-1].column == column and not self.levels[-1].is_map)
        ):
            self.levels.pop()
        if self.levels and self.levels[-1].column == column:
            self.levels[-1].step = key
        else:
            self.levels.append(NestingLevel(column, True, key))

    def read_value(self, rest: str, column: int) -> None:
        """Reads the text that follows a key or a dash on its line."""
        rest = PROPERTY.sub("", rest, count=1) if rest[:1] in ("&", "!") else rest
        if not rest or rest[0] == "#":
            return
        if rest[0] in "|>" and BLOCK.match(rest):
            self.block = column
        elif rest[0] in "{[\"'":
            self.opened = column
            self.read_flow(rest)

    def read_flow(self, text: str) -> str:
        """Reads a text inside of brackets or quotes; returns the unfinished word at its end."""
        at = 0
        if self.quote:
            at = find_closing_quote(text, self.quote)
            if at < 0:
                return ""
            self.quote = ""
            if not self.flow:
                return ""
            self.remember_scalar("")
        last = ""
        while at < len(text) and (match := FLOW.match(text, at)) is not None:
            at, token = match.end(), match[0]
            if token[0] in "[{":
                self.flow.append(NestingLevel(-1, token == "{", None if token == "{" else 0))
                last = ""
            elif token[0] in "]}":
                if self.flow:
                    self.flow.pop()
                last = ""
                if not self.flow:
                    return text[at:]
            elif token == ",":
                self.advance_item()
                last = ""
            elif token == ":" and self.flow:
                top = self.flow[-1]
                if top.is_map and not top.has_value:
                    top.step, top.has_value = strip_quotes(last), True
                elif not top.is_map and last:  # a pair in a list
                    self.flow.append(NestingLevel(-2, True, strip_quotes(last), True))
                last = ""
            elif token[0] in "\"'":
                closed = match[1] if token[0] == '"' else match[2]
                if len(token) == 1 or not closed:
                    self.quote = token[0]
                    return token
                last = token
                self.remember_scalar(strip_quotes(token))
            elif token.strip() and not token.lstrip().startswith("#"):
                last = token
                self.remember_scalar(token.strip())
            if not self.flow:
                return ""
        return last

    def advance_item(self) -> None:
        if self.flow and self.flow[-1].column == -2:
            self.flow.pop()
        if not self.flow:
            return
        top = self.flow[-1]
        if top.is_map:
            top.step, top.has_value = None, False
        else:
            assert isinstance(top.step, int)
            top.step += 1

    def remember_scalar(self, word: str) -> None:
        """Remembers a finished scalar."""
        if self.flow and (self.flow[-1].has_value or not self.flow[-1].is_map):
            self.finished_scalars[self.current_path()] = word


def find_closing_quote(text: str, quote: str) -> int:
    """The offset behind the first closing quote; -1 if there is none."""
    pattern = r'(?:[^"\\]|\\.)*"' if quote == '"' else r"(?:[^']|'')*'"
    match = re.match(pattern, text, re.DOTALL)
    return match.end() if match is not None else -1
