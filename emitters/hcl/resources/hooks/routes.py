"""Hooks of the routes of routers.

The easy rule to break: openstack_networking_router_routes_v2 takes all routes of its router for its own, and removes
those that others add; Heat's set adds its routes to what there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.resources.hooks import finish_hook
from emitters.hcl.tables.mapping import lookups
from transpile.model import ir
from transpile.resolve.implicit_dependencies import given

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.resources.writer import Writer

ROUTES = ("OS::Neutron::ExtraRoute", "OS::Neutron::ExtraRouteSet")


def adds_routes(emission: Emission, resource: ir.Resource, router: str | None) -> bool:
    """Whether a resource is routes of a router, or a group of routes, of whatever router."""
    definition = given(resource, "resource_def")
    if isinstance(definition, ir.Map):
        member = definition.get("type")
        return isinstance(member, ir.Lit) and member.value in ROUTES
    return emission.unit.stack.types[resource.name] in ROUTES and router_of(emission, resource) == router


def router_of(emission: Emission, resource: ir.Resource) -> str | None:
    """The router of the template that routes are for, by reference or by name."""
    router = given(resource, "router", "router_id")
    if isinstance(router, ir.ResourceRef):
        return router.name if emission.unit.stack.types[router.name] == "OS::Neutron::Router" else None
    if isinstance(router, ir.Lit):
        return emission.data.own(lookups()["router"], str(router.value))
    return None


@finish_hook("route_set")
def finish(writer: Writer) -> None:
    """Raises where somebody else may add routes to the router."""
    emission, resource = writer.emission, writer.resource
    router = router_of(emission, resource)
    why = ""
    if given(resource, "resource_def") is not None:
        why = "the provider's set of routes removes those that others give a router, and a group has several sets"
    elif router is None:
        why = "the provider's set of routes removes those that others give a router, and this one is not the template's"
    for name, other in emission.unit.template.resources.items():
        if other is not resource and name not in emission.unit.plan.off and adds_routes(emission, other, router):
            why = why or f"the provider's set of routes removes those that others, like {name}, give its router"
    if why:
        raise CannotSay("HOT450", why, resource.at, resource.at + len(resource.name), resource.name)
