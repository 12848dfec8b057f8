"""Resources that a table of a user drops: nothing is written, and a diagnostic says so.

An output that reads one is null. Any other reference keeps the resource with Heat.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.lowering.lowering import Handle
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.resources.keys import write_resource_keys
from emitters.hcl.tables.mapping import TypeMapping
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate


@prepare_hook("dropped_resource")
def prepare_dropped_resource(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> Handle:
    return LeftOutHandle(resource, codes.PROPERTY_WITHOUT_COUNTERPART)


@write_hook("dropped_resource")
def write_dropped_resource(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> None:
    report = emission.log.resource_report(resource)
    report.became_nothing(
        resource, kind.why, make_fate("dropped", code=codes.PROPERTY_WITHOUT_COUNTERPART, why=kind.why)
    )
    write_resource_keys(emission, resource, [], nothing=True)
    emission.log.add_diagnostic(
        codes.PROPERTY_WITHOUT_COUNTERPART, f"{resource.name} is dropped: {kind.why}.", resource.type_span
    )
