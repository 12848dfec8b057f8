"""Values in shell scripts.

Invariant: a value that a shell reads is quoted here, and nowhere else.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from emitters.hcl.tree.nodes import Fn
from emitters.hcl.tree.types import STRING, Value

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering, Part
    from emitters.hcl.tree.nodes import Expr
    from transpile.model import ir

QUOTE, QUOTED = "'", "'\\''"


def quoted(expr: Expr) -> list[Part]:
    """A text as one word in single quotes."""
    return ["'", escaped(expr), "'"]


def escaped(expr: Expr) -> Part:
    """A text between single quotes."""
    if isinstance(expr, str):
        return expr.replace(QUOTE, QUOTED)
    return Value(Fn("replace", (expr, QUOTE, QUOTED)), STRING)


def word(lowering: Lowering, expr: ir.Expr) -> list[Part]:
    """An expression of a template as one word, in quotes if it needs them."""
    parts = lowering.text(expr)
    if all(isinstance(part, str) for part in parts):
        return [shlex.quote("".join(map(str, parts)))]
    return ["'", *(escaped(part if isinstance(part, str) else lowering.as_text(part)) for part in parts), "'"]
