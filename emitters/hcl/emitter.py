"""A stack → a Terraform directory.

The easy rule to break: an attempt is made under a plan; what it cannot say changes the plan, and the next attempt
begins from nothing. Files come out in the order of the contract, blocks in the order of the template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.hcl import functions, hooks
from emitters.hcl.assemble import assemble
from emitters.hcl.directory import Directory
from emitters.hcl.lower import CannotSay
from emitters.hcl.plan import Plan
from emitters.hcl.write import write
from transpile.diagnostics import Diagnostic
from transpile.targets import Output

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.link import Stack

hooks.load()
assert functions.LOWERS  # importing registers them


def types(name: str | None) -> str:
    """What becomes of resource types, for people."""
    from emitters.hcl import listing

    return listing.types(name)


def emit(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The files, the report and the diagnostics."""
    plan = Plan(stack)
    while True:
        directory = Directory(stack, plan)
        grown = False
        failures = write(directory)
        for name, reason in failures:
            output = stack.template.outputs.get(name.removeprefix("output ")) if name.startswith("output ") else None
            grown |= plan.keep_output(output, reason) if output is not None else plan.keep(name, reason)
        if failures and not grown:  # it stays with Heat already, and a template of Heat's cannot say it either
            return Output(
                {},
                directory.report.as_json(),
                [*directory.sink.found, *(stuck(stack, name, reason) for name, reason in failures)],
            )
        if not failures:
            try:
                return assemble(directory)
            except CannotSay as reason:  # a condition of what stays with Heat
                found = [*directory.sink.found, stuck(stack, "A resource", reason)]
                return Output({}, directory.report.as_json(), found)
        plan.arrange()


def stuck(stack: Stack, name: str, reason: CannotSay) -> Diagnostic:
    """What neither side can say."""
    return Diagnostic(
        "HOT455",
        f"{name} must stay with Heat, but there it cannot be said: {reason.why}.",
        stack.template.source,
        max(reason.at, 0),
        reason.end,
    )
