"""Declares the values that names of a plug-in module have: plain constants, tables and lists of values, classes,
functions, modules, instances of Heat's own classes, and unknown values.

Invariant: no value here is a Python object that a plug-in could act through. Plain constants are None, bool, int,
float, str and bytes; containers are tuple, list, set and Table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

from transpile.model.records import EMPTY, record
from transpile.plugins.syntax import PluginUnit

if TYPE_CHECKING:
    import ast


Value: TypeAlias = Any  # one of the values that the module's docstring lists


class _Missing:
    """The absence of a value: a name that is not bound, a key that a table does not have."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()


@final
class NodePlace:
    """A place in a plug-in: a node of a module's tree."""

    __slots__ = ("node", "unit")

    def __init__(self, unit: PluginUnit, node: ast.AST) -> None:
        self.unit, self.node = unit, node


@final
class OpaqueValue:
    """An unknown value, which only running the plug-in would compute.

    `reason`: why it is unknown, as a main clause for messages; `path`: its dotted name, if it was imported or is an
    attribute of an imported name; `library`: the first part of the path, unless it comes with Python; `default`: its
    value if no operator configures another; `module`: whether it certainly is a module.
    """

    __slots__ = ("default", "library", "module", "path", "place", "reason")

    def __init__(self, reason: str, place: NodePlace | None, path: str = "", library: str = "") -> None:
        self.reason, self.place, self.path, self.library = reason, place, path, library
        self.default: Value = MISSING
        self.module = False


@final
class Maybe:
    """The value of a key that a table may have."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


@final
class TableValue(dict[Any, Any]):
    """A dict. `unknown`: why there may be more keys."""

    __slots__ = ("unknown",)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.unknown: OpaqueValue | None = None


@final
@record
class ModuleValue:
    """A module of the plug-in, or a modelled one (`native`). `failed`: whether it raises an exception when imported."""

    name: str
    names: dict[str, Value]
    unit: PluginUnit | None = None
    native: bool = False
    state: str = "new"  # then "running", "done"
    failed: bool = False
    complete: bool = True  # False: there may be more names
    guards: dict[str, str] | None = None  # names that tell whether a library is installed


@final
class ClassValue:
    """A class. `mro`: its ancestors, nearest first, without itself; an unknown ancestor is an Opaque. `native`: the
    kind of instance that a call makes, for Heat's schema classes. `heat_facts`: for Heat's own resource classes, their
    entry in heat.json, else empty. `odd`: why a decorator or metaclass may have changed it.
    """

    __slots__ = ("bases", "heat_facts", "module", "mro", "name", "names", "native", "node", "odd", "unit")

    def __init__(
        self,
        name: str,
        module: str,
        names: dict[str, Value],
        bases: Sequence[Value] = (),
        native: str = "",
        unit: PluginUnit | None = None,
        node: ast.ClassDef | None = None,
    ) -> None:
        self.name, self.module, self.names, self.native = name, module, names, native
        self.unit, self.node = unit, node
        self.bases = list(bases)
        self.mro: list[ClassValue | OpaqueValue] = linearize_bases(self.bases)
        self.heat_facts: Mapping[str, Any] = EMPTY
        self.odd: OpaqueValue | None = None

    def lineage(self) -> Iterator[ClassValue | OpaqueValue]:
        """The class itself and its ancestors."""
        yield self
        yield from self.mro

    def find_member(self, name: str) -> Value:
        """The attribute of the class or of its nearest ancestor that has it; MISSING if no ancestor has it, an Opaque
        if an unknown one may.
        """
        for ancestor in self.lineage():
            if isinstance(ancestor, OpaqueValue):
                return ancestor
            if name in ancestor.names:
                return ancestor.names[name]
        return MISSING

    def made_kind(self) -> str:
        """The kind of instance that a call makes (a key of `heat.ARGUMENTS`), or an empty text."""
        return next(
            (ancestor.native for ancestor in self.lineage() if isinstance(ancestor, ClassValue) and ancestor.native), ""
        )

    def is_subclass_of(self, other: ClassValue) -> bool:
        """Whether it is the other class, or derived from it."""
        return any(ancestor is other for ancestor in self.lineage())


def linearize_bases(bases: Sequence[ClassValue | OpaqueValue]) -> list[ClassValue | OpaqueValue]:
    """The ancestors in Python's order (C3). If C3 has no result, where Python would refuse the class, in the order of
    their first occurrence.
    """
    lines: list[list[ClassValue | OpaqueValue]] = [
        list(b.lineage()) if isinstance(b, ClassValue) else [b] for b in bases
    ]
    if len(lines) == 1:
        return lines[0]
    lines.append(list(bases))
    order: list[ClassValue | OpaqueValue] = []
    while lines := [line for line in lines if line]:
        tails = {id(ancestor) for line in lines for ancestor in line[1:]}
        head = next((line[0] for line in lines if id(line[0]) not in tails), None)
        if head is None:
            return list({id(ancestor): ancestor for line in [order, *lines] for ancestor in line}.values())
        order.append(head)
        lines = [line[1:] if line[0] is head else line for line in lines]
    return order


@final
@record
class FunctionValue:
    """A function of the plug-in. `names`: the namespaces of the functions around it."""

    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    module: ModuleValue
    names: tuple[dict[str, Value], ...]
    defaults: list[Value]
    keyword_defaults: dict[str, Value]
    kind: str = ""  # staticmethod, classmethod, property
    odd: OpaqueValue | None = None  # a decorator may have replaced it
    requires: str = ""  # the library without which it is not there
    owner: ClassValue | None = None


@final
@record
class BoundMethod:
    """A method, and the value that it is called on."""

    function: Value  # Function or Builtin
    of: Value


@final
@record
class BuiltinValue:
    """A function or a type of Python or Heat, as this program evaluates it."""

    name: str
    run: Callable[..., Value]
    is_type: bool = False


@final
class InstanceValue:
    """An object of a class of Heat: a schema, a constraint, a support status, a translation rule, an option. `of` is
    the class, `makes` the kind.
    """

    __slots__ = ("fields", "makes", "of", "place")

    def __init__(self, of: ClassValue, makes: str, fields: dict[str, Value], place: NodePlace | None) -> None:
        self.of, self.makes, self.fields, self.place = of, makes, fields, place


@final
@record
class SuperValue:
    """The value of `super()` in a method of the class `owner` that is called on `of`."""

    owner: ClassValue
    of: Value


class Raised(Exception):
    """The plug-in would raise an exception for certain, of that name."""

    def __init__(self, name: str, message: str, place: NodePlace) -> None:
        super().__init__(f"{name}: {message}")
        self.name, self.message, self.place = name, message, place


def is_opaque(value: Value) -> bool:
    """Whether a value is unknown, or may be missing."""
    return isinstance(value, OpaqueValue | Maybe)


COMPARED = 5_000  # values


def are_same(a: Value, b: Value) -> bool:
    """Whether two values are the same for a schema; False if they are too large to compare."""
    todo, left = [(a, b)], COMPARED
    while todo:
        a, b = todo.pop()
        left -= 1
        if a is b:
            continue
        if type(a) is not type(b) or left < 0:
            return False
        if isinstance(a, TableValue | InstanceValue):
            x, y = (a, b) if isinstance(a, TableValue) else (a.fields, b.fields)
            if list(x) != list(y) or (isinstance(a, TableValue) and a.unknown is not b.unknown):
                return False
            if isinstance(a, InstanceValue) and a.of is not b.of:
                return False
            todo.extend((x[key], y[key]) for key in x)
        elif isinstance(a, list | tuple):
            if len(a) != len(b):
                return False
            todo.extend(zip(a, b, strict=True))
        elif isinstance(a, Maybe):
            todo.append((a.value, b.value))
        elif isinstance(a, BoundMethod):
            if a.function is not b.function or a.of is not b.of:
                return False
        elif not (isinstance(a, str | bytes | int | float | set) and a == b):
            return False
    return True


def holds_unknown(value: Value) -> bool:
    """Whether a value contains an unknown one, or is too large to check."""
    todo, left = [value], COMPARED * 10
    while todo:
        current = todo.pop()
        left -= 1
        if (
            isinstance(current, OpaqueValue | Maybe)
            or left < 0
            or (isinstance(current, TableValue) and current.unknown is not None)
        ):
            return True
        if isinstance(current, TableValue):
            todo.extend(current.values())
        elif isinstance(current, list | tuple):
            todo.extend(current)
    return False


def copy_deeply(value: Value, seen: dict[int, Value] | None = None) -> Value:
    """A deep copy. Values that cannot change are shared. `seen`: copies by the identity of the original, so that a
    value that occurs twice is copied once.
    """
    seen = {} if seen is None else seen
    if id(value) in seen:
        return seen[id(value)]
    duplicate: Value
    if isinstance(value, TableValue):
        duplicate = seen[id(value)] = TableValue()
        duplicate.unknown = value.unknown
        for key, item in value.items():
            duplicate[key] = copy_deeply(item, seen)
    elif isinstance(value, list):
        duplicate = seen[id(value)] = []
        duplicate.extend(copy_deeply(item, seen) for item in value)
    elif isinstance(value, tuple):
        duplicate = seen[id(value)] = tuple([copy_deeply(item, seen) for item in value])
    elif isinstance(value, set):
        duplicate = set(value)
    elif isinstance(value, InstanceValue):
        duplicate = seen[id(value)] = InstanceValue(value.of, value.makes, {}, value.place)
        for key, item in value.fields.items():
            duplicate.fields[key] = copy_deeply(item, seen)
    elif isinstance(value, Maybe):
        duplicate = Maybe(copy_deeply(value.value, seen))
    else:
        duplicate = value
    return duplicate
