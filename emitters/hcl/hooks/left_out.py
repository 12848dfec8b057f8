"""Resources that are left out: nothing is written, and a diagnostic names what is lost.

An output that reads one is null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.resources.handles import GivenUp
from transpile.diagnostics import codes
from transpile.model.span import Span
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle
    from emitters.hcl.tables.mapping import Kind
    from transpile.model import ir

CODE = codes.RESOURCE_LEFT_OUT


@prepare_hook("left_out")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return GivenUp(resource, CODE)


@write_hook("left_out")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    name, log = resource.name, emission.log
    log.resource_report(resource).became_nothing(resource, kind.why, fate("dropped", code=CODE, why=kind.why))
    log.report.left_out[name] = resource.type
    end = resource.type_at + len(resource.type)
    hint = f"--keep {kind.name} keeps such resources with Heat."
    log.say(CODE, f"{name} ({resource.type}) is left out: {kind.why}.", Span(resource.type_at, end), hint)
    log.note(resource.type_at, CODE, f"{name} ({resource.type}) is left out: {kind.why}.")
