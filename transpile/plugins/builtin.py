"""Evaluates the functions and types of Python with which plug-ins make schemas.

Invariant: each function pays for the size of its result before it makes it, and returns an Opaque for unknown
arguments. Functions that would reach outside of the plug-in are not run. Names that only Python 2 has are included.
"""

from __future__ import annotations

from collections.abc import Callable

from transpile.plugins import attribute, operation
from transpile.plugins.machine import PluginMachine
from transpile.plugins.methods import COMPUTED, convert_to_text, guard_arguments, put_item, table_copy, update_table
from transpile.plugins.operation import SIZE
from transpile.plugins.values import (
    MISSING,
    BoundMethod,
    BuiltinValue,
    ClassValue,
    FunctionValue,
    InstanceValue,
    NodePlace,
    OpaqueValue,
    Raised,
    TableValue,
    Value,
    copy_deeply,
    holds_unknown,
    is_opaque,
)

EXCEPTIONS = (
    "Exception", "BaseException", "ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "NameError",
    "ImportError", "ModuleNotFoundError", "RuntimeError", "NotImplementedError", "AssertionError", "OSError", "IOError",
    "EnvironmentError", "LookupError", "StopIteration", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError",
    "ArithmeticError", "ZeroDivisionError", "OverflowError", "KeyboardInterrupt", "SystemExit", "StandardError",
    "FileNotFoundError", "TimeoutError", "ConnectionError", "PermissionError", "Warning", "DeprecationWarning",
    "FutureWarning", "UserWarning", "RecursionError", "MemoryError", "FileExistsError", "InterruptedError",
)  # fmt: skip


NAMES: dict[str, Value] = {"True": True, "False": False, "None": None}


def register_builtin(*names: str, is_type: bool = False) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Registers the evaluation of a builtin under its names in Python."""

    def register(run: Callable[..., Value]) -> Callable[..., Value]:
        for name in names:
            NAMES[name] = BuiltinValue(name, guard_arguments(name, run), is_type)
        return run

    return register


@register_builtin("dict", is_type=True)
def evaluate_dict(run: PluginMachine, place: NodePlace, source: Value = MISSING, /, **named: Value) -> Value:
    out = run.journal.track_new(TableValue())
    if source is not MISSING:
        update_table(run, out, source, place)
    for key, value in named.items():
        put_item(run, out, key, value, place)
    return out


@register_builtin("list", is_type=True)
def evaluate_list(run: PluginMachine, place: NodePlace, iterable: Value = (), /) -> Value:
    items = run.iterate_value(iterable, place)
    return items if isinstance(items, OpaqueValue) else run.journal.track_new(items)


@register_builtin("tuple", is_type=True)
def evaluate_tuple(run: PluginMachine, place: NodePlace, iterable: Value = (), /) -> Value:
    items = run.iterate_value(iterable, place)
    return items if isinstance(items, OpaqueValue) else tuple(items)


@register_builtin("set", "frozenset", is_type=True)
def evaluate_set(run: PluginMachine, place: NodePlace, iterable: Value = (), /) -> Value:
    items = run.iterate_value(iterable, place)
    return items if isinstance(items, OpaqueValue) else operation.make_set(items, place)


@register_builtin("str", "unicode", is_type=True)
def evaluate_str(run: PluginMachine, place: NodePlace, value: Value = "", /) -> Value:
    return convert_to_text(value, place)


@register_builtin("int", "long", is_type=True)
def evaluate_int(run: PluginMachine, place: NodePlace, value: Value = 0, /) -> Value:
    if isinstance(value, int | float) or (isinstance(value, str) and len(value) < 1000):
        return int(value)
    return OpaqueValue(COMPUTED, place)


@register_builtin("float", is_type=True)
def evaluate_float(run: PluginMachine, place: NodePlace, value: Value = 0.0, /) -> Value:
    return float(value) if isinstance(value, int | float | str) else OpaqueValue(COMPUTED, place)


@register_builtin("bool", is_type=True)
def evaluate_bool(run: PluginMachine, place: NodePlace, value: Value = False, /) -> Value:
    truth = run.evaluate_truth(value)
    return OpaqueValue(COMPUTED, place) if truth is None else truth


@register_builtin("len")
def evaluate_len(run: PluginMachine, place: NodePlace, value: Value, /) -> Value:
    items = run.iterate_value(value, place)
    return items if isinstance(items, OpaqueValue) else len(items)


@register_builtin("range", "xrange")
def evaluate_range(run: PluginMachine, place: NodePlace, *arguments: Value) -> Value:
    if not all(type(argument) is int for argument in arguments):
        return OpaqueValue(COMPUTED, place)
    numbers = range(*arguments)
    if len(numbers) > SIZE:
        return OpaqueValue(f"it has more than {SIZE:,} items", place)
    run.pay(len(numbers), place)
    return run.journal.track_new(list(numbers))


@register_builtin("sorted")
def evaluate_sorted(
    run: PluginMachine, place: NodePlace, iterable: Value, /, key: Value = None, reverse: Value = False
) -> Value:
    items = run.iterate_value(iterable, place)
    if isinstance(items, OpaqueValue) or holds_unknown(items) or key is not None:
        return OpaqueValue(COMPUTED, place)
    run.pay(len(items), place)
    return run.journal.track_new(sorted(items, reverse=reverse is True))


@register_builtin("reversed")
def evaluate_reversed(run: PluginMachine, place: NodePlace, iterable: Value, /) -> Value:
    items = run.iterate_value(iterable, place)
    return items if isinstance(items, OpaqueValue) else run.journal.track_new(items[::-1])


@register_builtin("zip", "izip")
def evaluate_zip(run: PluginMachine, place: NodePlace, *iterables: Value) -> Value:
    columns = [run.iterate_value(iterable, place) for iterable in iterables]
    for column in columns:
        if isinstance(column, OpaqueValue):
            return column
    return run.journal.track_new(list(zip(*columns, strict=False)))


@register_builtin("enumerate")
def evaluate_enumerate(run: PluginMachine, place: NodePlace, collection: Value, start: Value = 0) -> Value:
    items = run.iterate_value(collection, place)
    return items if isinstance(items, OpaqueValue) else run.journal.track_new(list(enumerate(items, start)))


@register_builtin("map")
def evaluate_map(run: PluginMachine, place: NodePlace, function: Value, *iterables: Value) -> Value:
    rows = evaluate_zip(run, place, *iterables)
    return (
        rows
        if isinstance(rows, OpaqueValue)
        else run.journal.track_new([run.invoke(function, list(row), place) for row in rows])
    )


@register_builtin("filter")
def evaluate_python_filter(run: PluginMachine, place: NodePlace, function: Value, iterable: Value, /) -> Value:
    items = run.iterate_value(iterable, place)
    if isinstance(items, OpaqueValue):
        return items
    truths = [run.evaluate_truth(item if function is None else run.invoke(function, [item], place)) for item in items]
    if None in truths:
        return OpaqueValue(COMPUTED, place)
    return run.journal.track_new([item for item, truth in zip(items, truths, strict=True) if truth])


@register_builtin("any", "all")
def evaluate_any_or_all(run: PluginMachine, place: NodePlace, iterable: Value, /) -> Value:
    return OpaqueValue("any and all are not read", place)


@register_builtin("min", "max", "sum", "abs", "round", "divmod")
def evaluate_arithmetic(run: PluginMachine, place: NodePlace, *arguments: Value, **named: Value) -> Value:
    return OpaqueValue("this function is not read", place)


@register_builtin("getattr")
def evaluate_getattr(
    run: PluginMachine, place: NodePlace, value: Value, name: Value, default: Value = MISSING, /
) -> Value:
    if not isinstance(name, str):
        return OpaqueValue(COMPUTED, place)
    if isinstance(value, ClassValue) and default is not MISSING:
        member = value.find_member(name)
        return default if member is MISSING else attribute.get_attribute(run, value, name, place)
    try:
        return attribute.get_attribute(run, value, name, place)
    except Raised:
        if default is MISSING:
            raise
        return default


@register_builtin("hasattr")
def evaluate_hasattr(run: PluginMachine, place: NodePlace, value: Value, name: Value, /) -> Value:
    member = evaluate_getattr(run, place, value, name, False)
    return OpaqueValue(COMPUTED, place) if is_opaque(member) else member is not False


@register_builtin("setattr")
def evaluate_setattr(run: PluginMachine, place: NodePlace, value: Value, name: Value, new: Value, /) -> Value:
    if isinstance(name, str):
        attribute.set_attribute(run, value, name, new, place)
    elif isinstance(value, ClassValue):
        value.odd = OpaqueValue("an attribute is set whose name is not known", place)
    return None


PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "dict": TableValue, "list": list, "tuple": tuple, "set": set, "str": str, "unicode": str, "basestring": str,
    "int": int, "long": int, "float": float, "bool": bool, "type": ClassValue, "frozenset": set,
}  # fmt: skip


@register_builtin("isinstance")
def evaluate_isinstance(run: PluginMachine, place: NodePlace, value: Value, kind: Value, /) -> Value:
    for candidate in kind if isinstance(kind, tuple) else (kind,):
        if (
            isinstance(value, OpaqueValue)
            and value.module
            and isinstance(candidate, BuiltinValue)
            and candidate.name != "object"
        ):
            continue
        if is_opaque(value):
            return OpaqueValue(COMPUTED, place)
        if isinstance(candidate, BuiltinValue) and candidate.name in PYTHON_TYPES:
            if isinstance(value, PYTHON_TYPES[candidate.name]):
                return True
        elif isinstance(candidate, BuiltinValue) and candidate.name == "object":
            return True
        elif isinstance(candidate, ClassValue):
            if isinstance(value, InstanceValue) and value.of.is_subclass_of(candidate):
                return True
            if isinstance(value, InstanceValue) and any(isinstance(base, OpaqueValue) for base in value.of.lineage()):
                return OpaqueValue(COMPUTED, place)
        else:
            return OpaqueValue(COMPUTED, place)
    return False


@register_builtin("issubclass")
def evaluate_issubclass(run: PluginMachine, place: NodePlace, cls: Value, kind: Value, /) -> Value:
    if not isinstance(cls, ClassValue):
        return OpaqueValue(COMPUTED, place)
    for candidate in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(candidate, ClassValue) and cls.is_subclass_of(candidate):
            return True
        if not isinstance(candidate, ClassValue) or any(isinstance(base, OpaqueValue) for base in cls.lineage()):
            return OpaqueValue(COMPUTED, place)
    return False


@register_builtin("callable")
def evaluate_callable(run: PluginMachine, place: NodePlace, value: Value, /) -> Value:
    return (
        OpaqueValue(COMPUTED, place)
        if is_opaque(value)
        else isinstance(value, FunctionValue | BuiltinValue | ClassValue | BoundMethod)
    )


@register_builtin("repr", "print", "open", "input", "eval", "exec", "compile", "__import__", "vars", "dir", "locals",
       "globals", "iter", "next", "id", "hash", "format", "chr", "ord", "hex", "oct", "bin", "file", "raw_input",
       "unichr", "cmp", "apply", "reduce",
       "reload", "execfile", "delattr", "exit", "quit", "super", "buffer", "intern", "pow", "slice",
       "memoryview", "ascii", "breakpoint", "help", "coerce")  # fmt: skip
def evaluate_unread(run: PluginMachine, place: NodePlace, *arguments: Value, **named: Value) -> Value:
    for argument in [*arguments, *named.values()]:
        if isinstance(argument, TableValue):
            run.journal.doubt(argument, OpaqueValue("a function that is not read may have changed it", place))
    return OpaqueValue("this function is not run", place)


@register_builtin(
    "object",
    "type",
    "staticmethod",
    "classmethod",
    "property",
    "basestring",
    "bytes",
    "bytearray",
    "complex",
    is_type=True,
)
def evaluate_type(run: PluginMachine, place: NodePlace, *arguments: Value) -> Value:
    if len(arguments) == 1 and isinstance(arguments[0], InstanceValue):
        return arguments[0].of
    return OpaqueValue("an object is known only when it runs", place)


for _name in EXCEPTIONS:
    NAMES[_name] = BuiltinValue(_name, guard_arguments(_name, evaluate_type), is_type=True)
NAMES["NotImplemented"] = OpaqueValue("it is no constant of a schema", None)
NAMES["Ellipsis"] = OpaqueValue("it is no constant of a schema", None)


def evaluate_copy(run: PluginMachine, place: NodePlace, value: Value, /) -> Value:
    """copy.copy"""
    if isinstance(value, TableValue):
        return table_copy(run, place, value)
    if isinstance(value, list):
        return run.journal.track_new(value.copy())
    if isinstance(value, InstanceValue):
        duplicate = run.journal.track_new(InstanceValue(value.of, value.makes, dict(value.fields), value.place))
        run.journal.track_new(duplicate.fields)
        return duplicate
    return value


def evaluate_deepcopy(run: PluginMachine, place: NodePlace, value: Value, memo: Value = None, /) -> Value:
    """copy.deepcopy"""
    seen: dict[int, Value] = {}
    duplicate = copy_deeply(value, seen)
    run.pay(10 * len(seen), place)
    for container in seen.values():
        run.journal.track_new(container)
        if isinstance(container, InstanceValue):
            run.journal.track_new(container.fields)
    return duplicate


def evaluate_chain(run: PluginMachine, place: NodePlace, *iterables: Value) -> Value:
    """itertools.chain"""
    out: list[Value] = []
    for iterable in iterables:
        items = run.iterate_value(iterable, place)
        if isinstance(items, OpaqueValue):
            return items
        out.extend(items)
    return run.journal.track_new(out)
