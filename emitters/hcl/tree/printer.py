"""Prints the syntax tree in the layout of `terraform fmt`.

Invariant: `terraform fmt` changes nothing in the output. Some layouts here look odd because fmt works on tokens,
without a grammar: it aligns any `=` with those on the lines below, and takes any leading minus for a binary operator.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

from emitters.hcl.tree import strings
from emitters.hcl.tree.nodes import (
    CHILDREN,
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Name,
    Not,
    Note,
    Object,
    Op,
    Splat,
    Text,
    Tuple,
)
from transpile.model.printable import comment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIDTH = 100
IDENTIFIER = re.compile(r"[^\W\d][\w-]*", re.ASCII)  # other letters depend on the version of Unicode
PRECEDENCE = {
    "||": 2,
    "&&": 3,
    "==": 4,
    "!=": 4,
    "<": 5,
    ">": 5,
    "<=": 5,
    ">=": 5,
    "+": 6,
    "-": 6,
    "*": 7,
    "/": 7,
    "%": 7,
}
CONDITIONAL, UNARY, POSTFIX = 1, 8, 9
NONE: list[str] = []
# Terraform evaluates these before anything else, so no function may be called there.
CONSTANT = {"variable": ("default", "description"), "output": ("description",)}
ALONE = frozenset(("count", "for_each", "depends_on"))  # set off by blank lines

Item = Argument | Block | Note
Row = tuple[str, str, list[str]]  # name, value, comments above it


def number(value: int | float) -> str:
    """A number as Terraform reads it back."""
    if isinstance(value, int) or value != value or value in (float("inf"), float("-inf")):
        return str(value)
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def key(value: Expr) -> str:
    """The key of an object: bare if it can be, in parentheses if it is evaluated."""
    if isinstance(value, str):
        return value if IDENTIFIER.fullmatch(value) and value != "for" else strings.quote(value)
    if isinstance(value, Text):
        return flat(value)
    return f"({flat(value)})"


def flat(expr: Expr, outer: int = 0) -> str:
    """An expression on one line, in parentheses if its precedence is lower than `outer`."""
    if isinstance(expr, str):
        return strings.quote(expr)
    if type(expr) is Name:
        return ".".join(expr.parts)
    return FLAT[type(expr)](expr, outer)


def flat_number(expr: int | float, outer: int) -> str:
    text = number(expr)
    return f"({text})" if text[0] == "-" and outer >= UNARY else text


def flat_text(expr: Text, outer: int) -> str:
    if len(expr.parts) == 1 and not isinstance(expr.parts[0], str):  # fmt would remove the quotes
        return f"tostring({flat(expr.parts[0])})"
    return strings.quoted(expr.parts, flat)


def flat_splat(expr: Splat, outer: int) -> str:
    return f"{flat(expr.of, POSTFIX)}[*]" + "".join([f".{name}" for name in expr.names])


def flat_call(expr: Fn, outer: int) -> str:
    return f"{expr.name}({', '.join([flat(a) for a in expr.args])}{'...' if expr.expand else ''})"


def flat_object(expr: Object, outer: int) -> str:
    return "{ " + ", ".join([f"{key(k)} = {flat(v)}" for k, v in expr.entries]) + " }" if expr.entries else "{}"


def flat_operation(expr: Op, outer: int) -> str:
    mine = PRECEDENCE[expr.sign]
    left, right = flat(expr.left, mine), flat(expr.right, mine + (expr.sign not in ("&&", "||")))
    if expr.sign in ("&&", "||"):  # `a && b || c` gets parentheses, for the reader
        left, right = (
            f"({t})" if isinstance(e, Op) and e.sign in ("&&", "||") and e.sign != expr.sign and t[0] != "(" else t
            for t, e in ((left, expr.left), (right, expr.right))
        )
    text = f"{left} {expr.sign} {right}"
    return f"({text})" if mine < outer else text


def flat_conditional(expr: Cond, outer: int) -> str:
    test, yes, no = [flat(e, CONDITIONAL + 1) for e in (expr.test, expr.yes, expr.no)]
    text = f"{test} ? {yes} : {no}"
    return f"({text})" if outer > CONDITIONAL else text


def flat_for(expr: ForTuple | ForObject, outer: int) -> str:
    test = f" {clause(expr)}" if expr.test is not None else ""
    head = f"for {', '.join(expr.names)} in {flat(expr.over)} :"
    if isinstance(expr, ForTuple):
        return f"[{head} {flat(expr.value)}{test}]"
    return f"{{ {head} {flat(expr.key)} => {after_word(flat(expr.value))}{test} }}"


FLAT: dict[type, Callable[[Any, int], str]] = {  # all types but str and Traversal, which `print_inline` handles first
    type(None): lambda expr, outer: "null",
    bool: lambda expr, outer: "true" if expr else "false",
    int: flat_number,
    float: flat_number,
    Text: flat_text,
    Attr: lambda expr, outer: f"{flat(expr.of, POSTFIX)}.{expr.name}",
    Index: lambda expr, outer: f"{flat(expr.of, POSTFIX)}[{flat(expr.key)}]",
    Splat: flat_splat,
    Fn: flat_call,
    Tuple: lambda expr, outer: f"[{', '.join([flat(i) for i in expr.items])}]",
    Object: flat_object,
    Op: flat_operation,
    Not: lambda expr, outer: f"!{flat(expr.of, UNARY)}",
    Cond: flat_conditional,
    ForTuple: flat_for,
    ForObject: flat_for,
}


def shown(expr: Expr, indent: int, column: int, inner: bool = False, constant: bool = False) -> str:
    """An expression on one or more lines.

    indent: the indentation of the line on which it begins. column: where it begins on that line. inner: it is part of
    another expression. constant: function calls are not allowed, so a heredoc cannot drop its last newline.
    """
    if isinstance(expr, (str, Name)) or expr is None:
        if (
            isinstance(expr, str)
            and "\n" in expr
            and not inner
            and not (constant and expr[-1] != "\n")
            and strings.fits_heredoc((expr,))
        ):
            return strings.heredoc((expr,), indent, flat)
        return flat(expr)
    if isinstance(expr, Text):
        if heads(expr):
            return headed(expr, indent, column)
        if not inner and strings.fits_heredoc(expr.parts):
            return strings.heredoc(expr.parts, indent, flat)
        return flat(expr)
    if isinstance(expr, Object):
        return lines_of_object(expr, indent, constant) if expr.entries else "{}"
    if isinstance(expr, Tuple) and any(isinstance(i, Object) and i.entries for i in expr.items):
        return lines_of_tuple(expr, indent, constant)
    if (
        isinstance(expr, Fn)
        and expr.args
        and isinstance(expr.args[-1], (Object, Tuple, ForObject, ForTuple, Fn))
        and has_object(expr.args[-1])
    ):
        return hug(expr, indent)
    text = "" if exceeds(expr, WIDTH - column) else flat(expr)
    if text and column + len(text) <= WIDTH:
        return text
    if isinstance(expr, Tuple):
        return lines_of_tuple(expr, indent)
    if isinstance(expr, Fn) and expr.args:
        return hug(expr, indent)
    if isinstance(expr, (ForTuple, ForObject)):
        return lines_of_for(expr, indent)
    text = text or flat(expr)
    if inner:
        return text
    pad = " " * indent
    if isinstance(expr, Cond):
        test, yes, no = (flat(e, CONDITIONAL + 1) for e in (expr.test, expr.yes, expr.no))
        return f"({test}\n{pad}  ? {yes}\n{pad}  : {no}\n{pad})"
    if isinstance(expr, Op) and expr.sign in ("&&", "||"):
        parts: list[str] = []
        rest: Expr = expr
        while isinstance(rest, Op) and rest.sign == expr.sign:
            parts.insert(0, flat(rest.right, PRECEDENCE[expr.sign] + 1))
            rest = rest.left
        parts.insert(0, flat(rest, PRECEDENCE[expr.sign] + 1))
        return f"(\n{pad}  " + f" {expr.sign}\n{pad}  ".join(parts) + f"\n{pad})"
    return text


def heads(expr: Text) -> bool:
    """Whether a text is one line of plain text and then a call, such as `#cloud-config` before yamlencode()."""
    parts = strings.merged(expr.parts)
    if len(parts) != 2 or not isinstance(parts[0], str) or not isinstance(parts[1], Fn) or not parts[1].args:
        return False
    return parts[0].find("\n") == len(parts[0]) - 1 > 0


def headed(expr: Text, indent: int, column: int) -> str:
    """A text for which `is_line_then_call` holds, in quotes, with the call on several lines if it needs them."""
    head, call = strings.merged(expr.parts)
    assert isinstance(call, Fn)
    text = flat(expr)
    if column + len(text) <= WIDTH and not has_object(call):
        return text
    return f'{strings.quoted((head,), flat)[:-1]}${{{hug(call, indent)}}}"'


def exceeds(expr: Expr, room: int) -> bool:
    """Whether an expression surely needs more columns than there are. It counts only the characters that are certain,
    and prints nothing: an expression with many levels would otherwise be printed once for each level.
    """
    stack = [expr]
    while stack and room >= 0:
        one = stack.pop()
        if isinstance(one, str):
            room -= len(one)
        elif type(one) is Name:
            room -= len(one.parts[0])
        elif (inside := CHILDREN.get(type(one))) is not None:
            stack += inside(one)
            room -= 1
    return room < 0


def has_object(expr: Expr) -> bool:
    """Whether an expression is, or ends in, an object that takes several lines."""
    if isinstance(expr, Object):
        return len(expr.entries) > 1 or any(has_object(v) for _, v in expr.entries)
    if isinstance(expr, Tuple):
        return any(has_object(i) for i in expr.items)
    if isinstance(expr, Fn):
        return bool(expr.args) and has_object(expr.args[-1])
    if isinstance(expr, ForTuple):
        return has_object(expr.value)
    return False


def lines_of_object(expr: Object, indent: int, constant: bool = False) -> str:
    pad = " " * (indent + 2)
    rows: list[Row] = []
    for k, v in expr.entries:
        name = key(k)
        rows.append((name, shown(v, indent + 2, indent + 5 + len(name), constant=constant), NONE))
    return "{\n" + "\n".join(aligned(rows, pad)) + f"\n{' ' * indent}}}"


def lines_of_tuple(expr: Tuple, indent: int, constant: bool = False) -> str:
    first, last = expr.items[:-1], expr.items[-1] if expr.items else None
    if first and isinstance(last, Fn) and has_object(last) and all(isinstance(i, (str, Name)) for i in first):
        lead = "".join(f"{flat(i)}, " for i in first)  # the last item starts on the line of the list
        return f"[{lead}{shown(last, indent, indent + len(lead) + 1, True)}]"
    pad = " " * (indent + 2)
    items = [shown(i, indent + 2, indent + 2, True, constant) for i in expr.items]
    return "[\n" + "".join(f"{pad}{item},\n" for item in items) + " " * indent + "]"


def hug(expr: Fn, indent: int) -> str:
    """A call whose last argument starts on the line of the call."""
    *first, last = expr.args
    lead = "".join(f"{flat(a)}, " for a in first)
    text = shown(last, indent, indent + len(expr.name) + len(lead) + 3, True)
    long = "\n" not in text and indent + len(lead) + len(text) > WIDTH
    if first and (long or ("\n" in text and " = " in lead)):  # fmt would align this `=` with those below
        pad = " " * (indent + 2)
        dots = "..." if expr.expand else ","
        rows = [f"{pad}{shown(a, indent + 2, indent + 2, True)}," for a in first] + [
            f"{pad}{shown(last, indent + 2, indent + 2, True)}{dots}"
        ]
        return f"{expr.name}(\n" + "\n".join(rows) + f"\n{' ' * indent})"
    return f"{expr.name}({lead}{text}{'...' if expr.expand else ''})"


def lines_of_for(expr: ForTuple | ForObject, indent: int) -> str:
    pad = " " * (indent + 2)
    opening, closing = "[]" if isinstance(expr, ForTuple) else "{}"
    head = f"for {', '.join(expr.names)} in {shown(expr.over, indent + 2, indent + 10, True)} :"
    value = shown(expr.value, indent + 2, indent + 2, True)
    if isinstance(expr, ForObject):
        value = f"{flat(expr.key)} => {after_word(value)}"
    test = ""
    if expr.test is not None:
        test = f"\n{pad}{clause(expr)}" if "\n" not in value else f" {clause(expr)}"
    gap = " " if value.startswith(("{\n", "[\n")) and "\n" not in head else f"\n{pad}"
    return f"{opening}\n{pad}{head}{gap}{value}{test}\n{' ' * indent}{closing}"


def clause(expr: ForTuple | ForObject) -> str:
    """The test of a for expression. fmt takes `if` before a parenthesis for the name of a function."""
    text = flat(expr.test)
    return f"if{text}" if text.startswith("(") else f"if {text}"


def after_word(text: str) -> str:
    """An expression after a keyword or an arrow, where fmt treats a leading minus as a binary operator."""
    return f"({text})" if text.startswith("-") else text


def plain(name: str) -> bool:
    """Whether fmt surely counts one column for each character of a name. For combining characters it may not."""
    return name.isascii() or all(
        c.isascii() or (unicodedata.category(c) in ("Lu", "Ll", "Nd") or 0x3040 <= ord(c) <= 0x9FFF) for c in name
    )


def aligned(rows: Sequence[Row], pad: str) -> list[str]:
    """`name = value` lines with aligned `=`, each below its comments."""
    out: list[str] = []
    group: list[tuple[str, str]] = []

    def close() -> None:
        if group:
            longest = max([len(name) for name, _ in group])
            out.extend([f"{pad}{name:<{longest}} = {value}" for name, value in group])
            group.clear()

    for name, value, comments in rows:
        if comments:
            close()
            out.extend([f"{pad}{comment_line(c)}" for c in comments])
        if not plain(name):  # set off by blank lines, so that fmt does not align it
            close()
            out.extend([*([""] if out and out[-1] else []), f"{pad}{name} = {value}", ""])
        elif "\n" in value and not value.startswith("<<"):
            close()
            out.append(f"{pad}{name} = {value}")
        else:
            group.append((name, value))
    close()
    if out and not out[-1]:
        out.pop()
    return out


def comment_line(text: str) -> str:
    """A comment on one line."""
    clean = comment(" ".join(text.splitlines())).rstrip() if text else ""
    return f"#{clean}" if clean[:1] in ("", " ", "#", "!") else f"# {clean}"


def body(items: Sequence[Item], indent: int, kind: str = "", constant: bool = False) -> list[str]:
    """The lines of a body; blank lines set off items of several lines."""
    pad = " " * indent
    out: list[str] = []
    rows: list[Row] = []
    gap = False  # whether a blank line goes before the next item

    def flush() -> None:
        nonlocal gap
        if rows:
            if out and gap:
                out.append("")
            out.extend(aligned(rows, pad))
            rows.clear()
            gap = False

    for item in items:
        if isinstance(item, Argument):
            fixed = constant or item.name in CONSTANT.get(kind, ())
            value = shown(item.value, indent, indent + len(item.name) + 3, constant=fixed)
            if "\n" in value or (item.name in ALONE and indent):
                flush()
                if out:
                    out.append("")
                out.extend(aligned([(item.name, value, item.comments)], pad))
                gap = True
            else:
                rows.append((item.name, value, item.comments))
            continue
        flush()
        if out:
            out.append("")
        gap = True
        if isinstance(item, Note):
            out.extend([pad + comment_line(line) for line in item.lines])
        else:
            out.extend(block(item, indent))
    flush()
    return out


def block(item: Block, indent: int) -> list[str]:
    pad = " " * indent
    head = pad + " ".join([item.type, *[strings.quote(label) for label in item.labels]])
    comments = [pad + comment_line(c) for c in item.comments]
    if not item.body:
        return [*comments, f"{head} {{", f"{pad}}}"] if item.type == "content" else [*comments, f"{head} {{}}"]
    return [*comments, f"{head} {{", *body(item.body, indent + 2, item.type), f"{pad}}}"]


def document(items: Sequence[Item], *, constant: bool = False) -> str:
    """A file. `constant`: function calls are not allowed, as in terraform.tfvars."""
    return "\n".join(body(items, 0, constant=constant)) + "\n" if items else ""
