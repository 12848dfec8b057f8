"""Resources that a table of a user drops: nothing is written, and a diagnostic says so.

An output that reads one is null. Any other reference keeps the resource with Heat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.resources.handles import GivenUp
from emitters.hcl.resources.keys import keys_of
from transpile.diagnostics import codes
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.tables.mapping import Kind
    from transpile.model import ir


@prepare_hook("dropped_resource")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return GivenUp(resource, codes.PROPERTY_WITHOUT_COUNTERPART)


@write_hook("dropped_resource")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    report = emission.log.resource_report(resource)
    report.became_nothing(resource, kind.why, fate("dropped", code=codes.PROPERTY_WITHOUT_COUNTERPART, why=kind.why))
    keys_of(emission, resource, [], nothing=True)
    emission.log.say(codes.PROPERTY_WITHOUT_COUNTERPART, f"{resource.name} is dropped: {kind.why}.", resource.type_span)
