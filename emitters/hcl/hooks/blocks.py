"""Checks of properties that several hooks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer

NOTHING = (ir.NULL, ir.Lit(""))


def nothing(writer: Writer, entry: ir.Entry) -> bool:
    """Whether a property is null or empty. If so, records that the default applies."""
    if entry.value in NOTHING:
        writer.default(entry.key)
    return entry.value in NOTHING
