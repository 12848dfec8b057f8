"""Hooks of the routes of routers.

Invariant: at most one route set is written for a router. openstack_networking_router_routes_v2 owns all routes of its
router and removes any others, whereas Heat's resources only add routes.
"""

from __future__ import annotations

from typing import NamedTuple

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook
from emitters.hcl.plan.planner import ConversionPlan
from emitters.hcl.resources.writer import Writer
from transpile.diagnostics import codes
from transpile.model import heat_types, ir

REMOVES = "the provider removes all other routes of the router"
ROUTES = (heat_types.NEUTRON_EXTRA_ROUTE, heat_types.NEUTRON_EXTRA_ROUTE_SET)


class Routes(NamedTuple):
    """Resources that add routes, each with its position in the template: groups of routes for any router, and routes
    by the router that they reference or name.
    """

    groups: list[tuple[int, str]]
    by_router: dict[str, list[tuple[int, str]]]
    by_name: dict[str, list[tuple[int, str]]]


def index_routes(plan: ConversionPlan) -> Routes:
    routes = Routes([], {}, {})
    for place, (name, resource) in enumerate(plan.template.resources.items()):
        if name in plan.disabled:
            continue
        definition = resource.find_property("resource_def")
        if isinstance(definition, ir.Map):
            member = definition.get("type")
            if isinstance(member, ir.Lit) and member.value in ROUTES:
                routes.groups.append((place, name))
        elif plan.stack.types[name] in ROUTES:
            router = resource.find_property("router", "router_id")
            if isinstance(router, ir.ResourceRef):
                routes.by_router.setdefault(router.name, []).append((place, name))
            elif isinstance(router, ir.Lit):
                routes.by_name.setdefault(str(router.value), []).append((place, name))
    return routes


def other_routes(emission: Emission, resource: ir.Resource, router: str) -> list[tuple[int, str]]:
    """Other resources that add routes to a router of the template."""
    routes = emission.unit.plan.get_index(index_routes)
    named = emission.unit.template.resources[router].find_property("name")
    text = str(named.value) if isinstance(named, ir.Lit) else ""
    # Two of each kind are enough: at least one of them is not the resource itself.
    mine = [*routes.groups[:2], *routes.by_router.get(router, ())[:2]]
    if emission.data.own_resource(emission.unit.tables.lookups["router"], text) == router:
        mine += routes.by_name.get(text, ())[:2]
    return [route for route in mine if route[1] != resource.name]


def router_of_route(emission: Emission, resource: ir.Resource) -> str:
    """The router of the template that a route resource references or names; empty if it is another."""
    router = resource.find_property("router", "router_id")
    if isinstance(router, ir.ResourceRef):
        return router.name if emission.unit.stack.types[router.name] == heat_types.NEUTRON_ROUTER else ""
    if isinstance(router, ir.Lit):
        return emission.data.own_resource(emission.unit.tables.lookups["router"], str(router.value))
    return ""


@finish_hook("route_set")
def finish_route_set(writer: Writer) -> None:
    """Raises CannotSay if something else may add routes to the router."""
    emission, resource = writer.emission, writer.resource
    router = router_of_route(emission, resource)
    why = ""
    if resource.find_property("resource_def") is not None:
        why = f"{REMOVES}, and a group has several route sets"
    elif not router:
        why = f"{REMOVES}, and this router is not in the template"
    elif others := other_routes(emission, resource, router):
        why = f"{REMOVES}, such as those of {min(others)[1]}"
    if why:
        raise CannotSay(codes.KEPT_IN_HEAT, why, resource.name_span, resource.name)
