"""The record classes of the program: a subset of dataclasses that is faster to define.

All classes that only hold fields are made by one of three decorators: `node` for a value that does not change, `record`
for one that does, and `entity` for an object that is equal only to itself. For example:

    @final
    @node
    class Edit:
        at: int
        text: str = ""

Measured: a class takes 0.05 ms here, and 0.3 ms with `dataclass(slots=True)`. A conversion imports 64 of them, so this
saves it 16 ms. As in dataclasses, `__init__` is generated as source text and
compiled once per class; `__eq__`, `__hash__` and `__repr__` are ordinary functions here, which nothing compiles.

Invariant: a record behaves as the dataclass of the same fields would, so that type checkers can treat it as one
(`dataclass_transform`).
"""

from __future__ import annotations

import operator
import types
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform, final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")
MISSING: Any = object()
EMPTY: Mapping[Any, Any] = types.MappingProxyType({})  # the default of fields that are maps


@final
class Field:
    """The options of a field. Fields that are not compared are not shown by `repr` either."""

    __slots__ = ("compare", "default", "factory")

    def __init__(self, default: Any, factory: Callable[[], Any] | None, *, compare: bool) -> None:
        self.default, self.factory, self.compare = default, factory, compare


def field(*, default: Any = MISSING, default_factory: Callable[[], Any] | None = None, compare: bool = True) -> Any:
    """Like `dataclasses.field`."""
    return Field(default, default_factory, compare=compare)


def replace(one: T, **changes: Any) -> T:
    """A copy with other values for some fields, like `dataclasses.replace`. No field may be called `original`."""
    for name in one.__class__.__slots__:  # type: ignore[attr-defined]  # a record has them
        if name not in changes:
            changes[name] = getattr(one, name)
    return type(one)(**changes)


@dataclass_transform(frozen_default=True, eq_default=True, field_specifiers=(field,))
def node(cls: type[T]) -> type[T]:
    """A frozen, hashable dataclass with slots. Only the type checker enforces that it is frozen: `object.__setattr__`,
    which a frozen dataclass needs in `__init__`, doubles the time it takes to build a tree.
    """
    return _define(cls, hashed=True)


@dataclass_transform(eq_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """A mutable dataclass with slots, which therefore has no hash."""
    return _define(cls, hashed=False)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def entity(cls: type[T]) -> type[T]:
    """A mutable class with slots. An instance is equal only to itself, so that it can be in a set, whatever changes."""
    return _define(cls, hashed=True, by_value=False)


def _define(cls: type[T], *, hashed: bool, by_value: bool = True) -> type[T]:
    """The class again, with slots and the generated methods; methods that it defines itself are kept."""
    body = {key: value for key, value in cls.__dict__.items() if key not in ("__dict__", "__weakref__")}
    fields = {name: _as_field(body.pop(name, MISSING)) for name in cls.__annotations__}
    names, compared = tuple(fields), tuple([name for name, one in fields.items() if one.compare])
    values = operator.attrgetter(*compared)

    # One attrgetter, made once, reads all fields in C: comparing and hashing trees of nodes is a hot path.
    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hash_(self: Any) -> int:
        return hash(values(self))

    def repr_(self: Any) -> str:
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in compared)})"

    if by_value:
        body = {"__eq__": equal, "__hash__": hash_ if hashed else None, "__repr__": repr_, **body}
    body |= {"__slots__": names, "__match_args__": names, "__init__": _initializer(cls.__qualname__, fields)}
    body["__qualname__"] = cls.__qualname__
    metaclass: Callable[..., type[T]] = type(cls)
    return metaclass(cls.__name__, cls.__bases__, body)


def _as_field(default: Any) -> Field:
    return default if isinstance(default, Field) else Field(default, None, compare=True)


def _initializer(owner: str, fields: Mapping[str, Field]) -> Callable[..., None]:
    """An `__init__` with the fields as parameters, for example:

    def __init__(self, name, keys=MISSING, at=default_at):
        self.name = name
        self.keys = factory_keys() if keys is MISSING else keys
        self.at = at
    """
    parameters, lines = ["self"], []
    space: dict[str, Any] = {"MISSING": MISSING}
    optional = False
    for name, one in fields.items():
        value, parameter = name, name
        if one.factory is not None:
            space[f"factory_{name}"] = one.factory
            value, parameter = f"factory_{name}() if {name} is MISSING else {name}", f"{name}=MISSING"
        elif one.default is not MISSING:
            space[f"default_{name}"] = one.default
            parameter = f"{name}=default_{name}"
        elif optional:
            raise TypeError(f"{owner}.{name} has no default, but follows fields that have one")
        optional = optional or parameter != name
        parameters.append(parameter)
        lines.append(f" self.{name} = {value}")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines), space)
    init: Callable[..., None] = space["__init__"]
    init.__qualname__ = f"{owner}.__init__"
    return init
