"""Evaluates operators, comparisons and subscripts on the values of a plug-in module.

Invariant: the size of a result is computed and paid for before the result is made.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from transpile.plugins.journal import UNKNOWN, WHOLE
from transpile.plugins.machine import PluginMachine
from transpile.plugins.values import (
    MISSING,
    BoundMethod,
    BuiltinValue,
    ClassValue,
    FunctionValue,
    InstanceValue,
    Maybe,
    ModuleValue,
    NodePlace,
    OpaqueValue,
    Raised,
    TableValue,
    Value,
    are_same,
    holds_unknown,
    is_opaque,
)

SIZE = 1 << 17  # characters or items of one value
BITS = 4096  # of an integer
FIELD = 1000  # the largest width in a text for %: `"%1000d"`
OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
COMPUTED = "it is computed from an unknown value"


def limit_size(value: Value, place: NodePlace) -> Value:
    """Returns a value unchanged; an Opaque if it is too large."""
    if isinstance(value, str | bytes | list | tuple | set | dict) and len(value) > SIZE:
        return OpaqueValue(f"it has more than {SIZE:,} characters or items", place)
    if isinstance(value, int) and value.bit_length() > BITS:
        return OpaqueValue("the number is too large", place)
    return value


def make_set(items: list[Value], place: NodePlace) -> Value:
    """A set of constants; an Opaque if it would hold anything else."""
    if all(item is None or isinstance(item, str | bytes | int | float) for item in items):
        return set(items)
    return OpaqueValue("the set holds more than constants", place)


def apply_operator(run: PluginMachine, op: ast.operator, left: Value, right: Value, place: NodePlace) -> Value:
    """The value of a binary operation."""
    if is_opaque(left) or is_opaque(right):
        return OpaqueValue(COMPUTED, place)
    if isinstance(left, int | float) and isinstance(right, int | float):
        return apply_to_numbers(op, left, right, place)
    if isinstance(op, ast.Mod) and isinstance(left, str):
        return format_percent(run, left, right, place)
    if isinstance(op, ast.Add) and type(left) is type(right) and isinstance(left, str | bytes | list | tuple):
        run.pay((len(left) + len(right)) // 16, place)
        return limit_size(track_result(run, left + right), place)
    if isinstance(left, str | None) and isinstance(right, int | str | None) and isinstance(op, ast.Add | ast.Sub):
        raise Raised("TypeError", "these operands cannot be combined", place)
    return OpaqueValue("this operation is not read", place)


def track_result(run: PluginMachine, value: Value) -> Value:
    """Returns a result unchanged, after the journal has noted it if it is a new list."""
    return run.journal.track_new(value) if isinstance(value, list) else value


def apply_to_numbers(op: ast.operator, left: Any, right: Any, place: NodePlace) -> Value:
    """The value of an operation on numbers; an Opaque if it may be too large."""
    if isinstance(op, ast.Pow):
        small = isinstance(left, int) and isinstance(right, int) and 0 <= right <= BITS
        if not small or left.bit_length() * right > 2 * BITS:
            return OpaqueValue("the number is too large", place)
        return left**right
    run = OPERATORS.get(type(op))
    if run is None:
        return OpaqueValue("this operation is not read", place)
    try:
        return limit_size(run(left, right), place)
    except OverflowError:  # a large integer and a float
        return OpaqueValue("the number is too large", place)


def format_percent(run: PluginMachine, text: str, arguments: Value, place: NodePlace) -> Value:
    """The value of `text % given`."""
    parts = (
        list(arguments.values())
        if isinstance(arguments, TableValue)
        else arguments
        if isinstance(arguments, tuple)
        else (arguments,)
    )
    if not all(is_flat(part) for part in parts):
        return OpaqueValue(COMPUTED, place)
    fields = [int(n) for n in "".join(c if c.isascii() and c.isdigit() else " " for c in text).split() if len(n) < 20]
    if "*" in text or any(n > FIELD for n in fields):
        return OpaqueValue("this form of a text is not read", place)
    run.pay((len(text) + sum(estimate_length(part) for part in parts)) // 4, place)
    try:
        return limit_size(text % (dict(arguments) if isinstance(arguments, TableValue) else arguments), place)
    except (TypeError, ValueError, KeyError, OverflowError):
        raise Raised("TypeError", "the text and its values do not fit", place) from None


def is_flat(value: Value) -> bool:
    """Whether a value is a constant, or a short list of constants."""
    if isinstance(value, list | tuple):
        return len(value) < 1000 and all(item is None or isinstance(item, str | int | float) for item in value)
    return value is None or isinstance(value, str | int | float)


def estimate_length(value: Value) -> int:
    """The approximate number of characters that a value takes as a text."""
    if isinstance(value, list | tuple):
        return sum(estimate_length(item) for item in value) + 2
    return len(value) if isinstance(value, str) else 20


def compare_values(run: PluginMachine, op: ast.cmpop, left: Value, right: Value, place: NodePlace) -> Value:
    """The value of one comparison: True, False, or an Opaque if it is unknown."""
    if isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
        answer = are_equal(run, left, right, identical=isinstance(op, ast.Is | ast.IsNot))
        if answer is None:
            return OpaqueValue("it depends on an unknown value", place)
        return answer is isinstance(op, ast.Is | ast.Eq)
    return OpaqueValue("this comparison is not read", place)


def are_equal(run: PluginMachine, left: Value, right: Value, *, identical: bool) -> bool | None:
    """Whether two values are equal (or `identical`, for `is`); None if that is unknown."""
    for side, other in ((left, right), (right, left)):
        if isinstance(side, OpaqueValue):
            if (
                other is None and side.path and "(" not in side.path
            ):  # a name from a library is assumed to exist, and not to be None
                run.evaluate_truth(side)
                return False
            return None
        if isinstance(side, Maybe):
            return None
    if (
        isinstance(left, ClassValue | FunctionValue | ModuleValue | BuiltinValue | InstanceValue | BoundMethod)
        or left is None
        or right is None
    ):
        return left is right
    if identical and isinstance(left, TableValue | list | set):
        return left is right
    if holds_unknown(left) or holds_unknown(right):
        return None
    if isinstance(left, str | bytes | int | float | set) or isinstance(right, str | bytes | int | float | set):
        return bool(left == right)
    return are_same(left, right)


def is_hashable(key: Value) -> bool:
    """Whether a value can be a key of a Table: its type is hashable, and it is known."""
    if isinstance(key, tuple):
        return all(is_hashable(item) for item in key)
    return key is None or isinstance(key, str | bytes | int | float | ClassValue)


def get_item(run: PluginMachine, value: Value, index: Value, place: NodePlace) -> Value:
    """The item at an index, or a slice. Sets `run.may_have_raised` if Python might raise an exception instead."""
    if isinstance(value, OpaqueValue):
        run.may_have_raised = True
        return OpaqueValue(value.reason, place)
    if is_opaque(index) or isinstance(value, Maybe):
        run.may_have_raised = True
        return OpaqueValue(COMPUTED, place)
    if isinstance(value, TableValue):
        item = value.get(index, MISSING) if is_hashable(index) else MISSING
        if item is not MISSING:
            if not isinstance(item, Maybe):
                return item
            run.may_have_raised = True
            return OpaqueValue("the key may be missing", place)
        if value.unknown is not None:
            run.may_have_raised = True
            return OpaqueValue(value.unknown.reason, place)
        raise Raised("KeyError", repr(index) if isinstance(index, str) else "the key is missing", place)
    if isinstance(value, str | bytes | list | tuple) and isinstance(index, int):
        if isinstance(value, list) and any(isinstance(element, Maybe) for element in value):
            return OpaqueValue("which items there are is not known", place)
        if not -len(value) <= index < len(value):
            raise Raised("IndexError", "there are not so many items", place)
        return value[index]
    return OpaqueValue("this subscript is not read", place)


def store_item(run: PluginMachine, value: Value, index: Value, new: Value, place: NodePlace) -> None:
    """Sets an item; MISSING removes it. An unknown key marks the table as having more keys; the items of known keys
    stay as they are.
    """
    if isinstance(value, TableValue):
        if not is_hashable(index):
            run.journal.doubt(
                value, index if isinstance(index, OpaqueValue) else OpaqueValue("a key is not known", place)
            )
        elif new is MISSING and index not in value and value.unknown is None:
            raise Raised("KeyError", repr(index) if isinstance(index, str) else "the key is missing", place)
        else:
            if len(value) >= SIZE:
                run.journal.record_change(value, UNKNOWN)
                value.unknown = OpaqueValue(f"there are more than {SIZE:,} keys", place)
                return
            run.journal.set_key(value, index, new)
    elif isinstance(value, list) and type(index) is int and -len(value) <= index < len(value):
        run.journal.record_change(value, WHOLE)
        if new is MISSING:
            del value[index]
        else:
            value[index] = new
    elif isinstance(value, list):
        run.journal.record_change(value, WHOLE)
        value[:] = [Maybe(OpaqueValue("the list is changed in a way that is not read", place))]
