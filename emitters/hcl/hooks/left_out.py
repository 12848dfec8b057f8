"""Resources that are left out, or dropped by a table of a user: nothing is written, and a diagnostic names the lost
function.

An output that reads one is null. Any other reference to a dropped one keeps the resource with Heat.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.resources.keys import write_resource_keys
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import Span
from transpile.report import make_fate

CODE = codes.RESOURCE_LEFT_OUT


@resource_hook("left_out")
def prepare_left_out(emission: Emission, resource: ir.Resource) -> Prepared:
    return Prepared(LeftOutHandle(resource, CODE), lambda: write_left_out(emission, resource))


def write_left_out(emission: Emission, resource: ir.Resource) -> None:
    name, log, kind = resource.name, emission.log, emission.mapping_of(resource)
    log.resource_report(resource).became_nothing(resource, kind.why, make_fate("dropped", code=CODE, why=kind.why))
    log.report.left_out[name] = resource.type
    end = resource.type_at + len(resource.type)
    hint = f"--keep {kind.name} keeps such resources with Heat."
    log.add_diagnostic(CODE, f"{name} ({resource.type}) is left out: {kind.why}.", Span(resource.type_at, end), hint)
    log.add_comment(resource.type_at, CODE, f"{name} ({resource.type}) is left out: {kind.why}.")


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
