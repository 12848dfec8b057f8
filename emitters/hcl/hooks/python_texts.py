"""Lists and maps as Python prints them, which Heat's agent passes to tools that take only texts.

Invariant: the text is what `str()` of Python gives, for all strings of printable characters, tabs and line breaks.
"""

from __future__ import annotations

from emitters.hcl.lowering.lowering import HclLowering, Part
from emitters.hcl.tree.nodes import Cond, Expr, Fn, ForTuple, Not, Op, StringTemplate, Traversal
from emitters.hcl.tree.types import LISTS, STRING, TypedValue
from transpile.model import ir

ESCAPES = (("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"))
ITEM = "item"


def print_python(lowering: HclLowering, expr: ir.Expr) -> list[Part] | None:
    """The text that Python prints for a value; None if its shape is known only at run time."""
    match expr:
        case ir.Lit(value):
            return [repr(value)]
        case ir.Seq(items):
            return join_printed("[", [print_python(lowering, item) for item in items], "]")
        case ir.Map(entries):
            printed = [print_python(lowering, entry.value) for entry in entries]
            pairs = [
                None if parts is None else [f"{entry.key!r}: ", *parts]
                for entry, parts in zip(entries, printed, strict=True)
            ]
            return join_printed("{", pairs, "}")
    return print_unknown(lowering, lowering.lower_value(expr))


def join_printed(start: str, items: list[list[Part] | None], end: str) -> list[Part] | None:
    """Printed items with commas between them; None if one of them could not be printed."""
    parts: list[Part] = [start]
    for index, item in enumerate(items):
        if item is None:
            return None
        parts += [", ", *item] if index else item
    return [*parts, end]


def print_unknown(lowering: HclLowering, value: TypedValue) -> list[Part] | None:
    """The text for a value that is known only at run time, if its type is known."""
    if value.null:
        return None
    if value.type.kind == "string":
        return [TypedValue(lowering.lift_to_local(quote_as_python(value.expr), "text"), STRING)]
    if value.type.kind in ("number", "bool"):
        return [TypedValue(lowering.text_of_value(value), STRING)]
    if value.type.kind in LISTS and value.type.of == STRING:
        name = lowering.free_variable(ITEM)
        items = ForTuple((name,), value.expr, quote_as_python(Traversal((name,))))
        return ["[", TypedValue(Fn("join", (", ", items)), STRING), "]"]
    return None


def quote_as_python(text: Expr) -> Expr:
    """A string as Python prints it in a list: in double quotes only if it has single quotes and no double ones."""
    escaped = text
    for character, escape in ESCAPES:
        escaped = Fn("replace", (escaped, character, escape))
    single, double = Fn("strcontains", (text, "'")), Fn("strcontains", (text, '"'))
    return Cond(
        Op("&&", single, Not(double)),
        StringTemplate(('"', escaped, '"')),
        StringTemplate(("'", Fn("replace", (escaped, "'", "\\'")), "'")),
    )
