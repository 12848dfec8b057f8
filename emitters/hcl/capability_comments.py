"""Formats the capabilities that a template declares as comment lines."""

from __future__ import annotations

from transpile.model import ir
from transpile.model.printable import make_printable
from transpile.resolve import capabilities
from transpile.text.wrapping import wrap_line

WIDTH = 96  # columns of a comment


def capability_lines(template: ir.Template) -> list[str]:
    """The capabilities of a template as comment lines."""
    if not template.capabilities:
        return []
    claims = capabilities.template_claims(template.capabilities)
    summary = "; ".join(f"{name}: {', '.join(values)}" for name, values in claims.items())
    return wrap_comment(f"Capabilities: {summary}.")


def wrap_comment(text: str) -> list[str]:
    """Wraps a text into comment lines; characters that could end a comment in HCL or YAML are replaced."""
    return wrap_line(make_printable(" ".join(text.split())), WIDTH, break_long_words=False, break_on_hyphens=False)
