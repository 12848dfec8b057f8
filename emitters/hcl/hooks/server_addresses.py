"""Hooks of the attributes of servers: addresses and status.

Invariant: Heat's attributes name a network, so the NIC on it must be identified, by name, reference or position. If
that is impossible, the server stays with Heat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import attribute_hook
from emitters.hcl.plan.preferences import FAITHFUL
from emitters.hcl.resources.external import networks_of
from emitters.hcl.tree.nodes import Attr, Fn, Index
from emitters.hcl.tree.types import NULL, STRING, Value
from transpile.diagnostics import codes
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.resources.handles import Native, Select


def nics_of(native: Native) -> list[ir.Expr]:
    """The NICs of a server as the template lists them."""
    properties = native.resource.properties
    found = properties.get("networks") if properties is not None else None
    return list(found.items) if isinstance(found, ir.Seq) else []


def nic_network(native: Native, item: ir.Expr) -> ir.Expr | None:
    """The network of a NIC, as the NIC or its port gives it."""
    if not isinstance(item, ir.Map):
        return None
    network = item.get("network") or item.get("uuid")
    template = native.emission.unit.template
    port = item.get("port")
    if network is None and isinstance(port, ir.ResourceRef) and port.name in template.resources:
        properties = template.resources[port.name].properties
        network = (properties.get("network") or properties.get("network_id")) if properties is not None else None
    return network


def nic_name(native: Native, item: ir.Expr) -> str | None:
    """The name of a NIC's network, if known."""
    network = nic_network(native, item)
    template = native.emission.unit.template
    if isinstance(network, ir.ResourceRef) and network.name in template.resources:
        properties = template.resources[network.name].properties
        network = properties.get("name") if properties is not None else None
    if isinstance(network, ir.Lit):
        return str(network.value)
    if isinstance(network, ir.ParamRef) and not network.path:
        known = {str(v) for v in native.emission.unit.known_values(network.name)}
        return known.pop() if len(known) == 1 else None
    return None


def address(lowering: Lowering, native: Native, index: int, which: int) -> Select | None:
    """An address of a NIC: of its port, if the port is in the template. index: of the NIC. which: of its addresses.
    None for a further address of a port that Terraform does not know.
    """
    nics = nics_of(native)
    item = nics[index] if index < len(nics) else None
    port = item.get("port") if isinstance(item, ir.Map) else None
    if isinstance(port, ir.ResourceRef) and native.emission.unit.plan.is_native(port.name):
        found = lowering.value(
            ir.AttrRef(port.name, (ir.Lit("fixed_ips"), ir.Lit(which), ir.Lit("ip_address"))), STRING
        )
        return lambda base: found
    if which == 0 and not nics:
        return lambda base: Value(Attr(base, "access_ip_v4"), STRING)
    if which == 0:
        return lambda base: Value(Attr(Index(Attr(base, "network"), index), "fixed_ip_v4"), STRING)
    return None


@attribute_hook("server_first_address")
def first_address(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """The first address of the network whose name sorts last. With one NIC, the server's address."""
    nics = nics_of(native)
    if len(nics) > 1:
        names = [nic_name(native, n) for n in nics]
        known = [n for n in names if n is not None]
        if (
            len(known) == len(names)
            and len(set(known)) == len(known)
            and (found := address(lowering, native, names.index(max(known)), 0)) is not None
        ):
            return found
        native.emission.log.say(
            codes.SIMILAR_ATTRIBUTE,
            f"Heat takes first_address of {native.resource.name} from the network whose name sorts last; "
            "Terraform takes it from the first NIC.",
            ref,
            note="Heat takes first_address from the network whose name sorts last; this is that of the first NIC.",
        )
    return lambda base: Value(Attr(base, "access_ip_v4"), STRING)


@attribute_hook("server_networks_attribute")
def networks_attribute(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """`[networks, <name or ID>, i]`: the i-th address on that network."""
    if len(rest) != 2 or not isinstance(rest[1], ir.Lit) or not str(rest[1].value).isdecimal():
        if native.emission.unit.plan.prefer != FAITHFUL and len(rest) < 2:
            return by_network(lowering, ref, rest)
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL,
            f"Terraform does not have the map of networks of {native.resource.name}",
            ref,
            native.resource.name,
        )
    index = nic_on(native, ref, rest[0])
    found = address(lowering, native, index, int(str(rest[1].value))) if index is not None else None
    if found is None:
        raise CannotSay(
            codes.NOT_POSSIBLE_IN_HCL,
            f"Terraform does not have this address of {native.resource.name}",
            ref,
            native.resource.name,
        )
    return found


def by_network(lowering: Lowering, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """The addresses of a server by the name of their network, or those on one network."""
    name = ref.name
    message = f"Heat's networks of {name} also have entries by ID, and the floating IPs; these are only the fixed ones."
    lowering.differs(codes.NETWORKS_OF_SERVER, message, ref)
    return lambda base: networks_of(lowering, base, rest)


def nic_on(native: Native, ref: ir.AttrRef, wanted: ir.Expr) -> int | None:
    """The index of the NIC on the network that a path names."""
    nics = nics_of(native)
    if isinstance(wanted, ir.AttrRef) and wanted.path in ((ir.Lit("name"),), (ir.Lit("show"), ir.Lit("name"))):
        wanted = ir.ResourceRef(wanted.name)  # Heat's map has an entry for the name and one for the ID
    for index, item in enumerate(nics):
        network = nic_network(native, item)
        if network is not None and network == wanted:
            return index
        name = nic_name(native, item)
        if name is not None and isinstance(wanted, ir.Lit) and str(wanted.value) == name:
            if isinstance(network, ir.ParamRef):
                value = f"the current value of {network.name}"
                message = f"The network of {native.resource.name} has this name only for {value}."
                native.emission.log.say(codes.SIMILAR_ATTRIBUTE, message, ref)
            return index
    if len(nics) <= 1:
        native.emission.log.say(
            codes.SIMILAR_ATTRIBUTE,
            f"The network of {native.resource.name} may have another name; its only NIC is used.",
            ref,
        )
        return 0
    return None


@attribute_hook("server_addresses")
def addresses(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """`[addresses, <network>, i, addr | port | OS-EXT-IPS-MAC:mac_addr]`."""
    key = str(rest[2].value) if len(rest) == 3 and isinstance(rest[2], ir.Lit) else ""
    which = str(rest[1].value) if len(rest) == 3 and isinstance(rest[1], ir.Lit) else ""
    index = nic_on(native, ref, rest[0]) if key and which.isdecimal() else None
    if index is not None:
        item = nics_of(native)[index] if index < len(nics_of(native)) else None
        port = item.get("port") if isinstance(item, ir.Map) else None
        if key == "addr" and (found := address(lowering, native, index, int(which))) is not None:
            return found
        if key == "OS-EXT-IPS-MAC:mac_addr":
            return lambda base: Value(Attr(Index(Attr(base, "network"), index), "mac"), STRING)
        if key == "port" and isinstance(port, ir.ResourceRef):
            value = lowering.value(port, STRING)
            return lambda base: value
    raise CannotSay(
        codes.NOT_POSSIBLE_IN_HCL,
        f"Terraform does not have this part of addresses of {native.resource.name}",
        ref,
        native.resource.name,
    )


@attribute_hook("server_status")
def status(lowering: Lowering, native: Native, ref: ir.AttrRef, rest: tuple[ir.Expr, ...]) -> Select:
    """`[show, status]`: the provider reads the same status, in lower case; its default is active."""
    if rest:
        return lambda base: Value(None, NULL, True)  # Heat returns nothing for a path into a string
    return lambda base: Value(Fn("upper", (Fn("coalesce", (Attr(base, "power_state"), "active")),)), STRING)
