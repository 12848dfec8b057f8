"""The handle of a resource that stays with Heat: a reference to it reads an output of its embedded stack.

Invariant: in an adoption, no native resource reads an output of the old stack, which gets outputs only when it is
reduced.
"""

from __future__ import annotations

from typing import final

from emitters.hcl.embed.stack import EmbeddedStack
from emitters.hcl.embed.texts import is_reliable_string, is_string_attribute
from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.tree.types import STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.attribute_paths import MemberCount, parse_attribute_path
from transpile.report import attribute_path


@final
class EmbeddedHandle:
    """The handle of a resource that stays with Heat."""

    def __init__(self, embedded: EmbeddedStack, resource: ir.Resource) -> None:
        self.embedded, self.resource = embedded, resource

    def running_resource_error(self, lowering: HclLowering, ref: ir.Expr, attribute: str) -> CannotSay:
        """The error for a native resource that reads a running one, which stays with Heat. The old stack gets the
        output only when the adoption reduces it; until then, each plan would show changes.
        """
        name = self.resource.name
        why = f"{attribute} of {name}, which stays with Heat, is known only when the old stack is reduced"
        return CannotSay(codes.KEPT_IN_HEAT, why, ref)

    def find_physical_id(self) -> str | None:
        """The physical ID of a running resource; None if it is unknown, or if `get_resource` means something else."""
        emission, name = self.embedded.emission, self.resource.name
        kind = emission.unit.tables.find_mapping(emission.unit.stack.types[name])
        same = kind.treatment == "native" and kind.reference == "id"
        return emission.unit.running.find_physical_id(name) if same else None

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        emission, name = self.embedded.emission, self.resource.name
        if emission.unit.running.exists:
            if (physical_id := self.find_physical_id()) is not None:
                self.embedded.emission.log.resource_report(
                    self.resource
                ).reference = self.embedded.emission.log.reported_text(physical_id)
                return TypedValue(physical_id, STRING)
            if not lowering.scope.in_output:
                raise self.running_resource_error(lowering, ref, "the reference")
        value = self.embedded.read_output(
            (name,), name, ir.ResourceRef(name, span=ref.span), "string", True, self.resource.condition
        )
        self.embedded.emission.log.resource_report(self.resource).reference = self.embedded.emission.log.reported_text(
            value.expr
        )
        return value

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        emission, name = self.embedded.emission, self.resource.name
        if emission.unit.running.exists and not lowering.scope.in_output:
            raise self.running_resource_error(lowering, ref, attribute_path(ref.path[:1]) or "an attribute")
        kind = emission.unit.stack.types[name]
        facts = emission.unit.stack.catalog.find_type(kind)
        word, first = attribute_path(ref.path), attribute_path(ref.path[:1])
        declared: str | None = facts.get("attributes", {}).get(first) if len(ref.path) == 1 else None
        if len(ref.path) == 1 and not facts:
            declared = "any"
        if kind.endswith("Group") and kind.startswith("OS::Heat::"):  # over all members, or of one
            declared = "integer" if isinstance(parse_attribute_path(kind, ref.path), MemberCount) else "any"
        elif first == "show":
            declared = "map" if len(ref.path) == 1 else "any"
        is_string = is_reliable_string(kind, first)
        if declared == "any" and is_string_attribute(emission.unit.stack, name, ref.path):
            declared = "string"
        preferred_name = "_".join([name, *[w for w in word.replace(".", "_").split("_") if w]])
        value = self.embedded.read_output(
            (name, ref.path),
            preferred_name,
            ir.AttrRef(name, ref.path, ref.fn, ref.span),
            declared,
            is_string,
            self.resource.condition,
        )
        emission.log.resource_report(self.resource).attributes.setdefault(word, emission.log.reported_text(value.expr))
        return value
