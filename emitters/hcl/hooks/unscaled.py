"""What scales a group in Heat and is left out: policies and their alarms. Nothing is written, and a diagnostic says so.

An output that reads one is null. Any other reader of a policy's URL gets one that nobody listens to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.hooks.signals import URL, instead
from emitters.hcl.plan.scaling import POLICIES
from emitters.hcl.resources.handles import GivenUp
from emitters.hcl.tree.printer import flat
from emitters.hcl.tree.types import NULL, Value
from transpile.report import attribute_path, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.tables.mapping import Kind
    from transpile.model import ir

CODE = "HOT560"
URLS = ("alarm_url", "signal_url", "AlarmUrl")


@final
class Policy:
    """A policy whose URL nobody listens to."""

    def __init__(self, emission: Emission, resource: ir.Resource) -> None:
        self.emission, self.resource = emission, resource

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        """A reference to an AWS policy is its URL. One to Heat's own policy is an ID that only Heat knows."""
        if not self.lost(lowering) and not self.emission.unit.stack.types[self.resource.name].startswith("AWS::"):
            why = f"a reference to {self.resource.name} is an ID that Heat generates"
            raise CannotSay("HOT553", why, ref.at, ref.end, self.resource.name)
        self.emission.log.report.resources[self.resource.name].reference = flat(URL)
        return self.url(lowering, ref)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        word = attribute_path(ref.path)
        if word not in URLS and not self.lost(lowering):
            why = f"Terraform has no equivalent of the attribute {word or 'map'} of {self.resource.name}"
            raise CannotSay("HOT550", why, ref.at, ref.end, self.resource.name)
        found = self.url(lowering, ref)
        self.emission.log.report.resources[self.resource.name].attributes.setdefault(word, flat(found.expr))
        return found

    def lost(self, lowering: Lowering) -> bool:
        """Whether a person reads the value: that of an output, unless it is passed on to the caller of a module."""
        return lowering.scope.in_output and self.emission.unit.module is None

    def url(self, lowering: Lowering, ref: ir.Expr) -> Value:
        if not self.lost(lowering):
            return instead(self.emission, self.resource, ref, "URL", URL)
        message = f"{self.resource.name} exists only in Heat and is left out; this is null."
        lowering.differs(CODE, message, ref.at, ref.end)
        return Value(None, NULL, True)


@prepare_hook("unscaled")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    policy = emission.unit.stack.types[resource.name] in POLICIES
    return Policy(emission, resource) if policy else GivenUp(resource, CODE)


@write_hook("unscaled")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    each = fate("dropped", code=CODE, why=kind.why)
    emission.log.resource_report(resource).became_nothing(resource, kind.why, each)
    emission.log.report.left_out[resource.name] = resource.type
    emission.log.say(
        CODE,
        f"{resource.name} is left out: nothing scales its group but the user.",
        resource.type_at,
        resource.type_at + len(resource.type),
    )
