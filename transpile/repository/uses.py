"""Lists the uses of each template of a tree: as a stack with its environments, or nested in one.

Invariant: the uses follow from the plan alone, so the commands that check and that convert a tree agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from transpile.model.records import EMPTY, field, node
from transpile.resolve import graph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.repository.plan import Plan

MOST = 16  # uses of one nested template, with different environments


@final
@node
class Use:
    """One use of a template. `environments`, `parameters`, `render`: those of the stack; `called`: the template is
    nested in the stack, so another template sets its parameters.
    """

    environments: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default=EMPTY, compare=False)
    render: Mapping[str, Any] = field(default=EMPTY, compare=False)
    called: bool = False


def uses(plan: Plan) -> dict[str, tuple[Use, ...]]:
    """All uses of each template. A template that is a stack has no uses as a nested one."""
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
