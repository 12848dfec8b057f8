"""Formats the capabilities that a template declares as comment lines."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from transpile.model.printable import make_printable
from transpile.resolve import capabilities

if TYPE_CHECKING:
    from transpile.model import ir

WIDTH = 96  # columns of a comment


def declared(template: ir.Template) -> list[str]:
    """The capabilities of a template as comment lines."""
    if not template.capabilities:
        return []
    given = capabilities.template_claims(template.capabilities)
    said = "; ".join(f"{name}: {', '.join(values)}" for name, values in given.items())
    return wrapped(f"Capabilities: {said}.")


def wrapped(text: str) -> list[str]:
    """Wraps a text into comment lines; what could end a comment in HCL or YAML is replaced."""
    return textwrap.wrap(make_printable(" ".join(text.split())), WIDTH, break_long_words=False, break_on_hyphens=False)
