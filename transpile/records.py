"""Classes that are their fields: what dataclasses are, made in a third of the time.

The easy rule to break: a record does what a dataclass would. What reads its source takes it for one
(`dataclass_transform`), and `dataclasses.replace` works on it. Making dataclasses was more than half of what importing
the IR took, which no command over a few templates makes up for.
"""

from __future__ import annotations

import dataclasses
import operator
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=True, field_specifiers=(dataclasses.field,))
def node(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots to the type checker. At run time nothing keeps one from being changed: assigning
    plainly in `__init__` makes a tree in half the time.
    """
    return made(cls, hashed=True)


@dataclass_transform(eq_default=True, field_specifiers=(dataclasses.field,))
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
    space |= {"__qualname__": cls.__qualname__, "__dataclass_fields__": Fields(names, defaults)}
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
        default, given = defaults.get(name, dataclasses.MISSING), name
        if isinstance(default, dataclasses.Field):
            if default.default_factory is not dataclasses.MISSING:
                given = f"_{name}() if {name} is _{name} else {name}"
                default = default.default_factory
            else:
                default = default.default
        lines.append(f" self.{name} = {given}\n")
        if default is dataclasses.MISSING:
            arguments.append(name)
        else:
            arguments.append(f"{name}=_{name}")
            known[f"_{name}"] = default
    exec(f"def __init__(self, {', '.join(arguments)}):\n{''.join(lines)}", known)
    found: Callable[..., None] = known["__init__"]
    return found


class Fields:
    """The fields in the form that dataclasses has them in, worked out when it asks for them."""

    def __init__(self, names: tuple[str, ...], defaults: Mapping[str, Any]) -> None:
        self.names, self.defaults = names, defaults

    def __get__(self, instance: object, owner: type) -> Mapping[str, dataclasses.Field[Any]]:
        fields = [(name, Any, self.defaults[name]) if name in self.defaults else (name, Any) for name in self.names]
        space = {"__doc__": owner.__doc__ or owner.__name__}  # else one is made, slowly
        twin = dataclasses.make_dataclass(owner.__name__, fields, init=False, repr=False, eq=False, namespace=space)
        found: Mapping[str, dataclasses.Field[Any]] = vars(twin)["__dataclass_fields__"]
        type.__setattr__(owner, "__dataclass_fields__", found)
        return found
