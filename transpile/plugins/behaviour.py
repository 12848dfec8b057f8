"""Reads facts from the methods of a resource class: the value of get_resource, handlers, translation rules.

Invariant: a method is evaluated on a resource that has an identifier and a name, and whose other attributes are
unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from transpile.model.lazy_patterns import compile_lazily
from transpile.plugins import heat
from transpile.plugins.inherited import read_heat_facts
from transpile.plugins.machine import PluginMachine
from transpile.plugins.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    FunctionValue,
    InstanceValue,
    NodePlace,
    OpaqueValue,
    Raised,
    Value,
)

HANDLER = compile_lazily(r"handle_\w+|check_\w+_complete")
TELLING_METHODS = compile_lazily(
    rf"{HANDLER.pattern}|validate|get_attribute|FnGetAtt|get_reference_id|FnGetRefId|translation_rules"
)


def overrides_method(cls: ClassValue, fact: str, *methods: str) -> bool:
    """Whether the class or an ancestor below Resource overrides one of these methods. For one of Heat's own classes,
    heat.json has the answer as `fact`.
    """
    for ancestor in cls.lineage():
        if isinstance(ancestor, OpaqueValue):
            return False
        if "type" in ancestor.heat_facts:
            return bool(read_heat_facts()["types"].get(ancestor.heat_facts["type"], {}).get(fact))
        if any(name in list_own_methods(ancestor) for name in methods):
            return True
    return False


def list_own_methods(cls: ClassValue) -> Iterable[str]:
    """The methods that the body of a class defines."""
    if cls.heat_facts:
        methods: list[str] = cls.heat_facts.get("methods", [])
        return methods
    return [name for name, value in cls.names.items() if isinstance(value, FunctionValue)]


def find_reference_kind(run: PluginMachine, cls: ClassValue, place: NodePlace) -> str:
    """The kind of value that get_resource returns: "id", "name", or "?" if it is unknown."""
    for ancestor in cls.lineage():
        if isinstance(ancestor, OpaqueValue):
            return "?"
        if "type" in ancestor.heat_facts:
            kind: str = read_heat_facts()["types"].get(ancestor.heat_facts["type"], {}).get("ref", "id")
            return "?" if kind == "custom" else kind
        if any(name in list_own_methods(ancestor) for name in ("get_reference_id", "FnGetRefId")):
            if ancestor.heat_facts:
                own: str = ancestor.heat_facts.get("ref", "?")
                return own
            break
    else:
        return "id"
    value = evaluate_method(run, cls, place, cls.find_member("FnGetRefId"), "id")
    if value is heat.TOKENS["id"] and isinstance(cls.find_member("get_reference_id"), FunctionValue):
        value = evaluate_method(run, cls, place, cls.find_member("get_reference_id"), "id")
    return next((name for name, token in heat.TOKENS.items() if token is value), "?")


def evaluate_method(run: PluginMachine, cls: ClassValue, place: NodePlace, function: Value, otherwise: str) -> Value:
    """The result of a method on a resource without a stack: all its arguments are unknown. `otherwise`: the token to
    return if `function` is not a function of the plug-in; MISSING if it certainly raises.
    """
    if not isinstance(function, FunctionValue):
        return heat.TOKENS[otherwise]
    fields = {"resource_id": heat.TOKENS["id"]}
    resource = InstanceValue(cls, "resource", fields, place)
    arguments: list[Value] = [OpaqueValue("only a stack knows it", place)] * (len(function.node.args.args) - 1)
    try:
        return run.invoke(BoundMethod(function, resource), arguments, place)
    except Raised:
        return MISSING


def read_translation_rule(instance: Value) -> dict[str, Any] | None:
    """A translation rule in the form of a dump of Heat's schemas; None if a part of it is unknown."""
    if not isinstance(instance, InstanceValue) or instance.makes != "rule":
        return None
    facts: dict[str, Any] = {"rule": instance.fields["rule"]}
    names = ("value_path", "value_name", "custom_value_path", "finder", "entity")
    for key, name in (("translation_path", "path"), *zip(names, names, strict=True)):
        value = instance.fields.get(key)
        if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
            facts[name] = list(value)
        elif isinstance(value, str):
            facts[name] = value
        elif value is not None and name not in ("finder", "entity"):
            return None
    return facts if isinstance(facts["rule"], str) and "path" in facts else None


def supports_snapshots(cls: ClassValue) -> bool | None:
    """Whether the deletion policy Snapshot is allowed, for which Heat asks for a handler; None if an unknown ancestor
    or a decorator may define it.
    """
    if "handle_snapshot_delete" in list_handlers(cls):
        return True
    unknown = cls.odd is not None or any(isinstance(ancestor, OpaqueValue) for ancestor in cls.lineage())
    return None if unknown else False


def list_handlers(cls: ClassValue) -> tuple[str, ...]:
    """The names of the handlers in the class and its ancestors below Resource, such as `handle_create`."""
    names = {
        name
        for ancestor in cls.lineage()
        if isinstance(ancestor, ClassValue)
        for name in list_own_methods(ancestor)
        if HANDLER.fullmatch(name)
    }
    return tuple(sorted(names))
