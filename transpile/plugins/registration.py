"""Finds the types and constraints that modules register, by evaluating their mapping functions as Heat calls them.

Invariant: if a module has both `available_resource_mapping` and `resource_mapping`, the former counts, as in Heat. The
types that only the latter has are conditional.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.model.records import record
from transpile.plugins.machine import PluginMachine
from transpile.plugins.values import (
    MISSING,
    BoundMethod,
    BuiltinValue,
    ClassValue,
    FunctionValue,
    Maybe,
    ModuleValue,
    NodePlace,
    OpaqueValue,
    Raised,
    TableValue,
    Value,
)

if TYPE_CHECKING:
    import ast


NAMES = ("available_resource_mapping", "resource_mapping")


@final
@record
class PluginMapping:
    """The result of a mapping function. `classes`: by name of the type, with whether the type is conditional;
    `library`: the library whose presence the function checks; `problem`: why the result or a part of it is unknown;
    `empty`: the type of the result, if it is not a dict.
    """

    function: str
    place: NodePlace
    classes: dict[str, tuple[Value, bool]]
    library: str = ""
    problem: OpaqueValue | None = None
    empty: str = ""


def evaluate_resource_mappings(run: PluginMachine, module: ModuleValue) -> list[PluginMapping]:
    """The resource mapping of a module, if it has one."""
    names = [name for name in NAMES if is_function(module.names.get(name, MISSING))]
    if not names:
        return []
    first = evaluate_mapping(run, module, names[0])
    if len(names) == 2 and not first.classes:
        # Whether its condition holds is unknown, so the types come from the other function, and are conditional.
        other = evaluate_mapping(run, module, names[1])
        other.classes = {name: (value, True) for name, (value, _) in other.classes.items()}
        other.library = first.library or other.library
        if other.classes:
            return [other]
    elif len(names) == 2:
        other = evaluate_mapping(run, module, names[1])
        for name, (value, _) in other.classes.items():
            first.classes.setdefault(name, (value, True))
    return [first]


def is_function(value: Value) -> bool:
    return isinstance(value, FunctionValue | BuiltinValue | BoundMethod | OpaqueValue)


def evaluate_mapping(run: PluginMachine, module: ModuleValue, name: str) -> PluginMapping:
    """Evaluates a mapping function of a module."""
    assert module.unit is not None
    function = module.names[name]
    node: ast.AST = function.node if isinstance(function, FunctionValue) else module.unit.parse_tree()
    out = PluginMapping(
        name,
        NodePlace(function.module.unit or module.unit if isinstance(function, FunctionValue) else module.unit, node),
        {},
    )
    if isinstance(function, OpaqueValue):
        out.problem = function
        return out
    run.asked_libraries.clear()
    try:
        value = run.invoke(function, [], out.place)
    except Raised as error:
        out.problem = OpaqueValue(f"it raises {error.name}", error.place)
        return out
    out.library = next(iter(run.asked_libraries), function.requires if isinstance(function, FunctionValue) else "")
    run.asked_libraries.clear()
    if isinstance(value, OpaqueValue):
        out.problem = value
    elif isinstance(value, TableValue):
        out.problem = value.unknown
        for key, entry in value.items():
            if isinstance(key, str):
                out.classes[key] = (entry.value, True) if isinstance(entry, Maybe) else (entry, False)
    elif value is not None:
        out.empty = (
            type(value).__name__ if isinstance(value, list | tuple | str | int | float | set) else "something else"
        )
    return out


def evaluate_constraint_mapping(run: PluginMachine, module: ModuleValue) -> dict[str, Any] | PluginMapping:
    """The custom constraints of a module by name, with their classes (None if unknown). If the result of the mapping
    function is unusable, the mapping, which has the reason.
    """
    if not is_function(module.names.get("constraint_mapping", MISSING)):
        return {}
    mapping = evaluate_mapping(run, module, "constraint_mapping")
    if mapping.empty or (mapping.problem is not None and not mapping.classes):
        return mapping
    return {name: value if isinstance(value, ClassValue) else None for name, (value, _) in mapping.classes.items()}
