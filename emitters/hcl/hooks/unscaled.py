"""Scaling policies and alarms of a group that has a fixed size: nothing is written, and a diagnostic says so.

An output that reads one is null. Any other reference keeps the whole group with Heat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.resources.handles import GivenUp
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.tables.mapping import Kind
    from transpile.model import ir


@prepare_hook("unscaled")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return GivenUp(resource, "HOT560")


@write_hook("unscaled")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    each = fate("dropped", code="HOT560", why=kind.why)
    emission.log.resource_report(resource).became_nothing(resource, kind.why, each)
    emission.log.report.left_out[resource.name] = resource.type
    emission.log.say(
        "HOT560",
        f"{resource.name} is omitted: its group has a fixed size.",
        resource.type_at,
        resource.type_at + len(resource.type),
    )
