"""Evaluates the methods of tables, lists, sets and texts.

Invariant: each method pays for the size of its result before it makes it, changes containers through the journal, and
returns an Opaque for unknown arguments. Methods that only Python 2 has are included.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

from transpile.plugins import operation
from transpile.plugins.journal import WHOLE, either
from transpile.plugins.operation import SIZE, flat, hashable, sized
from transpile.plugins.values import (
    MISSING,
    Builtin,
    Class,
    Instance,
    Maybe,
    Module,
    Opaque,
    Raised,
    Table,
    holds,
    is_opaque,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Place, Value

COMPUTED = "it is computed from what is not known"
Given = list[Any]
Named = dict[str, Any]
METHODS: dict[tuple[type, str], Builtin] = {}


def method(kind: type, *names: str) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Registers the evaluation of a method of a type under its names."""

    def register(run: Callable[..., Value]) -> Callable[..., Value]:
        for name in names:
            METHODS[kind, name] = Builtin(name, checked(name, run))
        return run

    return register


def checked(name: str, function: Callable[..., Value]) -> Callable[..., Value]:
    """Wraps a function so that arguments that it cannot take give an Opaque. Python might raise an exception for them,
    or accept them in a way that is not modelled.
    """

    def run(machine: Machine, place: Place, arguments: Given, named: Named) -> Value:
        try:
            return function(machine, place, *arguments, **named)
        except (TypeError, ValueError, AttributeError, KeyError, IndexError, OverflowError):
            return Opaque(f"this use of {name} is not read", place)

    return run


def put(run: Machine, table: Table, key: Value, value: Value, place: Place) -> None:
    """Sets an item of a table."""
    operation.store(run, table, key, value, place)


def update(run: Machine, table: Table, given: Value, place: Place) -> None:
    """Adds the items of another table, or of a list of pairs, to a table."""
    if isinstance(given, Table):
        run.pay(len(given), place)
        for key, value in list(given.items()):
            if isinstance(value, Maybe) and key in table:
                before = table[key]
                both = either(before.value if isinstance(before, Maybe) else before, value.value, place)
                value = Maybe(both) if isinstance(before, Maybe) else both
            run.journal.put(table, key, value)
        if given.unknown is not None:
            run.journal.doubt(table, given.unknown)
        return
    if isinstance(given, Opaque | Instance | Class | Module):
        run.journal.doubt(table, given if isinstance(given, Opaque) else Opaque("its keys are not read", place))
        return
    pairs = given if isinstance(given, list) else run.iterated(given, place)
    if isinstance(pairs, Opaque):
        run.journal.doubt(table, pairs)
        return
    run.pay(len(pairs), place)
    for pair in list(pairs):
        if isinstance(pair, Maybe):
            if isinstance(pair.value, tuple) and len(pair.value) == 2 and hashable(pair.value[0]):
                update(run, table, Table({pair.value[0]: Maybe(pair.value[1])}), place)
            else:
                run.journal.doubt(table, Opaque("which items there are is not known", place))
            continue
        items = run.iterated(pair, place)
        if isinstance(items, Opaque):
            run.journal.doubt(table, items)
        elif len(items) == 2:
            put(run, table, items[0], items[1], place)
        else:
            raise Raised("ValueError", "an item of the table is no pair", place)


def text(value: Value, place: Place) -> Value:
    """The value of `str(value)`; an Opaque if it is unknown."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, int | float):
        return (
            sized(str(value), place)
            if not isinstance(value, int) or value.bit_length() < 4096
            else Opaque(COMPUTED, place)
        )
    if isinstance(value, list | tuple) and flat(value):
        return sized(str(value), place)
    return Opaque(COMPUTED, place)


# Methods of tables


@method(Table, "copy")
def table_copy(run: Machine, place: Place, table: Table, /) -> Value:
    out = run.journal.new(Table(table))
    out.unknown = table.unknown
    run.pay(len(out), place)
    return out


@method(Table, "update")
def table_update(run: Machine, place: Place, table: Table, given: Value = MISSING, /, **named: Value) -> Value:
    if given is not MISSING:
        update(run, table, given, place)
    for key, value in named.items():
        put(run, table, key, value, place)
    return None


@method(Table, "get")
def table_get(run: Machine, place: Place, table: Table, key: Value, default: Value = None, /) -> Value:
    if not hashable(key) or (key not in table and table.unknown is not None):
        return Opaque(COMPUTED, place)
    found = table.get(key, default)
    return Opaque(COMPUTED, place) if isinstance(found, Maybe) else found


@method(Table, "setdefault")
def table_setdefault(run: Machine, place: Place, table: Table, key: Value, default: Value = None, /) -> Value:
    found = table.get(key, MISSING) if hashable(key) else MISSING
    if not hashable(key) or (found is MISSING and table.unknown is None):
        put(run, table, key, default, place)
    elif isinstance(found, Maybe):
        put(run, table, key, either(found.value, default, place), place)
    elif found is MISSING:
        put(run, table, key, Opaque(COMPUTED, place), place)
    return table_get(run, place, table, key)


@method(Table, "pop")
def table_pop(run: Machine, place: Place, table: Table, key: Value, default: Value = MISSING, /) -> Value:
    if not hashable(key) or is_opaque(table.get(key)):
        run.journal.doubt(table, Opaque(COMPUTED, place))
        return Opaque(COMPUTED, place)
    if key not in table:
        if default is MISSING:
            raise Raised("KeyError", "the key is missing", place)
        return default
    found = table[key]
    run.journal.put(table, key, MISSING)
    return found


@method(Table, "keys", "iterkeys", "viewkeys")
def table_keys(run: Machine, place: Place, table: Table, /) -> Value:
    keys = run.iterated(table, place)
    return keys if isinstance(keys, Opaque) else run.journal.new(keys)


@method(Table, "values", "itervalues", "viewvalues")
def table_values(run: Machine, place: Place, table: Table, /) -> Value:
    keys = run.iterated(table, place)
    return keys if isinstance(keys, Opaque) else run.journal.new([table[key] for key in keys])


@method(Table, "items", "iteritems", "viewitems")
def table_items(run: Machine, place: Place, table: Table, /) -> Value:
    keys = run.iterated(table, place)
    return keys if isinstance(keys, Opaque) else run.journal.new([(key, table[key]) for key in keys])


@method(Table, "has_key", "__contains__")
def table_has(run: Machine, place: Place, table: Table, key: Value, /) -> Value:
    inside = operation.contains(run, table, key, place)
    return Opaque(COMPUTED, place) if inside is None else inside


@method(Table, "clear")
def table_clear(run: Machine, place: Place, table: Table, /) -> Value:
    for key in list(table):
        run.journal.put(table, key, MISSING)
    return None


# Methods of lists and sets


@method(list, "append")
def append(run: Machine, place: Place, items: list[Value], one: Value, /) -> Value:
    return extend(run, place, items, [one])


@method(list, "extend")
def extend(run: Machine, place: Place, items: list[Value], given: Value, /) -> Value:
    more = run.iterated(given, place)
    run.journal.change(items, WHOLE)
    if isinstance(more, Opaque) or len(items) + len(more) > SIZE:
        items.append(Maybe(more if isinstance(more, Opaque) else Opaque("the list is too long", place)))
    else:
        items.extend(more)
    return None


@method(list, "insert")
def insert(run: Machine, place: Place, items: list[Value], at: Value, one: Value, /) -> Value:
    run.journal.change(items, WHOLE)
    items.insert(at, one)
    return None


@method(list, "remove", "pop", "sort", "reverse", "clear")
def shrink(run: Machine, place: Place, items: list[Value], *given: Value, **named: Value) -> Value:
    run.journal.change(items, WHOLE)
    items.append(Maybe(Opaque("the list is changed in a way that is not read", place)))
    return Opaque("this method is not read", place)


@method(list, "copy")
def list_copy(run: Machine, place: Place, items: list[Value], /) -> Value:
    return run.journal.new(items.copy())


@method(set, "union")
def union(run: Machine, place: Place, items: set[Value], given: Value, /) -> Value:
    more = run.iterated(given, place)
    return more if isinstance(more, Opaque) else operation.a_set([*items, *more], place)


# Methods of texts


@method(str, "join")
def join(run: Machine, place: Place, between: str, given: Value, /) -> Value:
    items = run.iterated(given, place)
    if isinstance(items, Opaque) or not all(isinstance(one, str) for one in items):
        return Opaque(COMPUTED, place)
    size = sum(map(len, items)) + len(between) * len(items)
    if size > SIZE:
        return Opaque(f"it has more than {SIZE:,} characters", place)
    run.pay(size // 16, place)
    return between.join(items)


@method(str, "format")
def format_(run: Machine, place: Place, form: str, *given: Value, **named: Value) -> Value:
    out, number = [], 0
    for words, field, spec, conversion in string.Formatter().parse(form):
        out.append(words)
        if field is None:
            continue
        if spec or conversion or not (field.isidentifier() or field.isdigit() or field == ""):
            return Opaque("this form of a text is not read", place)
        value = named[field] if field.isidentifier() else given[int(field) if field else number]
        number += 1
        shown = text(value, place)
        if not isinstance(shown, str):
            return shown
        out.append(shown)
    run.pay(sum(map(len, out)) // 16, place)
    return sized("".join(out), place)


@method(str, "replace")
def replace(run: Machine, place: Place, value: str, old: Value, new: Value, /) -> Value:
    if not isinstance(old, str) or not isinstance(new, str):
        return Opaque(COMPUTED, place)
    if len(value) + (value.count(old) + 1) * len(new) > SIZE:
        return Opaque(f"it has more than {SIZE:,} characters", place)
    run.pay(len(value) // 16, place)
    return value.replace(old, new)


@method(str, "split", "rsplit", "splitlines")
def split(run: Machine, place: Place, value: str, by: Value = None, most: Value = -1, /) -> Value:
    run.pay(len(value) // 4, place)
    return run.journal.new(list(value.split(by, most)))


def _plain(name: str) -> None:
    def run_it(run: Machine, place: Place, value: str, *given: Value) -> Value:
        if not all(isinstance(one, str | tuple) and not holds(one) for one in given):
            return Opaque(COMPUTED, place)
        run.pay(len(value) // 16, place)
        return getattr(value, name)(*given)

    method(str, name)(run_it)


for _name in ("upper", "lower", "strip", "lstrip", "rstrip", "title", "capitalize", "startswith", "endswith", "isdigit",
              "swapcase", "isupper", "islower", "count", "find"):  # fmt: skip
    _plain(_name)
