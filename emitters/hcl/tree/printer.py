"""Prints the syntax tree in the layout of `terraform fmt`.

Invariant: `terraform fmt` changes nothing in the output. Some layouts here look odd because fmt works on tokens,
without a grammar: it aligns any `=` with those on the lines below, and takes any leading minus for a binary operator.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

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
    Not,
    Note,
    Object,
    Op,
    Splat,
    StringTemplate,
    Traversal,
    Tuple,
    prepend_line,
)
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import make_comment_printable

WIDTH = 100
MOST_ON_LINE, LONGEST_OBJECT = 3, 72  # entries and columns of an object on one line
WIDEST_ROW = 140  # columns of a line of a table
IDENTIFIER = compile_lazily(r"[^\W\d][\w-]*", re.ASCII)  # other letters depend on the version of Unicode
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
NO_COMMENTS: list[str] = []
# Terraform evaluates these before anything else, so no function may be called there.
CONSTANT_ARGUMENTS = {"variable": ("default", "description"), "output": ("description",)}
SEPARATE_ARGUMENTS = frozenset(("count", "for_each", "depends_on"))  # set off by blank lines

Item = Argument | Block | Note
Payment = Callable[[int, Argument], None]  # for the characters of an argument
ArgumentRow = tuple[str, str, list[str]]  # name, value, comments above it


def pay_nothing(characters: int, argument: Argument) -> None: ...


def print_number(value: int | float) -> str:
    """A number as Terraform reads it back."""
    if isinstance(value, int) or value != value or value in (float("inf"), float("-inf")):
        return str(value)
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def print_object_key(value: Expr) -> str:
    """The key of an object: bare if it can be, in parentheses if it is evaluated."""
    if type(value) is str:
        return value if IDENTIFIER.fullmatch(value) and value != "for" else strings.quote_text(value)
    if type(value) is StringTemplate:
        return print_inline(value)
    return f"({print_inline(value)})"


def print_inline(expr: Expr, outer: int = 0) -> str:
    """An expression on one line, in parentheses if its precedence is lower than `outer`."""
    if type(expr) is str:
        return strings.quote_text(expr)
    if type(expr) is Traversal:
        return ".".join(expr.parts)
    return INLINE_PRINTERS[type(expr)](expr, outer)


def print_inline_number(expr: int | float, outer: int) -> str:
    text = print_number(expr)
    return f"({text})" if text[0] == "-" and outer >= UNARY else text


def print_inline_text(expr: StringTemplate, outer: int) -> str:
    if len(expr.parts) == 1 and not isinstance(expr.parts[0], str):  # fmt would remove the quotes
        return f"tostring({print_inline(expr.parts[0])})"
    return strings.print_quoted(expr.parts, print_inline)


def print_inline_splat(expr: Splat, outer: int) -> str:
    return f"{print_inline(expr.of, POSTFIX)}[*]" + "".join([f".{name}" for name in expr.names])


def print_inline_call(expr: Fn, outer: int) -> str:
    return f"{expr.name}({', '.join([print_inline(a) for a in expr.args])}{'...' if expr.expand else ''})"


def print_inline_object(expr: Object, outer: int) -> str:
    return (
        "{ " + ", ".join([f"{print_object_key(k)} = {print_inline(v)}" for k, v in expr.entries]) + " }"
        if expr.entries
        else "{}"
    )


def print_inline_operation(expr: Op, outer: int) -> str:
    precedence = PRECEDENCE[expr.sign]
    left, right = (
        print_inline(expr.left, precedence),
        print_inline(expr.right, precedence + (expr.sign not in ("&&", "||"))),
    )
    if expr.sign in ("&&", "||"):  # `a && b || c` gets parentheses, for the reader
        left, right = (
            f"({t})" if isinstance(e, Op) and e.sign in ("&&", "||") and e.sign != expr.sign and t[0] != "(" else t
            for t, e in ((left, expr.left), (right, expr.right))
        )
    text = f"{left} {expr.sign} {right}"
    return f"({text})" if precedence < outer else text


def print_inline_conditional(expr: Cond, outer: int) -> str:
    test, yes, no = [print_inline(e, CONDITIONAL + 1) for e in (expr.test, expr.yes, expr.no)]
    text = f"{test} ? {yes} : {no}"
    return f"({text})" if outer > CONDITIONAL else text


def print_inline_for(expr: ForTuple | ForObject, outer: int) -> str:
    test = f" {print_for_condition(expr)}" if expr.test is not None else ""
    head = f"for {', '.join(expr.names)} in {print_inline(expr.over)} :"
    if isinstance(expr, ForTuple):
        return f"[{head} {print_inline(expr.value)}{test}]"
    return f"{{ {head} {print_inline(expr.key)} => {parenthesize_minus(print_inline(expr.value))}{test} }}"


INLINE_PRINTERS: dict[
    type, Callable[[Any, int], str]
] = {  # all types but str and Traversal, which `print_inline` handles first
    type(None): lambda expr, outer: "null",
    bool: lambda expr, outer: "true" if expr else "false",
    int: print_inline_number,
    float: print_inline_number,
    StringTemplate: print_inline_text,
    Attr: lambda expr, outer: f"{print_inline(expr.of, POSTFIX)}.{expr.name}",
    Index: lambda expr, outer: f"{print_inline(expr.of, POSTFIX)}[{print_inline(expr.key)}]",
    Splat: print_inline_splat,
    Fn: print_inline_call,
    Tuple: lambda expr, outer: f"[{', '.join([print_inline(i) for i in expr.items])}]",
    Object: print_inline_object,
    Op: print_inline_operation,
    Not: lambda expr, outer: f"!{print_inline(expr.of, UNARY)}",
    Cond: print_inline_conditional,
    ForTuple: print_inline_for,
    ForObject: print_inline_for,
}


def print_expression(expr: Expr, indent: int, column: int, inner: bool = False, constant: bool = False) -> str:
    """An expression on one or more lines.

    indent: the indentation of the line on which it begins. column: where it begins on that line. inner: it is part of
    another expression. constant: function calls are not allowed, so a heredoc cannot drop its last newline.
    """
    if type(expr) is Traversal or expr is None:
        return print_inline(expr)
    if type(expr) is str:
        if "\n" in expr and not inner and not (constant and expr[-1] != "\n") and strings.fits_heredoc((expr,)):
            return strings.print_heredoc((expr,), indent, print_inline)
        return strings.quote_text(expr)
    if type(expr) is StringTemplate:
        if is_line_then_call(expr):
            return print_line_then_call(expr, indent, column, inner)
        if not inner and strings.fits_heredoc(expr.parts):
            return strings.print_heredoc(expr.parts, indent, print_inline)
        return print_inline(expr)
    if type(expr) is Object:
        if not expr.entries:
            return "{}"
        short = print_inline(expr) if is_short_object(expr) else ""
        return short if short and column + len(short) <= WIDTH else print_object_lines(expr, indent, constant)
    if type(expr) is Index and type(expr.of) is Object:
        return f"{print_object_lines(expr.of, indent, constant)}[{print_inline(expr.key)}]"
    if type(expr) is Tuple and (
        any(type(i) is Object and i.entries for i in expr.items) or ends_in_call_with_object(expr)
    ):
        return print_tuple_lines(expr, indent, constant)
    if (
        type(expr) is Fn
        and expr.args
        and isinstance(expr.args[-1], (Object, Tuple, ForObject, ForTuple, Fn))
        and ends_in_object(expr.args[-1])
    ):
        return print_hugging_call(expr, indent)
    text = "" if exceeds_room(expr, WIDTH - column) else print_inline(expr)
    if text and column + len(text) <= WIDTH:
        return text
    if type(expr) is Tuple:
        return print_tuple_lines(expr, indent)
    if type(expr) is Fn and expr.args:
        return print_hugging_call(expr, indent)
    if isinstance(expr, (ForTuple, ForObject)):
        return print_for_lines(expr, indent)
    text = text or print_inline(expr)
    if inner:
        return text
    pad = " " * indent
    if type(expr) is Cond:
        test, yes, no = (print_inline(e, CONDITIONAL + 1) for e in (expr.test, expr.yes, expr.no))
        return f"({test}\n{pad}  ? {yes}\n{pad}  : {no}\n{pad})"
    if type(expr) is Op and expr.sign in ("&&", "||"):
        parts: list[str] = []
        rest: Expr = expr
        while type(rest) is Op and rest.sign == expr.sign:
            parts.insert(0, print_inline(rest.right, PRECEDENCE[expr.sign] + 1))
            rest = rest.left
        parts.insert(0, print_inline(rest, PRECEDENCE[expr.sign] + 1))
        return f"(\n{pad}  " + f" {expr.sign}\n{pad}  ".join(parts) + f"\n{pad})"
    return text


def is_line_then_call(expr: StringTemplate) -> bool:
    """Whether a text is one line of plain text and then a call, such as `#cloud-config` before yamlencode()."""
    parts = strings.merge_literals(expr.parts)
    if len(parts) != 2 or not isinstance(parts[0], str) or not isinstance(parts[1], Fn) or not parts[1].args:
        return False
    return parts[0].find("\n") == len(parts[0]) - 1 > 0


def print_line_then_call(expr: StringTemplate, indent: int, column: int, inner: bool) -> str:
    """A text for which `is_line_then_call` holds: in quotes on one line, or else as a join() that takes several."""
    head, call = strings.merge_literals(expr.parts)
    assert isinstance(head, str)
    assert isinstance(call, Fn)
    text = print_inline(expr)
    if column + len(text) <= WIDTH and not ends_in_object(call):
        return text
    return print_expression(prepend_line(head.removesuffix("\n"), call), indent, column, inner)


def exceeds_room(expr: Expr, room: int) -> bool:
    """Whether an expression surely needs more columns than there are. It counts only the characters that are certain,
    and prints nothing: an expression with many levels would otherwise be printed once for each level.
    """
    stack = [expr]
    while stack and room >= 0:
        current = stack.pop()
        if type(current) is str:
            room -= len(current)
        elif type(current) is Traversal:
            room -= len(current.parts[0])
        elif (inside := CHILDREN.get(type(current))) is not None:
            stack += inside(current)
            room -= 1
    return room < 0


def is_short_object(expr: Object) -> bool:
    """Whether an object has few plain values, so that it stands on one line, as a person would write it."""
    if not 0 < len(expr.entries) <= MOST_ON_LINE:
        return False
    return has_plain_values(expr) and len(print_inline(expr)) <= LONGEST_OBJECT


def has_plain_values(expr: Object) -> bool:
    return all(
        isinstance(value, (int, float)) or type(value) is Traversal or (isinstance(value, str) and "\n" not in value)
        for _, value in expr.entries
    )


def ends_in_object(expr: Expr) -> bool:
    """Whether an expression is, or ends in, an object that takes several lines."""
    if isinstance(expr, Object):
        return not is_short_object(expr) and (len(expr.entries) > 1 or any(ends_in_object(v) for _, v in expr.entries))
    if isinstance(expr, Tuple):
        return any(ends_in_object(i) for i in expr.items)
    if isinstance(expr, Fn):
        return bool(expr.args) and ends_in_object(expr.args[-1])
    if isinstance(expr, ForTuple):
        return ends_in_object(expr.value)
    return False


def ends_in_call_with_object(expr: Tuple) -> bool:
    """Whether a list is some short items and then a call that ends in an object, such as yamlencode({…})."""
    *first, last = expr.items or (None,)
    simple = all(isinstance(item, (str, Traversal)) for item in first)
    return bool(first) and isinstance(last, Fn) and ends_in_object(last) and simple


def print_object_lines(expr: Object, indent: int, constant: bool = False) -> str:
    pad = " " * (indent + 2)
    rows: list[ArgumentRow] = []
    table = print_table(expr, indent + 2)
    for at, (k, v) in enumerate(expr.entries):
        name = print_object_key(k)
        text = table[at] if table else print_expression(v, indent + 2, indent + 5 + len(name), constant=constant)
        rows.append((name, text, NO_COMMENTS))
    return "{\n" + "\n".join(align_rows(rows, pad)) + f"\n{' ' * indent}}}"


def print_table(expr: Object, indent: int) -> list[str]:
    """The values of an object in which each is an object of plain values, on one line each; none if a line would be too
    long, or for any other object.
    """
    values = [value for _, value in expr.entries]
    if not all(isinstance(value, Object) and value.entries and has_plain_values(value) for value in values):
        return []
    texts = [print_inline(value) for value in values]
    first = indent + 3 + max((len(print_object_key(key)) for key, _ in expr.entries), default=0)
    return texts if len(texts) > 1 and first + max(map(len, texts)) <= WIDEST_ROW else []


def print_tuple_lines(expr: Tuple, indent: int, constant: bool = False) -> str:
    if ends_in_call_with_object(expr):
        lead = "".join(f"{print_inline(i)}, " for i in expr.items[:-1])  # the last item starts on the line of the list
        return f"[{lead}{print_expression(expr.items[-1], indent, indent + len(lead) + 1, True)}]"
    pad = " " * (indent + 2)
    items = [print_expression(i, indent + 2, indent + 2, True, constant) for i in expr.items]
    return "[\n" + "".join(f"{pad}{item},\n" for item in items) + " " * indent + "]"


def print_hugging_call(expr: Fn, indent: int) -> str:
    """A call whose last argument starts on the line of the call."""
    *first, last = expr.args
    lead = "".join(f"{print_inline(a)}, " for a in first)
    text = print_expression(last, indent, indent + len(expr.name) + len(lead) + 3, True)
    long = "\n" not in text and indent + len(lead) + len(text) > WIDTH
    if first and (long or ("\n" in text and " = " in lead)):  # fmt would align this `=` with those below
        pad = " " * (indent + 2)
        dots = "..." if expr.expand else ","
        rows = [f"{pad}{print_expression(a, indent + 2, indent + 2, True)}," for a in first] + [
            f"{pad}{print_expression(last, indent + 2, indent + 2, True)}{dots}"
        ]
        return f"{expr.name}(\n" + "\n".join(rows) + f"\n{' ' * indent})"
    return f"{expr.name}({lead}{text}{'...' if expr.expand else ''})"


def print_for_lines(expr: ForTuple | ForObject, indent: int) -> str:
    pad = " " * (indent + 2)
    opening, closing = "[]" if isinstance(expr, ForTuple) else "{}"
    head = f"for {', '.join(expr.names)} in {print_expression(expr.over, indent + 2, indent + 10, True)} :"
    value = print_expression(expr.value, indent + 2, indent + 2, True)
    if isinstance(expr, ForObject):
        value = f"{print_inline(expr.key)} => {parenthesize_minus(value)}"
    test = ""
    if expr.test is not None:
        test = f"\n{pad}{print_for_condition(expr)}" if "\n" not in value else f" {print_for_condition(expr)}"
    gap = " " if value.startswith(("{\n", "[\n")) and "\n" not in head else f"\n{pad}"
    return f"{opening}\n{pad}{head}{gap}{value}{test}\n{' ' * indent}{closing}"


def print_for_condition(expr: ForTuple | ForObject) -> str:
    """The test of a for expression. fmt takes `if` before a parenthesis for the name of a function."""
    text = print_inline(expr.test)
    return f"if{text}" if text.startswith("(") else f"if {text}"


def parenthesize_minus(text: str) -> str:
    """An expression after a keyword or an arrow, where fmt treats a leading minus as a binary operator."""
    return f"({text})" if text.startswith("-") else text


def has_plain_width(name: str) -> bool:
    """Whether fmt surely counts one column for each character of a name. For combining characters it may not."""
    return all(
        c.isascii() or (unicodedata.category(c) in ("Lu", "Ll", "Nd") or 0x3040 <= ord(c) <= 0x9FFF) for c in name
    )


def align_rows(rows: Sequence[ArgumentRow], pad: str) -> list[str]:
    """`name = value` lines with aligned `=`, each below its comments."""
    out: list[str] = []
    group: list[tuple[str, str]] = []

    def close_group() -> None:
        if group:
            longest = max([len(name) for name, _ in group])
            out.extend([f"{pad}{name:<{longest}} = {value}" for name, value in group])
            group.clear()

    for name, value, comments in rows:
        if comments:
            close_group()
            out.extend([f"{pad}{print_comment(c)}" for c in comments])
        if not (name.isascii() or has_plain_width(name)):  # set off by blank lines, so that fmt does not align it
            close_group()
            out.extend([*([""] if out and out[-1] else []), f"{pad}{name} = {value}", ""])
        elif "\n" in value and not value.startswith("<<"):
            close_group()
            out.append(f"{pad}{name} = {value}")
        else:
            group.append((name, value))
    close_group()
    if out and not out[-1]:
        out.pop()
    return out


def print_comment(text: str) -> str:
    """A comment on one line."""
    clean = make_comment_printable(" ".join(text.splitlines())).rstrip() if text else ""
    return f"#{clean}" if clean[:1] in ("", " ", "#", "!") else f"# {clean}"


def print_body(
    items: Sequence[Item], indent: int, kind: str = "", constant: bool = False, pay: Payment = pay_nothing
) -> list[str]:
    """The lines of a body; blank lines set off items of several lines."""
    pad = " " * indent
    out: list[str] = []
    rows: list[ArgumentRow] = []
    gap = False  # whether a blank line goes before the next item
    constants = CONSTANT_ARGUMENTS.get(kind, ())

    def flush_rows() -> None:
        if out and gap:
            out.append("")
        out.extend(align_rows(rows, pad))
        rows.clear()

    for item in items:
        if type(item) is Argument:
            fixed = constant or item.name in constants
            value = print_expression(item.value, indent, indent + len(item.name) + 3, constant=fixed)
            pay(len(value), item)
            if "\n" in value or (item.name in SEPARATE_ARGUMENTS and indent):
                if rows:
                    flush_rows()
                if out:
                    out.append("")
                out.extend(align_rows([(item.name, value, item.comments)], pad))
                gap = True
            else:
                rows.append((item.name, value, item.comments))
            continue
        if rows:
            flush_rows()
        if out:
            out.append("")
        gap = True
        if type(item) is Note:
            out.extend([pad + print_comment(line) for line in item.lines])
        else:
            out.extend(print_hcl_block(item, indent, pay))
    if rows:
        flush_rows()
    return out


def print_hcl_block(item: Block, indent: int, pay: Payment = pay_nothing) -> list[str]:
    pad = " " * indent
    head = pad + " ".join([item.type, *[strings.quote_text(label) for label in item.labels]])
    comments = [pad + print_comment(c) for c in item.comments]
    if not item.body:
        return [*comments, f"{head} {{", f"{pad}}}"] if item.type == "content" else [*comments, f"{head} {{}}"]
    return [*comments, f"{head} {{", *print_body(item.body, indent + 2, item.type, pay=pay), f"{pad}}}"]


def print_hcl(items: Sequence[Item], *, constant: bool = False, pay: Payment = pay_nothing) -> str:
    """A file. `constant`: function calls are not allowed, as in terraform.tfvars. `pay`: pays for each argument when it
    is printed, so that a file that would be too large is not printed to its end.
    """
    return "\n".join(print_body(items, 0, constant=constant, pay=pay)) + "\n" if items else ""
