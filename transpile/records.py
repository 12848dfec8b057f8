"""Classes that are their fields: what dataclasses are, made in a third of the time.

The easy rule to break: a record does what a dataclass would, and what reads its source takes it for one
(`dataclass_transform`). Making dataclasses was more than half of what importing the IR took, which no command over a
few templates makes up for.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform, final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")
MISSING: Any = object()


@final
class Field:
    """What is special about a field. Those that are not compared are not shown either."""

    __slots__ = ("compare", "default", "factory")

    def __init__(self, default: Any, factory: Callable[[], Any] | None, *, compare: bool) -> None:
        self.default, self.factory, self.compare = default, factory, compare


def field(*, default: Any = MISSING, default_factory: Callable[[], Any] | None = None, compare: bool = True) -> Any:
    """As of dataclasses."""
    return Field(default, default_factory, compare=compare)


def replace(one: T, **changes: Any) -> T:
    """The same with other values of some fields; as of dataclasses."""
    for name in one.__class__.__slots__:  # type: ignore[attr-defined]  # a record has them
        if name not in changes:
            changes[name] = getattr(one, name)
    return type(one)(**changes)


@dataclass_transform(frozen_default=True, eq_default=True, field_specifiers=(field,))
def node(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots to the type checker. At run time nothing keeps one from being changed: assigning
    plainly in `__init__` makes a tree in half the time.
    """
    return made(cls, hashed=True)


@dataclass_transform(eq_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """A dataclass with slots, which may be changed and therefore has no hash."""
    return made(cls, hashed=False)


def made(cls: type[T], *, hashed: bool) -> type[T]:
    """The class with slots and methods, but for those that it has of its own. Only `__init__` is source text that is
    compiled.
    """
    space = {key: value for key, value in cls.__dict__.items() if key not in ("__dict__", "__weakref__")}
    names = tuple(cls.__annotations__)
    defaults = {name: space.pop(name) for name in names if name in space}
    compared = tuple(name for name in names if getattr(defaults.get(name), "compare", True))
    value = operator.attrgetter(*compared)

    def equal(self: Any, other: object) -> Any:
        return value(self) == value(other) if other.__class__ is self.__class__ else NotImplemented

    def hashing(self: Any) -> int:
        return hash(value(self))

    def shown(self: Any) -> str:
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in compared)})"

    space = {"__eq__": equal, "__hash__": hashing if hashed else None, "__repr__": shown, **space}
    space |= {"__slots__": names, "__match_args__": names, "__init__": first(names, defaults)}
    space["__qualname__"] = cls.__qualname__
    kind: Callable[..., type[T]] = type(cls)
    return kind(cls.__name__, cls.__bases__, space)


def first(names: tuple[str, ...], defaults: Mapping[str, Any]) -> Callable[..., None]:
    """The `__init__` of a class that has no object yet: it makes the one that all others have."""

    def init(self: Any, *given: Any, **named: Any) -> None:
        real = constructor(names, defaults)
        type.__setattr__(type(self), "__init__", real)
        real(self, *given, **named)

    return init


def constructor(names: tuple[str, ...], defaults: Mapping[str, Any]) -> Callable[..., None]:
    """The `__init__` of a record."""
    arguments, lines, known = [], [], {}
    for name in names:
        default, given = defaults.get(name, MISSING), name
        if isinstance(default, Field):
            if default.factory is not None:
                given = f"_{name}() if {name} is _{name} else {name}"
            default = default.factory or default.default
        lines.append(f" self.{name} = {given}\n")
        if default is MISSING:
            arguments.append(name)
        else:
            arguments.append(f"{name}=_{name}")
            known[f"_{name}"] = default
    exec(f"def __init__(self, {', '.join(arguments)}):\n{''.join(lines)}", known)
    found: Callable[..., None] = known["__init__"]
    return found
