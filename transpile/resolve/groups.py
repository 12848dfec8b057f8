"""The contents of groups and stacks as far as they are literal: member types, member properties, emptiness."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from transpile.model import heat_types
from transpile.model.ir import Expr, FileRef, If, Lit, Map, ParamRef, Resource, Seq, walk

STACKS = {heat_types.STACK: ("template", "parameters"), heat_types.AWS_STACK: ("TemplateURL", "Parameters")}
INSIDE = "stack of its own"  # in keys of `Stack.nested`, in place of a type: the template is in a property
GROUPS = {heat_types.RESOURCE_GROUP: "resource_def", heat_types.AUTO_SCALING_GROUP: "resource"}


def member_types(resource: Resource, kind: str) -> Iterator[tuple[str, int, str]]:
    """The types that a group names for its members: for each the type as written, its offset, and the name of a member
    that has it. All members of a resource group have one type, so its one row has the name "0".
    """
    properties = resource.properties
    if properties is None:
        return
    if kind in GROUPS:
        definition = properties.get(GROUPS[kind])
        inner = definition.get("type") if isinstance(definition, Map) else None
        if isinstance(inner, Lit) and isinstance(inner.value, str):
            yield inner.value, inner.at, "0"
    elif kind == heat_types.RESOURCE_CHAIN and isinstance(listed := properties.get("resources"), Seq):
        for number, item in enumerate(listed.items):
            if isinstance(item, Lit) and isinstance(item.value, str):
                yield item.value, item.at, str(number)


def member_type_places(resource: Resource, kind: str) -> Iterator[Expr]:
    """The expressions from which Heat reads the types of members, through the branches of conditions: for example
    `My::Node` in `resource_def: {type: {if: [large, My::Node, node.yaml]}}`. A list of types may be one expression.
    """
    properties = resource.properties
    if properties is None:
        return
    if kind in GROUPS:
        for definition in list_branches(properties.get(GROUPS[kind])):
            if isinstance(definition, Map):
                yield from list_branches(definition.get("type"))
    elif kind == heat_types.RESOURCE_CHAIN:
        for listed in list_branches(properties.get("resources")):
            for item in listed.items if isinstance(listed, Seq) else (listed,):
                yield from list_branches(item)


def list_branches(expr: Expr | None) -> list[Expr]:
    """The values that a conditional expression may have; an expression of another kind is its only value."""
    if isinstance(expr, If):
        return [*list_branches(expr.then), *list_branches(expr.orelse)]
    return [expr] if expr is not None else []


def types_at_place(place: Expr, values: Mapping[str, Any]) -> list[str]:
    """The types that Heat reads at a place, as far as they are known. values: those of the parameters."""
    if isinstance(place, Lit):
        value = place.value
    else:
        value = values.get(place.name) if isinstance(place, ParamRef) and not place.path else None
    return [word for word in (value if isinstance(value, list) else [value]) if isinstance(word, str)]


def is_empty_group(resource: Resource, kind: str, value: Callable[[Expr], Any]) -> bool:
    """Whether a group starts without members; Heat then does not check their definition."""
    properties = resource.properties
    if kind not in GROUPS or properties is None:
        return False
    words = ("count",) if kind == heat_types.RESOURCE_GROUP else ("desired_capacity", "min_size")
    size = next((expr for word in words if (expr := properties.get(word)) is not None), None)
    return size is not None and value(size) in (0, "0")


def nested_parameter_names(resource: Resource, written: str) -> Iterator[str]:
    """The nested template's parameters that a resource, or the definition of its members, sets."""
    properties = nested_parameter_values(resource, written)
    if properties is not None:
        yield from (entry.key for entry in properties.entries)


def nested_parameter_values(resource: Resource, written: str) -> Map | None:
    """The map of values that a resource passes to the parameters of a nested template."""
    if written == resource.type:
        return resource.properties
    if written != INSIDE:
        return member_properties(resource)
    words = [inner for _, inner in STACKS.values()]
    properties = resource.properties
    values = next((p for word in words if properties is not None and (p := properties.get(word)) is not None), None)
    return values if isinstance(values, Map) else None


def member_properties(resource: Resource) -> Map | None:
    """The properties that each member of a group gets."""
    properties = resource.properties
    if properties is None:
        return None
    definition = next((d for key in GROUPS.values() if isinstance(d := properties.get(key), Map)), None)
    inner = definition.get("properties") if definition is not None else properties.get("resource_properties")
    return inner if isinstance(inner, Map) else None


def find_stack_template(resource: Resource) -> Expr | None:
    """The template of a stack resource, if it is a file or a URL."""
    properties = resource.properties
    if properties is None:
        return None
    if (url := properties.get("TemplateURL")) is not None:
        return url
    source = properties.get("template")
    return source if source is not None and any(isinstance(e, FileRef) for e in walk(source)) else None
