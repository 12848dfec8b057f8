"""Hooks of RBAC policies, whose object is looked up by its type, and of the objects that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, property_hook
from emitters.hcl.tree.nodes import Name, Tuple
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule

LOOKUPS = {
    "network": "network",
    "qos_policy": "qos_policy",
    "security_group": "security_group",
    "address_scope": "address_scope",
    "subnetpool": "subnet_pool",
}


@property_hook("rbac_object")
def rbac_object(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    given = writer.given.get("object_type")
    kind = given.value if given is not None else None
    if isinstance(entry.value, (ir.ResourceRef, ir.AttrRef)):
        value, how = writer.lowering.expr(entry.value, STRING), "reference"
    elif isinstance(kind, ir.Lit) and kind.value in LOOKUPS:
        lookup = writer.lookups[LOOKUPS[str(kind.value)]]
        found, how = writer.emission.data.one(writer.lowering, entry.value, lookup)
        value = found.expr
    else:
        why = "the type of the named object is known only at run time"
        raise CannotSay(codes.ONLY_AT_RUN_TIME, why, entry.value, writer.resource.name)
    writer.block.set("object_id", value, entry)
    writer.is_value(entry.key, "object_id", how)


@finish_hook("shared_by_rbac")
def finish_shared(writer: Writer) -> None:
    """Ignores `shared` of an object that an RBAC policy of the template shares: the next plan would take it back."""
    plan = writer.emission.unit.plan
    users = plan.users.get(writer.resource.name, ())
    if "shared" not in writer.given and any(plan.stack.types[user] == heat_types.NEUTRON_RBAC_POLICY for user in users):
        writer.lifecycle.append(("ignore_changes", Tuple((Name(("shared",)),)), ""))
