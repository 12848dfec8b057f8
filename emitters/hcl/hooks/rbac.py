"""The hook of RBAC policies: the type of the object determines which lookup finds it by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook
from emitters.hcl.tables.mapping import lookups
from emitters.hcl.tree.types import STRING
from transpile.model import ir

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
        lookup = lookups()[LOOKUPS[str(kind.value)]]
        found, how = writer.emission.data.one(writer.lowering, entry.value, lookup)
        value = found.expr
    else:
        why = "the type of the named object is known only at run time"
        raise CannotSay("HOT404", why, entry.value.at, entry.value.end, writer.resource.name)
    writer.block.set("object_id", value, entry.at, entry.value.end)
    writer.is_value(entry.key, "object_id", how)
