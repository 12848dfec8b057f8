"""Evaluates the functions and types of Python with which plug-ins make schemas.

Invariant: each function pays for the size of its result before it makes it, and returns an Opaque for unknown
arguments. Functions that would reach outside of the plug-in are not run. Names that only Python 2 has are included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.plugins import attribute, operation
from transpile.plugins.methods import COMPUTED, checked, put, table_copy, text, update
from transpile.plugins.operation import SIZE
from transpile.plugins.values import (
    MISSING,
    Bound,
    Builtin,
    Class,
    Function,
    Instance,
    Opaque,
    Raised,
    Table,
    copied,
    holds,
    is_opaque,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Place, Value

EXCEPTIONS = (
    "Exception", "BaseException", "ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "NameError",
    "ImportError", "ModuleNotFoundError", "RuntimeError", "NotImplementedError", "AssertionError", "OSError", "IOError",
    "EnvironmentError", "LookupError", "StopIteration", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError",
    "ArithmeticError", "ZeroDivisionError", "OverflowError", "KeyboardInterrupt", "SystemExit", "StandardError",
    "FileNotFoundError", "TimeoutError", "ConnectionError", "PermissionError", "Warning", "DeprecationWarning",
    "FutureWarning", "UserWarning", "RecursionError", "MemoryError", "FileExistsError", "InterruptedError",
)  # fmt: skip


NAMES: dict[str, Value] = {"True": True, "False": False, "None": None}


def known(*names: str, is_type: bool = False) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Registers the evaluation of a builtin under its names in Python."""

    def register(run: Callable[..., Value]) -> Callable[..., Value]:
        for name in names:
            NAMES[name] = Builtin(name, checked(name, run), is_type)
        return run

    return register


@known("dict", is_type=True)
def dict_(run: Machine, place: Place, given: Value = MISSING, /, **named: Value) -> Value:
    out = run.journal.new(Table())
    if given is not MISSING:
        update(run, out, given, place)
    for key, value in named.items():
        put(run, out, key, value, place)
    return out


@known("list", is_type=True)
def list_(run: Machine, place: Place, given: Value = (), /) -> Value:
    items = run.iterated(given, place)
    return items if isinstance(items, Opaque) else run.journal.new(items)


@known("tuple", is_type=True)
def tuple_(run: Machine, place: Place, given: Value = (), /) -> Value:
    items = run.iterated(given, place)
    return items if isinstance(items, Opaque) else tuple(items)


@known("set", "frozenset", is_type=True)
def set_(run: Machine, place: Place, given: Value = (), /) -> Value:
    items = run.iterated(given, place)
    return items if isinstance(items, Opaque) else operation.a_set(items, place)


@known("str", "unicode", is_type=True)
def str_(run: Machine, place: Place, value: Value = "", /) -> Value:
    return text(value, place)


@known("int", "long", is_type=True)
def int_(run: Machine, place: Place, value: Value = 0, /) -> Value:
    if isinstance(value, int | float) or (isinstance(value, str) and len(value) < 1000):
        return int(value)
    return Opaque(COMPUTED, place)


@known("float", is_type=True)
def float_(run: Machine, place: Place, value: Value = 0.0, /) -> Value:
    return float(value) if isinstance(value, int | float | str) else Opaque(COMPUTED, place)


@known("bool", is_type=True)
def bool_(run: Machine, place: Place, value: Value = False, /) -> Value:
    truth = run.truth(value)
    return Opaque(COMPUTED, place) if truth is None else truth


@known("len")
def len_(run: Machine, place: Place, value: Value, /) -> Value:
    items = run.iterated(value, place)
    return items if isinstance(items, Opaque) else len(items)


@known("range", "xrange")
def range_(run: Machine, place: Place, *given: Value) -> Value:
    if not all(type(one) is int for one in given):
        return Opaque(COMPUTED, place)
    numbers = range(*given)
    if len(numbers) > SIZE:
        return Opaque(f"it has more than {SIZE:,} items", place)
    run.pay(len(numbers), place)
    return run.journal.new(list(numbers))


@known("sorted")
def sorted_(run: Machine, place: Place, given: Value, /, key: Value = None, reverse: Value = False) -> Value:
    items = run.iterated(given, place)
    if isinstance(items, Opaque) or holds(items) or key is not None:
        return Opaque(COMPUTED, place)
    run.pay(len(items), place)
    return run.journal.new(sorted(items, reverse=reverse is True))


@known("reversed")
def reversed_(run: Machine, place: Place, given: Value, /) -> Value:
    items = run.iterated(given, place)
    return items if isinstance(items, Opaque) else run.journal.new(items[::-1])


@known("zip", "izip")
def zip_(run: Machine, place: Place, *given: Value) -> Value:
    columns = [run.iterated(one, place) for one in given]
    for one in columns:
        if isinstance(one, Opaque):
            return one
    return run.journal.new(list(zip(*columns, strict=False)))


@known("enumerate")
def enumerate_(run: Machine, place: Place, given: Value, start: Value = 0) -> Value:
    items = run.iterated(given, place)
    return items if isinstance(items, Opaque) else run.journal.new(list(enumerate(items, start)))


@known("map")
def map_(run: Machine, place: Place, function: Value, *given: Value) -> Value:
    rows = zip_(run, place, *given)
    return (
        rows if isinstance(rows, Opaque) else run.journal.new([run.invoke(function, list(row), place) for row in rows])
    )


@known("filter")
def filter_(run: Machine, place: Place, function: Value, given: Value, /) -> Value:
    items = run.iterated(given, place)
    if isinstance(items, Opaque):
        return items
    truths = [run.truth(one if function is None else run.invoke(function, [one], place)) for one in items]
    if None in truths:
        return Opaque(COMPUTED, place)
    return run.journal.new([one for one, truth in zip(items, truths, strict=True) if truth])


@known("any", "all")
def any_(run: Machine, place: Place, given: Value, /) -> Value:
    return Opaque("any and all are not read", place)


@known("min", "max", "sum", "abs", "round", "divmod")
def extreme(run: Machine, place: Place, *given: Value, **named: Value) -> Value:
    return Opaque("this function is not read", place)


@known("getattr")
def getattr_(run: Machine, place: Place, value: Value, name: Value, default: Value = MISSING, /) -> Value:
    if not isinstance(name, str):
        return Opaque(COMPUTED, place)
    if isinstance(value, Class) and default is not MISSING:
        found = value.find(name)
        return default if found is MISSING else attribute.get(run, value, name, place)
    try:
        return attribute.get(run, value, name, place)
    except Raised:
        if default is MISSING:
            raise
        return default


@known("hasattr")
def hasattr_(run: Machine, place: Place, value: Value, name: Value, /) -> Value:
    found = getattr_(run, place, value, name, False)
    return Opaque(COMPUTED, place) if is_opaque(found) else found is not False


@known("setattr")
def setattr_(run: Machine, place: Place, value: Value, name: Value, new: Value, /) -> Value:
    if isinstance(name, str):
        attribute.put(run, value, name, new, place)
    elif isinstance(value, Class):
        value.odd = Opaque("an attribute is set whose name is not known", place)
    return None


KINDS: dict[str, type | tuple[type, ...]] = {
    "dict": Table, "list": list, "tuple": tuple, "set": set, "str": str, "unicode": str, "basestring": str,
    "int": int, "long": int, "float": float, "bool": bool, "type": Class, "frozenset": set,
}  # fmt: skip


@known("isinstance")
def isinstance_(run: Machine, place: Place, value: Value, kind: Value, /) -> Value:
    for one in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(value, Opaque) and value.module and isinstance(one, Builtin) and one.name != "object":
            continue
        if is_opaque(value):
            return Opaque(COMPUTED, place)
        if isinstance(one, Builtin) and one.name in KINDS:
            if isinstance(value, KINDS[one.name]):
                return True
        elif isinstance(one, Builtin) and one.name == "object":
            return True
        elif isinstance(one, Class):
            if isinstance(value, Instance) and value.of.below(one):
                return True
            if isinstance(value, Instance) and any(isinstance(base, Opaque) for base in value.of.line()):
                return Opaque(COMPUTED, place)
        else:
            return Opaque(COMPUTED, place)
    return False


@known("issubclass")
def issubclass_(run: Machine, place: Place, cls: Value, kind: Value, /) -> Value:
    if not isinstance(cls, Class):
        return Opaque(COMPUTED, place)
    for one in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(one, Class) and cls.below(one):
            return True
        if not isinstance(one, Class) or any(isinstance(base, Opaque) for base in cls.line()):
            return Opaque(COMPUTED, place)
    return False


@known("callable")
def callable_(run: Machine, place: Place, value: Value, /) -> Value:
    return Opaque(COMPUTED, place) if is_opaque(value) else isinstance(value, Function | Builtin | Class | Bound)


@known("repr", "print", "open", "input", "eval", "exec", "compile", "__import__", "vars", "dir", "locals", "globals",
       "iter", "next", "id", "hash", "format", "chr", "ord", "hex", "oct", "bin", "file", "raw_input", "unichr", "cmp",
       "apply", "reduce", "reload", "execfile", "delattr", "exit", "quit", "super", "buffer", "intern", "pow", "slice",
       "memoryview", "ascii", "breakpoint", "help", "coerce")  # fmt: skip
def unread(run: Machine, place: Place, *given: Value, **named: Value) -> Value:
    for one in [*given, *named.values()]:
        if isinstance(one, Table):
            run.journal.doubt(one, Opaque("a function that is not read may have changed it", place))
    return Opaque("this function is not run", place)


@known(
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
def type_(run: Machine, place: Place, *given: Value) -> Value:
    if len(given) == 1 and isinstance(given[0], Instance):
        return given[0].of
    return Opaque("an object is known only when it runs", place)


for _name in EXCEPTIONS:
    NAMES[_name] = Builtin(_name, checked(_name, type_), is_type=True)
NAMES["NotImplemented"] = Opaque("it is no constant of a schema", None)
NAMES["Ellipsis"] = Opaque("it is no constant of a schema", None)


def copy_(run: Machine, place: Place, value: Value, /) -> Value:
    """copy.copy"""
    if isinstance(value, Table):
        return table_copy(run, place, value)
    if isinstance(value, list):
        return run.journal.new(value.copy())
    if isinstance(value, Instance):
        made = run.journal.new(Instance(value.of, value.makes, dict(value.fields), value.place))
        run.journal.new(made.fields)
        return made
    return value


def deepcopy(run: Machine, place: Place, value: Value, memo: Value = None, /) -> Value:
    """copy.deepcopy"""
    seen: dict[int, Value] = {}
    made = copied(value, seen)
    run.pay(10 * len(seen), place)
    for one in seen.values():
        run.journal.new(one)
        if isinstance(one, Instance):
            run.journal.new(one.fields)
    return made


def chain(run: Machine, place: Place, *given: Value) -> Value:
    """itertools.chain"""
    out: list[Value] = []
    for one in given:
        items = run.iterated(one, place)
        if isinstance(items, Opaque):
            return items
        out.extend(items)
    return run.journal.new(out)
