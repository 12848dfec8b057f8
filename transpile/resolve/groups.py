"""The contents of groups and stacks as far as they are literal: member types, member properties, emptiness."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from transpile.model import heat_types
from transpile.model.ir import Expr, FileRef, If, Lit, Map, ParamRef, Resource, Seq, as_map, walk

STACKS = {heat_types.STACK: ("template", "parameters"), heat_types.AWS_STACK: ("TemplateURL", "Parameters")}
INSIDE = "stack of its own"  # in keys of `Stack.nested`, in place of a type: the template is in a property
GROUPS = {heat_types.RESOURCE_GROUP: "resource_def", heat_types.AUTO_SCALING_GROUP: "resource"}


def member_types(resource: Resource, kind: str) -> Iterator[tuple[str, int, str]]:
    """The types that a group names for its members: for each the type as written, its offset, and the name of a member
    that has it. All members of a resource group have one type, so its one row has the name "0".
    """
    if kind in GROUPS:
        definition = resource.find_property(GROUPS[kind])
        inner = definition.get("type") if isinstance(definition, Map) else None
        if isinstance(inner, Lit) and isinstance(inner.value, str):
            yield inner.value, inner.at, "0"
    elif kind == heat_types.RESOURCE_CHAIN and isinstance(listed := resource.find_property("resources"), Seq):
        for number, item in enumerate(listed.items):
            if isinstance(item, Lit) and isinstance(item.value, str):
                yield item.value, item.at, str(number)


def member_type_places(resource: Resource, kind: str) -> Iterator[Expr]:
    """The expressions from which Heat reads the types of members, through the branches of conditions: for example
    `My::Node` in `resource_def: {type: {if: [large, My::Node, node.yaml]}}`. A list of types may be one expression.
    """
    if kind in GROUPS:
        for definition in list_branches(resource.find_property(GROUPS[kind])):
            if isinstance(definition, Map):
                yield from list_branches(definition.get("type"))
    elif kind == heat_types.RESOURCE_CHAIN:
        for listed in list_branches(resource.find_property("resources")):
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
    if kind not in GROUPS:
        return False
    words = ("count",) if kind == heat_types.RESOURCE_GROUP else ("desired_capacity", "min_size")
    size = resource.find_property(*words)
    return size is not None and value(size) in (0, "0")


def nested_parameter_names(resource: Resource, written: str) -> Iterator[str]:
    """The nested template's parameters that a resource, or the definition of its members, sets."""
    yield from (entry.key for entry in nested_parameter_values(resource, written).entries)


def nested_parameter_values(resource: Resource, written: str) -> Map:
    """The map of values that a resource passes to the parameters of a nested template, as far as it is literal."""
    if written == resource.type:
        return resource.properties
    if written != INSIDE:
        return member_properties(resource)
    values = resource.find_property(*(inner for _, inner in STACKS.values()))
    return as_map(values)


def member_properties(resource: Resource) -> Map:
    """The properties that each member of a group gets, as far as they are literal."""
    definition = next((d for key in GROUPS.values() if isinstance(d := resource.find_property(key), Map)), None)
    inner = definition.get("properties") if definition else resource.find_property("resource_properties")
    return as_map(inner)


def find_stack_template(resource: Resource) -> Expr | None:
    """The template of a stack resource, if it is a file or a URL."""
    if (url := resource.find_property("TemplateURL")) is not None:
        return url
    source = resource.find_property("template")
    return source if source is not None and any(isinstance(e, FileRef) for e in walk(source)) else None
