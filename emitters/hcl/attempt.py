"""An attempt to write a stack under a plan: every resource, every output, then the embedded stacks.

Invariant: an attempt continues after a failure to the end of its stage, so that the next plan accounts for all of these
failures at once.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import ParamSpec, final

from emitters.hcl import hooks
from emitters.hcl.assemble.outputs import report_left_out_outputs, write_output
from emitters.hcl.embed.handle import EmbeddedHandle
from emitters.hcl.embed.stack import EmbeddedStack
from emitters.hcl.emission import Emission, begin_emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import snake_case
from emitters.hcl.ordering import Wait
from emitters.hcl.plan.closure import CONFIGS
from emitters.hcl.plan.planner import OUTPUT, referred_resources
from emitters.hcl.resources.external import prepare_external, write_external
from emitters.hcl.resources.handles import DisabledHandle, NativeHandle
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.resources.rules import write_native_resource
from emitters.hcl.tables.mapping import UNMAPPED
from emitters.hcl.tree.nodes import Block
from emitters.hcl.unit import Unit
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.report import make_fate

# types that only hold a value or a text for those that refer to them
ONLY_VALUES = (heat_types.VALUE, *CONFIGS)
Failure = tuple[str, CannotSay]  # the resource or output to keep in Heat, and the reason
P = ParamSpec("P")


@final
class Attempt:
    """The result of one attempt. `embedded`: the embedded stacks, in the order of the plan's groups. `unread`: the
    outputs that could not be written and that nothing reads, each with the reason.
    """

    def __init__(self, unit: Unit) -> None:
        self.emission = begin_emission(unit)
        self.failures: list[Failure] = []
        self.unread: dict[str, CannotSay] = {}
        self.embedded: list[EmbeddedStack] = []
        self.write_stack()

    def record_failure_of(self, owner: str, work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Runs `work`; records a failure under the name of the resource or output that must be kept in Heat."""
        try:
            work(*args, **kwargs)
        except CannotSay as e:
            self.failures.append((e.blame or owner, e))

    def write_stack(self) -> None:
        for stage in STAGES:
            for write_part in stage:
                write_part(self)
            if self.failures or self.unread:  # resources that refer to a failed one would fail, too
                return

    # the parts of the stages

    def report_resources(self) -> None:
        """Begins the report of each resource, in the order of the template."""
        for resource in self.emission.unit.template.resources.values():
            self.emission.log.resource_report(resource)
        report_left_out_outputs(self.emission)

    def group_embedded(self) -> None:
        """Makes a stack of each group that stays with Heat."""
        self.embedded += (EmbeddedStack(self.emission, members) for members in self.emission.unit.plan.groups)

    def prepare_handles(self) -> None:
        """Makes all handles before writing starts: references may come first."""
        for name, resource in self.emission.unit.template.resources.items():
            self.record_failure_of(name, self.prepare_handle, resource)

    def write_resources(self) -> None:
        """Writes the resources that are not embedded."""
        for name, resource in self.emission.unit.template.resources.items():
            if not self.emission.unit.plan.is_embedded(name):
                self.record_failure_of(name, write_resource, self.emission, resource)

    def write_outputs(self) -> None:
        for output in self.emission.unit.template.outputs.values():
            self.write_output(output)

    def write_conditions(self) -> None:
        """Writes the named conditions; an unused one may fail."""
        for name in self.emission.unit.template.conditions:
            if name not in self.emission.unit.stack.circular_conditions:
                self.record_failure_of("", self.emission.lowering.lower_named_condition, ir.ConditionRef(name))
        self.failures = [f for f in self.failures if f[0]]

    def write_members(self) -> None:
        """Writes the members of embedded stacks. They come last: by then, all outputs that others read from them are
        known.
        """
        for embedded in self.embedded:
            self.record_failure_of(embedded.members[0], embedded.write_members)

    def write_output(self, output: ir.Output) -> None:
        """Writes an output. If only Heat can compute it, that matters only if somebody reads it."""
        unit, owner = self.emission.unit, OUTPUT + output.name
        before = len(self.failures)
        self.record_failure_of(owner, write_output, self.emission, output, self.embedded_stack_of(owner))
        if len(self.failures) > before and not unit.is_output_read(output.name):
            self.unread[output.name] = self.failures.pop()[1]

    def embedded_stack_of(self, name: str) -> EmbeddedStack | None:
        """The embedded stack of a resource or output; None if it is not embedded."""
        plan = self.emission.unit.plan
        return self.embedded[plan.group_of[name]] if plan.is_embedded(name) else None

    def prepare_handle(self, resource: ir.Resource) -> None:
        """Makes the handle of a resource."""
        emission, name = self.emission, resource.name
        plan, holder = emission.unit.plan, self.embedded_stack_of(resource.name)
        kind, unit = plan.kinds[name], emission.unit
        for condition in resource.conditions if holder is None and unit.has_count(resource) else ():
            if unit.is_unknown_before_apply(unit.settle_condition(condition)):
                why = f"the condition of {name} is known only after apply"  # but count must be known before
                raise CannotSay(codes.ONLY_AT_RUN_TIME, why, condition)
        if name in plan.disabled:
            emission.handles[name] = DisabledHandle(resource)
        elif holder is not None:
            emission.handles[name] = EmbeddedHandle(holder, resource)
        elif resource.is_existing:
            emission.handles[name] = prepare_external(emission, resource)
        elif kind.hook:
            emission.handles[name], emission.writes[name] = hooks.RESOURCES[kind.hook](emission, resource)
        elif kind is not UNMAPPED:
            address = (kind.resource, emission.names.reserve_label(kind.resource, snake_case(name)))
            counted = emission.unit.has_count(resource)
            emission.handles[name] = NativeHandle(emission, resource, kind, address, counted=counted)

    def write_requested_outputs(self) -> None:
        """Writes the outputs of embedded stacks that others read, and those that these read."""
        grown = True

        def settle_embedded(embedded: EmbeddedStack) -> None:
            nonlocal grown
            grown = embedded.write_requested_outputs() or grown

        while grown and not self.failures:
            grown = False
            for embedded in self.embedded:
                self.record_failure_of(embedded.members[0], settle_embedded, embedded)

    def add_implicit_dependencies(self) -> None:
        """Records the implicit dependencies, which Heat's resource plug-ins add."""
        emission = self.emission
        blocks = {block.address: block for block in emission.blocks.main if isinstance(block, Block)}
        blocks |= {e.address: e.block for e in self.embedded}
        for (owner, why), rows in itertools.groupby(emission.unit.plan.implicit, operator.itemgetter(0, 2)):
            addresses = emission.log.report.resources[owner].addresses
            if addresses and addresses[0] in blocks:
                needs = [need for _, need, _ in rows]
                emission.ordering.waiting.append(Wait(blocks[addresses[0]], owner, needs, "", why))

    def delay_readers(self) -> None:
        """Makes a reader wait for all users of the resource it reads: Heat reads outputs when the stack is complete."""
        plan, waiting = self.emission.unit.plan, self.emission.ordering.waiting
        for reader, name in plan.readers.items():
            if name:
                users = [
                    user for user in dict.fromkeys(plan.referring_resources.get(name, ())) if user not in plan.readers
                ]
                block = self.embedded[plan.group_of[reader]].block
                waiting.append(
                    Wait(
                        block,
                        reader,
                        users,
                        "",
                        f"Resources that use {name} may change the attributes that are read here",
                    )
                )

    def record_embedded_fates(self) -> None:
        for embedded in self.embedded:
            embedded.record_fates()


# An attempt goes on after a failure, but not to the next stage.
STAGES: tuple[tuple[Callable[[Attempt], None], ...], ...] = (
    (Attempt.report_resources, Attempt.group_embedded, Attempt.prepare_handles),
    (Attempt.write_resources, Attempt.write_outputs, Attempt.write_conditions),
    (
        Attempt.write_members,
        Attempt.add_implicit_dependencies,
        Attempt.delay_readers,
        Attempt.write_requested_outputs,
        Attempt.record_embedded_fates,
    ),
)


def write_resource(emission: Emission, resource: ir.Resource) -> None:
    """Writes one resource that is not embedded."""
    plan, name = emission.unit.plan, resource.name
    kind = plan.kinds[name]
    report = emission.log.resource_report(resource)
    if name not in emission.handles:
        return
    if name in plan.disabled:
        emission.log.add_diagnostic(
            codes.CONDITION_ALWAYS_FALSE,
            f"The condition of {name} is never true, so the resource is never created.",
            resource.name_span,
        )
        report.became_nothing(
            resource, "its condition is never true", make_fate("implied", why="the resource is never created")
        )
        for key in resource.keys:
            report.keys[key] = make_fate("implied", why="the resource is never created")
        write_resource_keys(emission, resource, [], nothing=True)
        return
    if resource.is_existing:
        write_external(emission, resource)
    elif kind.hook:
        try:
            emission.writes[name]()
        except CannotSay as reason:
            if not is_unread_value(emission, resource):
                raise
            report_unread_value(emission, resource, reason)
    elif kind is not UNMAPPED:
        handle = emission.handles[name]
        assert isinstance(handle, NativeHandle)
        write_native_resource(handle)
    if kind.treatment == "folded":
        write_resource_keys(emission, resource, [], nothing=True)


def is_unread_value(emission: Emission, resource: ir.Resource) -> bool:
    """Whether a resource is only a value or a text, and nothing refers to it. Running resources stay as they are."""
    unit, name = emission.unit, resource.name
    is_value = not unit.running.exists and unit.stack.types[name] in ONLY_VALUES
    return is_value and name not in unit.plan.get_index(referred_resources)


def report_unread_value(emission: Emission, resource: ir.Resource, reason: CannotSay) -> None:
    message = f"Nothing reads {resource.name}, which only Heat can compute, so it is not written: {reason.why}."
    emission.log.add_diagnostic(codes.UNREAD_VALUE_LEFT_OUT, message, reason)
    why = f"nothing reads it, and only Heat can compute it: {reason.why}"
    each = make_fate("implied", why="nothing reads the resource")
    emission.log.resource_report(resource).became_nothing(resource, why, each)
