"""Resources that are left out: nothing is written, and a diagnostic names what is lost.

An output that reads one is null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import prepare_hook, write_hook
from emitters.hcl.tree.types import NULL, Value
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Handle, Lowering
    from emitters.hcl.tables.mapping import Kind
    from transpile.model import ir

CODE = "HOT589"


@final
class LeftOut:
    """A resource that is left out."""

    def __init__(self, resource: ir.Resource) -> None:
        self.resource = resource

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        name = self.resource.name
        if not lowering.scope.in_output:
            raise CannotSay("HOT553", f"the template reads {name}", ref.at, ref.end, name)
        lowering.differs(CODE, f"{name} is left out; this is null.", ref.at, ref.end)
        return Value(None, NULL, True)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        return self.reference(lowering, ref)


@prepare_hook("left_out")
def prepare(emission: Emission, resource: ir.Resource, kind: Kind) -> Handle:
    return LeftOut(resource)


@write_hook("left_out")
def write(emission: Emission, resource: ir.Resource, kind: Kind) -> None:
    name, log = resource.name, emission.log
    log.resource_report(resource).became_nothing(resource, kind.why, fate("dropped", code=CODE, why=kind.why))
    log.report.left_out[name] = resource.type
    end = resource.type_at + len(resource.type)
    hint = f"--keep {kind.name} keeps such resources with Heat."
    log.say(CODE, f"{name} ({resource.type}) is left out: {kind.why}.", resource.type_at, end, hint)
    log.note(resource.type_at, CODE, f"{name} ({resource.type}) is left out: {kind.why}.")
