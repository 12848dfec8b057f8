"""Reads and sets attributes of values in a plug-in module, methods of texts and containers included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.plugins import options
from transpile.plugins.methods import METHODS
from transpile.plugins.values import (
    MISSING,
    Bound,
    Builtin,
    Class,
    Function,
    Instance,
    Maybe,
    Module,
    Opaque,
    Raised,
    Super,
    Table,
)

if TYPE_CHECKING:
    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Place, Value


def get(run: Machine, value: Value, name: str, place: Place) -> Value:
    """The attribute of a value; raises Raised if Python certainly would, and returns an Opaque if it is unknown."""
    if isinstance(value, Opaque):
        return of_opaque(run, value, name, place)
    if isinstance(value, Module):
        return of_module(run, value, name, place)
    if isinstance(value, Class):
        return of_class(value, value, name, place)
    if isinstance(value, Instance):
        return of_instance(run, value, name, place)
    if isinstance(value, Super):
        return of_super(value, name, place)
    if isinstance(value, Function):
        return value.name if name == "__name__" else Opaque("attributes of functions are not read", place)
    if isinstance(value, Builtin):
        found = (value.names or {}).get(name, MISSING)
        if found is MISSING and value.is_type:
            found = next((m for (kind, n), m in METHODS.items() if n == name and value.name == kind.__name__), MISSING)
        return Opaque("this is not read", place) if found is MISSING else found
    if isinstance(value, Maybe):
        return Opaque("it depends on what is not known", place)
    method = next((m for (kind, n), m in METHODS.items() if n == name and isinstance(value, kind)), None)
    if method is not None:
        return Bound(method, value)
    if value is None:
        raise Raised("AttributeError", f"'NoneType' object has no attribute '{name}'", place)
    return Opaque(f"{name} of this value is not read", place)


def of_opaque(run: Machine, value: Opaque, name: str, place: Place) -> Value:
    """An attribute of an unknown value. If its dotted path is known, it may be an option or a class of Heat's."""
    if not value.path:
        return Opaque(value.reason, place)
    path = f"{value.path}.{name}"
    configured = options.get(run, path, place)
    if configured is not None:
        return configured
    known = run.known(path) if path.startswith("heat.") else None
    if known is not None:
        return known
    unread = Opaque(f"{path} is not read", place, path, value.library)
    unread.module = value.module and path.startswith("heat.") and name.islower()  # Heat's classes have capitals
    return unread


def of_module(run: Machine, module: Module, name: str, place: Place) -> Value:
    found = module.names.get(name, MISSING)
    if found is MISSING:
        found = run.inside(module, name, place)
    if isinstance(found, Opaque) and found.path == options.CONF:
        return Opaque(found.reason, place, found.path)
    if found is not MISSING:
        return found
    if name == "__name__":
        return module.name
    if not module.complete or module.failed or module.state == "running":
        path = f"{module.name}.{name}" if module.native else ""
        return Opaque(f"{module.name} has no {name} that is known", place, path)
    raise Raised("AttributeError", f"module '{module.name}' has no attribute '{name}'", place)


def of_class(cls: Class, of: Value, name: str, place: Place) -> Value:
    """An attribute of a class: its own, that of an ancestor, or one that every class has. `of`: what a class method is
    called on.
    """
    if name == "__name__":
        return cls.name
    if name == "__doc__":
        return cls.names.get("__doc__")
    if name == "__module__":
        return cls.module
    if name == "__mro__":
        return tuple(cls.line())
    if name == "__dict__":
        return Table(cls.names)
    found = cls.find(name)
    if isinstance(found, Opaque) and found.place is None:
        return Opaque(found.reason, place)
    if isinstance(found, Function):
        return Bound(found, of) if found.kind == "classmethod" else found
    if found is MISSING:
        if all(isinstance(one, Class) and not one.native and one.unit is not None for one in cls.line()):
            raise Raised("AttributeError", f"type object '{cls.name}' has no attribute '{name}'", place)
        return Opaque(f"{cls.name} has no {name} that is known", place)
    return found


def of_instance(run: Machine, value: Instance, name: str, place: Place) -> Value:
    if name in value.fields:
        found = value.fields[name]
        return Opaque("it depends on what is not known", place) if isinstance(found, Maybe) else found
    if name == "__class__":
        return value.of
    found = value.of.find(name)
    if isinstance(found, Function):
        if found.kind == "property":
            return run.invoke(Bound(found, value), [], place)
        if found.kind == "staticmethod":
            return found
        return Bound(found, value.of if found.kind == "classmethod" else value)
    if isinstance(found, Builtin):
        return Bound(found, value)
    if found is MISSING or isinstance(found, Opaque):
        return Opaque(f"{name} is known only when it runs", place)
    return found


def of_super(value: Super, name: str, place: Place) -> Value:
    """The attribute of the next class after the one that defines the method, in the order of the ancestors."""
    of = value.of if isinstance(value.of, Class) else value.of.of if isinstance(value.of, Instance) else value.owner
    line = list(of.line())
    after = line[line.index(value.owner) + 1 :] if value.owner in line else value.owner.mro
    for one in after:
        if isinstance(one, Opaque):
            break
        if name in one.names:
            found = one.names[name]
            return Bound(found, value.of) if isinstance(found, Function | Builtin) else found
    return Opaque(f"{name} of the base class is not known", place)


def put(run: Machine, value: Value, name: str, new: Value, place: Place) -> None:
    """Sets an attribute; MISSING removes it."""
    names = value.names if isinstance(value, Class | Module) else value.fields if isinstance(value, Instance) else None
    if names is None:
        return
    if isinstance(value, Class | Module) and getattr(value, "unit", None) is None:
        return  # a class or module of Heat's: what a plug-in changes there is not part of its own schemas
    if new is MISSING and name not in names:
        raise Raised("AttributeError", name, place)
    run.journal.put(names, name, new)
