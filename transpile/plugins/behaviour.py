"""Reads facts from the methods of a resource class: the value of get_resource, handlers, translation rules.

Invariant: a method is evaluated on a resource that has an identifier and a name, and whose other attributes are
unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from transpile.plugins import heat
from transpile.plugins.inherited import data
from transpile.plugins.values import MISSING, Bound, Class, Function, Instance, Opaque, Raised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Place, Value

HANDLER = re.compile(r"handle_\w+|check_\w+_complete")
TELLING = re.compile(
    rf"{HANDLER.pattern}|validate|get_attribute|FnGetAtt|get_reference_id|FnGetRefId|translation_rules"
)


def decides(cls: Class, fact: str, *methods: str) -> bool:
    """Whether the class or an ancestor below Resource overrides one of these methods. For one of Heat's own classes,
    heat.json has the answer as `fact`.
    """
    for one in cls.line():
        if isinstance(one, Opaque):
            return False
        if one.known is not None and "type" in one.known:
            return bool(data()["types"].get(one.known["type"], {}).get(fact))
        if any(name in overridden(one) for name in methods):
            return True
    return False


def overridden(cls: Class) -> Iterable[str]:
    """The methods that the body of a class defines."""
    if cls.known is not None:
        found: list[str] = cls.known.get("methods", [])
        return found
    return [name for name, value in cls.names.items() if isinstance(value, Function)]


def reference(run: Machine, cls: Class, place: Place) -> str:
    """The kind of value that get_resource returns: "id", "name", or "?" if it is unknown."""
    for one in cls.line():
        if isinstance(one, Opaque):
            return "?"
        if one.known is not None and "type" in one.known:
            found: str = data()["types"].get(one.known["type"], {}).get("ref", "id")
            return "?" if found == "custom" else found
        if any(name in overridden(one) for name in ("get_reference_id", "FnGetRefId")):
            if one.known is not None:
                own: str = one.known.get("ref", "?")
                return own
            break
    else:
        return "id"
    value = method(run, cls, place, cls.find("FnGetRefId"), "id")
    if value is heat.TOKENS["id"] and isinstance(cls.find("get_reference_id"), Function):
        value = method(run, cls, place, cls.find("get_reference_id"), "id")
    return next((name for name, token in heat.TOKENS.items() if token is value), "?")


def method(run: Machine, cls: Class, place: Place, function: Value, otherwise: str) -> Value:
    """The result of a method on a resource without a stack: all its arguments are unknown. `otherwise`: the token to
    return if `function` is not a function of the plug-in; MISSING if it certainly raises.
    """
    if not isinstance(function, Function):
        return heat.TOKENS[otherwise]
    fields = {"resource_id": heat.TOKENS["id"]}
    resource = Instance(cls, "resource", fields, place)
    arguments: list[Value] = [Opaque("only a stack knows it", place)] * (len(function.node.args.args) - 1)
    try:
        return run.invoke(Bound(function, resource), arguments, place)
    except Raised:
        return MISSING


def rule(one: Value) -> dict[str, Any] | None:
    """A translation rule in the form of a dump of Heat's schemas; None if a part of it is unknown."""
    if not isinstance(one, Instance) or one.makes != "rule":
        return None
    made: dict[str, Any] = {"rule": one.fields["rule"]}
    names = ("value_path", "value_name", "custom_value_path", "finder", "entity")
    for key, name in (("translation_path", "path"), *zip(names, names, strict=True)):
        value = one.fields.get(key)
        if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
            made[name] = list(value)
        elif isinstance(value, str):
            made[name] = value
        elif value is not None and name not in ("finder", "entity"):
            return None
    return made if isinstance(made["rule"], str) and "path" in made else None


def handlers(cls: Class) -> tuple[str, ...]:
    """The names of the handlers in the class and its ancestors below Resource, such as `handle_create`."""
    found = {
        name for one in cls.line() if isinstance(one, Class) for name in overridden(one) if HANDLER.fullmatch(name)
    }
    return tuple(sorted(found))
