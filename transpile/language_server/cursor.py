"""Finds the path of keys and indices around a cursor in a text that need not be valid YAML, and the word before it.

Invariant: the text behind the cursor does not matter, except the rest of the word under it.
"""

from __future__ import annotations

from typing import final

from transpile.language_server.positions import Positions
from transpile.language_server.scanner import (
    DASH,
    KEY,
    LONGEST,
    PROPERTY,
    NestingLevel,
    Scanner,
    find_closing_quote,
    strip_quotes,
)
from transpile.language_server.tree import Path
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import field, node
from transpile.model.span import Span, WithSpan

NO_KEY = " #\t\r\n-"  # a line with a key at the top level begins with none of these
WORD = compile_lazily(r"[^\s\[\]{},\"'#]*")


@final
@node
class Cursor(WithSpan):
    """The place of the cursor in a document.

    `path`: leads to the value that is typed, or, if `is_key`, to the map that a key is typed in. `either`: at the
    beginning of a list item both are possible. `typed`: the part of the word before the cursor; `span`: the whole word.
    `flow`: inside of brackets. `finished_scalars`: those before the cursor in brackets, by path.
    `spaced`: there is a space before the value, or none is necessary. `quoted`: the word is in quotes, as in JSON.
    """

    path: Path
    is_key: bool
    typed: str
    span: Span
    flow: bool = False
    either: bool = False
    spaced: bool = True
    quoted: bool = False
    finished_scalars: tuple[tuple[Path, str], ...] = field(default=(), compare=False)


def find_cursor(positions: Positions, offset: int) -> Cursor | None:
    """The cursor at an offset; None in comments, in block scalars, and beyond the part of a long line that is read."""
    text = positions.text
    number = positions.line_at(offset)
    if offset - positions.starts[number] > LONGEST:
        return None
    scanner = Scanner()
    for line in range(find_start_line(scanner, positions, number), number):
        scanner.read_line(positions.line_text(line))
    start = positions.starts[number]
    before = text[start:offset]
    rest = WORD.match(text, offset)
    assert rest is not None  # it may be empty
    end = min(rest.end(), start + len(positions.line_text(number)))
    content = before.lstrip(" ")
    column = len(before) - len(content)
    if scanner.block is not None:
        if column > scanner.block and (content or positions.line_text(number).strip()):
            return None
        scanner.block = None
    if (scanner.flow or scanner.quote) and not (column <= scanner.opened and KEY.match(content)):
        if not scanner.flow:
            return None  # in a quoted text of several lines
        return cursor_in_flow(scanner, before, offset, end)
    scanner.flow, scanner.quote = [], ""
    return cursor_in_block(scanner, content, column, offset, end)


def find_start_line(scanner: Scanner, positions: Positions, number: int) -> int:
    """The line from which the scanner must read: that of the declaration around a line, if its section is in block
    style, else the first. The scanner gets the level of the section. So completion is as fast in a large file.
    """
    text = positions.text
    top = next((n for n in range(number - 1, -1, -1) if text[positions.starts[n]] not in NO_KEY), None)
    key = KEY.match(positions.line_text(top)) if top is not None else None
    if top is None or key is None or positions.line_text(top)[key.end() :].strip():
        return 0
    indents = (
        (n, len(line) - len(line.lstrip(" ")))
        for n in range(top + 1, number)
        if (line := positions.line_text(n)).strip()
    )
    column: int | None = None
    declaration_line = None
    for n, indent in indents:
        if text[positions.starts[n] + indent] == "#":
            continue
        column = indent if column is None else column
        if indent == column and KEY.match(positions.line_text(n), indent):
            declaration_line = n
    if not column or declaration_line is None:
        return 0
    scanner.levels = [NestingLevel(0, True, strip_quotes(key[1]))]
    return declaration_line


def cursor_in_block(scanner: Scanner, content: str, column: int, offset: int, end: int) -> Cursor | None:
    """The cursor on a line that begins outside of brackets. `content`: the line up to it, without its indentation."""
    item = False
    while (dash := DASH.match(content)) is not None:
        if dash.end() == 1:
            return None  # an item begins behind a space
        scanner.enter_item(column)
        content, column, item = content[dash.end() :], column + dash.end(), True
    if content.startswith("#"):
        return None
    key_match = KEY.match(content)
    if key_match is None:
        if content[:1] in ("{", "[") or (content[:1] in ("'", '"') and item):
            scanner.opened = column
            return cursor_in_flow(scanner, content, offset, end)
        typed = content.lstrip("\"'")
        if " #" in typed:
            return None
        if not item:
            leave_deeper_levels(scanner, column)
        either = item or bool(scanner.levels and scanner.levels[-1].is_map)
        span = Span(offset - len(typed), end)
        return Cursor(scanner.current_path(), True, typed, span, either=either, quoted=typed != content)
    scanner.enter_key(strip_quotes(key_match[1]), column)
    rest = content[key_match.end() :]
    spaced = rest[:1] in (" ", "\t")
    rest = rest.lstrip(" \t")
    rest = PROPERTY.sub("", rest, count=1) if rest[:1] in ("&", "!") else rest
    if rest[:1] in ("{", "[", "'", '"'):
        scanner.opened = column
        return cursor_in_flow(scanner, rest, offset, end)
    if rest[:1] in ("|", ">") or rest.startswith("#") or " #" in rest:
        return None
    return Cursor(scanner.current_path(), False, rest, Span(offset - len(rest), end), spaced=spaced)


def leave_deeper_levels(scanner: Scanner, column: int) -> None:
    """Leaves the levels that a new key at this column does not belong to, and the key before it at the same column."""
    while scanner.levels and (
        scanner.levels[-1].column > column or (scanner.levels[-1].column == column and not scanner.levels[-1].is_map)
    ):
        scanner.levels.pop()
    if scanner.levels and scanner.levels[-1].column == column:
        scanner.levels.pop()


def cursor_in_flow(scanner: Scanner, text: str, offset: int, end: int) -> Cursor | None:
    """The cursor behind a text that begins inside of brackets or quotes."""
    plain = text[:1] in ("'", '"') and not scanner.flow
    if plain:
        typed = text[1:]
        span = Span(offset - len(typed), end)
        if find_closing_quote(typed, text[0]) >= 0:
            return None
        return Cursor(scanner.current_path(), False, typed, span, quoted=True)
    word = scanner.read_flow(text)
    if not scanner.flow:
        return None
    if text.rstrip().endswith(tuple("[{,:")) or text != text.rstrip():
        word = "" if not scanner.quote else word
    typed = word.lstrip("\"'")
    if "#" in text and text.rpartition(" #")[1]:
        return None
    top = scanner.flow[-1]
    key = top.is_map and not top.has_value
    path = scanner.current_path()
    scanner.finished_scalars.pop(path, None)  # it is being typed
    return Cursor(
        path,
        key,
        typed,
        Span(offset - len(typed), end),
        True,
        False,
        quoted=typed != word,
        finished_scalars=tuple(scanner.finished_scalars.items()),
    )
