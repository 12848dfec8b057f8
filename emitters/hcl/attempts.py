"""Attempts at a stack and all its modules, until each succeeds or nothing more can stay with Heat.

Invariant: every attempt starts from an empty state. A failed attempt changes the plan, never the output of another
attempt. Modules are written before their callers, which need their outputs.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from typing import final

from emitters.hcl.attempt import Attempt
from emitters.hcl.emission import Emission
from emitters.hcl.plan import own_names, stored_texts
from emitters.hcl.plan.closure import complete_plan
from emitters.hcl.plan.module_values import ModuleValues
from emitters.hcl.plan.modules import ModuleInterface, Modules, TerraformModule
from emitters.hcl.plan.planner import OUTPUT, ConversionPlan
from emitters.hcl.plan.policy import PreferencePolicy
from emitters.hcl.plan.readers import Readers
from emitters.hcl.request import ConversionRequest
from emitters.hcl.takeover import Takeover
from emitters.hcl.unit import Unit
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import replace
from transpile.resolve.stack import Stack

ROOT = ""  # the label of the root


@final
class StackAttempts:
    """The last attempts at a stack and its modules. written: those at modules, by label. kept: diagnostics about nested
    stacks that stay with Heat as a whole.
    """

    def __init__(self, modules: Modules, written: Mapping[str, Attempt], root: Attempt, kept: list[Diagnostic]) -> None:
        self.modules, self.written, self.root, self.kept = modules, written, root, kept

    @functools.cached_property
    def called(self) -> dict[str, Attempt]:
        """The attempts at the modules that the root calls, directly or through others, by label and in order."""
        labels: set[str] = set()
        worklist = [self.root]
        while worklist:
            called = {module.label for module in worklist.pop().emission.modules.values()} - labels
            labels |= called
            worklist += [self.written[label] for label in called]
        return {module.label: self.written[module.label] for module in self.modules.order if module.label in labels}

    @property
    def by_label(self) -> dict[str, Attempt]:
        """The attempts at the root and at these modules."""
        return {ROOT: self.root, **self.called}


def attempt_modules(request: ConversionRequest) -> StackAttempts:
    """The attempts at a stack and its modules."""
    takeover = request.takeover
    modules = Modules(
        request.stack, request.tables, request.rules, takeover.environment_defaults, takeover.find_running
    )
    stored_texts.mark_stored_texts(modules)
    own_names.link_own_names(modules)
    modules.finish_modules()
    values = ModuleValues(modules)
    written: dict[str, Attempt] = {}
    kept: list[Diagnostic] = []
    for module in modules.order:
        attempt = attempt_until_stable(module, modules, values, request)
        if attempt.failures:
            module.why = attempt.failures[0][1].why
        elif why := takeover.explain_stay(attempt):
            module.why = why
            kept += takeover.diagnose_kept_stack(module)
        else:
            module.interface, written[module.label] = module_interface(attempt.emission), attempt
    return StackAttempts(modules, written, attempt_until_stable(modules.root, modules, values, request), kept)


def attempt_until_stable(
    module: TerraformModule, modules: Modules, values: ModuleValues, request: ConversionRequest
) -> Attempt:
    """Writes a stack repeatedly, each time keeping in Heat the resources that failed before, until nothing changes."""
    state = PlannedStack(module, modules, request.policy, request.takeover)
    while True:
        complete_plan(state.plan)
        if state.remove_kept_readers():
            continue
        attempt = Attempt(Unit(state.readers.stack, state.plan, modules, module, values))
        if not any(repair(state, attempt) for repair in REPAIRS):
            return attempt


@final
class PlannedStack:
    """A stack between two attempts, with the readers and the plan for the next one."""

    def __init__(self, module: TerraformModule, modules: Modules, policy: PreferencePolicy, takeover: Takeover) -> None:
        self.module, self.modules, self.policy, self.takeover = module, modules, policy, takeover
        self.begin_anew(module.stack)

    def begin_anew(self, stack: Stack) -> None:
        self.readers, self.plan = Readers(stack), ConversionPlan(stack, self.policy, self.modules)

    def plan_again(self) -> None:
        """A new plan, with the readers that there are now."""
        self.plan = ConversionPlan(self.readers.stack, self.policy, self.modules, self.readers.planned_readers())

    def remove_kept_readers(self) -> bool:
        """Removes the readers of resources that stay with Heat. Returns whether there were any."""
        removed = self.readers.remove_readers(set(self.plan.kept))
        if removed:
            self.plan_again()
        return removed


# The changes after a failed attempt. Each returns whether there is a next attempt.


def refuse_takeover(state: PlannedStack, attempt: Attempt) -> bool:
    """Counts resources that cannot be taken over as failed."""
    if not attempt.failures:
        attempt.failures += state.takeover.find_failures(attempt)
    return False


def leave_out_unread_outputs(state: PlannedStack, attempt: Attempt) -> bool:
    """Leaves out the outputs that only Heat can compute and that nothing reads."""
    if attempt.unread:
        state.module.left_out |= attempt.unread
        state.begin_anew(without_outputs(state.readers.original, state.module.left_out))
    return bool(attempt.unread)


def read_through_heat(state: PlannedStack, attempt: Attempt) -> bool:
    """Adds readers: stacks in Heat that only read attributes that Terraform cannot read."""
    reads = state.policy.reads_through_heat and not state.takeover.exists
    added = reads and state.readers.add_readers(attempt.failures, state.plan)
    if added:
        state.plan_again()
    return added


def keep_failed_in_heat(state: PlannedStack, attempt: Attempt) -> bool:
    """Keeps the failed resources in Heat. If all of them are there already, the embedded template cannot express it
    either.
    """
    plan, outputs, grown = state.plan, state.readers.stack.template.outputs, False
    for name, reason in attempt.failures:
        output = outputs.get(name.removeprefix(OUTPUT)) if name.startswith(OUTPUT) else None
        grown |= plan.keep_output_in_heat(output, reason) if output is not None else plan.keep_in_heat(name, reason)
    return grown


REPAIRS = (refuse_takeover, leave_out_unread_outputs, read_through_heat, keep_failed_in_heat)


def without_outputs(stack: Stack, names: Collection[str]) -> Stack:
    """A stack without some of its outputs."""
    outputs = {name: output for name, output in stack.template.outputs.items() if name not in names}
    return replace(stack, template=replace(stack.template, outputs=outputs))


def module_interface(emission: Emission) -> ModuleInterface:
    """The interface that a written module offers its callers."""
    region = emission.symbols.region_variable()
    return ModuleInterface(
        emission.names.variables,
        emission.variables.blocks,
        region.parts[1] if region is not None else "",
        emission.outputs,
        emission.names.outputs,
        emission.uncertain_outputs,
        emission.sensitive,
        emission.log.report,
    )
