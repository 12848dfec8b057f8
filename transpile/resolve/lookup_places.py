"""The places that take the name or the ID of a resource, and the types of resources that Heat looks up there.

Heat's own schemas say it: a property with the constraint `neutron.network` takes the name or ID of a network.

Invariant: these places take an ID as well as a name, in Heat and in the services that it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from transpile.model import heat_types
from transpile.model.ir import Entry, Expr, If, Lit, Map, Seq
from transpile.model.records import replace

if TYPE_CHECKING:
    from transpile.schema.catalog import PropertySchema, TypeFacts

Types = tuple[str, ...]
Change: TypeAlias = "Callable[[Expr, Types, bool], Expr]"
FINDS: Mapping[str, Types] = {
    "designate.zone": (heat_types.DESIGNATE_ZONE,),
    "glance.image": (heat_types.GLANCE_WEB_IMAGE, heat_types.GLANCE_IMAGE),
    "keystone.group": (heat_types.KEYSTONE_GROUP,),
    "keystone.project": (heat_types.KEYSTONE_PROJECT,),
    "keystone.role": (heat_types.KEYSTONE_ROLE,),
    "keystone.user": (heat_types.KEYSTONE_USER,),
    "magnum.cluster_template": (heat_types.MAGNUM_CLUSTER_TEMPLATE,),
    "manila.share_network": (heat_types.MANILA_SHARE_NETWORK,),
    "neutron.address_scope": (heat_types.NEUTRON_ADDRESS_SCOPE,),
    "neutron.lbaas.listener": (heat_types.NEUTRON_LBAAS_LISTENER,),
    "neutron.lbaas.loadbalancer": (heat_types.NEUTRON_LBAAS_LOAD_BALANCER,),
    "neutron.lbaas.pool": (heat_types.NEUTRON_LBAAS_POOL,),
    "neutron.network": (heat_types.NEUTRON_NET, heat_types.NEUTRON_PROVIDER_NET),
    "neutron.port": (heat_types.NEUTRON_PORT,),
    "neutron.qos_policy": (heat_types.NEUTRON_QOS_POLICY,),
    "neutron.router": (heat_types.NEUTRON_ROUTER,),
    "neutron.security_group": (heat_types.NEUTRON_SECURITY_GROUP,),
    "neutron.subnet": (heat_types.NEUTRON_SUBNET,),
    "neutron.subnetpool": (heat_types.NEUTRON_SUBNET_POOL,),
    "nova.flavor": (heat_types.NOVA_FLAVOR,),
    "nova.keypair": (heat_types.NOVA_KEY_PAIR,),
    "octavia.flavor": (heat_types.OCTAVIA_FLAVOR,),
    "octavia.l7policy": (heat_types.OCTAVIA_L7_POLICY,),
    "octavia.listener": (heat_types.OCTAVIA_LISTENER,),
    "octavia.loadbalancer": (heat_types.OCTAVIA_LOAD_BALANCER,),
    "octavia.pool": (heat_types.OCTAVIA_POOL,),
}
ANY_TYPE = frozenset(kind for kinds in FINDS.values() for kind in kinds)
LISTS: Mapping[tuple[str, str], Types] = {  # lists of names or IDs, which only the plug-in's code resolves
    (heat_types.NEUTRON_PORT, "security_groups"): FINDS["neutron.security_group"],
}
BY_NAME = {  # Terraform's argument is the name, so a name stays one
    (heat_types.NEUTRON_FLOATING_IP, "floating_network"),
    (heat_types.NEUTRON_FLOATING_IP, "floating_network_id"),
}


def change_lookups(kind: str, facts: TypeFacts, properties: Map, change: Change) -> Map:
    """The properties of a resource with `change` applied to every value that is a name or an ID; the same object if
    nothing changes. `change` gets the value, the types that Heat looks for, and whether the value is a list of names
    or IDs.
    """
    schemas: Mapping[str, PropertySchema] = facts.get("properties", {})
    entries = []
    for entry in properties.entries:
        property_schema, value = schemas.get(entry.key), entry.value
        if (kind, entry.key) in LISTS:
            value = change_list(value, LISTS[kind, entry.key], change)
        elif property_schema is not None and (kind, entry.key) not in BY_NAME:
            value = change_by_schema(value, property_schema, change)
        entries.append(entry if value is entry.value else Entry(entry.key, value, entry.at))
    return (
        properties
        if all(map(is_same_object, entries, properties.entries))
        else replace(properties, entries=tuple(entries))
    )


def change_by_schema(expr: Expr, schema: PropertySchema, change: Change) -> Expr:
    kinds = find_types(schema["constraints"]) if "constraints" in schema else ()
    if type(expr) is If:
        return change_branches(expr, lambda branch: change_by_schema(branch, schema, change))
    if kinds:
        return change(expr, kinds, False)
    if type(expr) is Seq and "items" in schema:
        items = tuple([change_by_schema(item, schema["items"], change) for item in expr.items])
        return expr if all(map(is_same_object, items, expr.items)) else replace(expr, items=items)
    if type(expr) is Map and "fields" in schema:
        fields = schema["fields"]
        entries = tuple(
            [
                e
                if (f := fields.get(e.key)) is None or (v := change_by_schema(e.value, f, change)) is e.value
                else Entry(e.key, v, e.at)
                for e in expr.entries
            ]
        )
        return expr if all(map(is_same_object, entries, expr.entries)) else replace(expr, entries=entries)
    return expr


def find_types(constraints: Sequence[Sequence[Any]]) -> Types:
    """The types that Heat looks for, by the constraints of a property; none if it takes no name or ID."""
    return next((FINDS[c[1]] for c in constraints if c[0] == "custom_constraint" and c[1] in FINDS), ())


def change_list(expr: Expr, kinds: Types, change: Change) -> Expr:
    """A list of names or IDs with `change` applied to each item, or to the whole if the items are not written out."""
    if isinstance(expr, If):
        return change_branches(expr, lambda branch: change_list(branch, kinds, change))
    if isinstance(expr, Seq):
        items = tuple([change_item(item, kinds, change) for item in expr.items])
        return expr if all(map(is_same_object, items, expr.items)) else replace(expr, items=items)
    return change(expr, kinds, True)


def change_item(expr: Expr, kinds: Types, change: Change) -> Expr:
    if isinstance(expr, If):
        return change_branches(expr, lambda branch: change_item(branch, kinds, change))
    return change(expr, kinds, False)


def change_branches(expr: If, change: Callable[[Expr], Expr]) -> If:
    """An `if` with `change` applied to its branches."""
    changed = expr.with_branches(change)
    return expr if all(map(is_same_object, changed.branches, expr.branches)) else changed


def change_argument(expr: Expr, kinds: Types, *, listed: bool, change: Change) -> Expr:
    """A value for a place of this kind, such as the argument for a parameter that is used there."""
    if listed and isinstance(expr, Lit) and isinstance(expr.value, str):
        expr = Seq(tuple(Lit(word, expr.span) for word in expr.value.split(",")) if expr.value else (), expr.span)
    return change_list(expr, kinds, change) if listed else change_item(expr, kinds, change)


def is_same_object(first: object, second: object) -> bool:
    return first is second
