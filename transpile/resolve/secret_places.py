"""The places in templates whose messages may quote a hidden value: the declarations that refer to a hidden parameter,
directly or through others.

Invariant: a message about a value that was computed from a hidden one has one of these places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.model.ir import AttrRef, ConditionRef, ParamRef, ResourceRef, walk
from transpile.resolve.groups import passed_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from transpile.diagnostics.model import Diagnostic
    from transpile.model.ir import Expr, Template
    from transpile.resolve.stack import Stack

Key = tuple[str, str]  # parameter, resource, condition or output, and a name
Places = dict[int, list[tuple[int, int]]]  # by the identity of the source
PARAMETER, RESOURCE, CONDITION, OUTPUT = "parameter", "resource", "condition", "output"


def of(templates: Iterable[Template], stacks: Iterable[Stack], names: set[str]) -> Places:
    """The places in these templates, if the parameters with these names are hidden."""
    found: dict[int, tuple[Template, set[Key]]] = {}
    for template in templates:
        first = {(PARAMETER, name) for name in template.parameters if name in names}
        found[id(template)] = template, spread(template, first)
    todo = list(stacks)
    while todo:  # what a nested template gets from a secret part is secret there
        stack = todo.pop()
        reached = found.get(id(stack.template), (stack.template, set()))[1]
        for (owner, written), nested in stack.nested.items():
            inner = nested.stack
            passed = passed_on(stack.template.resources[owner], written)
            more = {
                (PARAMETER, entry.key)
                for entry in (passed.entries if passed is not None else ())
                if entry.key in inner.template.parameters and not reached.isdisjoint(keys(walk(entry.value)))
            }
            known = found.setdefault(id(inner.template), (inner.template, set()))[1]
            if more - known:
                known |= spread(inner.template, known | more)
                todo.append(inner)
    return {id(template.source): list(spans(template, reached)) for template, reached in found.values()}


def spread(template: Template, first: set[Key]) -> set[Key]:
    """These declarations, and all that refer to one of them, directly or through others."""
    users: dict[Key, list[Key]] = {}
    for kind, section in parts(template).items():
        for name, one in section.items():
            for key in keys(getattr(one, "refs", ())):
                users.setdefault(key, []).append((kind, name))
    reached, todo = set(first), list(first)
    while todo:
        for user in users.get(todo.pop(), ()):
            if user not in reached:
                reached.add(user)
                todo.append(user)
    return reached


def parts(template: Template) -> Mapping[str, Mapping[str, object]]:
    return {
        PARAMETER: template.parameters,
        RESOURCE: template.resources,
        CONDITION: template.conditions,
        OUTPUT: template.outputs,
    }


def keys(exprs: Iterable[Expr]) -> Iterator[Key]:
    """The declarations that these references name."""
    for one in exprs:
        if isinstance(one, ParamRef):
            yield PARAMETER, one.name
        elif isinstance(one, (ResourceRef, AttrRef)):
            yield RESOURCE, one.name
        elif isinstance(one, ConditionRef):
            yield CONDITION, one.name


def spans(template: Template, reached: set[Key]) -> Iterator[tuple[int, int]]:
    for kind, section in parts(template).items():
        for name, one in section.items():
            if (kind, name) in reached:
                yield getattr(one, "at", -1), getattr(one, "end", -1)


def touches(one: Diagnostic, places: Places) -> bool:
    """Whether a diagnostic overlaps one of these places, or a secret part of its source."""
    if one.source is None:
        return False
    end = max(one.end, one.at + 1)
    if any(at < end and one.at < stop for at, stop in places.get(id(one.source), ())):
        return True
    source, start = one.source.origin(one.at)
    stop = start + end - one.at
    return any(first < stop and start < last for first, last in source.secret)
