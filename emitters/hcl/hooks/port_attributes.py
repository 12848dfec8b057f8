"""Hooks of the attributes of ports.

The provider lists the addresses of a port without their subnets. A subnet is known if the template sets it, or if the
port's network is made here with only one subnet. A data source reads the attributes of any other that the template
sets. Without Heat, one reads the only subnet of the network for addresses of this IP version.
"""

from __future__ import annotations

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.plan.subnets import only_subnet
from emitters.hcl.resources.handles import AttributeRead, NativeHandle, Selector
from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, Index, Object, Traversal, Tuple
from emitters.hcl.tree.types import BOOL, NUMBER, OBJECT, STRING, STRINGS, TUPLE, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir

OF_SUBNETS = ("cidr", "gateway_ip", "ip_version", "enable_dhcp", "name", "network_id")
READABLE = {  # attributes of the data source for subnets, with their types
    **dict.fromkeys(("id", "cidr", "gateway_ip", "name", "network_id", "tenant_id", "description"), STRING),
    "ip_version": NUMBER,
    "enable_dhcp": BOOL,
}


def template_subnet(native: NativeHandle, index: int) -> ir.Expr | None:
    """The subnet that the template sets for a port's address; None if it sets none. index: of the address."""
    fixed_ips = native.resource.find_property("fixed_ips")
    item = fixed_ips.items[index] if isinstance(fixed_ips, ir.Seq) and 0 <= index < len(fixed_ips.items) else None
    return (item.get("subnet") or item.get("subnet_id")) if isinstance(item, ir.Map) else None


def subnet_of_address(native: NativeHandle, index: int) -> ir.Expr | None:
    """The subnet of a port's address: the one that the template sets, or the only one of the port's network."""
    resource = native.resource
    if (set_subnet := template_subnet(native, index)) is not None:
        return set_subnet
    fixed_ips = resource.value_of("fixed_ips")
    has_one_address = fixed_ips == ir.NULL or (isinstance(fixed_ips, ir.Seq) and len(fixed_ips.items) <= 1)
    network = resource.find_property("network", "network_id")
    if (
        index
        or not has_one_address
        or resource.find_property("no_fixed_ips") is not None
        or not isinstance(network, ir.ResourceRef)
    ):
        return None
    subnet = only_subnet(native.emission.unit.plan, network.name)
    return ir.ResourceRef(subnet) if subnet else None


@attribute_hook("port_fixed_ips")
def read_fixed_ips(read: AttributeRead) -> Selector:
    """`{get_attr: [port, fixed_ips, 0, ip_address]}` -> `port.all_fixed_ips[0]`. If the subnet of an address is known,
    its `subnet_id` can be read, too. Of a port with one address, the whole item and the whole list can be read as well.
    """
    first = read.rest[0].value if read.rest and isinstance(read.rest[0], ir.Lit) else None if read.rest else 0
    index = first if isinstance(first, int) and not isinstance(first, bool) else None
    field = read.rest[1].value if len(read.rest) == 2 and isinstance(read.rest[1], ir.Lit) else None
    if field == "ip_address":
        if index == 0:  # a port has one address, as a rule
            return lambda base: TypedValue(Index(Attr(base, "all_fixed_ips"), 0), STRING)
        return lambda base: paths.lower_attribute_path(
            read.lowering, TypedValue(Attr(base, "all_fixed_ips"), STRINGS), read.rest[:1]
        )
    if field == "subnet_id" and index is not None and subnet_of_address(read.native, index) is None:
        return select_from_data_source(read.lowering, read.native, read.ref, index, "id")
    fixed_ips = read.resource.find_property("fixed_ips")
    whole = len(read.rest) < 2 and index == 0 and not (isinstance(fixed_ips, ir.Seq) and len(fixed_ips.items) > 1)
    subnet = subnet_of_address(read.native, index) if index is not None and (whole or field == "subnet_id") else None
    if subnet is None or index is None:
        raise read.impossible(f"Terraform does not have this part of fixed_ips of {read.resource.name}")
    there = template_subnet(read.native, index) is not None
    made = None if there else read.lowering.lower_value(subnet, STRING).expr

    def select_part(base: Expr) -> TypedValue:
        of = Attr(Index(Attr(base, "fixed_ip"), index), "subnet_id") if there else made
        if field is not None:
            return TypedValue(of, STRING)
        item = Object((("subnet_id", of), ("ip_address", Index(Attr(base, "all_fixed_ips"), 0))))
        return TypedValue(item, OBJECT) if read.rest else TypedValue(Tuple((item,)), TUPLE)

    return select_part


@attribute_hook("port_security_groups_attribute")
def read_port_security_groups(read: AttributeRead) -> Selector:
    if read.rest:
        return lambda base: paths.lower_attribute_path(
            read.lowering, TypedValue(Fn("tolist", (Attr(base, "all_security_group_ids"),)), STRINGS), read.rest
        )
    return lambda base: TypedValue(Fn("tolist", (Attr(base, "all_security_group_ids"),)), STRINGS)


@attribute_hook("port_network")
def read_port_network(read: AttributeRead) -> Selector:
    """`[network, key]`: an attribute of the port's network."""
    key = str(read.rest[0].value) if len(read.rest) == 1 and isinstance(read.rest[0], ir.Lit) else ""
    if key == "id":
        return lambda base: TypedValue(Attr(base, "network_id"), STRING)
    return read_network_key(
        read.lowering,
        read.native,
        read.ref,
        key,
        {"name": "name", "mtu": "mtu", "shared": "shared", "admin_state_up": "admin_state_up"},
    )


def read_network_key(
    lowering: HclLowering, native: NativeHandle, ref: ir.AttrRef, key: str, attributes: dict[str, str]
) -> Selector:
    """An attribute of the network that the template sets for a port."""
    network = native.resource.find_property("network", "network_id")
    if key in attributes and isinstance(network, ir.ResourceRef):
        value = lowering.lower_value(ir.AttrRef(network.name, (ir.Lit(attributes[key]),), span=ref.span))
        return lambda base: value
    raise CannotSay(
        codes.NOT_POSSIBLE_IN_HCL,
        f"Terraform does not have this part of the network of {native.resource.name}",
        ref,
        native.resource.name,
    )


@attribute_hook("port_subnets")
def read_port_subnets(read: AttributeRead) -> Selector:
    """`[subnets, i, key]`: an attribute of the subnet of the i-th address."""
    parts = [str(r.value) for r in read.rest if isinstance(r, ir.Lit)]
    if len(parts) == len(read.rest) == 2:
        index, key = parts
        subnet = subnet_of_address(read.native, int(index)) if index.isdecimal() else None
        if key in OF_SUBNETS and isinstance(subnet, ir.ResourceRef):
            value = read.lowering.lower_value(ir.AttrRef(subnet.name, (ir.Lit(key),), span=read.ref.span))
            return lambda base: value
        if key in READABLE and index.isdecimal():
            return select_from_data_source(read.lowering, read.native, read.ref, int(index), key)
    raise refuse_subnets(read.native, read.ref)


def refuse_subnets(native: NativeHandle, ref: ir.AttrRef) -> CannotSay:
    name = native.resource.name
    return CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"Terraform does not have the subnets of {name}", ref, name)


def select_from_data_source(
    lowering: HclLowering, native: NativeHandle, ref: ir.AttrRef, index: int, key: str
) -> Selector:
    """An attribute of the subnet of an address, which a data source reads in the same apply. It finds the subnet by the
    ID that the template sets, and without Heat by the network. index: of the address.
    """
    emission, name = native.emission, native.resource.name
    is_set = template_subnet(native, index) is not None
    if not is_set and not emission.unit.policy.accepts_differences:
        raise refuse_subnets(native, ref)

    def select_attribute(base: Expr) -> TypedValue:
        if base not in (Traversal(native.address), Index(Traversal(native.address), 0)):  # one of several ports
            raise refuse_subnets(native, ref)
        if is_set:
            arguments: dict[str, Expr] = {"subnet_id": Attr(Index(Attr(base, "fixed_ip"), index), "subnet_id")}
        else:
            address = Index(Attr(base, "all_fixed_ips"), index)
            version = Cond(Fn("strcontains", (address, ":")), 6, 4)
            arguments = {"network_id": Attr(base, "network_id"), "ip_version": version}
            message = f"A data source finds the subnet of {name} by the network, for {key}; it fails if there are more."
            lowering.differs(codes.SUBNET_READ_BY_NETWORK, message, ref)
        label = f"{name}_subnet" if index == 0 else f"{name}_subnet_{index}"
        lookup = emission.unit.tables.lookups["subnet"]
        source = emission.data.find_or_add_source(lowering, lookup, ("port", name, index), arguments, label)
        return TypedValue(emission.data.attribute_of_source(lowering, source, key), READABLE[key])

    return select_attribute
