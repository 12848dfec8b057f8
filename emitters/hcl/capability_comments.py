"""The capabilities that a template declares, as lines of a comment."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from transpile.resolve import capabilities

if TYPE_CHECKING:
    from transpile.model import ir

WIDTH = 96  # columns of a comment


def declared(template: ir.Template) -> list[str]:
    """What a template declares, as lines of a comment."""
    if not template.capabilities:
        return []
    given = capabilities.claims(template.capabilities)
    said = "; ".join(f"{name}: {', '.join(values)}" for name, values in given.items())
    return wrapped(f"Capabilities: {said}.")


def wrapped(text: str) -> list[str]:
    """The lines of a comment: what would end one early, in HCL or in YAML, is not in it."""
    plain = "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))
    return textwrap.wrap(plain, WIDTH, break_long_words=False, break_on_hyphens=False)
