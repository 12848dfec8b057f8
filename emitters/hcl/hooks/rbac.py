"""Hooks of RBAC policies, whose object is looked up by its type, and of the objects that they share."""

from __future__ import annotations

from emitters.hcl.errors import only_at_run_time
from emitters.hcl.hooks import finish_hook, property_hook
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tree.types import STRING
from transpile.model import heat_types, ir

LOOKUPS = {
    "network": "network",
    "qos_policy": "qos_policy",
    "security_group": "security_group",
    "address_scope": "address_scope",
    "subnetpool": "subnet_pool",
}


@property_hook("rbac_object")
def write_rbac_object(writer: Writer, entry: ir.Entry) -> Written:
    kind = writer.value_of("object_type")
    if isinstance(entry.value, (ir.ResourceRef, ir.AttrRef)):
        value, how = writer.lowering.lower_expression(entry.value, STRING), "reference"
    elif isinstance(kind, ir.Lit) and kind.value in LOOKUPS:
        lookup = writer.lookups[LOOKUPS[str(kind.value)]]
        object_id, how = writer.emission.data.resolve_name(writer.lowering, entry.value, lookup)
        value = object_id.expr
    else:
        raise only_at_run_time(
            "the type of the named object is", entry.value if kind == ir.NULL else kind, writer.resource.name
        )
    return Written.value(entry, "object_id", value, how)


@finish_hook("shared_by_rbac")
def finish_shared(writer: Writer) -> None:
    """Ignores `shared` of an object that an RBAC policy of the template shares: the next plan would take it back."""
    plan = writer.emission.unit.plan
    users = plan.referring_resources.get(writer.resource.name, ())
    if "shared" not in writer.entries and any(
        plan.stack.types[user] == heat_types.NEUTRON_RBAC_POLICY for user in users
    ):
        writer.ignored.append("shared")
