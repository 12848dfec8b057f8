"""The subnets that a template makes, by network."""

from __future__ import annotations

from emitters.hcl.plan.planner import ConversionPlan
from transpile.model import heat_types, ir


def created_subnets(plan: ConversionPlan) -> dict[str, list[ir.Resource]]:
    """The subnets that a template creates, by the network that they refer to."""
    subnets: dict[str, list[ir.Resource]] = {}
    for name, resource in plan.template.resources.items():
        network = resource.find_property("network", "network_id")
        if plan.stack.types[name] == heat_types.NEUTRON_SUBNET and isinstance(network, ir.ResourceRef):
            subnets.setdefault(network.name, []).append(resource)
    return subnets


def only_subnet(plan: ConversionPlan, network: str) -> str:
    """The native subnet of a network of the template, if it surely is the only one: no other resource can make one;
    else empty.
    """
    made = plan.get_index(created_subnets).get(network, ())
    if len(made) != 1 or made[0].is_conditional or not plan.is_native(made[0].name):
        return ""
    if made[0].find_property("segment"):
        return ""  # the host of the port may have to choose the subnet
    subnets = sum(map(len, plan.get_index(created_subnets).values()))
    if subnets != sum(kind == heat_types.NEUTRON_SUBNET for kind in plan.stack.types.values()):
        return ""  # a subnet may name the network
    inside = {name for name, _ in plan.stack.nested}
    resources = plan.template.resources
    if any(ref.name == network for name in inside if name in resources for ref in resources[name].refs):
        return ""  # a nested template may add a subnet
    return made[0].name
