"""The linked stack: a template with its names, types and nested templates resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

from transpile.evaluate.pure import fold_call
from transpile.model.ir import ConditionRef, Environment, Expr, Resource, Template
from transpile.model.records import EMPTY, field, node
from transpile.resolve.environments import Binding
from transpile.resolve.placeholder_values import PlaceholderValue
from transpile.resolve.registry import Registration, ResolvedType, ResourceRegistry
from transpile.schema import parameters
from transpile.text.source import Root

if TYPE_CHECKING:
    from transpile.schema.catalog import Catalog, TypeFacts


@final
@node
class NestedStack:
    """The linked template that is the type of a resource or of the members of a group. `resolved_type`: the type in the
    registry; `facts`: the template as a resource type.
    """

    file: str
    stack: Stack
    resolved_type: ResolvedType
    facts: TypeFacts


@final
@node
class Stack:
    """A linked template.

    `types`: the kind of each resource, its type after aliases. `bindings`: the values of parameters from environments
    and the command line. `unknown_references`: offsets of references to a name that is not declared. `nested`: nested
    stacks by resource name and type as written; `chosen`: registry entries with candidates, by the same key.
    `enabled`: whether a resource's condition holds with the known values, None if that is unknown. `placeholders`: the
    values that were set aside because they stand for others (`placeholder_values.py`), by parameter. `name`: the user's
    name for the stack; empty if there is none. `shared_values`: by parameter, the values that any of the stacks which
    share the output gives it, the same for all of these. `sometimes_set`: parameters to which some of these stacks give
    a value, and others none.
    """

    template: Template
    root: Root
    types: Mapping[str, str]
    bindings: Mapping[str, Binding]
    environments: tuple[Environment, ...] = ()
    unknown_references: frozenset[int] = frozenset()
    needs: Mapping[str, Sequence[str]] = EMPTY  # implicit dependencies
    registry: ResourceRegistry = field(default_factory=ResourceRegistry, compare=False)
    circular_conditions: frozenset[str] = frozenset()  # conditions in a cycle
    nested: Mapping[tuple[str, str], NestedStack] = field(default=EMPTY, compare=False)
    enabled: Mapping[str, bool | None] = field(default=EMPTY, compare=False)
    passed_parameters: frozenset[str] = frozenset()  # parameters that the outer stack sets
    chosen: Mapping[tuple[str, str], Registration] = field(default=EMPTY, compare=False)
    placeholders: Mapping[str, PlaceholderValue] = field(default=EMPTY, compare=False)
    name: str = ""
    shared_values: Mapping[str, tuple[Any, ...]] = field(default=EMPTY, compare=False)
    sometimes_set: frozenset[str] = field(default=frozenset(), compare=False)

    def bound_values(self, name: str) -> list[Any]:
        """The values that environments and the command line give a parameter: its own, or those of all stacks that
        share the output.
        """
        if name in self.shared_values:
            return list(self.shared_values[name])
        return [self.bindings[name].value] if name in self.bindings else []

    @property
    def catalog(self) -> Catalog:
        """The types that are neither templates nor mapped by an environment."""
        return self.registry.catalog

    def canonical_type(self, kind: str, name: str = "") -> str:
        """The canonical type for any name that the environment has for it."""
        return self.registry.resolve_type(kind, name).kind

    def find_facts(self, resource: Resource) -> TypeFacts:
        """The catalog entry of a resource; empty for a type unknown to Heat, or a template that cannot be read."""
        return find_resource_facts(resource, self.types, self.nested, self.catalog)

    def fold_condition(self, condition: Expr) -> Expr:
        """A condition with named conditions replaced by their definitions, folded to a literal if it is constant."""
        seen = set[str]()
        while isinstance(condition, ConditionRef) and condition.name not in seen:
            if condition.name not in self.template.conditions:
                break
            seen.add(condition.name)
            condition = self.template.conditions[condition.name].value
        return fold_call(condition, self.template.source)


def walk_stacks(first: Stack | None) -> Iterator[Stack]:
    """A stack and all stacks nested in it, each once."""
    seen: set[int] = set()
    todo = [first] if first is not None else []
    while todo:
        stack = todo.pop()
        if id(stack) not in seen:
            seen.add(id(stack))
            yield stack
            todo += [inner.stack for inner in stack.nested.values()]


def find_resource_facts(
    resource: Resource, types: Mapping[str, str], nested: Mapping[tuple[str, str], NestedStack], catalog: Catalog
) -> TypeFacts:
    """The catalog entry of a resource's type, or of the template behind it; empty if there is none."""
    if (inside := nested.get((resource.name, resource.type))) is not None:
        return inside.facts
    return catalog.find_type(types[resource.name])


def collect_parameter_values(
    template: Template, bindings: Mapping[str, Binding], passed_parameters: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The values of all parameters that have a valid one: that of `bindings`, or else the default. Parameters that the
    outer stack passes are left out, because their values are not known.
    """
    values: dict[str, Any] = {}
    for name, param in template.parameters.items():
        if name in passed_parameters:
            continue
        if name in bindings:
            if not bindings[name].wrong:
                values[name] = bindings[name].value
        else:
            for default in parameters.convert_default(param):
                values[name] = default
    return values
