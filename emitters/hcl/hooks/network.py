"""Hooks of networks, subnets, routers and floating IPs.

The easy rule to break: a gateway of null is no gateway, and absent is the first address; the provider finds a pool by
name and an association by address, where Heat has IDs.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from emitters.hcl import paths
from emitters.hcl.forms import without_null
from emitters.hcl.handles import Native
from emitters.hcl.hooks import attribute_hook, finish_hook, prepare_hook, property_hook, write_hook
from emitters.hcl.hooks.ports import finish_specs, specs
from emitters.hcl.lower import CannotSay, Existing, Lowering
from emitters.hcl.mapping import Kind, Rule, lookups
from emitters.hcl.names import snake
from emitters.hcl.tree import Argument, Attr, Block, Cond, Expr, Fn, ForObject, Index, Name, Op, Tuple
from emitters.hcl.types import BOOL, MAP_OF_STRINGS, NUMBER, STRING, STRINGS, TUPLE, Value
from transpile import graph, ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.directory import Directory
    from emitters.hcl.handles import Handle, Select
    from emitters.hcl.resources import Writer

NULL = ir.Lit(None)
NET_SPECS = {
    "provider:network_type": "network_type",
    "provider:physical_network": "physical_network",
    "provider:segmentation_id": "segmentation_id",
}
NET_ARGUMENTS = {
    "router:external": ("external", BOOL),
    "mtu": ("mtu", NUMBER),
    "vlan_transparent": ("transparent_vlan", BOOL),
}


def segments(writer: Writer) -> Block:
    """The one block for the network's segment."""
    found = next((b for b in writer.block.body if isinstance(b, Block) and b.type == "segments"), None)
    return found if found is not None else writer.block.block("segments")


@property_hook("provider_segment")
def provider_segment(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    name = rule.to.rpartition(".")[2]
    if entry.value in (NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="null and empty ask for the default"))
        return
    block = segments(writer)
    block.at, block.end = (entry.at, entry.value.end) if block.at < 0 else (block.at, block.end)
    block.set(
        name,
        writer.lowering.expr(entry.value, NUMBER if name == "segmentation_id" else STRING),
        entry.at,
        entry.value.end,
    )
    writer.is_value(entry.key, f"segments.0.{name}")


@property_hook("net_value_specs")
def net_value_specs(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """What has an argument of its own goes there, the rest into value_specs."""
    if entry.value in (NULL, ir.Map(())):
        writer.fate(entry.key, fate("implied", why="nothing is sent"))
        return
    if not isinstance(entry.value, ir.Map):
        writer.block.set("value_specs", writer.lowering.expr(entry.value, MAP_OF_STRINGS), entry.at, entry.value.end)
        writer.is_value(entry.key, "value_specs")
        return
    for one in entry.value.entries:
        path = f"{entry.key}.{one.key}"
        if one.key in NET_SPECS:
            name = NET_SPECS[one.key]
            segments(writer).set(
                name,
                writer.lowering.expr(one.value, NUMBER if name == "segmentation_id" else STRING),
                one.at,
                one.value.end,
            )
            writer.is_value(path, f"segments.0.{name}")
        elif one.key in NET_ARGUMENTS:
            name, kind = NET_ARGUMENTS[one.key]
            writer.block.set(name, writer.lowering.expr(one.value, kind), one.at, one.value.end)
            writer.is_value(path, name)
        else:
            specs(writer).append((one.key, writer.lowering.member(one.value, True)))
            writer.is_value(path, f"value_specs.{one.key}")
    finish_specs(writer)


@attribute_hook("net_subnets")
def net_subnets(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """The IDs of the subnets that the template makes in the network."""
    directory = native.directory
    found: list[Expr] = []
    for name, resource in directory.template.resources.items():
        properties = resource.properties
        network = (properties.get("network") or properties.get("network_id")) if properties is not None else None
        if (
            directory.stack.types[name] == "OS::Neutron::Subnet"
            and isinstance(network, ir.ResourceRef)
            and network.name == native.resource.name
        ):
            asker = lowering.resource
            if name == asker or asker in graph.reachable(directory.plan.ordered, (name,)):
                raise CannotSay(
                    "HOT550",
                    f"which subnets of {native.resource.name} there are when {asker} asks, only Heat knows",
                    ref.at,
                    ref.end,
                    native.resource.name,
                )
            if resource.condition is not None or not directory.plan.is_native(name):
                raise CannotSay(
                    "HOT550",
                    f"the subnets of {native.resource.name} are not all in Terraform",
                    ref.at,
                    ref.end,
                    native.resource.name,
                )
            found.append(lowering.expr(ir.ResourceRef(name, at=ref.at, end=ref.end)))
    if not found:
        raise CannotSay(
            "HOT550",
            f"the subnets of {native.resource.name} are not in the template",
            ref.at,
            ref.end,
            native.resource.name,
        )
    listed: Expr = Tuple(tuple(found))
    if rest:
        return lambda base: paths.attribute(lowering, Value(listed, STRINGS), rest)
    return lambda base: Value(listed, TUPLE)


# subnets


@property_hook("subnet_cidr")
def subnet_cidr(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Neutron takes any address of the network for the network's own, the provider does not."""
    block, expr = writer.block, entry.value
    if expr in (NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="null and empty ask for the default, and so does leaving it out"))
        return
    value, how, why = writer.lowering.expr(expr, STRING), "value", "the address of the network itself"
    known = writer.directory.known_values(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else []
    if isinstance(value, str) and (proper := network_itself(value)) != value:
        value, how = proper, "derived"
    elif any(isinstance(v, str) and network_itself(v) != v for v in known):
        value, how = Fn("cidrsubnet", (value, 0, 0)), "derived"
    elif isinstance(expr, (ir.ResourceRef, ir.AttrRef)):
        how = "reference"
    block.set("cidr", value, entry.at, expr.end)
    writer.is_value(entry.key, "cidr", how, why=why if how == "derived" else "")


def network_itself(text: str) -> str:
    """A network in CIDR notation without what it says of a host; whatever is none, as it stands."""
    try:
        return str(ipaddress.ip_interface(text).network) if "/" in text else text
    except ValueError:
        return text


@property_hook("subnet_gateway")
def subnet_gateway(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    block, expr = writer.block, entry.value
    if expr in (NULL, ir.Lit("")):
        block.set("no_gateway", True, entry.at, expr.end)
        writer.is_value(entry.key, "no_gateway", "derived", why="null means that the subnet has no gateway")
        return
    value = writer.lowering.expr(expr, STRING)
    if value == "auto":
        writer.fate(entry.key, fate("implied", why="auto is the first address, and so is leaving it out"))
        return
    if isinstance(expr, (ir.ParamRef, ir.If)):  # "" is no gateway, auto the first address
        value = value if isinstance(value, Name) else writer.directory.local(f"{writer.lowering.owner}_gateway", value)
        known = writer.directory.known_values(expr.name) if isinstance(expr, ir.ParamRef) and not expr.path else []
        if known and not {"", "auto"} & {str(v) for v in known}:
            block.set("gateway_ip", value, entry.at, expr.end)
        else:
            absent = Fn("contains", (Tuple(("", "auto")), value))
            block.set("gateway_ip", Cond(absent, None, value), entry.at, expr.end)
            block.set("no_gateway", Cond(Op("==", value, ""), True, None), entry.at, expr.end)
    else:
        block.set("gateway_ip", value, entry.at, expr.end)
    writer.is_value(entry.key, "gateway_ip", "reference" if isinstance(expr, (ir.ResourceRef, ir.AttrRef)) else "value")


@property_hook("subnet_host_routes")
def subnet_host_routes(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """One resource for each route; for a list that is known only at run time, one with `for_each`."""
    expr = entry.value
    kind, label = "openstack_networking_subnet_route_v2", writer.block.labels[1]
    if expr in (NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="no routes given"))
        return
    if not isinstance(expr, ir.Seq) or not all(isinstance(i, ir.Map) for i in expr.items):
        if writer.directory.repeated is not None:
            raise CannotSay(
                "HOT404", "the routes of a subnet that is repeated are known only at run time", expr.at, expr.end
            )
        block = writer.beside(kind, label, entry.at, expr.end)
        over = writer.lowering.lift(writer.lowering.expr(without_null(expr)), "routes")
        # by number: a destination may be there twice, and be known only after apply
        block.set("for_each", ForObject(("i", "route"), over, Name(("i",)), Name(("route",))))
        block.set("subnet_id", writer.self_reference("id"))
        block.set("destination_cidr", Name(("each", "value", "destination")))
        block.set("next_hop", Name(("each", "value", "nexthop")))
        writer.is_value(entry.key, "for_each", "derived", ".".join(block.labels), "one route for each item of the list")
        return
    for i, item in enumerate(expr.items):
        assert isinstance(item, ir.Map)
        block = writer.beside(kind, f"{label}_{i}" if len(expr.items) > 1 else label, item.at, item.end)
        block.set("subnet_id", writer.self_reference("id"))
        for field in item.entries:
            argument = {"destination": "destination_cidr", "nexthop": "next_hop"}.get(field.key)
            if argument is None:
                raise CannotSay(
                    "HOT301",
                    f"a host route has no {field.key}",
                    field.at,
                    field.at + len(field.key),
                    writer.resource.name,
                )
            block.set(argument, writer.lowering.expr(field.value, STRING), field.at, field.value.end)
            writer.is_value(
                f"{entry.key}.{i}.{field.key}",
                argument,
                "reference" if isinstance(field.value, (ir.ResourceRef, ir.AttrRef)) else "value",
                ".".join(block.labels),
            )


# routers


@property_hook("router_admin_state")
def router_admin_state(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """The provider does not send false when it makes a router; value_specs it sends as they are."""
    if entry.value == NULL:
        writer.fate(entry.key, fate("implied", why="null asks for the default"))
        return
    value = writer.lowering.expr(entry.value, BOOL)
    writer.block.set("admin_state_up", value, entry.at, entry.value.end)
    writer.is_value(entry.key, "admin_state_up")
    if value is False:
        specs(writer).append(("admin_state_up", "false"))
    elif value is not True:
        writer.later(entry.value, "admin_state_up")


@property_hook("router_gateway_info")
def router_gateway_info(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (NULL, ir.Map(())):
        writer.fate(entry.key, fate("implied", why="no gateway given"))
        return
    if not isinstance(entry.value, ir.Map):
        raise CannotSay(
            "HOT404",
            f"the gateway of {writer.resource.name} is known only at run time",
            entry.value.at,
            entry.value.end,
        )
    for one in entry.value.entries:
        path = f"{entry.key}.{one.key}"
        if one.value == NULL:
            writer.fate(path, fate("implied", why="null asks for the default"))
        elif one.key == "network":
            found, how = writer.directory.lookups.one(writer.lowering, one.value, lookups()["network"], "id", "network")
            writer.block.set("external_network_id", found.expr, one.at, one.value.end)
            writer.is_value(path, "external_network_id", how)
        elif one.key == "enable_snat":
            writer.block.set("enable_snat", writer.lowering.expr(one.value, BOOL), one.at, one.value.end)
            writer.is_value(path, "enable_snat")
        elif (
            one.key == "external_fixed_ips"
            and isinstance(one.value, ir.Seq)
            and all(isinstance(i, ir.Map) for i in one.value.items)
        ):
            for i, item in enumerate(one.value.items):
                block = writer.block.block("external_fixed_ip", at=item.at, end=item.end)
                for field in item.entries if isinstance(item, ir.Map) else ():
                    if field.key == "subnet":
                        found, how = writer.directory.lookups.one(
                            writer.lowering, field.value, lookups()["subnet"], "id", "subnet"
                        )
                        block.set("subnet_id", found.expr, field.at, field.value.end)
                    else:
                        block.set(field.key, writer.lowering.expr(field.value, STRING), field.at, field.value.end)
                        how = "reference" if isinstance(field.value, (ir.ResourceRef, ir.AttrRef)) else "value"
                    writer.is_value(
                        f"{path}.{i}.{field.key}",
                        f"external_fixed_ip.{i}." + ("subnet_id" if field.key == "subnet" else field.key),
                        how,
                    )
        else:
            raise CannotSay(
                "HOT404", f"{one.key} of the gateway is known only at run time", one.value.at, one.value.end
            )


@property_hook("router_ha")
def router_ha(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value == NULL:
        writer.fate(entry.key, fate("implied", why="null is not sent"))
        return
    specs(writer).append(("ha", Fn("tostring", (writer.lowering.expr(entry.value, BOOL),))))
    writer.is_value(entry.key, "value_specs.ha", "derived", why="value_specs are texts")


@property_hook("router_value_specs")
def router_value_specs(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (NULL, ir.Map(())):
        writer.fate(entry.key, fate("implied", why="nothing is sent"))
    elif isinstance(entry.value, ir.Map):
        for one in entry.value.entries:
            specs(writer).append((one.key, writer.lowering.member(one.value, True)))
            writer.is_value(f"{entry.key}.{one.key}", f"value_specs.{one.key}")
    else:
        writer.extra["all_specs"] = [("", writer.lowering.expr(entry.value, MAP_OF_STRINGS))]
        writer.is_value(entry.key, "value_specs")


@finish_hook("router")
def finish_router(writer: Writer) -> None:
    """value_specs; and the gateway, if a resource of its own gives it."""
    finish_specs(writer)
    gateway = writer.directory.plan.gateways.get(writer.resource.name)
    if gateway is None or writer.directory.plan.embeds(gateway):
        return
    resource = writer.directory.template.resources[gateway]
    report = writer.directory.resource_report(resource)
    report.treatment, report.addresses = "folded", [writer.to]
    entry = next(
        (
            e
            for e in (resource.properties.entries if resource.properties is not None else ())
            if e.key in ("network", "network_id")
        ),
        None,
    )
    if entry is None or any(getattr(item, "name", "") == "external_network_id" for item in writer.block.body):
        raise CannotSay(
            "HOT404", f"{writer.resource.name} has a gateway already", resource.at, resource.at + len(gateway), gateway
        )
    with writer.lowering.owned(
        snake(gateway), facts=frozenset(() if resource.condition is None else (resource.condition,)), resource=gateway
    ):
        found, how = writer.directory.lookups.one(writer.lowering, entry.value, lookups()["network"], "id", "network")
    value = found.expr
    if resource.condition is not None:
        value = Cond(writer.lowering.condition(resource.condition), value, None)
    writer.block.set("external_network_id", value, resource.at, resource.end)
    report.properties[entry.key] = fate(how, writer.to, "external_network_id")
    for other in resource.properties.entries if resource.properties is not None else ():
        if other is not entry:
            report.properties[other.key] = fate("implied", writer.to, why="it says which router gets the argument")


@prepare_hook("router_gateway")
def prepare_gateway(directory: Directory, resource: ir.Resource, kind: Kind) -> Handle:
    from emitters.hcl.handles import Native as NativeHandle

    router = directory.plan.router_of(resource)
    if router is None:
        raise CannotSay(
            "HOT450",
            "no resource of the provider sets only the gateway of a router",
            resource.at,
            resource.at + len(resource.name),
            resource.name,
        )
    return NativeHandle(directory, resource, kind, ("openstack_networking_router_v2", snake(router)))


@write_hook("router_gateway")
def write_gateway(directory: Directory, resource: ir.Resource, kind: Kind) -> None:
    """Written with its router."""


@attribute_hook("router_gateway_attribute")
def router_gateway_attribute(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    path = [str(r.value) if isinstance(r, ir.Lit) else "" for r in rest]
    if path == ["network_id"]:
        return lambda base: Value(Attr(base, "external_network_id"), STRING)
    if path == ["enable_snat"]:
        return lambda base: Value(Attr(base, "enable_snat"), BOOL)
    if (
        len(path) == 3
        and path[0] == "external_fixed_ips"
        and path[1].isdigit()
        and path[2] in ("ip_address", "subnet_id")
    ):
        return lambda base: Value(Attr(Index(Attr(base, "external_fixed_ip"), int(path[1])), path[2]), STRING)
    raise CannotSay(
        "HOT550",
        f"the whole gateway of {native.resource.name} is not in Terraform",
        ref.at,
        ref.end,
        native.resource.name,
    )


# floating IPs


def address_of(writer: Writer, expr: ir.Expr) -> Expr:
    """The address of a floating IP that Heat names by its ID. Of one that is not the template's, Heat reads it."""
    plan = writer.directory.plan

    def read(name: str, attribute: str) -> Expr:
        return writer.lowering.expr(ir.AttrRef(name, (ir.Lit(attribute),), at=expr.at, end=expr.end), STRING)

    if isinstance(expr, ir.ResourceRef) and plan.is_native(expr.name):
        kind = writer.directory.stack.types.get(expr.name)
        if kind in ("OS::Neutron::FloatingIP", "OS::Nova::FloatingIP"):
            return read(expr.name, "floating_ip_address" if kind == "OS::Neutron::FloatingIP" else "ip")
    existing = Existing(writer.resource.name, "OS::Neutron::FloatingIP", expr)
    if (reader := plan.existing.get(existing)) is not None:
        return read(reader, "floating_ip_address")
    refused = CannotSay("HOT450", "no data source finds the address of a floating IP by its ID", expr.at, expr.end)
    refused.existing = None if writer.lowering.bound else existing
    raise refused


def addressed(writer: Writer, path: str, expr: ir.Expr, to: str = "") -> None:
    """The fate of an ID whose address was written."""
    if isinstance(expr, ir.ResourceRef):
        writer.lowering.value(expr)  # for the report: what the reference is
        writer.is_value(path, "floating_ip", "reference", to)
    else:
        writer.is_value(path, "floating_ip", "derived", to, "the address of what has this ID")


@property_hook("floating_ip_address")
def floating_ip_address(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    writer.block.set("floating_ip", address_of(writer, entry.value), entry.at, entry.value.end)
    addressed(writer, entry.key, entry.value)


@attribute_hook("floating_network_id")
def floating_network_id(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """The ID of the network that the address comes from: what the template gives."""
    properties = native.resource.properties
    given = (
        (properties.get("floating_network") or properties.get("floating_network_id"))
        if properties is not None
        else None
    )
    if given is None or rest:
        raise CannotSay(
            "HOT550",
            f"the network of {native.resource.name} is not in Terraform",
            ref.at,
            ref.end,
            native.resource.name,
        )
    found, _ = native.directory.lookups.one(lowering, given, lookups()["network"], "id", "network")
    return lambda base: found


@finish_hook("floating_ip")
def finish_floating_ip(writer: Writer) -> None:
    """An address inside a network belongs to a port."""
    given = {getattr(item, "name", "") for item in writer.block.body}
    if "fixed_ip" in given and "port_id" not in given:
        raise CannotSay(
            "HOT403",
            f"{writer.resource.name} has an inner address and no port",
            writer.resource.at,
            writer.resource.at + len(writer.resource.name),
        )


@property_hook("nova_floating_ip_pool")
def nova_pool(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="none given is the external network"))
        return
    found, how = writer.directory.lookups.one(writer.lowering, entry.value, lookups()["network"], "name", "network")
    writer.block.set("pool", found.expr, entry.at, entry.value.end)
    writer.is_value(entry.key, "pool", how)


@finish_hook("nova_floating_ip")
def finish_pool(writer: Writer) -> None:
    """Without a pool the address comes from the one external network."""
    if not any(isinstance(a, Argument) and a.name == "pool" for a in writer.block.body):
        pool = Name(("data", *writer.directory.external_network(), "name"))
        writer.block.body.insert(1 if writer.directory.repeated is not None else 0, Argument("pool", pool))


def port_of_server(writer: Writer, expr: ir.Expr) -> Expr:
    """The port of the first NIC of a server of the template: its own resource, or looked up by the server."""
    from emitters.hcl.hooks.server_addresses import nics_of

    directory = writer.directory
    if not (
        isinstance(expr, ir.ResourceRef)
        and directory.plan.is_native(expr.name)
        and directory.stack.types.get(expr.name) == "OS::Nova::Server"
    ):
        raise CannotSay("HOT450", "the port of a server outside the template", expr.at, expr.end)
    handle = directory.handle(expr.name, expr)
    nics = nics_of(handle) if isinstance(handle, Native) else []
    port = nics[0].get("port") if nics and isinstance(nics[0], ir.Map) else None
    server = writer.lowering.expr(expr, STRING)
    if port is not None:
        value, _ = directory.lookups.one(writer.lowering, port, lookups()["port"])
        return value.expr
    address = directory.lookups.source(
        writer.lowering, lookups()["port"], ("server", expr.name), {"device_id": server}, expr.name
    )
    return directory.lookups.attribute(writer.lowering, address, "id")


@property_hook("server_port")
def server_port(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    writer.block.set("port_id", port_of_server(writer, entry.value), entry.at, entry.value.end)
    writer.is_value(entry.key, "port_id", "derived", why="the port of the server's first NIC")


# load balancing


@property_hook("pool_load_balancer")
def pool_load_balancer(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """A pool is the listener's or the load balancer's; where both are given the listener says the load balancer too."""
    listener = writer.given.get("listener")
    if entry.value in (NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", why="null and empty ask for the default"))
    elif listener is not None and listener.value not in (NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", writer.to, "listener_id", "the listener belongs to the load balancer"))
    else:
        found, how = writer.directory.lookups.one(
            writer.lowering, entry.value, lookups()["load_balancer"], "id", "load_balancer"
        )
        writer.block.set("loadbalancer_id", found.expr, entry.at, entry.value.end)
        writer.is_value(entry.key, "loadbalancer_id", how)
