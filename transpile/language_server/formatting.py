"""The canonical form of a document as one edit."""

from __future__ import annotations

from transpile.diagnostics.model import Edit
from transpile.format import canonical
from transpile.language_server.documents import OTHER, TextDocument
from transpile.model.span import Span


def format_document(document: TextDocument) -> tuple[Edit | None, str]:
    """The smallest edit that makes a text canonical, None if there is nothing to change; and why the text is not
    formatted, empty if it is.
    """
    if document.kind == OTHER:
        return None, ""
    formatted = canonical.format_text(document.make_source())
    why = next((diagnostic.message for diagnostic in formatted.diagnostics), "")
    old, new = document.text, formatted.text
    if old == new:
        return None, why
    before = common_line_prefix(old, new)
    after = 0
    most = min(len(old), len(new)) - before
    while after < most and old[-after - 1] == new[-after - 1]:
        after += 1
    return Edit(Span(before, len(old) - after), new[before : len(new) - after]), why


def common_line_prefix(first: str, second: str) -> int:
    """The length of the longest common beginning of two texts that ends with a line."""
    most = min(len(first), len(second))
    at = next((at for at in range(most) if first[at] != second[at]), most)
    return first.rfind("\n", 0, at) + 1
