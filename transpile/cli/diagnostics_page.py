"""Prints docs/diagnostics.md, all diagnostics with their explanations: `python -m transpile.cli.diagnostics_page`."""

from __future__ import annotations

import sys

from transpile.diagnostics import explain
from transpile.diagnostics.rules import RULES
from transpile.text.page_templates import fill_template


def print_diagnostics_page() -> str:
    """The whole page."""
    codes = {digit: sorted(code for code in RULES if code[3] == digit) for digit in explain.HUNDREDS}
    variables = {
        "chapters": [(digit, title, codes[digit]) for digit, title in explain.HUNDREDS.items() if codes[digit]],
        "rules": RULES,
        "explain": explain,
    }
    return fill_template(__package__, "diagnostics.md.j2", variables)


if __name__ == "__main__":
    sys.stdout.write(print_diagnostics_page())
