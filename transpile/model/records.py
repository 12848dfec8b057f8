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
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform, final

T = TypeVar("T")
MISSING: Any = object()
EMPTY: Mapping[Any, Any] = types.MappingProxyType({})  # the default of fields that are maps


@final
class RecordField:
    """The options of a field. Fields that are not compared are not shown by `repr` either."""

    __slots__ = ("compare", "default", "factory")

    def __init__(self, default: Any, factory: Callable[[], Any] | None, *, compare: bool) -> None:
        self.default, self.factory, self.compare = default, factory, compare


def field(*, default: Any = MISSING, default_factory: Callable[[], Any] | None = None, compare: bool = True) -> Any:
    """Like `dataclasses.field`."""
    return RecordField(default, default_factory, compare=compare)


if TYPE_CHECKING:
    from dataclasses import replace as replace  # for each class, mypy knows which values its fields take
else:

    def replace(original: T, /, **changes: Any) -> T:
        """A copy with other values for some fields, like `dataclasses.replace`."""
        cls = original.__class__
        values = dict(zip(cls.__slots__, cls.read_all_fields(original), strict=True))
        return cls(**values | changes)


@dataclass_transform(frozen_default=True, eq_default=True, field_specifiers=(field,))
def node(cls: type[T]) -> type[T]:
    """A frozen, hashable dataclass with slots. Only the type checker enforces that it is frozen: `object.__setattr__`,
    which a frozen dataclass needs in `__init__`, doubles the time it takes to build a tree.
    """
    return _define_class(cls, hashed=True)


@dataclass_transform(eq_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """A mutable dataclass with slots, which therefore has no hash."""
    return _define_class(cls, hashed=False)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def entity(cls: type[T]) -> type[T]:
    """A mutable class with slots. An instance is equal only to itself, so that it can be in a set while it changes."""
    return _define_class(cls, hashed=True, by_value=False)


def _define_class(cls: type[T], *, hashed: bool, by_value: bool = True) -> type[T]:
    """The class again, with slots and the generated methods; methods that it defines itself are kept."""
    body = {key: value for key, value in cls.__dict__.items() if key not in ("__dict__", "__weakref__")}
    fields = {name: _as_field(body.pop(name, MISSING)) for name in cls.__annotations__}
    names, compared = tuple(fields), tuple([name for name, options in fields.items() if options.compare])
    values = operator.attrgetter(*compared)

    # One attrgetter, made once, reads all fields in C: comparing and hashing trees of nodes is a hot path.
    def compare_fields(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hash_fields(self: Any) -> int:
        return hash(values(self))

    def show_fields(self: Any) -> str:
        texts = [f"{name}={getattr(self, name)!r}" for name in compared]
        return f"{self.__class__.__qualname__}({', '.join(texts)})"

    if by_value:
        body = {"__eq__": compare_fields, "__hash__": hash_fields if hashed else None, "__repr__": show_fields, **body}
    body["read_all_fields"] = _make_reader(names)
    body |= {"__slots__": names, "__match_args__": names, "__init__": _compile_initializer(cls.__qualname__, fields)}
    body["__qualname__"] = cls.__qualname__
    metaclass: Callable[..., type[T]] = type(cls)
    return metaclass(cls.__name__, cls.__bases__, body)


def _make_reader(names: tuple[str, ...]) -> Any:
    """A static method that returns the values of all fields of a record as a tuple, in one call of C code."""
    if len(names) > 1:
        return staticmethod(operator.attrgetter(*names))
    return staticmethod(lambda original: tuple([getattr(original, name) for name in names]))


def _as_field(default: Any) -> RecordField:
    return default if isinstance(default, RecordField) else RecordField(default, None, compare=True)


def _compile_initializer(owner: str, fields: Mapping[str, RecordField]) -> Callable[..., None]:
    """An `__init__` with the fields as parameters, for example:

    def __init__(self, name, keys=MISSING, at=default_at):
        self.name = name
        self.keys = factory_keys() if keys is MISSING else keys
        self.at = at
    """
    parameters, lines = ["self"], []
    namespace: dict[str, Any] = {"MISSING": MISSING}
    optional = False
    for name, options in fields.items():
        value, parameter = name, name
        if options.factory is not None:
            namespace[f"factory_{name}"] = options.factory
            value, parameter = f"factory_{name}() if {name} is MISSING else {name}", f"{name}=MISSING"
        elif options.default is not MISSING:
            namespace[f"default_{name}"] = options.default
            parameter = f"{name}=default_{name}"
        elif optional:
            raise TypeError(f"{owner}.{name} has no default, but follows fields that have one")
        optional = optional or parameter != name
        parameters.append(parameter)
        lines.append(f" self.{name} = {value}")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines), namespace)
    init: Callable[..., None] = namespace["__init__"]
    init.__qualname__ = f"{owner}.__init__"
    return init
