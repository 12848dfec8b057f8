"""Where Heat takes the name or the ID of a resource, and which types of resources it finds there.

Heat's own schemas say it: a property with the constraint `neutron.network` takes the name or ID of a network.

Invariant: these places take an ID as well as a name, in Heat and in the services that it calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from transpile.model.ir import Entry, If, Lit, Map, Seq
from transpile.model.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from transpile.model.ir import Expr
    from transpile.schema.catalog import Property, Type

Types = tuple[str, ...]
Change: TypeAlias = "Callable[[Expr, Types, bool], Expr]"
FINDS: Mapping[str, Types] = {
    "designate.zone": ("OS::Designate::Zone",),
    "glance.image": ("OS::Glance::WebImage", "OS::Glance::Image"),
    "keystone.group": ("OS::Keystone::Group",),
    "keystone.project": ("OS::Keystone::Project",),
    "keystone.role": ("OS::Keystone::Role",),
    "keystone.user": ("OS::Keystone::User",),
    "magnum.cluster_template": ("OS::Magnum::ClusterTemplate",),
    "manila.share_network": ("OS::Manila::ShareNetwork",),
    "neutron.address_scope": ("OS::Neutron::AddressScope",),
    "neutron.lbaas.listener": ("OS::Neutron::LBaaS::Listener",),
    "neutron.lbaas.loadbalancer": ("OS::Neutron::LBaaS::LoadBalancer",),
    "neutron.lbaas.pool": ("OS::Neutron::LBaaS::Pool",),
    "neutron.network": ("OS::Neutron::Net", "OS::Neutron::ProviderNet"),
    "neutron.port": ("OS::Neutron::Port",),
    "neutron.qos_policy": ("OS::Neutron::QoSPolicy",),
    "neutron.router": ("OS::Neutron::Router",),
    "neutron.security_group": ("OS::Neutron::SecurityGroup",),
    "neutron.subnet": ("OS::Neutron::Subnet",),
    "neutron.subnetpool": ("OS::Neutron::SubnetPool",),
    "nova.flavor": ("OS::Nova::Flavor",),
    "nova.keypair": ("OS::Nova::KeyPair",),
    "octavia.flavor": ("OS::Octavia::Flavor",),
    "octavia.l7policy": ("OS::Octavia::L7Policy",),
    "octavia.listener": ("OS::Octavia::Listener",),
    "octavia.loadbalancer": ("OS::Octavia::LoadBalancer",),
    "octavia.pool": ("OS::Octavia::Pool",),
}
ANY_TYPE = frozenset(kind for kinds in FINDS.values() for kind in kinds)
LISTS: Mapping[tuple[str, str], Types] = {  # lists of names or IDs, which only the plug-in's code resolves
    ("OS::Neutron::Port", "security_groups"): FINDS["neutron.security_group"],
}
BY_NAME = {  # Terraform's argument is the name, so a name stays one
    ("OS::Neutron::FloatingIP", "floating_network"),
    ("OS::Neutron::FloatingIP", "floating_network_id"),
}


def changed(kind: str, facts: Type | None, properties: Map, change: Change) -> Map:
    """The properties of a resource with `change` applied to every value that is a name or an ID. The second argument
    of `change` is the types that Heat looks for, the third whether the value is a list of names or IDs.
    """
    schema: Mapping[str, Property] = facts["properties"] if facts is not None else {}
    entries = []
    for entry in properties.entries:
        one, value = schema.get(entry.key), entry.value
        if (kind, entry.key) in LISTS:
            value = in_list(value, LISTS[kind, entry.key], change)
        elif one is not None and (kind, entry.key) not in BY_NAME:
            value = below(value, one, change)
        entries.append(entry if value is entry.value else Entry(entry.key, value, entry.at))
    return properties if all(map(same, entries, properties.entries)) else replace(properties, entries=tuple(entries))


def below(expr: Expr, schema: Property, change: Change) -> Expr:
    kinds = next(
        (FINDS[c[1]] for c in schema.get("constraints", ()) if c[0] == "custom_constraint" and c[1] in FINDS), ()
    )
    if isinstance(expr, If):
        return branched(expr, lambda branch: below(branch, schema, change))
    if kinds:
        return change(expr, kinds, False)
    if isinstance(expr, Seq) and "items" in schema:
        items = tuple([below(item, schema["items"], change) for item in expr.items])
        return expr if all(map(same, items, expr.items)) else replace(expr, items=items)
    if isinstance(expr, Map) and "fields" in schema:
        fields = schema["fields"]
        entries = tuple(
            [
                e
                if (f := fields.get(e.key)) is None or (v := below(e.value, f, change)) is e.value
                else Entry(e.key, v, e.at)
                for e in expr.entries
            ]
        )
        return expr if all(map(same, entries, expr.entries)) else replace(expr, entries=entries)
    return expr


def in_list(expr: Expr, kinds: Types, change: Change) -> Expr:
    """A list of names or IDs with `change` applied to each item, or to the whole if the items are not written out."""
    if isinstance(expr, If):
        return branched(expr, lambda branch: in_list(branch, kinds, change))
    if isinstance(expr, Seq):
        items = tuple([below_item(item, kinds, change) for item in expr.items])
        return expr if all(map(same, items, expr.items)) else replace(expr, items=items)
    return change(expr, kinds, True)


def below_item(expr: Expr, kinds: Types, change: Change) -> Expr:
    if isinstance(expr, If):
        return branched(expr, lambda branch: below_item(branch, kinds, change))
    return change(expr, kinds, False)


def branched(expr: If, change: Callable[[Expr], Expr]) -> If:
    """An `if` with `change` applied to its branches."""
    then, orelse = change(expr.then), None if expr.orelse is None else change(expr.orelse)
    return expr if then is expr.then and orelse is expr.orelse else replace(expr, then=then, orelse=orelse)


def one_of(expr: Expr, kinds: Types, *, listed: bool, change: Change) -> Expr:
    """A value for a place of this kind, such as the argument for a parameter that is used there."""
    if listed and isinstance(expr, Lit) and isinstance(expr.value, str):
        expr = Seq(tuple(Lit(word, expr.span) for word in expr.value.split(",")) if expr.value else (), expr.span)
    return in_list(expr, kinds, change) if listed else below_item(expr, kinds, change)


def same(one: object, other: object) -> bool:
    return one is other
