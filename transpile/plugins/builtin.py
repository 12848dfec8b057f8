"""Evaluates the functions and types of Python with which plug-ins make schemas.

Invariant: each function pays for the size of its result before it makes it, and returns an Opaque for unknown
arguments. Functions that would reach outside of the plug-in are not run. Names that only Python 2 has are included.
"""

from __future__ import annotations

from collections.abc import Callable

from transpile.plugins import attribute, operation
from transpile.plugins.machine import PluginMachine
from transpile.plugins.methods import COMPUTED, convert_to_text, guard_arguments, put_item, update_table
from transpile.plugins.operation import SIZE
from transpile.plugins.values import (
    MISSING,
    BuiltinValue,
    ClassValue,
    InstanceValue,
    NodePlace,
    OpaqueValue,
    Raised,
    TableValue,
    Value,
    copy_deeply,
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


@register_builtin("set", "frozenset", is_type=True)
def evaluate_set(run: PluginMachine, place: NodePlace, iterable: Value = (), /) -> Value:
    items = run.iterate_value(iterable, place)
    return items if isinstance(items, OpaqueValue) else operation.make_set(items, place)


@register_builtin("str", "unicode", is_type=True)
def evaluate_str(run: PluginMachine, place: NodePlace, value: Value = "", /) -> Value:
    return convert_to_text(value, place)


@register_builtin("range", "xrange")
def evaluate_range(run: PluginMachine, place: NodePlace, *arguments: Value) -> Value:
    if not all(type(argument) is int for argument in arguments):
        return OpaqueValue(COMPUTED, place)
    numbers = range(*arguments)
    if len(numbers) > SIZE:
        return OpaqueValue(f"it has more than {SIZE:,} items", place)
    run.pay(len(numbers), place)
    return run.journal.track_new(list(numbers))


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


@register_builtin(
    "repr", "print", "open", "input", "eval", "exec", "compile", "__import__", "vars", "dir", "locals", "globals",
    "iter", "next", "id", "hash", "format", "chr", "ord", "hex", "oct", "bin", "file", "raw_input", "unichr", "cmp",
    "apply", "reduce", "reload", "execfile", "delattr", "exit", "quit", "super", "buffer", "intern", "pow", "slice",
    "memoryview", "ascii", "breakpoint", "help", "coerce", "len", "sorted", "reversed", "zip", "izip", "enumerate",
    "map", "filter", "any", "all", "min", "max", "sum", "abs", "round", "divmod", "callable",
)  # fmt: skip
def evaluate_unread(run: PluginMachine, place: NodePlace, *arguments: Value, **named: Value) -> Value:
    for argument in [*arguments, *named.values()]:
        if isinstance(argument, TableValue):
            run.journal.doubt(argument, OpaqueValue("a function that is not read may have changed it", place))
    return OpaqueValue("this function is not run", place)


@register_builtin(
    "object", "type", "staticmethod", "classmethod", "property", "basestring", "bytes", "bytearray", "complex", "tuple",
    "int", "long", "float", "bool", is_type=True,
)  # fmt: skip
def evaluate_type(run: PluginMachine, place: NodePlace, *arguments: Value) -> Value:
    return OpaqueValue("an object is known only when it runs", place)


for _name in EXCEPTIONS:
    NAMES[_name] = BuiltinValue(_name, guard_arguments(_name, evaluate_type), is_type=True)
NAMES["NotImplemented"] = OpaqueValue("it is no constant of a schema", None)
NAMES["Ellipsis"] = OpaqueValue("it is no constant of a schema", None)


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
