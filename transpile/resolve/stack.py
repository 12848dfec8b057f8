"""The linked stack: a template with its names, types and nested templates resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.evaluate.pure import fold
from transpile.model.ir import ConditionRef, Environment, Resource, Template, data
from transpile.model.records import EMPTY, field, node
from transpile.resolve.registry import Registry
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.model.ir import Expr
    from transpile.resolve.environments import Binding
    from transpile.resolve.registry import Found, Registration
    from transpile.schema.catalog import Catalog, Type
    from transpile.text.source import Root


@final
@node
class Nested:
    """The linked template that is the type of a resource or of the members of a group. `resolved_type`: the type in the
    registry; `facts`: the template as a resource type.
    """

    file: str
    stack: Stack
    by: Found
    facts: Type


@final
@node
class Stack:
    """A linked template.

    `types`: the kind of each resource, its type after aliases. `bindings`: the values of parameters from environments
    and the command line. `unknown_references`: offsets of references to a name that is not declared. `nested`: nested
    stacks by resource name and type as written; `chosen`: registry entries with candidates, by the same key.
    `enabled`: whether a resource's condition holds with the known values, None if that is unknown.
    """

    template: Template
    root: Root
    types: Mapping[str, str]
    given: Mapping[str, Binding]
    environments: tuple[Environment, ...] = ()
    unknown: frozenset[int] = frozenset()
    needs: Mapping[str, Sequence[str]] = EMPTY  # implicit dependencies
    registry: Registry = field(default_factory=Registry, compare=False)
    circular: frozenset[str] = frozenset()  # conditions in a cycle
    nested: Mapping[tuple[str, str], Nested] = field(default=EMPTY, compare=False)
    enabled: Mapping[str, bool | None] = field(default=EMPTY, compare=False)
    passed: frozenset[str] = frozenset()  # parameters that the outer stack sets
    chosen: Mapping[tuple[str, str], Registration] = field(default=EMPTY, compare=False)

    @property
    def catalog(self) -> Catalog:
        """The types that are neither templates nor mapped by an environment."""
        return self.registry.catalog

    def type_of(self, kind: str, name: str = "") -> str:
        """The canonical type for any name that the environment has for it."""
        found = self.registry.find(kind, name)
        return found.kind if found is not None else self.catalog.canonical(kind)

    def facts(self, resource: Resource) -> Type | None:
        """The catalog entry of a resource; None for a type unknown to Heat, or a template that cannot be read."""
        return facts_of(resource, self.types, self.nested, self.catalog)

    def settled(self, condition: Expr) -> Expr:
        """A condition with named conditions replaced by their definitions, folded to a literal if it is constant."""
        seen = set[str]()
        while isinstance(condition, ConditionRef) and condition.name not in seen:
            if condition.name not in self.template.conditions:
                break
            seen.add(condition.name)
            condition = self.template.conditions[condition.name].value
        return fold(condition, self.template.source)


def facts_of(
    resource: Resource, types: Mapping[str, str], nested: Mapping[tuple[str, str], Nested], catalog: Catalog
) -> Type | None:
    """The catalog entry of a resource's type, or of the template behind it."""
    if (inside := nested.get((resource.name, resource.type))) is not None:
        return inside.facts
    return catalog.find(types[resource.name])


def known_parameters(
    template: Template, given: Mapping[str, Binding], passed: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The values of all parameters that have a valid one: that of `bindings`, or else the default. Parameters that the
    outer stack passes are left out, because their values are not known.
    """
    out: dict[str, Any] = {}
    for name, param in template.parameters.items():
        if name in passed:
            continue
        if name in given:
            if not given[name].wrong:
                out[name] = given[name].value
        elif param.default is not None:
            try:
                out[name] = parameters.convert(param.type, data(param.default))
            except (ValueError, TypeError):
                continue
    return out
