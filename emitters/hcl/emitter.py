"""A stack → a Terraform directory.

The easy rule to break: an attempt is made under a plan; what it cannot say changes the plan, and the next attempt
begins from nothing. Files come out in the order of the contract, blocks in the order of the template.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from emitters.hcl import neighbours, summary
from emitters.hcl.assemble.directory import assemble
from emitters.hcl.directory import Directory
from emitters.hcl.lowering import functions
from emitters.hcl.lowering.lower import CannotSay
from emitters.hcl.nested.modules import Modules
from emitters.hcl.plan.planner import OUTPUT, Plan
from emitters.hcl.plan.preferences import FAITHFUL, NATIVE, PROVISIONERS
from emitters.hcl.plan.readers import Readers
from emitters.hcl.resources import hooks
from emitters.hcl.write import write
from transpile.diagnostics.model import Diagnostic, in_order
from transpile.targets import DIRECTORY, LOAD, Neighbours, Option, Output, Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.nested.modules import Module
    from transpile.resolve.linker import Stack

hooks.load()
assert functions.LOWERS  # importing registers them


def types(name: str | None) -> str:
    """What becomes of resource types, for people."""
    from emitters.hcl.resources import listing

    return listing.types(name)


def emit(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The files, the report and the diagnostics; the modules first, for who calls them asks for their outputs."""
    modules, prefer = Modules(stack), str(options["prefer"])
    for module in modules.order:
        attempt = settle(module.stack, modules, module, prefer)
        module.directory, module.why = attempt.directory, attempt.why
    attempt = settle(stack, modules, None, prefer)
    if attempt.directory is None:
        return Output({}, attempt.report, attempt.found)
    used = called(attempt.directory)
    files: dict[str, str | bytes] = {}
    found: list[Diagnostic] = []
    reports: dict[str, dict[str, Any]] = {}
    for directory in [*(m.directory for m in modules.order if m.directory in used), attempt.directory]:
        assert directory is not None
        try:
            output = assemble(directory)
        except CannotSay as reason:  # a condition of what stays with Heat
            failed = [*directory.sink.found, stuck(directory.stack, "A resource", reason)]
            return Output({}, attempt.directory.report.as_json(), failed)
        folder = f"{directory.module.folder}/" if directory.module is not None else ""
        files |= {folder + name: content for name, content in output.files.items()}
        found += output.diagnostics
        output.report["modules"] = {
            m.label: {"source": m.file, "report": reports[m.label]} for m in dict.fromkeys(directory.calls.values())
        }
        if directory.module is not None:
            output.report["diagnostics"] = [d.as_json() for d in in_order(output.diagnostics)]
            reports[directory.module.label] = output.report
    if prefer != FAITHFUL:
        output.report["options"] = {"prefer": prefer}
    return Output(dict(sorted(files.items())), output.report, found)


@dataclasses.dataclass(slots=True)
class Attempt:
    """What came of writing one stack: a directory, or why there is none."""

    directory: Directory | None
    why: str
    report: dict[str, Any]
    found: list[Diagnostic]


def settle(stack: Stack, modules: Modules, module: Module | None, prefer: str) -> Attempt:
    """Writes a stack under larger and larger plans, until nothing is left that cannot be said."""
    readers, mixed = Readers(stack), modules.mixed(stack)
    plan = Plan(stack, prefer, mixed, readers)
    while True:
        if readers.refuse(set(plan.heat)):
            plan = Plan(readers.stack, prefer, mixed, readers)
            continue
        directory = Directory(readers.stack, plan, modules, module)
        failures = write(directory)
        if not failures:
            return Attempt(directory, "", {}, [])
        if readers.add(failures, plan):
            plan = Plan(readers.stack, prefer, mixed, readers)
            continue
        grown = False
        for name, reason in failures:
            outputs = readers.stack.template.outputs
            output = outputs.get(name.removeprefix(OUTPUT)) if name.startswith(OUTPUT) else None
            grown |= plan.keep_output(output, reason) if output is not None else plan.keep(name, reason)
        if not grown:  # it stays with Heat already, and a template of Heat's cannot say it either
            found = [*directory.sink.found, *(stuck(stack, name, reason) for name, reason in failures)]
            return Attempt(None, failures[0][1].why, directory.report.as_json(), found)
        plan.arrange()


def called(root: Directory) -> list[Directory]:
    """The directory of the root and of all modules that are called, directly or through others."""
    found = [root]
    for directory in found:
        found += [m.directory for m in directory.calls.values() if m.directory not in found and m.directory is not None]
    return found


def stuck(stack: Stack, name: str, reason: CannotSay) -> Diagnostic:
    """What neither side can say."""
    return Diagnostic(
        "HOT455",
        f"{name} must stay with Heat, but there it cannot be said: {reason.why}.",
        stack.template.source,
        max(reason.at, 0),
        reason.end,
    )


PREFER = Option(
    "prefer",
    "Where a type has several honest answers: the exact one, or Terraform's.",
    values=(FAITHFUL, NATIVE, PROVISIONERS),
    default=FAITHFUL,
)
TARGET = Target(
    "hcl",
    emit,
    writes=DIRECTORY,
    nested=LOAD,  # nested templates become modules
    options=(PREFER,),
    summary=summary.of,
    next_steps="cd {output} && terraform init && OS_CLOUD=<cloud> terraform plan",
    neighbours=Neighbours((".tf", ".tf.json"), neighbours.clashes),
    types=types,
)
