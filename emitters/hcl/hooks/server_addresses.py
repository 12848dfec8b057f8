"""Hooks of the attributes of servers: addresses and status.

Invariant: Heat's attributes name a network, so the NIC on it must be identified, by name, reference or position. If
that is impossible, the server stays with Heat.
"""

from __future__ import annotations

from emitters.hcl.hooks import attribute_hook
from emitters.hcl.lowering.lookup_variables import READ
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources.external import addresses_by_network
from emitters.hcl.resources.handles import AttributeRead, NativeHandle, Selector
from emitters.hcl.resources.made_ports import find_made_port, network_in_path
from emitters.hcl.synthetic_variables import NO_DEFAULT
from emitters.hcl.tree.nodes import Attr, Fn, Index, Traversal
from emitters.hcl.tree.types import NULL, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import heat_types, ir

COMMAND = "openstack port list --server"

ATTACHED = frozenset(  # types that give floating IPs to servers
    (
        heat_types.AWS_EIP,
        heat_types.AWS_EIP_ASSOCIATION,
        heat_types.NEUTRON_FLOATING_IP,
        heat_types.NEUTRON_FLOATING_IP_ASSOCIATION,
        heat_types.NOVA_FLOATING_IP,
        heat_types.NOVA_FLOATING_IP_ASSOCIATION,
    )
)


def server_nics(native: NativeHandle) -> list[ir.Expr]:
    """The NICs of a server as the template lists them."""
    return list(ir.items_of(native.resource.find_property("networks")))


def nic_network(native: NativeHandle, item: ir.Expr) -> ir.Expr | None:
    """The network of a NIC, as the NIC or its port gives it."""
    if not isinstance(item, ir.Map):
        return None
    network = item.get("network") or item.get("uuid")
    template = native.emission.unit.template
    port = item.get("port")
    if network is None and isinstance(port, ir.ResourceRef) and port.name in template.resources:
        network = template.resources[port.name].find_property("network", "network_id")
    return network


def nic_network_name(native: NativeHandle, item: ir.Expr) -> str | None:
    """The name of a NIC's network, if known."""
    network = nic_network(native, item)
    template = native.emission.unit.template
    if isinstance(network, ir.ResourceRef) and network.name in template.resources:
        network = template.resources[network.name].find_property("name")
    if isinstance(network, ir.Lit):
        return str(network.value)
    if isinstance(network, ir.ParamRef) and not network.path:
        names = {str(v) for v in native.emission.unit.values_of_parameter(network.name)}
        return names.pop() if len(names) == 1 else None
    return None


def find_nic_address(lowering: HclLowering, native: NativeHandle, index: int, which: int) -> Selector | None:
    """An address of a NIC: of its port, if the port is in the template. index: of the NIC. which: of its addresses.
    None for a further address of a port that Terraform does not know.
    """
    nics = server_nics(native)
    item = nics[index] if index < len(nics) else None
    port = item.get("port") if isinstance(item, ir.Map) else None
    if isinstance(port, ir.ResourceRef) and native.emission.unit.plan.is_native(port.name):
        address = lowering.lower_value(
            ir.AttrRef(port.name, (ir.Lit("fixed_ips"), ir.Lit(which), ir.Lit("ip_address"))), STRING
        )
        return lambda base: address
    if which == 0 and not nics:
        return lambda base: TypedValue(Attr(base, "access_ip_v4"), STRING)
    if which == 0:
        return lambda base: TypedValue(Attr(Index(Attr(base, "network"), index), "fixed_ip_v4"), STRING)
    return None


@attribute_hook("server_first_address")
def read_first_address(read: AttributeRead) -> Selector:
    """The first address of the network whose name sorts last. With one NIC, the server's address."""
    nics = server_nics(read.native)
    if len(nics) > 1:
        names = [nic_network_name(read.native, n) for n in nics]
        known_names = [n for n in names if n is not None]
        if (
            len(known_names) == len(names)
            and len(set(known_names)) == len(known_names)
            and (address := find_nic_address(read.lowering, read.native, names.index(max(known_names)), 0)) is not None
        ):
            return address
        read.emission.log.add_diagnostic(
            codes.SIMILAR_ATTRIBUTE,
            f"Heat takes first_address of {read.resource.name} from the network whose name sorts last; "
            "Terraform takes it from the first NIC.",
            read.ref,
            note="Heat takes first_address from the network whose name sorts last; this is that of the first NIC.",
        )
    return lambda base: TypedValue(Attr(base, "access_ip_v4"), STRING)


@attribute_hook("server_networks_attribute")
def read_server_networks(read: AttributeRead) -> Selector:
    """`[networks, <name or ID>, i]`: the i-th address on that network."""
    if len(read.rest) != 2 or not isinstance(read.rest[1], ir.Lit) or not str(read.rest[1].value).isdecimal():
        if len(read.rest) < 2 and server_nics(read.native) and not may_have_floating_ips(read.native):
            lacks = "floating IPs that something else attaches, and further addresses of a port, are not in it"
            message = f"networks of {read.ref.name} is computed from its NICs: {lacks}."
            read.lowering.differs(codes.SIMILAR_ATTRIBUTE, message, read.ref)
            return lambda base: addresses_by_network(read.lowering, base, read.rest, with_ids=True)
        if read.emission.unit.policy.accepts_differences and len(read.rest) < 2:
            return read_addresses_by_network(read.lowering, read.ref, read.rest)
        why = f"Terraform does not have the map of networks of {read.resource.name}"
        raise read.impossible(why, avoidable=len(read.rest) < 2)
    index = find_nic_on_network(read.native, read.ref, read.rest[0])
    address = (
        find_nic_address(read.lowering, read.native, index, int(str(read.rest[1].value))) if index is not None else None
    )
    if address is None:
        raise read.impossible(f"Terraform does not have this address of {read.resource.name}")
    return address


def may_have_floating_ips(native: NativeHandle) -> bool:
    """Whether a server may have floating IPs, which Heat counts among its addresses: any stack of the conversion makes
    or attaches one, or the server runs already.
    """
    unit = native.emission.unit
    return unit.running.exists or bool(ATTACHED & unit.all_types)


def read_addresses_by_network(lowering: HclLowering, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Selector:
    """The addresses of a server by the name of their network, or those on one network."""
    name = ref.name
    message = f"Heat's networks of {name} also have entries by ID, and the floating IPs; these are only the fixed ones."
    lowering.differs(codes.NETWORKS_OF_SERVER, message, ref)
    return lambda base: addresses_by_network(lowering, base, rest)


def find_nic_on_network(native: NativeHandle, ref: ir.AttrRef, target: ir.Expr) -> int | None:
    """The index of the NIC on the network that a path names."""
    nics = server_nics(native)
    if isinstance(target, ir.AttrRef) and target.path in ((ir.Lit("name"),), (ir.Lit("show"), ir.Lit("name"))):
        target = ir.ResourceRef(target.name)  # Heat's map has an entry for the name and one for the ID
    for index, item in enumerate(nics):
        network = nic_network(native, item)
        if network is not None and network == target:
            return index
        name = nic_network_name(native, item)
        if name is not None and isinstance(target, ir.Lit) and str(target.value) == name:
            if isinstance(network, ir.ParamRef):
                value = f"the current value of {network.name}"
                message = f"The network of {native.resource.name} has this name only for {value}."
                native.emission.log.add_diagnostic(codes.SIMILAR_ATTRIBUTE, message, ref)
            return index
    if len(nics) <= 1:
        native.emission.log.add_diagnostic(
            codes.SIMILAR_ATTRIBUTE,
            f"The network of {native.resource.name} may have another name; its only NIC is used.",
            ref,
        )
        return 0
    return None


@attribute_hook("server_addresses")
def read_server_addresses(read: AttributeRead) -> Selector:
    """`[addresses, <network>, i, addr | port | OS-EXT-IPS-MAC:mac_addr]`."""
    key = str(read.rest[2].value) if len(read.rest) == 3 and isinstance(read.rest[2], ir.Lit) else ""
    which = str(read.rest[1].value) if len(read.rest) == 3 and isinstance(read.rest[1], ir.Lit) else ""
    index = find_nic_on_network(read.native, read.ref, read.rest[0]) if key and which.isdecimal() else None
    if index is not None:
        item = server_nics(read.native)[index] if index < len(server_nics(read.native)) else None
        port = item.get("port") if isinstance(item, ir.Map) else None
        if key == "addr" and (address := find_nic_address(read.lowering, read.native, index, int(which))) is not None:
            return address
        if key == "OS-EXT-IPS-MAC:mac_addr":
            return lambda base: TypedValue(Attr(Index(Attr(base, "network"), index), "mac"), STRING)
        if key == "port" and isinstance(port, ir.ResourceRef):
            value = read.lowering.lower_value(port, STRING)
            return lambda base: value
        if key == "port" and (running := variable_for_port(read.lowering, read.ref, index)) is not None:
            return lambda base: running
    if key == "port" and which == "0" and not read.lowering.scope.bound and is_single_server(read.native):
        network = (
            None if index is not None else network_in_path(read.emission, read.lowering, read.ref.name, read.rest[0])
        )
        if index is not None or network is not None:
            return lambda base: find_made_port(read.emission, read.resource, base, network, index or 0)
    raise read.impossible(f"Terraform does not have this part of addresses of {read.resource.name}")


def is_single_server(native: NativeHandle) -> bool:
    """Whether a server is no member of a group, and does not run already: then another port may be meant."""
    return not native.emission.unit.running.exists and native.emission.handles.get(native.resource.name) is native


@attribute_hook("server_status")
def read_server_status(read: AttributeRead) -> Selector:
    """`[show, status]`: the provider reads the same status, in lower case; its default is active."""
    if read.rest:
        return lambda base: TypedValue(None, NULL, True)  # Heat returns nothing for a path into a string
    return lambda base: TypedValue(Fn("upper", (Fn("coalesce", (Attr(base, "power_state"), "active")),)), STRING)


def variable_for_port(lowering: HclLowering, ref: ir.AttrRef, nic: int) -> TypedValue | None:
    """The variable for the ID of the port of a running server, whose default is the ID if that is known. None outside
    of adoptions, and for servers of which there are several.
    """
    key = f"{READ}{ref.name}.port {nic}"
    port = None if lowering.scope.bound else lowering.unit.running.find_server_port(ref.name, key)
    if port is None:
        return None
    variable = lowering.symbols.variables.get_variable(
        key,
        snake_case(f"{ref.name}_port_{nic}" if nic else f"{ref.name}_port"),
        f"ID of a port of {ref.name}, which Terraform does not read; `{COMMAND} {port.server}` prints it.",
        Traversal(("string",)),
        default=NO_DEFAULT if port.default is None else port.default,
    )
    has = "has" if port.is_known else "must have"
    message = f"The provider does not read the port of {ref.name}; the variable {variable.parts[1]} {has} its ID."
    lowering.differs(codes.ATTRIBUTE_AS_VARIABLE, message, ref)
    return TypedValue(variable, STRING)
