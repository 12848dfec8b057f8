"""Lists the uses of each template of a tree: as a stack with its environments, or nested in one.

Invariant: the uses follow from the plan alone, so the commands that check and that convert a tree agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from transpile.model.records import EMPTY, field, node
from transpile.repository.plan import MigrationPlan
from transpile.resolve import graph

MOST = 16  # uses of one nested template, with different environments


@final
@node
class TemplateUse:
    """One use of a template. `environments`, `parameters`, `render`: those of the stack; `called`: the template is
    nested in the stack, so another template sets its parameters.
    """

    environments: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default=EMPTY, compare=False)
    render: Mapping[str, Any] = field(default=EMPTY, compare=False)
    called: bool = False


def list_uses(plan: MigrationPlan) -> dict[str, tuple[TemplateUse, ...]]:
    """All uses of each template. A template that is a stack has no uses as a nested one."""
    uses: dict[str, dict[TemplateUse, None]] = {}
    for stack in plan.stacks:
        mine = uses.setdefault(stack.template, {})
        mine.setdefault(TemplateUse(stack.environments, stack.parameters, stack.render))
    inner = graph.reverse_edges(plan.nested)
    roots = set(uses)
    for stack in plan.stacks:
        for path in sorted(graph.reachable_nodes(inner, (stack.template, *stack.environments))):
            if path not in roots and len(mine := uses.setdefault(path, {})) < MOST:
                mine.setdefault(TemplateUse(stack.environments, called=True))
    for path in plan.nested:
        uses.setdefault(path, {TemplateUse(called=True): None})
    return {path: tuple(each) for path, each in uses.items()}
