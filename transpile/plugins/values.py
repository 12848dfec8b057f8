"""Declares the values that names of a plug-in module have: plain constants, tables and lists of values, classes,
functions, modules, instances of Heat's own classes, and unknown values.

Invariant: no value here is a Python object that a plug-in could act through. Plain constants are None, bool, int,
float, str and bytes; containers are tuple, list, set and Table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

from transpile.model.records import record

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from transpile.plugins.syntax import Unit

Value: TypeAlias = Any  # one of the values that the module's docstring lists


class _Missing:
    """The absence of a value: a name that is not bound, a key that a table does not have."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()


@final
class Place:
    """A place in a plug-in: a node of a module's tree."""

    __slots__ = ("node", "unit")

    def __init__(self, unit: Unit, node: ast.AST) -> None:
        self.unit, self.node = unit, node


@final
class Opaque:
    """An unknown value, which only running the plug-in would compute.

    `reason`: why it is unknown, as a main clause for messages; `path`: its dotted name, if it was imported or is an
    attribute of an imported name; `library`: the first part of the path, unless it comes with Python; `default`: its
    value if no operator configures another; `module`: whether it certainly is a module.
    """

    __slots__ = ("default", "library", "module", "path", "place", "reason")

    def __init__(self, reason: str, place: Place | None, path: str = "", library: str = "") -> None:
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
class Table(dict[Any, Any]):
    """A dict. `unknown`: why there may be more keys."""

    __slots__ = ("unknown",)

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.unknown: Opaque | None = None


@final
@record
class Module:
    """A module of the plug-in, or a modelled one (`native`). `failed`: whether it raises an exception when imported."""

    name: str
    names: dict[str, Value]
    unit: Unit | None = None
    native: bool = False
    state: str = "new"  # then "running", "done"
    failed: bool = False
    complete: bool = True  # False: there may be more names
    guards: dict[str, str] | None = None  # names that tell whether a library is installed


@final
class Class:
    """A class. `mro`: its ancestors, nearest first, without itself; an unknown ancestor is an Opaque. `native`: the
    kind of instance that a call makes, for Heat's schema classes. `heat_facts`: for Heat's own resource classes, their
    entry in heat.json. `odd`: why a decorator or metaclass may have changed it.
    """

    __slots__ = ("bases", "known", "module", "mro", "name", "names", "native", "node", "odd", "unit")

    def __init__(
        self,
        name: str,
        module: str,
        names: dict[str, Value],
        bases: Sequence[Value] = (),
        native: str = "",
        unit: Unit | None = None,
        node: ast.ClassDef | None = None,
    ) -> None:
        self.name, self.module, self.names, self.native = name, module, names, native
        self.unit, self.node = unit, node
        self.bases = list(bases)
        self.mro: list[Class | Opaque] = linear(self.bases)
        self.known: Mapping[str, Any] | None = None
        self.odd: Opaque | None = None

    def line(self) -> Iterator[Class | Opaque]:
        """The class itself and its ancestors."""
        yield self
        yield from self.mro

    def find(self, name: str) -> Value:
        """The attribute of the class or of its nearest ancestor that has it; MISSING if no ancestor has it, an Opaque
        if an unknown one may.
        """
        for one in self.line():
            if isinstance(one, Opaque):
                return one
            if name in one.names:
                return one.names[name]
        return MISSING

    def makes(self) -> str:
        """The kind of instance that a call makes (a key of `heat.ARGUMENTS`), or an empty text."""
        return next((one.native for one in self.line() if isinstance(one, Class) and one.native), "")

    def below(self, other: Class) -> bool:
        """Whether it is the other class, or derived from it."""
        return any(one is other for one in self.line())


def linear(bases: Sequence[Class | Opaque]) -> list[Class | Opaque]:
    """The ancestors in Python's order (C3). If C3 has no result, where Python would refuse the class, in the order of
    their first occurrence.
    """
    lines: list[list[Class | Opaque]] = [list(b.line()) if isinstance(b, Class) else [b] for b in bases]
    if len(lines) == 1:
        return lines[0]
    lines.append(list(bases))
    found: list[Class | Opaque] = []
    while lines := [line for line in lines if line]:
        tails = {id(one) for line in lines for one in line[1:]}
        head = next((line[0] for line in lines if id(line[0]) not in tails), None)
        if head is None:
            return list({id(one): one for line in [found, *lines] for one in line}.values())
        found.append(head)
        lines = [line[1:] if line[0] is head else line for line in lines]
    return found


@final
@record
class Function:
    """A function of the plug-in. `names`: the namespaces of the functions around it."""

    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    module: Module
    names: tuple[dict[str, Value], ...]
    defaults: list[Value]
    keyword_defaults: dict[str, Value]
    kind: str = ""  # staticmethod, classmethod, property
    odd: Opaque | None = None  # a decorator may have replaced it
    requires: str = ""  # the library without which it is not there
    owner: Class | None = None


@final
@record
class Bound:
    """A method, and the value that it is called on."""

    function: Value  # Function or Builtin
    of: Value


@final
@record
class Builtin:
    """A function or a type of Python or Heat, as this program evaluates it."""

    name: str
    run: Callable[..., Value]
    is_type: bool = False
    names: Mapping[str, Value] | None = None


@final
class Instance:
    """An object of a class of Heat: a schema, a constraint, a support status, a translation rule, an option. `of` is
    the class, `makes` the kind.
    """

    __slots__ = ("fields", "makes", "of", "place")

    def __init__(self, of: Class, makes: str, fields: dict[str, Value], place: Place | None) -> None:
        self.of, self.makes, self.fields, self.place = of, makes, fields, place


@final
@record
class Super:
    """The value of `super()` in a method of the class `owner` that is called on `of`."""

    owner: Class
    of: Value


class Raised(Exception):
    """The plug-in would raise an exception for certain, of that name."""

    def __init__(self, name: str, message: str, place: Place | None = None) -> None:
        super().__init__(f"{name}: {message}")
        self.name, self.message, self.place = name, message, place


def is_opaque(value: Value) -> bool:
    """Whether a value is unknown, or may be missing."""
    return isinstance(value, Opaque | Maybe)


COMPARED = 5_000  # values


def same(a: Value, b: Value) -> bool:
    """Whether two values are the same for a schema; False if they are too large to compare."""
    todo, left = [(a, b)], COMPARED
    while todo:
        a, b = todo.pop()
        left -= 1
        if a is b:
            continue
        if type(a) is not type(b) or left < 0:
            return False
        if isinstance(a, Table | Instance):
            x, y = (a, b) if isinstance(a, Table) else (a.fields, b.fields)
            if list(x) != list(y) or (isinstance(a, Table) and a.unknown is not b.unknown):
                return False
            if isinstance(a, Instance) and a.of is not b.of:
                return False
            todo.extend((x[key], y[key]) for key in x)
        elif isinstance(a, list | tuple):
            if len(a) != len(b):
                return False
            todo.extend(zip(a, b, strict=True))
        elif isinstance(a, Maybe):
            todo.append((a.value, b.value))
        elif isinstance(a, Bound):
            if a.function is not b.function or a.of is not b.of:
                return False
        elif not (isinstance(a, str | bytes | int | float | set) and a == b):
            return False
    return True


def holds(value: Value) -> bool:
    """Whether a value contains an unknown one, or is too large to check."""
    todo, left = [value], COMPARED * 10
    while todo:
        one = todo.pop()
        left -= 1
        if isinstance(one, Opaque | Maybe) or left < 0 or (isinstance(one, Table) and one.unknown is not None):
            return True
        if isinstance(one, Table):
            todo.extend(one.values())
        elif isinstance(one, list | tuple):
            todo.extend(one)
    return False


def copied(value: Value, seen: dict[int, Value] | None = None) -> Value:
    """A deep copy. Values that cannot change are shared. `seen`: copies by the identity of the original, so that a
    value that occurs twice is copied once.
    """
    seen = {} if seen is None else seen
    if id(value) in seen:
        return seen[id(value)]
    made: Value
    if isinstance(value, Table):
        made = seen[id(value)] = Table()
        made.unknown = value.unknown
        for key, one in value.items():
            made[key] = copied(one, seen)
    elif isinstance(value, list):
        made = seen[id(value)] = []
        made.extend(copied(one, seen) for one in value)
    elif isinstance(value, tuple):
        made = seen[id(value)] = tuple([copied(one, seen) for one in value])
    elif isinstance(value, set):
        made = set(value)
    elif isinstance(value, Instance):
        made = seen[id(value)] = Instance(value.of, value.makes, {}, value.place)
        for key, one in value.fields.items():
            made.fields[key] = copied(one, seen)
    elif isinstance(value, Maybe):
        made = Maybe(copied(value.value, seen))
    else:
        made = value
    return made
