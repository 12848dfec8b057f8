"""What several hooks ask about a property."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer

NOTHING = (ir.NULL, ir.Lit(""))


def nothing(writer: Writer, entry: ir.Entry) -> bool:
    """Whether a property is null or empty. Records its fate if so."""
    if entry.value in NOTHING:
        writer.default(entry.key)
    return entry.value in NOTHING
