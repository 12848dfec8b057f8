"""The canonical form of a document as one edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics.model import Edit
from transpile.format import canonical
from transpile.language_server.documents import OTHER
from transpile.model.span import Span

if TYPE_CHECKING:
    from transpile.language_server.documents import Document


def formatting(document: Document) -> tuple[Edit | None, str]:
    """The smallest edit that makes a text canonical, None if there is nothing to change; and why the text is not
    formatted, empty if it is.
    """
    if document.kind == OTHER:
        return None, ""
    done = canonical.format_text(document.source())
    why = next((one.message for one in done.diagnostics), "")
    old, new = document.text, done.text
    if old == new:
        return None, why
    before = common(old, new)
    after = 0
    most = min(len(old), len(new)) - before
    while after < most and old[-after - 1] == new[-after - 1]:
        after += 1
    return Edit(Span(before, len(old) - after), new[before : len(new) - after]), why


def common(one: str, other: str) -> int:
    """The length of the longest common beginning of two texts that ends with a line."""
    most = min(len(one), len(other))
    at = next((at for at in range(most) if one[at] != other[at]), most)
    return one.rfind("\n", 0, at) + 1
