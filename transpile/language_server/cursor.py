"""Where a cursor stands in a text that need not be YAML: the path of keys and indices around it, and what was typed.

The text is scanned line by line up to the cursor. Indentation says what is inside what, and brackets do within a line
or over several. A line that is indented no more than the start of an open bracket or quote, and begins with a key,
ends it, because whoever writes has not closed it yet.

Invariant: what stands behind the cursor does not matter, except for the rest of the word under it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from transpile.model.records import field, node, record

if TYPE_CHECKING:
    from transpile.language_server.positions import Positions
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
NO_KEY = " #\t\r\n-"  # what a line does not begin with that has a key at the top level
WORD = re.compile(r"[^\s\[\]{},\"'#]*")


@final
@node
class Cursor:
    """A place where something is typed.

    `path`: leads to the value that is typed, or (`key`) to the map that a key is typed in; both may be possible if an
    item of a list begins (`either`). `typed`: what is there already, from `at` to the cursor; `end`: the end of the
    word. `flow`: inside of brackets. `known`: scalars on the way that are finished, by path. `spaced`: whether a value
    may follow without a space.
    """

    path: Path
    key: bool
    typed: str
    at: int
    end: int
    flow: bool = False
    either: bool = False
    spaced: bool = True
    known: tuple[tuple[Path, str], ...] = field(default=(), compare=False)


@final
@record
class Level:
    """An open collection: of a block at a column, or (`column` -1) of brackets. `step`: the key or index that is being
    filled; None before a key. `value`: the value of the key has begun.
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
    """Follows the lines of a text."""

    def __init__(self) -> None:
        self.levels: list[Level] = []
        self.block: int | None = None  # the column that a block scalar must be indented beyond
        self.flow: list[Level] = []
        self.opened = -1  # the column of what contains the open bracket or quote
        self.quote = ""
        self.known: dict[Path, str] = {}

    def path(self) -> Path:
        return tuple(one.step for one in (*self.levels, *self.flow) if one.step is not None)

    def line(self, text: str) -> None:
        """A whole line above the cursor. The end of a very long one is not looked at."""
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
        """The beginning of a line outside of brackets; gives what follows the dashes and the key."""
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
        """What follows a key or a dash on its line."""
        rest = PROPERTY.sub("", rest, count=1) if rest[:1] in ("&", "!") else rest
        if not rest or rest[0] == "#":
            return
        if rest[0] in "|>" and BLOCK.match(rest):
            self.block = column
        elif rest[0] in "{[\"'":
            self.opened = column
            self.inside(rest)

    def inside(self, text: str) -> str:
        """A text inside of brackets or quotes; gives the word that is not finished at its end."""
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
    """The offset behind the quote that ends a text; -1 if none does."""
    pattern = r'(?:[^"\\]|\\.)*"' if quote == '"' else r"(?:[^']|'')*'"
    found = re.match(pattern, text, re.DOTALL)
    return found.end() if found is not None else -1


def cursor(positions: Positions, offset: int) -> Cursor | None:
    """Where an offset stands; None in comments, in block scalars, and far behind in a line."""
    text = positions.text
    number = positions.line_at(offset)
    if offset - positions.starts[number] > LONGEST:
        return None
    scanner = Scanner()
    for line in range(beginning(scanner, positions, number), number):
        scanner.line(positions.line(line))
    start = positions.starts[number]
    before = text[start:offset]
    rest = WORD.match(text, offset)
    end = min(rest.end() if rest is not None else offset, start + len(positions.line(number)))
    content = before.lstrip(" ")
    column = len(before) - len(content)
    if scanner.block is not None:
        if column > scanner.block and (content or positions.line(number).strip()):
            return None
        scanner.block = None
    if (scanner.flow or scanner.quote) and not (column <= scanner.opened and KEY.match(content)):
        if not scanner.flow:
            return None  # in a quoted text of several lines
        return in_flow(scanner, before, offset, end)
    scanner.flow, scanner.quote = [], ""
    return in_block(scanner, content, column, offset, end)


def beginning(scanner: Scanner, positions: Positions, number: int) -> int:
    """The line to start at: that of the declaration around a line, if it is in one of a section in block style. The
    scanner is told of the section.
    """
    text = positions.text
    top = next((n for n in range(number - 1, -1, -1) if text[positions.starts[n]] not in NO_KEY), None)
    key = KEY.match(positions.line(top)) if top is not None else None
    if top is None or key is None or positions.line(top)[key.end() :].strip():
        return 0
    indents = (
        (n, len(line) - len(line.lstrip(" "))) for n in range(top + 1, number) if (line := positions.line(n)).strip()
    )
    column: int | None = None
    found = None
    for n, indent in indents:
        if text[positions.starts[n] + indent] == "#":
            continue
        column = indent if column is None else column
        if indent == column and KEY.match(positions.line(n), indent):
            found = n
    if not column or found is None:
        return 0
    scanner.levels = [Level(0, True, unquoted(key[1]))]
    return found


def in_block(scanner: Scanner, content: str, column: int, offset: int, end: int) -> Cursor | None:
    """A cursor on a line that begins outside of brackets. `content`: the line up to it, without its indentation."""
    item = False
    while (dash := DASH.match(content)) is not None and dash.end() > 1:
        scanner.item(column)
        content, column, item = content[dash.end() :], column + dash.end(), True
    if content.startswith("#"):
        return None
    found = KEY.match(content)
    if found is None:
        if content[:1] in ("{", "[") or (content[:1] in ("'", '"') and item):
            scanner.opened = column
            return in_flow(scanner, content, offset, end)
        typed = content.lstrip("\"'")
        if " #" in typed:
            return None
        if not item:
            above(scanner, column)
        either = item or bool(scanner.levels and scanner.levels[-1].map)
        return Cursor(scanner.path(), True, typed, offset - len(typed), end, either=either)
    scanner.named(unquoted(found[1]), column)
    rest = content[found.end() :]
    spaced = rest[:1] in (" ", "\t")
    rest = rest.lstrip(" \t")
    rest = PROPERTY.sub("", rest, count=1) if rest[:1] in ("&", "!") else rest
    if rest[:1] in ("{", "[", "'", '"'):
        scanner.opened = column
        return in_flow(scanner, rest, offset, end)
    if rest[:1] in ("|", ">") or rest.startswith("#") or " #" in rest:
        return None
    return Cursor(scanner.path(), False, rest, offset - len(rest), end, spaced=spaced)


def above(scanner: Scanner, column: int) -> None:
    """Leaves the levels that a key at this column would not be in."""
    while scanner.levels and (
        scanner.levels[-1].column > column or (scanner.levels[-1].column == column and not scanner.levels[-1].map)
    ):
        scanner.levels.pop()
    if scanner.levels and scanner.levels[-1].column == column:
        scanner.levels.pop()


def in_flow(scanner: Scanner, text: str, offset: int, end: int) -> Cursor | None:
    """A cursor behind a text that begins inside of brackets or quotes."""
    plain = text[:1] in ("'", '"') and not scanner.flow
    if plain:
        typed = text[1:]
        return None if closing(typed, text[0]) >= 0 else Cursor(scanner.path(), False, typed, offset - len(typed), end)
    word = scanner.inside(text)
    if not scanner.flow:
        return None
    if text.rstrip().endswith(tuple("[{,:")) or text != text.rstrip():
        word = "" if not scanner.quote else word
    typed = word.lstrip("\"'")
    if "#" in text and text.rpartition(" #")[1]:
        return None
    top = scanner.flow[-1]
    key = top.map and not top.value
    path = scanner.path()
    scanner.known.pop(path, None)  # it is being typed
    return Cursor(path, key, typed, offset - len(typed), end, True, False, known=tuple(scanner.known.items()))
