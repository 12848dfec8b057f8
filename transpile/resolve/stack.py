"""The linked stack: a template with everything that its names lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.evaluate.pure import fold
from transpile.model.ir import ConditionRef, Environment, Resource, Template, data
from transpile.model.records import EMPTY, field, node
from transpile.resolve.registry import Registry
from transpile.schema import catalog, parameters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.model.ir import Expr
    from transpile.resolve.environments import Binding
    from transpile.resolve.registry import Found, Registration
    from transpile.schema.catalog import Type
    from transpile.text.source import Root


@final
@node
class Nested:
    """A template that stands for a resource, or for the members of a group: linked, with what its registry leaves."""

    file: str
    stack: Stack
    by: Found
    facts: Type


@final
@node
class Stack:
    """A linked template.

    `types`: for each resource its type after aliases; `unknown`: offsets of references that lead nowhere; `nested`: by
    name of the resource and the type as written there, as is `chosen`, the entries that have candidates; `enabled`:
    whether a resource's condition holds with the values at hand, None where it is not known.
    """

    template: Template
    root: Root
    types: Mapping[str, str]
    given: Mapping[str, Binding]
    environments: tuple[Environment, ...] = ()
    unknown: frozenset[int] = frozenset()
    needs: Mapping[str, Sequence[str]] = EMPTY  # implicit dependencies
    registry: Registry = field(default_factory=Registry, compare=False)
    circular: frozenset[str] = frozenset()  # conditions that need one another, and that nothing asks for
    nested: Mapping[tuple[str, str], Nested] = field(default=EMPTY, compare=False)
    enabled: Mapping[str, bool | None] = field(default=EMPTY, compare=False)
    passed: frozenset[str] = frozenset()  # parameters that the stack around this one gives values to
    chosen: Mapping[tuple[str, str], Registration] = field(default=EMPTY, compare=False)

    def type_of(self, kind: str, name: str = "") -> str:
        """A type by any name that the environment has for it."""
        found = self.registry.find(kind, name)
        return found.kind if found is not None else catalog.canonical(kind)

    def facts(self, resource: Resource) -> Type | None:
        """What is known of a resource's type; None for a type that Heat has not got, or a template out of reach."""
        return facts_of(resource, self.types, self.nested)

    def settled(self, condition: Expr) -> Expr:
        """A condition by its definition, a literal if it is constant."""
        seen = set[str]()
        while isinstance(condition, ConditionRef) and condition.name not in seen:
            if condition.name not in self.template.conditions:
                break
            seen.add(condition.name)
            condition = self.template.conditions[condition.name].value
        return fold(condition)


def facts_of(resource: Resource, types: Mapping[str, str], nested: Mapping[tuple[str, str], Nested]) -> Type | None:
    """What is known of a resource's type, by its name after aliases, or by the template that stands for it."""
    if (inside := nested.get((resource.name, resource.type))) is not None:
        return inside.facts
    return catalog.find(types[resource.name])


def known_parameters(
    template: Template, given: Mapping[str, Binding], passed: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The values of the parameters that have one, as far as they can be converted; not of those that are `passed`, for
    the values are the other stack's.
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
