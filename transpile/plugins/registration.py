"""Finds the types and constraints that modules register, by evaluating their mapping functions as Heat calls them.

Invariant: if a module has both `available_resource_mapping` and `resource_mapping`, the former counts, as in Heat. The
types that only the latter has are conditional.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.model.records import record
from transpile.plugins.values import (
    MISSING,
    Bound,
    Builtin,
    Class,
    Function,
    Maybe,
    Module,
    Opaque,
    Place,
    Raised,
    Table,
)

if TYPE_CHECKING:
    import ast

    from transpile.plugins.machine import Machine
    from transpile.plugins.values import Value

NAMES = ("available_resource_mapping", "resource_mapping")


@final
@record
class Mapping:
    """The result of a mapping function. `classes`: by name of the type, with whether the type is conditional;
    `library`: the library whose presence the function checks; `problem`: why the result or a part of it is unknown;
    `empty`: the type of the result, if it is not a dict.
    """

    function: str
    place: Place
    classes: dict[str, tuple[Value, bool]]
    library: str = ""
    problem: Opaque | None = None
    empty: str = ""


def mappings(run: Machine, module: Module) -> list[Mapping]:
    """The resource mapping of a module, if it has one."""
    found = [name for name in NAMES if is_function(module.names.get(name, MISSING))]
    if not found:
        return []
    first = mapping(run, module, found[0])
    if len(found) == 2 and not first.classes:
        # Whether its condition holds is unknown, so the types come from the other function, and are conditional.
        other = mapping(run, module, found[1])
        other.classes = {name: (value, True) for name, (value, _) in other.classes.items()}
        other.library = first.library or other.library
        if other.classes:
            return [other]
    elif len(found) == 2:
        other = mapping(run, module, found[1])
        for name, (value, _) in other.classes.items():
            first.classes.setdefault(name, (value, True))
    return [first]


def is_function(value: Value) -> bool:
    return isinstance(value, Function | Builtin | Bound | Opaque)


def mapping(run: Machine, module: Module, name: str) -> Mapping:
    """Evaluates a mapping function of a module."""
    assert module.unit is not None
    function = module.names[name]
    node: ast.AST = function.node if isinstance(function, Function) else module.unit.parse()
    out = Mapping(
        name, Place(function.module.unit or module.unit if isinstance(function, Function) else module.unit, node), {}
    )
    if isinstance(function, Opaque):
        out.problem = function
        return out
    run.asked.clear()
    try:
        value = run.invoke(function, [], out.place)
    except Raised as error:
        out.problem = Opaque(f"it raises {error.name}", error.place)
        return out
    out.library = next(iter(run.asked), function.requires if isinstance(function, Function) else "")
    run.asked.clear()
    if isinstance(value, Opaque):
        out.problem = value
    elif isinstance(value, Table):
        out.problem = value.unknown
        for key, one in value.items():
            if isinstance(key, str):
                out.classes[key] = (one.value, True) if isinstance(one, Maybe) else (one, False)
    elif value is not None:
        out.empty = (
            type(value).__name__ if isinstance(value, list | tuple | str | int | float | set) else "something else"
        )
    return out


def constraints(run: Machine, module: Module) -> dict[str, Any] | Mapping:
    """The custom constraints of a module by name, with their classes (None if unknown). If the result of the mapping
    function is unusable, the mapping, which has the reason.
    """
    if not is_function(module.names.get("constraint_mapping", MISSING)):
        return {}
    found = mapping(run, module, "constraint_mapping")
    if found.empty or (found.problem is not None and not found.classes):
        return found
    return {name: value if isinstance(value, Class) else None for name, (value, _) in found.classes.items()}
