"""The facts about a stack of the plan by which calls of Heat are rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from transpile.call_sites.terraform_commands import StackLocation
from transpile.model.records import EMPTY, field, node
from transpile.repository.plan import StackPlan


@final
@node
class StackFacts:
    """The facts about one stack of the plan. `location`: its place in the result; `variables`: the variable of each
    parameter; `outputs`: the name and the type of each output; `types`: the type of each parameter; `required`:
    parameters that only a command line gives a value; `asked`: other variables without a value, hidden ones for
    example; `hidden`: parameters with hidden values; `is_converted`: whether there is a result.
    """

    plan: StackPlan
    location: StackLocation
    is_converted: bool
    variables: Mapping[str, str] = field(default=EMPTY, compare=False)
    outputs: Mapping[str, tuple[str, str]] = field(default=EMPTY, compare=False)
    types: Mapping[str, str] = field(default=EMPTY, compare=False)
    required: frozenset[str] = frozenset()
    asked: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()
    name_variable: str = ""
    written_name: str = ""
