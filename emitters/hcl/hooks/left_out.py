"""Resources that are left out: nothing is written, and a diagnostic names the lost function.

An output that reads one is null.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.hooks import Prepared, resource_hook
from emitters.hcl.resources.handles import LeftOutHandle
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
