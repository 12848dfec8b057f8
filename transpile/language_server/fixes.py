"""Quick fixes: the edits of a diagnostic itself, and a comment that ignores the diagnostic.

Invariant: a comment is only inserted where YAML reads it as one, never inside a scalar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import final

from transpile.diagnostics.model import Diagnostic, Edit
from transpile.language_server import tree
from transpile.language_server.documents import ENVIRONMENT, TEMPLATE, TextDocument
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.model.span import Span

COMMENT = compile_lazily(r"(?:^|[ \t])#")
IGNORING = compile_lazily(r"#[ \t]*hot2tf:[ \t]*ignore[ \t]+(?P<codes>[A-Z]+[0-9]+(?:[ ,]+[A-Z]+[0-9]+)*)")
SYNTAX = ("HOT10", "HOT11")  # beginnings of the codes of a text that cannot be parsed, in which no comment is read


@final
@node
class Action:
    """A quick fix of one diagnostic. `preferred`: the fix is certain, so an editor may apply it without asking."""

    title: str
    diagnostic: Diagnostic
    edits: tuple[Edit, ...]
    preferred: bool = False


def list_quick_fixes(document: TextDocument, diagnostics: Sequence[Diagnostic], span: Span) -> Iterator[Action]:
    """The quick fixes of the diagnostics that touch a span."""
    for diagnostic in diagnostics:
        last = max(diagnostic.end, diagnostic.at)
        if diagnostic.at > span.end or last < span.at:
            continue
        if diagnostic.fix is not None:
            yield Action(diagnostic.fix.title, diagnostic, diagnostic.fix.edits, diagnostic.fix.certain)
        if (edit := make_ignore_edit(document, diagnostic)) is not None:
            yield Action(f"Ignore {diagnostic.code} here", diagnostic, (edit,))


def make_ignore_edit(document: TextDocument, diagnostic: Diagnostic) -> Edit | None:
    """The edit that inserts a comment: into one that ignores other codes, else at the end of the line, else above it.
    None if the document can have no comment there."""
    if document.kind not in (TEMPLATE, ENVIRONMENT) or not document.is_readable or diagnostic.code.startswith(SYNTAX):
        return None
    if document.text.lstrip().startswith("{"):
        return None  # JSON has no comments
    positions = document.positions
    line = positions.line_at(diagnostic.at)
    begin, text = positions.starts[line], positions.line_text(line)
    stop = begin + len(text)
    if (already := IGNORING.search(text)) is not None and can_begin_comment(document, begin + already.start()):
        at = begin + already.end("codes")
        return Edit(Span(at, at), f", {diagnostic.code}")
    if COMMENT.search(text) is None and can_begin_comment(document, stop):
        return Edit(Span(stop, stop), f"{'' if text.endswith(' ') else '  '}# hot2tf: ignore {diagnostic.code}")
    indent = text[: len(text) - len(text.lstrip(" "))]
    if can_begin_comment(document, begin) and text.strip():
        newline = "\r\n" if "\r\n" in document.text else "\n"
        return Edit(Span(begin, begin), f"{indent}# hot2tf: ignore {diagnostic.code}{newline}")
    return None


def can_begin_comment(document: TextDocument, offset: int) -> bool:
    """Whether a comment may begin at an offset: outside of scalars, or behind the `|` of a block scalar."""
    spot = tree.find_spot(document.root, offset)
    if spot is None or not spot.at < offset < spot.end:
        return spot is None or offset >= spot.end or spot.at == offset
    if document.text[spot.at] not in "|>":
        return False
    return "\n" not in document.text[spot.at : offset]
