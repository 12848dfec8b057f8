"""Hooks of floating IPs and their associations.

The provider takes the name of a pool, and the address of a floating IP, where Heat takes IDs.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay, Existing
from emitters.hcl.hooks import attribute_hook, finish_hook, property_hook
from emitters.hcl.lowering import lookup_variables
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.handles import AttributeRead, NativeHandle, Selector
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tree.nodes import Argument, Expr, Traversal
from emitters.hcl.tree.types import STRING
from transpile.diagnostics import codes
from transpile.model import heat_types, ir


def lower_floating_address(writer: Writer, expr: ir.Expr) -> Expr:
    """The address of the floating IP with an ID. If the floating IP is not in the template, a read-only Heat stack
    looks the address up; with a preference, a variable has it.
    """
    plan = writer.emission.unit.plan

    def read_attribute(name: str, attribute: str) -> Expr:
        return writer.lowering.lower_expression(ir.AttrRef(name, (ir.Lit(attribute),), span=expr.span), STRING)

    if isinstance(expr, ir.ResourceRef) and plan.is_native(expr.name):
        kind = writer.emission.unit.stack.types.get(expr.name)
        if kind in (heat_types.NEUTRON_FLOATING_IP, heat_types.NOVA_FLOATING_IP):
            return read_attribute(expr.name, "floating_ip_address" if kind == heat_types.NEUTRON_FLOATING_IP else "ip")
    if plan.policy.asks_for_values:
        return lookup_variables.floating_ip_address(writer.lowering, expr)
    existing = Existing(writer.resource.name, heat_types.NEUTRON_FLOATING_IP, expr)
    if (reader := plan.existing.get(existing)) is not None:
        return read_attribute(reader, "floating_ip_address")
    refused = lookup_variables.refuse_floating_ip(expr, avoidable=True)
    # The next attempt reads it with a Heat stack, but one stack cannot read a different one for each member of a group.
    refused.existing = None if writer.lowering.scope.bound else existing
    raise refused


def fate_of_address(writer: Writer, path: str, expr: ir.Expr) -> Written:
    """The fate of an ID whose address was written."""
    if isinstance(expr, ir.ResourceRef):
        writer.lowering.lower_value(expr)  # records the reference in the report
        return Written.fate(path, "floating_ip", "reference")
    return Written.fate(path, "floating_ip", "derived", "the address of the floating IP with this ID")


@property_hook("floating_ip_address")
def write_floating_ip_address(writer: Writer, entry: ir.Entry) -> Written:
    address = Written.argument("floating_ip", lower_floating_address(writer, entry.value), entry)
    return address + fate_of_address(writer, entry.key, entry.value)


@attribute_hook("floating_network_id")
def read_floating_network_id(read: AttributeRead) -> Selector:
    """The ID of the floating IP's network, as the template sets it."""
    network = read.resource.find_property("floating_network", "floating_network_id")
    if network is None or read.rest:
        raise read.impossible(f"Terraform does not have the network of {read.resource.name}")
    network_id, _ = read.emission.data.resolve_name(
        read.lowering, network, read.emission.unit.tables.lookups["network"], "id", "network"
    )
    return lambda base: network_id


@property_hook("nova_floating_ip_pool")
def write_nova_pool(writer: Writer, entry: ir.Entry) -> Written:
    pool, how = writer.emission.data.resolve_name(
        writer.lowering, entry.value, writer.lookups["network"], "name", "network"
    )
    return Written.value(entry, "pool", pool.expr, how)


@finish_hook("nova_floating_ip")
def finish_pool(writer: Writer) -> None:
    """Writes the one external network as the pool, if none is set."""
    if not any(isinstance(a, Argument) and a.name == "pool" for a in writer.block.body):
        pool = Traversal(("data", *writer.emission.shared.external_network(), "name"))
        writer.block.body.insert(1 if writer.is_repeated else 0, Argument("pool", pool))


def port_of_server(writer: Writer, expr: ir.Expr) -> Expr:
    """The port of the first NIC of a server of the template: its resource, or a lookup by server. With a preference,
    also the only port of a server that exists.
    """
    from emitters.hcl.hooks.server_addresses import server_nics

    emission = writer.emission
    if not (
        isinstance(expr, ir.ResourceRef)
        and emission.unit.plan.is_native(expr.name)
        and emission.unit.stack.types.get(expr.name) == heat_types.NOVA_SERVER
    ):
        if emission.unit.policy.accepts_differences:
            return only_port_of_server(writer, expr)
        why = "the server is outside the template, so its port is unknown"
        raise CannotSay(codes.KEPT_IN_HEAT, why, expr, avoidable=True)
    handle = emission.handles[expr.name]
    nics = server_nics(handle) if isinstance(handle, NativeHandle) else []
    port = nics[0].get("port") if nics and isinstance(nics[0], ir.Map) else None
    server = writer.lowering.lower_expression(expr, STRING)
    if port is not None:
        value, _ = emission.data.resolve_name(writer.lowering, port, writer.lookups["port"])
        return value.expr
    address = emission.data.find_or_add_source(
        writer.lowering, writer.lookups["port"], ("server", expr.name), {"device_id": server}, expr.name
    )
    return emission.data.attribute_of_source(writer.lowering, address, "id")


def only_port_of_server(writer: Writer, expr: ir.Expr) -> Expr:
    """The port of an existing server, by a data source that finds just one."""
    emission, lowering = writer.emission, writer.lowering
    value = lowering.lower_expression(expr, STRING)
    label = snake_case(expr.name) if isinstance(expr, (ir.ResourceRef, ir.ParamRef)) else f"{lowering.scope.owner}_port"
    address = emission.data.find_or_add_source(
        lowering, writer.lookups["port"], ("server", value), {"device_id": value}, label
    )
    message = "Heat takes the first port of this server; the data source fails unless the server has just one."
    lowering.differs(codes.PORT_OF_EXISTING_SERVER, message, expr)
    return emission.data.attribute_of_source(lowering, address, "id")


@property_hook("server_port")
def write_server_port(writer: Writer, entry: ir.Entry) -> Written:
    port = port_of_server(writer, entry.value)
    return Written.value(entry, "port_id", port, "derived", "the port of the server's first NIC")
