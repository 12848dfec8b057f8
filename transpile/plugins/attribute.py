"""Reads and sets attributes of values in a plug-in module, methods of texts and containers included."""

from __future__ import annotations

from transpile.plugins import options
from transpile.plugins.machine import PluginMachine
from transpile.plugins.methods import METHODS
from transpile.plugins.values import (
    MISSING,
    BoundMethod,
    BuiltinValue,
    ClassValue,
    FunctionValue,
    InstanceValue,
    Maybe,
    ModuleValue,
    NodePlace,
    OpaqueValue,
    Raised,
    SuperValue,
    Value,
)


def get_attribute(run: PluginMachine, value: Value, name: str, place: NodePlace) -> Value:
    """The attribute of a value; raises Raised if Python certainly would, and returns an Opaque if it is unknown."""
    if isinstance(value, OpaqueValue):
        return get_opaque_attribute(run, value, name, place)
    if isinstance(value, ModuleValue):
        return get_module_attribute(run, value, name, place)
    if isinstance(value, ClassValue):
        return get_class_attribute(value, value, name, place)
    if isinstance(value, InstanceValue):
        return get_instance_attribute(run, value, name, place)
    if isinstance(value, SuperValue):
        return get_super_attribute(value, name, place)
    if isinstance(value, FunctionValue):
        return value.name if name == "__name__" else OpaqueValue("attributes of functions are not read", place)
    if isinstance(value, BuiltinValue):
        return OpaqueValue("this is not read", place)
    if isinstance(value, Maybe):
        return OpaqueValue("it depends on an unknown value", place)
    method = next((m for (kind, n), m in METHODS.items() if n == name and isinstance(value, kind)), None)
    if method is not None:
        return BoundMethod(method, value)
    if value is None:
        raise Raised("AttributeError", f"'NoneType' object has no attribute '{name}'", place)
    return OpaqueValue(f"{name} of this value is not read", place)


def get_opaque_attribute(run: PluginMachine, value: OpaqueValue, name: str, place: NodePlace) -> Value:
    """An attribute of an unknown value. If its dotted path is known, it may be an option or a class of Heat's."""
    if not value.path:
        return OpaqueValue(value.reason, place)
    path = f"{value.path}.{name}"
    configured = options.find_option(run, path, place)
    if configured is not None:
        return configured
    definition = run.find_definition(path) if path.startswith("heat.") else None
    if definition is not None:
        return definition
    unread = OpaqueValue(f"{path} is not read", place, path, value.library)
    unread.module = value.module and path.startswith("heat.") and name.islower()  # Heat's classes have capitals
    return unread


def get_module_attribute(run: PluginMachine, module: ModuleValue, name: str, place: NodePlace) -> Value:
    value = module.names.get(name, MISSING)
    if value is MISSING:
        value = run.find_submodule(module, name, place)
    if value is not MISSING:
        return value
    if not module.complete or module.failed:
        path = f"{module.name}.{name}" if module.native else ""
        return OpaqueValue(f"{module.name} has no {name} that is known", place, path)
    raise Raised("AttributeError", f"module '{module.name}' has no attribute '{name}'", place)


def get_class_attribute(cls: ClassValue, receiver: Value, name: str, place: NodePlace) -> Value:
    """An attribute of a class: its own, that of an ancestor, or one that every class has. `receiver`: the value
    that a class method is called on.
    """
    if name == "__name__":
        return cls.name
    value = cls.find_member(name)
    if isinstance(value, OpaqueValue) and value.place is None:
        return OpaqueValue(value.reason, place)
    if isinstance(value, FunctionValue):
        return BoundMethod(value, receiver) if value.kind == "classmethod" else value
    if value is MISSING:
        if not name.startswith("__") and all(
            isinstance(ancestor, ClassValue) and not ancestor.native and ancestor.unit is not None
            for ancestor in cls.lineage()
        ):
            raise Raised("AttributeError", f"type object '{cls.name}' has no attribute '{name}'", place)
        return OpaqueValue(f"{cls.name} has no {name} that is known", place)
    return value


def get_instance_attribute(run: PluginMachine, value: InstanceValue, name: str, place: NodePlace) -> Value:
    if name in value.fields:
        member = value.fields[name]
        return OpaqueValue("it depends on an unknown value", place) if isinstance(member, Maybe) else member
    if name == "__class__":
        return value.of
    member = value.of.find_member(name)
    if isinstance(member, FunctionValue):
        if member.kind == "property":
            return run.invoke(BoundMethod(member, value), [], place)
        if member.kind == "staticmethod":
            return member
        return BoundMethod(member, value.of if member.kind == "classmethod" else value)
    if isinstance(member, BuiltinValue):
        return BoundMethod(member, value)
    if member is MISSING or isinstance(member, OpaqueValue):
        return OpaqueValue(f"{name} is known only when it runs", place)
    return member


def get_super_attribute(value: SuperValue, name: str, place: NodePlace) -> Value:
    """The attribute of the next class after the one that defines the method, in the order of the ancestors."""
    receiver_class = (
        value.of
        if isinstance(value.of, ClassValue)
        else value.of.of
        if isinstance(value.of, InstanceValue)
        else value.owner
    )
    line = list(receiver_class.lineage())
    after = line[line.index(value.owner) + 1 :] if value.owner in line else value.owner.mro
    for ancestor in after:
        if isinstance(ancestor, OpaqueValue):
            break
        if name in ancestor.names:
            member = ancestor.names[name]
            return BoundMethod(member, value.of) if isinstance(member, FunctionValue | BuiltinValue) else member
    return OpaqueValue(f"{name} of the base class is not known", place)


def set_attribute(run: PluginMachine, value: Value, name: str, new: Value, place: NodePlace) -> None:
    """Sets an attribute; MISSING removes it. Each reading has classes and modules of Heat of its own, so a plug-in may
    change them.
    """
    names = (
        value.names
        if isinstance(value, ClassValue | ModuleValue)
        else value.fields
        if isinstance(value, InstanceValue)
        else None
    )
    if names is None:
        return
    if new is MISSING and name not in names:
        raise Raised("AttributeError", name, place)
    run.journal.set_key(names, name, new)
