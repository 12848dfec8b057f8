"""A stack → a Terraform directory.

The easy rule to break: an attempt is made under a plan; what it cannot say changes the plan, and the next attempt begins from nothing. Files come out in the order
of the contract, blocks in the order of the template.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emitters.hcl import functions, hooks
from emitters.hcl.assemble import assemble
from emitters.hcl.directory import Directory
from emitters.hcl.plan import Plan
from emitters.hcl.write import write
from transpile.link import Stack
from transpile.targets import Output

hooks.load()
assert functions.LOWERS  # importing registers them


def emit(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The files, the report and the diagnostics."""
    plan = Plan(stack)
    while True:
        directory = Directory(stack, plan)
        grown = False
        for name, reason in write(directory):
            output = stack.template.outputs.get(name.removeprefix("output ")) if name.startswith("output ") else None
            grown |= plan.keep_output(output, reason) if output is not None else plan.keep(name, reason)
        if not grown:
            return assemble(directory)
        plan.arrange()
