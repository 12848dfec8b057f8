"""Evaluates operators, comparisons and subscripts on the values of a plug-in module.

Invariant: the size of a result is computed and paid for before the result is made.
"""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from transpile.plugins.journal import UNKNOWN, WHOLE
from transpile.plugins.values import (
    MISSING,
    Bound,
    Builtin,
    Class,
    Function,
    Instance,
    Maybe,
    Module,
    Opaque,
    Raised,
    Table,
    holds,
    is_opaque,
    same,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Place, Value

SIZE = 1 << 17  # characters or items of one value
BITS = 4096  # of an integer
FIELD = 1000  # the largest width in a text for %: `"%1000d"`
NUMBERS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.RShift: operator.rshift,
}
ORDER: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
COMPUTED = "it is computed from what is not known"


def sized(value: Value, place: Place) -> Value:
    """Returns a value unchanged; an Opaque if it is too large."""
    if isinstance(value, str | bytes | list | tuple | set | dict) and len(value) > SIZE:
        return Opaque(f"it has more than {SIZE:,} characters or items", place)
    if isinstance(value, int) and value.bit_length() > BITS:
        return Opaque("the number is too large", place)
    return value


def a_set(items: list[Value], place: Place) -> Value:
    """A set of constants; an Opaque if it would hold anything else."""
    if all(one is None or isinstance(one, str | bytes | int | float) for one in items):
        return set(items)
    return Opaque("the set holds more than constants", place)


def binary(run: Machine, op: ast.operator, left: Value, right: Value, place: Place) -> Value:
    """The value of a binary operation."""
    if is_opaque(left) or is_opaque(right):
        return Opaque(COMPUTED, place)
    if isinstance(left, int | float) and isinstance(right, int | float):
        return number(op, left, right, place)
    if isinstance(op, ast.Mod) and isinstance(left, str):
        return formatted(run, left, right, place)
    if isinstance(op, ast.Mult):
        if isinstance(left, int):
            left, right = right, left
        if isinstance(left, str | bytes | list | tuple) and isinstance(right, int):
            size = len(left) * max(right, 0)
            if size > SIZE:
                return Opaque(f"it has more than {SIZE:,} characters or items", place)
            run.pay(size // 16 if isinstance(left, str) else size, place)
            return made(run, left * right)
    if isinstance(op, ast.Add) and type(left) is type(right) and isinstance(left, str | bytes | list | tuple):
        run.pay((len(left) + len(right)) // 16, place)
        return sized(made(run, left + right), place)
    if isinstance(op, ast.BitOr) and isinstance(left, Table) and isinstance(right, Table):
        table = run.journal.new(Table({**left, **right}))
        table.unknown = left.unknown or right.unknown
        run.pay(len(table), place)
        return table
    if isinstance(left, set) and isinstance(right, set) and type(op) in (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor):
        run.pay(len(left) + len(right), place)
        return NUMBERS[type(op)](left, right)
    if isinstance(left, str | None) and isinstance(right, int | str | None) and isinstance(op, ast.Add | ast.Sub):
        raise Raised("TypeError", "these operands cannot be combined", place)
    return Opaque("this operation is not read", place)


def made(run: Machine, value: Value) -> Value:
    """Returns a result unchanged, after the journal has noted it if it is a new list."""
    return run.journal.new(value) if isinstance(value, list) else value


def number(op: ast.operator, left: Any, right: Any, place: Place) -> Value:
    """The value of an operation on numbers; an Opaque if it may be too large, or differs between Python 2 and 3."""
    if isinstance(op, ast.Pow | ast.LShift):
        small = isinstance(left, int) and isinstance(right, int) and 0 <= right <= BITS
        if not small or left.bit_length() * (right if isinstance(op, ast.Pow) else 1) + right > 2 * BITS:
            return Opaque("the number is too large", place)
        return left**right if isinstance(op, ast.Pow) else left << right
    run = NUMBERS.get(type(op))
    if run is None or (isinstance(op, ast.Div) and place.unit.old):
        return Opaque("this operation is not read", place)
    try:
        return sized(run(left, right), place)
    except ZeroDivisionError:
        raise Raised("ZeroDivisionError", "division by zero", place) from None
    except (TypeError, ValueError, OverflowError):
        return Opaque("this operation is not read", place)


def formatted(run: Machine, text: str, given: Value, place: Place) -> Value:
    """The value of `text % given`."""
    parts = list(given.values()) if isinstance(given, Table) else given if isinstance(given, tuple) else (given,)
    if not all(flat(one) for one in parts):
        return Opaque(COMPUTED, place)
    fields = [int(n) for n in "".join(c if c.isascii() and c.isdigit() else " " for c in text).split() if len(n) < 20]
    if "*" in text or any(n > FIELD for n in fields):
        return Opaque("this form of a text is not read", place)
    run.pay((len(text) + sum(weight(one) for one in parts)) // 4, place)
    try:
        return sized(text % (dict(given) if isinstance(given, Table) else given), place)
    except (TypeError, ValueError, KeyError, OverflowError):
        raise Raised("TypeError", "the text and its values do not fit", place) from None


def flat(value: Value) -> bool:
    """Whether a value is a constant, or a short list of constants."""
    if isinstance(value, list | tuple):
        return len(value) < 1000 and all(one is None or isinstance(one, str | int | float) for one in value)
    return value is None or isinstance(value, str | int | float)


def weight(value: Value) -> int:
    """The approximate number of characters that a value takes as a text."""
    if isinstance(value, list | tuple):
        return sum(weight(one) for one in value) + 2
    return len(value) if isinstance(value, str) else 20


def compare(run: Machine, op: ast.cmpop, left: Value, right: Value, place: Place) -> Value:
    """The value of one comparison: True, False, or an Opaque if it is unknown."""
    if isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
        found = equal(run, left, right, identical=isinstance(op, ast.Is | ast.IsNot))
        if found is None:
            return Opaque("it depends on what is not known", place)
        return found is isinstance(op, ast.Is | ast.Eq)
    if is_opaque(left) or is_opaque(right):
        return Opaque("it depends on what is not known", place)
    if isinstance(op, ast.In | ast.NotIn):
        inside = contains(run, right, left, place)
        return Opaque("it depends on what is not known", place) if inside is None else inside is isinstance(op, ast.In)
    if not holds(left) and not holds(right):
        try:
            return bool(ORDER[type(op)](left, right))
        except TypeError:
            if isinstance(left, str | int | float | None) and isinstance(right, str | int | float | None):
                raise Raised("TypeError", "these values cannot be compared", place) from None
    return Opaque("it depends on what is not known", place)


def equal(run: Machine, left: Value, right: Value, *, identical: bool) -> bool | None:
    """Whether two values are equal (or `identical`, for `is`); None if that is unknown."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Opaque):
            if (
                other is None and one.path and "(" not in one.path
            ):  # a name from a library is assumed to exist, and not to be None
                run.truth(one)
                return False
            return None
        if isinstance(one, Maybe):
            return None
    if isinstance(left, Class | Function | Module | Builtin | Instance | Bound) or left is None or right is None:
        return left is right
    if identical and isinstance(left, Table | list | set):
        return left is right
    if holds(left) or holds(right):
        return None
    if isinstance(left, str | bytes | int | float | set) or isinstance(right, str | bytes | int | float | set):
        return bool(left == right)
    return same(left, right)


def contains(run: Machine, container: Value, item: Value, place: Place) -> bool | None:
    """Whether an item is in a container; None if that is unknown."""
    if isinstance(container, str) and isinstance(item, str):
        run.pay(len(container) // 16, place)
        return item in container
    if isinstance(container, Table):
        found = container.get(item, MISSING) if hashable(item) else MISSING
        if isinstance(found, Maybe):
            return None
        return True if found is not MISSING else None if container.unknown else False
    if isinstance(container, list | tuple | set):
        run.pay(len(container), place)
        answers = [equal(run, one, item, identical=False) for one in container]
        return True if True in answers else None if None in answers else False
    return None


def hashable(key: Value) -> bool:
    """Whether a value can be a key of a Table: its type is hashable, and it is known."""
    if isinstance(key, tuple):
        return all(hashable(one) for one in key)
    return key is None or isinstance(key, str | bytes | int | float | Class)


def subscript(run: Machine, value: Value, index: Value, place: Place) -> Value:
    """The item at an index, or a slice. Sets `run.may_have_raised` if Python might raise an exception instead."""
    if isinstance(value, Opaque):
        run.risk = True
        return Opaque(value.reason, place)
    if is_opaque(index) or isinstance(value, Maybe):
        run.risk = True
        return Opaque(COMPUTED, place)
    if isinstance(value, Table):
        found = value.get(index, MISSING) if hashable(index) else MISSING
        if found is not MISSING:
            if not isinstance(found, Maybe):
                return found
            run.risk = True
            return Opaque("the key may be missing", place)
        if value.unknown is not None:
            run.risk = True
            return Opaque(value.unknown.reason, place)
        raise Raised("KeyError", repr(index) if isinstance(index, str) else "the key is missing", place)
    if isinstance(value, str | bytes | list | tuple):
        if isinstance(index, slice):
            run.pay(1 + len(value) // 16, place)
            return made(run, value[index])
        if isinstance(index, int):
            if isinstance(value, list) and any(isinstance(one, Maybe) for one in value):
                return Opaque("which items there are is not known", place)
            if not -len(value) <= index < len(value):
                raise Raised("IndexError", "there are not so many items", place)
            return value[index]
    return Opaque("this subscript is not read", place)


def store(run: Machine, value: Value, index: Value, new: Value, place: Place) -> None:
    """Sets an item; MISSING removes it. An unknown key marks the table as having more keys; the items of known keys
    stay as they are.
    """
    if isinstance(value, Table):
        if not hashable(index):
            run.journal.doubt(value, index if isinstance(index, Opaque) else Opaque("a key is not known", place))
        elif new is MISSING and index not in value and value.unknown is None:
            raise Raised("KeyError", repr(index) if isinstance(index, str) else "the key is missing", place)
        else:
            if len(value) >= SIZE:
                run.journal.change(value, UNKNOWN)
                value.unknown = Opaque(f"there are more than {SIZE:,} keys", place)
                return
            run.journal.put(value, index, new)
    elif isinstance(value, list) and type(index) is int and -len(value) <= index < len(value):
        run.journal.change(value, WHOLE)
        if new is MISSING:
            del value[index]
        else:
            value[index] = new
    elif isinstance(value, list):
        run.journal.change(value, WHOLE)
        value[:] = [Maybe(Opaque("the list is changed in a way that is not read", place))]
