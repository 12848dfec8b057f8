"""Checks of properties that several hooks share."""

from __future__ import annotations

from emitters.hcl.resources.writer import Writer
from transpile.model import ir

NOTHING = (ir.NULL, ir.Lit(""))


def record_if_empty(writer: Writer, entry: ir.Entry) -> bool:
    """Whether a property is null or empty. If so, records that the default applies."""
    if entry.value in NOTHING:
        writer.record_default(entry.key)
    return entry.value in NOTHING
