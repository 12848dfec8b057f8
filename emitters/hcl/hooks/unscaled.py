"""Scaling policies and their alarms, which are left out: without Heat, nothing scales a group but the user.

Invariant: nothing is written, and a diagnostic says so. An output that reads one is null. Any other reference to a
policy is a URL that does nothing.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.hooks.signals import URL, substitute_value
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.plan.scaling import POLICIES
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.tree.types import TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import attribute_path, make_fate

CODE = codes.GROUP_SCALED_BY_USER
URLS = ("alarm_url", "signal_url", "AlarmUrl")


@final
class Policy(LeftOutHandle):
    """The handle of a policy. An output of a module passes its URL on, since the caller may need one; an output of the
    root is null.
    """

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        super().__init__(resource, CODE)
        self.emission = emission

    def is_null_in_outputs(self, ref: ir.Expr) -> bool:
        return self.emission.unit.module.is_root

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        """A reference to an AWS policy is its URL. One to Heat's own policy is an ID that only Heat knows."""
        if lowering.scope.in_output and self.is_null_in_outputs(ref):
            return super().lower_reference(lowering, ref)
        if not self.resource.kind.startswith("AWS::"):
            why = f"a reference to {self.resource.name} is an ID that Heat generates"
            raise CannotSay(codes.GROUP_WITHOUT_ID, why, ref, self.resource.name)
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.reported_text(URL)
        return substitute_value(self.emission, self.resource, ref, "URL", URL)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        if lowering.scope.in_output and self.is_null_in_outputs(ref):
            return super().lower_reference(lowering, ref)
        word = attribute_path(ref.path)
        if word not in URLS:
            why = f"Terraform has no equivalent of the attribute {word or 'map'} of {self.resource.name}"
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.resource.name)
        self.emission.log.report.resources[self.resource.name].attributes.setdefault(
            word, self.emission.log.reported_text(URL)
        )
        return substitute_value(self.emission, self.resource, ref, "URL", URL)


@resource_hook("unscaled")
def prepare_unscaled(emission: Emission, resource: ir.Resource) -> Prepared:
    policy = resource.kind in POLICIES
    handle = Policy(emission, resource) if policy else LeftOutHandle(resource, CODE)
    return Prepared(handle, lambda: write_unscaled(emission, resource))


def write_unscaled(emission: Emission, resource: ir.Resource) -> None:
    why = emission.mapping_of(resource).why
    emission.log.resource_report(resource).became_nothing(resource, why, make_fate("dropped", code=CODE, why=why))
    emission.log.report.left_out[resource.name] = resource.type
    emission.log.add_diagnostic(
        CODE,
        f"{resource.name} is left out: its group no longer scales by itself.",
        resource.type_span,
    )
