"""Resources that are left out: nothing is written, and a diagnostic names what is lost.

An output that reads one is null.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.lowering.lowering import Handle
from emitters.hcl.resources.handles import LeftOutHandle
from emitters.hcl.tables.mapping import TypeMapping
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import Span
from transpile.report import make_fate

CODE = codes.RESOURCE_LEFT_OUT


@prepare_hook("left_out")
def prepare_left_out(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> Handle:
    return LeftOutHandle(resource, CODE)


@write_hook("left_out")
def write_left_out(emission: Emission, resource: ir.Resource, kind: TypeMapping) -> None:
    name, log = resource.name, emission.log
    log.resource_report(resource).became_nothing(resource, kind.why, make_fate("dropped", code=CODE, why=kind.why))
    log.report.left_out[name] = resource.type
    end = resource.type_at + len(resource.type)
    hint = f"--keep {kind.name} keeps such resources with Heat."
    log.add_diagnostic(CODE, f"{name} ({resource.type}) is left out: {kind.why}.", Span(resource.type_at, end), hint)
    log.add_comment(resource.type_at, CODE, f"{name} ({resource.type}) is left out: {kind.why}.")
