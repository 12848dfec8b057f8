"""The places in templates whose messages may quote a hidden value: the declarations that refer to a hidden parameter,
directly or through others.

Invariant: a message about a value that was computed from a hidden one has one of these places.

This is no analysis of the value flow: a template that cannot be linked has places, too, but no graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from transpile.diagnostics.model import Diagnostic
from transpile.model.ir import AttrRef, ConditionRef, Expr, ParamRef, ResourceRef, Template, walk
from transpile.resolve.groups import nested_parameter_values
from transpile.resolve.stack import Stack

Key = tuple[str, str]  # parameter, resource, condition or output, and a name
Places = dict[int, list[tuple[int, int]]]  # by the identity of the source
PARAMETER, RESOURCE, CONDITION, OUTPUT = "parameter", "resource", "condition", "output"


def find_secret_places(templates: Iterable[Template], stacks: Iterable[Stack], names: set[str]) -> Places:
    """The places in these templates, if the parameters with these names are hidden."""
    reached_by_template: dict[int, tuple[Template, set[Key]]] = {}
    for template in templates:
        first = {(PARAMETER, name) for name in template.parameters if name in names}
        reached_by_template[id(template)] = template, collect_users(template, first)
    todo = list(stacks)
    while todo:  # a value that a nested template gets from a secret part is secret there
        stack = todo.pop()
        reached = reached_by_template.get(id(stack.template), (stack.template, set()))[1]
        for (owner, written), nested in stack.nested.items():
            inner = nested.stack
            passed = nested_parameter_values(stack.template.resources[owner], written)
            more = {
                (PARAMETER, entry.key)
                for entry in passed.entries
                if entry.key in inner.template.parameters and not reached.isdisjoint(reference_keys(walk(entry.value)))
            }
            inner_reached = reached_by_template.setdefault(id(inner.template), (inner.template, set()))[1]
            if more - inner_reached:
                inner_reached |= collect_users(inner.template, inner_reached | more)
                todo.append(inner)
    return {
        id(template.source): list(declaration_spans(template, reached))
        for template, reached in reached_by_template.values()
    }


def collect_users(template: Template, first: set[Key]) -> set[Key]:
    """These declarations, and all that refer to one of them, directly or through others."""
    users: dict[Key, list[Key]] = {}
    for kind, section in template_sections(template).items():
        for name, declaration in section.items():
            for key in reference_keys(getattr(declaration, "refs", ())):
                users.setdefault(key, []).append((kind, name))
    reached, todo = set(first), list(first)
    while todo:
        for user in users.get(todo.pop(), ()):
            if user not in reached:
                reached.add(user)
                todo.append(user)
    return reached


def template_sections(template: Template) -> Mapping[str, Mapping[str, object]]:
    return {
        PARAMETER: template.parameters,
        RESOURCE: template.resources,
        CONDITION: template.conditions,
        OUTPUT: template.outputs,
    }


def reference_keys(exprs: Iterable[Expr]) -> Iterator[Key]:
    """The declarations that these references name."""
    for expression in exprs:
        if isinstance(expression, ParamRef):
            yield PARAMETER, expression.name
        elif isinstance(expression, (ResourceRef, AttrRef)):
            yield RESOURCE, expression.name
        elif isinstance(expression, ConditionRef):
            yield CONDITION, expression.name


def declaration_spans(template: Template, reached: set[Key]) -> Iterator[tuple[int, int]]:
    for kind, section in template_sections(template).items():
        for name, declaration in section.items():
            if (kind, name) in reached:
                yield getattr(declaration, "at", -1), getattr(declaration, "end", -1)


def touches_secret(diagnostic: Diagnostic, places: Places) -> bool:
    """Whether a diagnostic overlaps one of these places, or a secret part of its source."""
    if diagnostic.source is None:
        return False
    end = max(diagnostic.end, diagnostic.at + 1)
    if any(at < end and diagnostic.at < stop for at, stop in places.get(id(diagnostic.source), ())):
        return True
    source, start = diagnostic.source.origin_of_offset(diagnostic.at)
    stop = start + end - diagnostic.at
    return any(first < stop and start < last for first, last in source.secret_ranges)
