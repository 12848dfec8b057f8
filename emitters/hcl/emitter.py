"""A stack → a Terraform directory.

Invariant: an attempt is made under a plan. What it cannot express changes the plan, and the next attempt starts from
nothing. Files are in the order of the contract, blocks in the order of the template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.hcl import neighbours, summary
from emitters.hcl.assemble.directory import assemble
from emitters.hcl.attempt import Attempt
from emitters.hcl.errors import CannotSay
from emitters.hcl.plan import stored_texts
from emitters.hcl.plan.modules import Interface, Modules
from emitters.hcl.plan.planner import OUTPUT, Plan
from emitters.hcl.plan.preferences import FAITHFUL, NATIVE, PROVISIONERS
from emitters.hcl.plan.readers import Readers
from emitters.hcl.unit import Unit
from transpile.diagnostics.model import Diagnostic, in_order
from transpile.targets import DIRECTORY, LOAD, Neighbours, Option, Output, Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.emission import Emission
    from emitters.hcl.plan.modules import Module
    from transpile.resolve.stack import Stack


def types(name: str | None) -> str:
    """What becomes of resource types, for people."""
    from emitters.hcl.tables import listing

    return listing.types(name)


def emit(stack: Stack, options: Mapping[str, Any]) -> Output:
    """The files, the report and the diagnostics. Modules come first, because their callers ask for their outputs."""
    modules, prefer = Modules(stack), str(options["prefer"])
    stored_texts.mark(modules)
    modules.share()
    written: dict[str, Attempt] = {}  # by the label of the module
    for module in modules.order:
        attempt = settle(module.stack, modules, module, prefer)
        if attempt.failures:
            module.why = attempt.failures[0][1].why
        else:
            module.interface, written[module.label] = interface(attempt.emission), attempt
    root = settle(stack, modules, None, prefer)
    if root.failures:
        stuck_ = [stuck(stack, name, reason) for name, reason in root.failures]
        return Output({}, root.emission.log.report.as_json(), [*root.emission.log.sink.found, *stuck_])
    used = called(root.emission, {label: attempt.emission for label, attempt in written.items()})
    files: dict[str, str | bytes] = {}
    found: list[Diagnostic] = []
    reports: dict[str, dict[str, Any]] = {}
    for attempt in [*(written[m.label] for m in modules.order if m in used), root]:
        emission, module_ = attempt.emission, attempt.emission.unit.module
        try:
            output = assemble(emission, attempt.embedded)
        except CannotSay as reason:  # a condition of what stays with Heat
            failed = [*emission.log.sink.found, stuck(emission.unit.stack, "A resource", reason)]
            return Output({}, root.emission.log.report.as_json(), failed)
        folder = f"{module_.folder}/" if module_ is not None else ""
        files |= {folder + name: content for name, content in output.files.items()}
        found += output.diagnostics
        output.report["modules"] = {
            m.label: {"source": m.file, "report": reports[m.label]} for m in dict.fromkeys(emission.modules.values())
        }
        if module_ is not None:
            output.report["diagnostics"] = [d.as_json() for d in in_order(output.diagnostics)]
            reports[module_.label] = output.report
    if prefer != FAITHFUL:
        output.report["options"] = {"prefer": prefer}
    return Output(dict(sorted(files.items())), output.report, found)


def settle(stack: Stack, modules: Modules, module: Module | None, prefer: str) -> Attempt:
    """Writes a stack under larger and larger plans, until nothing fails, or nothing more can stay with Heat."""
    readers, mixed = Readers(stack), modules.mixed(stack)
    plan = Plan(stack, prefer, mixed)
    while True:
        if readers.refuse(set(plan.heat)):
            plan = Plan(readers.stack, prefer, mixed, readers.reading())
            continue
        attempt = Attempt(Unit(readers.stack, plan, modules, module))
        if not attempt.failures:
            return attempt
        if readers.add(attempt.failures, plan):
            plan = Plan(readers.stack, prefer, mixed, readers.reading())
            continue
        grown = False
        for name, reason in attempt.failures:
            outputs = readers.stack.template.outputs
            output = outputs.get(name.removeprefix(OUTPUT)) if name.startswith(OUTPUT) else None
            grown |= plan.keep_output(output, reason) if output is not None else plan.keep(name, reason)
        if not grown:  # it stays with Heat already, and Heat's template cannot express it either
            return attempt
        plan.arrange()


def interface(emission: Emission) -> Interface:
    """What a written module offers to its callers."""
    region = emission.symbols.region()
    return Interface(
        emission.names.variables,
        emission.variables.blocks,
        region.parts[1] if region is not None else "",
        emission.outputs,
        emission.sensitive,
        emission.log.report,
    )


def called(root: Emission, written: Mapping[str, Emission]) -> set[Module]:
    """All modules that are called, directly or through others. written: by the label of the module."""
    found: set[Module] = set()
    waiting = [root]
    while waiting:
        for module in waiting.pop().modules.values():
            if module not in found:
                found.add(module)
                waiting.append(written[module.label])
    return found


def stuck(stack: Stack, name: str, reason: CannotSay) -> Diagnostic:
    """The error for what neither Terraform nor Heat can express."""
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
