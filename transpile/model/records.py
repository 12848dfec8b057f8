"""Classes that are their fields: what dataclasses are, made in a third of the time.

The easy rule to break: a record does what a dataclass would, and what reads its source takes it for one
(`dataclass_transform`). Making dataclasses was more than half of what importing the IR took, which no command over a
few templates makes up for.
"""

from __future__ import annotations

import operator
import types
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform, final

from transpile.model.inits import INITS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")
MISSING: Any = object()
EMPTY: Mapping[Any, Any] = types.MappingProxyType({})  # a map that is not given


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
    """The class with slots and methods, but for those that it has of its own."""
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
    space |= {"__slots__": names, "__match_args__": names, "__init__": constructor(cls, names, defaults)}
    space["__qualname__"] = cls.__qualname__
    kind: Callable[..., type[T]] = type(cls)
    return kind(cls.__name__, cls.__bases__, space)


def constructor(cls: type, names: tuple[str, ...], defaults: Mapping[str, Any]) -> Callable[..., None]:
    """The `__init__` of a record: the one for so many fields, with their names. No source is compiled, and none of the
    names that the code has besides is global.
    """
    code = INITS[len(names) - 1].__code__
    spelled = dict(zip(code.co_varnames[1:], names, strict=True))
    own = code.replace(
        co_name="__init__",
        co_qualname=f"{cls.__qualname__}.__init__",
        co_varnames=("self", *names),
        co_names=tuple([spelled[name] for name in code.co_names]),
    )
    given, factories = [], {}
    for name in names:
        default = defaults.get(name, MISSING)
        if isinstance(default, Field):
            if default.factory is not None:
                factories[name] = default.factory
            default = default.factory or default.default
        if default is not MISSING:
            given.append(default)
        elif given:
            raise TypeError(f"{cls.__qualname__}.{name} has no default, but stands behind fields that have one")
    init = types.FunctionType(own, {}, "__init__", tuple(given))
    return filled(init, factories) if factories else init


def filled(init: Callable[..., None], factories: Mapping[str, Callable[[], Any]]) -> Callable[..., None]:
    """An `__init__` that makes what is not given."""

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        init(self, *given, **named)
        for name, factory in factories.items():
            if getattr(self, name) is factory:
                setattr(self, name, factory())

    return __init__
