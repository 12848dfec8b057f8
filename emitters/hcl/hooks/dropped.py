"""Resources that a table of a user drops: nothing is written, and a diagnostic says so.

An output that reads one is null. Any other reference keeps the resource with Heat.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.resources.keys import write_resource_keys
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate


@resource_hook("dropped_resource")
def prepare_dropped_resource(emission: Emission, resource: ir.Resource) -> Prepared:
    handle = LeftOutHandle(resource, codes.PROPERTY_WITHOUT_COUNTERPART)
    return Prepared(handle, lambda: write_dropped_resource(emission, resource))


def write_dropped_resource(emission: Emission, resource: ir.Resource) -> None:
    why = emission.mapping_of(resource).why
    each = make_fate("dropped", code=codes.PROPERTY_WITHOUT_COUNTERPART, why=why)
    emission.log.resource_report(resource).became_nothing(resource, why, each)
    write_resource_keys(emission, resource, [], nothing=True)
    emission.log.add_diagnostic(
        codes.PROPERTY_WITHOUT_COUNTERPART, f"{resource.name} is dropped: {why}.", resource.type_span
    )
