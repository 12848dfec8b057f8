"""How the templates of a tree are used: as stacks, each with its environments, or by the templates of stacks.

Invariant: it follows from the plan alone, so a command that checks a tree and one that converts it agree on what
belongs together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.model.records import EMPTY, field, node
from transpile.resolve import graph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.repository.plan import Plan

MOST = 16  # different environments with which one nested template is looked at by itself


@final
@node
class Use:
    """One use of a template. `environments`, `parameters`, `render`: those of the stack; `called`: the template is
    nested in the stack, so that its parameters are given by others.
    """

    environments: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default=EMPTY, compare=False)
    render: Mapping[str, Any] = field(default=EMPTY, compare=False)
    called: bool = False


def uses(plan: Plan) -> dict[str, tuple[Use, ...]]:
    """All uses of each template. A template that is a stack is not looked at as a nested one."""
    found: dict[str, dict[Use, None]] = {}
    for stack in plan.stacks:
        mine = found.setdefault(stack.template, {})
        mine.setdefault(Use(stack.environments, stack.parameters, stack.render))
    inner: dict[str, list[str]] = {}
    for path, referrers in plan.nested.items():
        for referrer in referrers:
            inner.setdefault(referrer, []).append(path)
    roots = set(found)
    for stack in plan.stacks:
        for path in sorted(graph.reachable(inner, (stack.template, *stack.environments))):
            if path not in roots and len(mine := found.setdefault(path, {})) < MOST:
                mine.setdefault(Use(stack.environments, called=True))
    for path in plan.nested:
        found.setdefault(path, {Use(called=True): None})
    return {path: tuple(each) for path, each in found.items()}
