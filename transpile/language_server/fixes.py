"""Quick fixes: the edits of a diagnostic itself, and a comment that ignores the diagnostic.

Invariant: a comment is only inserted where YAML reads it as one, never inside a scalar.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from transpile.diagnostics.model import Edit
from transpile.language_server import tree
from transpile.language_server.documents import ENVIRONMENT, TEMPLATE
from transpile.model.records import node
from transpile.model.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from transpile.diagnostics.model import Diagnostic
    from transpile.language_server.documents import Document

COMMENT = re.compile(r"(?:^|[ \t])#")
IGNORING = re.compile(r"#[ \t]*hot2tf:[ \t]*ignore[ \t]+(?P<codes>[A-Z]+[0-9]+(?:[ ,]+[A-Z]+[0-9]+)*)")
SYNTAX = ("HOT10", "HOT11")  # beginnings of the codes of a text that cannot be parsed, in which no comment is read


@final
@node
class Action:
    """A quick fix of one diagnostic. `preferred`: the fix is certain, so an editor may apply it without asking."""

    title: str
    diagnostic: Diagnostic
    edits: tuple[Edit, ...]
    preferred: bool = False


def actions(document: Document, found: Sequence[Diagnostic], span: Span) -> Iterator[Action]:
    """The quick fixes of the diagnostics that touch a span."""
    for one in found:
        last = max(one.end, one.at)
        if one.at > span.end or last < span.at:
            continue
        if one.fix is not None:
            yield Action(one.fix.title, one, one.fix.edits, one.fix.certain)
        if (edit := ignoring(document, one)) is not None:
            yield Action(f"Ignore {one.code} here", one, (edit,))


def ignoring(document: Document, one: Diagnostic) -> Edit | None:
    """The edit that inserts a comment: into one that ignores other codes, else at the end of the line, else above it.
    None if the document can have no comment there."""
    if document.kind not in (TEMPLATE, ENVIRONMENT) or not document.whole or one.code.startswith(SYNTAX):
        return None
    if document.text.lstrip().startswith("{"):
        return None  # JSON has no comments
    positions = document.positions
    line = positions.line_at(one.at)
    begin, text = positions.starts[line], positions.line(line)
    stop = begin + len(text)
    if (already := IGNORING.search(text)) is not None and free(document, begin + already.start()):
        at = begin + already.end("codes")
        return Edit(Span(at, at), f", {one.code}")
    if COMMENT.search(text) is None and free(document, stop):
        return Edit(Span(stop, stop), f"{'' if text.endswith(' ') else '  '}# hot2tf: ignore {one.code}")
    indent = text[: len(text) - len(text.lstrip(" "))]
    if free(document, begin) and text.strip():
        newline = "\r\n" if "\r\n" in document.text else "\n"
        return Edit(Span(begin, begin), f"{indent}# hot2tf: ignore {one.code}{newline}")
    return None


def free(document: Document, offset: int) -> bool:
    """Whether a comment may begin at an offset: outside of scalars, or behind the `|` of a block scalar."""
    spot = tree.spot(document.root, offset)
    if spot is None or not spot.at < offset < spot.end:
        return spot is None or offset >= spot.end or spot.at == offset
    if document.text[spot.at] not in "|>":
        return False
    return "\n" not in document.text[spot.at : offset]
