"""Hooks of the routes of routers.

The easy rule to break: openstack_networking_router_routes_v2 takes all routes of its router for its own, and removes
those that others add; Heat's set adds its routes to what there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook
from emitters.hcl.tables.mapping import lookups
from transpile.model import ir
from transpile.resolve.implicit_dependencies import given

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.plan.planner import Plan
    from emitters.hcl.resources.writer import Writer

ROUTES = ("OS::Neutron::ExtraRoute", "OS::Neutron::ExtraRouteSet")


class Routes(NamedTuple):
    """What gives routers routes, each with its place in the template: groups of routes, of whatever router; routes by
    the router that they refer to, or by its name.
    """

    groups: list[tuple[int, str]]
    by_router: dict[str, list[tuple[int, str]]]
    by_name: dict[str, list[tuple[int, str]]]


def routes(plan: Plan) -> Routes:
    found = Routes([], {}, {})
    for place, (name, resource) in enumerate(plan.template.resources.items()):
        if name in plan.disabled:
            continue
        definition = given(resource, "resource_def")
        if isinstance(definition, ir.Map):
            member = definition.get("type")
            if isinstance(member, ir.Lit) and member.value in ROUTES:
                found.groups.append((place, name))
        elif plan.stack.types[name] in ROUTES:
            router = given(resource, "router", "router_id")
            if isinstance(router, ir.ResourceRef):
                found.by_router.setdefault(router.name, []).append((place, name))
            elif isinstance(router, ir.Lit):
                found.by_name.setdefault(str(router.value), []).append((place, name))
    return found


def others(emission: Emission, resource: ir.Resource, router: str) -> list[tuple[int, str]]:
    """What else gives a router of the template routes."""
    found = emission.unit.plan.index(routes)
    named = given(emission.unit.template.resources[router], "name")
    text = str(named.value) if isinstance(named, ir.Lit) else ""
    mine = [*found.groups[:2], *found.by_router.get(router, ())[:2]]
    if emission.data.own(lookups()["router"], text) == router:
        mine += found.by_name.get(text, ())[:2]
    return [one for one in mine if one[1] != resource.name]


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
    elif found := others(emission, resource, router):
        why = f"the provider's set of routes removes those that others, like {min(found)[1]}, give its router"
    if why:
        raise CannotSay("HOT450", why, resource.at, resource.at + len(resource.name), resource.name)
