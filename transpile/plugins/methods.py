"""Evaluates the methods of tables, lists, sets and texts.

Invariant: each method pays for the size of its result before it makes it, changes containers through the journal, and
returns an Opaque for unknown arguments. Methods that only Python 2 has are included.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

from transpile.plugins import operation
from transpile.plugins.journal import WHOLE, join_values
from transpile.plugins.machine import PluginMachine
from transpile.plugins.operation import SIZE, is_flat, is_hashable, limit_size
from transpile.plugins.values import (
    MISSING,
    BuiltinValue,
    ClassValue,
    InstanceValue,
    Maybe,
    ModuleValue,
    NodePlace,
    OpaqueValue,
    Raised,
    TableValue,
    Value,
    holds_unknown,
    is_opaque,
)

COMPUTED = "it is computed from an unknown value"
Arguments = list[Any]
KeywordArguments = dict[str, Any]
METHODS: dict[tuple[type, str], BuiltinValue] = {}


def register_method(kind: type, *names: str) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Registers the evaluation of a method of a type under its names."""

    def register(run: Callable[..., Value]) -> Callable[..., Value]:
        for name in names:
            METHODS[kind, name] = BuiltinValue(name, guard_arguments(name, run))
        return run

    return register


def guard_arguments(name: str, function: Callable[..., Value]) -> Callable[..., Value]:
    """Wraps a function so that arguments that it cannot take give an Opaque. Python might raise an exception for them,
    or accept them in a way that is not modelled.
    """

    def call_guarded(machine: PluginMachine, place: NodePlace, arguments: Arguments, named: KeywordArguments) -> Value:
        try:
            return function(machine, place, *arguments, **named)
        except (TypeError, ValueError, AttributeError, KeyError, IndexError, OverflowError):
            return OpaqueValue(f"this use of {name} is not read", place)

    return call_guarded


def put_item(run: PluginMachine, table: TableValue, key: Value, value: Value, place: NodePlace) -> None:
    """Sets an item of a table."""
    operation.store_item(run, table, key, value, place)


def update_table(run: PluginMachine, table: TableValue, source: Value, place: NodePlace) -> None:
    """Adds the items of another table, or of a list of pairs, to a table."""
    if isinstance(source, TableValue):
        run.pay(len(source), place)
        for key, value in list(source.items()):
            if isinstance(value, Maybe) and key in table:
                before = table[key]
                both = join_values(before.value if isinstance(before, Maybe) else before, value.value, place)
                value = Maybe(both) if isinstance(before, Maybe) else both
            run.journal.set_key(table, key, value)
        if source.unknown is not None:
            run.journal.doubt(table, source.unknown)
        return
    if isinstance(source, OpaqueValue | InstanceValue | ClassValue | ModuleValue):
        run.journal.doubt(
            table, source if isinstance(source, OpaqueValue) else OpaqueValue("its keys are not read", place)
        )
        return
    pairs = source if isinstance(source, list) else run.iterate_value(source, place)
    if isinstance(pairs, OpaqueValue):
        run.journal.doubt(table, pairs)
        return
    run.pay(len(pairs), place)
    for pair in list(pairs):
        if isinstance(pair, Maybe):
            if isinstance(pair.value, tuple) and len(pair.value) == 2 and is_hashable(pair.value[0]):
                update_table(run, table, TableValue({pair.value[0]: Maybe(pair.value[1])}), place)
            else:
                run.journal.doubt(table, OpaqueValue("which items there are is not known", place))
            continue
        items = run.iterate_value(pair, place)
        if isinstance(items, OpaqueValue):
            run.journal.doubt(table, items)
        elif len(items) == 2:
            put_item(run, table, items[0], items[1], place)
        else:
            raise Raised("ValueError", "an item of the table is no pair", place)


def convert_to_text(value: Value, place: NodePlace) -> Value:
    """The value of `str(value)`; an Opaque if it is unknown."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, int | float):
        return (
            limit_size(str(value), place)
            if not isinstance(value, int) or value.bit_length() < 4096
            else OpaqueValue(COMPUTED, place)
        )
    if isinstance(value, list | tuple) and is_flat(value):
        return limit_size(str(value), place)
    return OpaqueValue(COMPUTED, place)


# Methods of tables


@register_method(TableValue, "copy")
def table_copy(run: PluginMachine, place: NodePlace, table: TableValue, /) -> Value:
    out = run.journal.track_new(TableValue(table))
    out.unknown = table.unknown
    run.pay(len(out), place)
    return out


@register_method(TableValue, "update")
def table_update(
    run: PluginMachine, place: NodePlace, table: TableValue, source: Value = MISSING, /, **named: Value
) -> Value:
    if source is not MISSING:
        update_table(run, table, source, place)
    for key, value in named.items():
        put_item(run, table, key, value, place)
    return None


@register_method(TableValue, "get")
def table_get(run: PluginMachine, place: NodePlace, table: TableValue, key: Value, default: Value = None, /) -> Value:
    if not is_hashable(key) or (key not in table and table.unknown is not None):
        return OpaqueValue(COMPUTED, place)
    value = table.get(key, default)
    return OpaqueValue(COMPUTED, place) if isinstance(value, Maybe) else value


@register_method(TableValue, "pop")
def table_pop(
    run: PluginMachine, place: NodePlace, table: TableValue, key: Value, default: Value = MISSING, /
) -> Value:
    if not is_hashable(key) or is_opaque(table.get(key)):
        run.journal.doubt(table, OpaqueValue(COMPUTED, place))
        return OpaqueValue(COMPUTED, place)
    if key not in table:
        if default is MISSING:
            raise Raised("KeyError", "the key is missing", place)
        return default
    value = table[key]
    run.journal.set_key(table, key, MISSING)
    return value


@register_method(TableValue, "items", "iteritems", "viewitems")
def table_items(run: PluginMachine, place: NodePlace, table: TableValue, /) -> Value:
    keys = run.iterate_value(table, place)
    return keys if isinstance(keys, OpaqueValue) else run.journal.track_new([(key, table[key]) for key in keys])


@register_method(TableValue, "setdefault", "popitem", "clear")
def table_change_unread(run: PluginMachine, place: NodePlace, table: TableValue, /, *arguments: Value) -> Value:
    """Each key may have another value now, or may be gone, and there may be more."""
    unread = OpaqueValue("the table is changed in a way that is not read", place)
    for key in list(table):
        run.journal.set_key(table, key, Maybe(unread))
    run.journal.doubt(table, unread)
    return unread


# Methods of lists and sets


@register_method(list, "append")
def list_append(run: PluginMachine, place: NodePlace, items: list[Value], item: Value, /) -> Value:
    return list_extend(run, place, items, [item])


@register_method(list, "extend")
def list_extend(run: PluginMachine, place: NodePlace, items: list[Value], iterable: Value, /) -> Value:
    more = run.iterate_value(iterable, place)
    run.journal.record_change(items, WHOLE)
    if isinstance(more, OpaqueValue) or len(items) + len(more) > SIZE:
        items.append(Maybe(more if isinstance(more, OpaqueValue) else OpaqueValue("the list is too long", place)))
    else:
        items.extend(more)
    return None


@register_method(list, "insert", "remove", "pop", "sort", "reverse", "clear")
def list_change_unread(
    run: PluginMachine, place: NodePlace, items: list[Value], *arguments: Value, **named: Value
) -> Value:
    run.journal.record_change(items, WHOLE)
    items.append(Maybe(OpaqueValue("the list is changed in a way that is not read", place)))
    return OpaqueValue("this method is not read", place)


# Methods of texts


@register_method(str, "join")
def text_join(run: PluginMachine, place: NodePlace, between: str, iterable: Value, /) -> Value:
    items = run.iterate_value(iterable, place)
    if isinstance(items, OpaqueValue) or not all(isinstance(item, str) for item in items):
        return OpaqueValue(COMPUTED, place)
    size = sum(map(len, items)) + len(between) * len(items)
    if size > SIZE:
        return OpaqueValue(f"it has more than {SIZE:,} characters", place)
    run.pay(size // 16, place)
    return between.join(items)


@register_method(str, "format")
def text_format(run: PluginMachine, place: NodePlace, form: str, *arguments: Value, **named: Value) -> Value:
    out, number = [], 0
    for words, field, spec, conversion in string.Formatter().parse(form):
        out.append(words)
        if field is None:
            continue
        if spec or conversion or not (field.isidentifier() or field.isdigit() or field == ""):
            return OpaqueValue("this form of a text is not read", place)
        value = named[field] if field.isidentifier() else arguments[int(field) if field else number]
        number += 1
        printed = convert_to_text(value, place)
        if not isinstance(printed, str):
            return printed
        out.append(printed)
    run.pay(sum(map(len, out)) // 16, place)
    return limit_size("".join(out), place)


def _register_plain_method(name: str) -> None:
    def call_method(run: PluginMachine, place: NodePlace, value: str, *arguments: Value) -> Value:
        if not all(isinstance(argument, str | tuple) and not holds_unknown(argument) for argument in arguments):
            return OpaqueValue(COMPUTED, place)
        run.pay(len(value) // 16, place)
        return getattr(value, name)(*arguments)

    register_method(str, name)(call_method)


for _name in ("upper", "lower", "strip", "title", "capitalize"):
    _register_plain_method(_name)
