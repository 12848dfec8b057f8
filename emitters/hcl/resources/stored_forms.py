"""Converts values to the forms in which services store them, where a template may write another form.

The provider reads the stored form back. A value in another form would be a change in every plan, and often a
replacement.

Invariant: a value that is known to have the stored form is written as it is.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.tree.nodes import Cond, Expr, Fn, Op, StringTemplate
from transpile.model import ir
from transpile.model.lazy_patterns import compile_lazily

BITS = {"IPv4": "32", "IPv6": "128"}
ADDRESS = compile_lazily(
    r"(^|[._])(address|ip|first_address)$|fixed_ips|PublicIp$|PrivateIp$"
)  # attributes without prefix
MAC = compile_lazily(r"[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}")


def normalize_prefix(text: str) -> str:
    """A network or address with its prefix; host bits stay."""
    try:
        return str(ipaddress.ip_interface(text))
    except ValueError:
        return text


def normalize_network(text: str) -> str:
    """A network with its prefix, without host bits."""
    try:
        return str(ipaddress.ip_network(text, strict=False)) if "/" in text else text
    except ValueError:
        return text


def normalize_address(text: str) -> str:
    """An address, or a network if it has a prefix. IPv6 is in lower case and as short as possible."""
    try:
        return str(ipaddress.ip_address(text)) if "/" not in text else str(ipaddress.ip_interface(text))
    except ValueError:
        return text


def normalize_mac(text: str) -> str:
    """A MAC address in lower case with colons; any other text as it is."""
    return text.lower().replace("-", ":") if MAC.fullmatch(text) else text


def merge_networks(texts: list[str]) -> list[str]:
    """Networks in ascending order, with adjacent ones merged; as they are if one cannot be parsed."""
    try:
        parsed = [ipaddress.ip_network(text, strict=False) for text in texts]
        four = ipaddress.collapse_addresses(
            [network for network in parsed if isinstance(network, ipaddress.IPv4Network)]
        )
        six = ipaddress.collapse_addresses(
            [network for network in parsed if isinstance(network, ipaddress.IPv6Network)]
        )
    except ValueError:
        return texts
    return [str(network) for network in (*four, *six)]


WORDS = {
    "prefix": "with its prefix, as Neutron stores it",
    "cidr": "without host bits, as Neutron stores it",
    "address": "as Neutron stores it",
    "mac": "in lower case, as Neutron stores it",
    "lower": "in lower case, as Neutron stores it",
    "networks": "in order, with adjacent networks merged, as Neutron stores them",
}
FORMS: dict[str, Callable[[str], str]] = {
    "prefix": normalize_prefix,
    "cidr": normalize_network,
    "address": normalize_address,
    "mac": normalize_mac,
    "lower": str.lower,
}


def to_stored_form(form: str, lowering: HclLowering, expr: ir.Expr, value: Expr) -> Expr:
    """A value in its stored form. Literals are converted here. Terraform converts a parameter whose known values have
    another form.
    """
    if isinstance(value, str):
        return FORMS[form](value)
    values = traced_texts(lowering, expr)
    if form in ("mac", "lower") and values is not None and any(FORMS[form](v) != v for v in values):
        return Fn("lower", (value,))
    return value


def with_prefix(expr: ir.Expr, value: Expr, values: list[str] | None, ethertype: Expr) -> Expr:
    """The prefix of a rule; an address gets one. known: the known values, ethertype: that of the rule."""
    if isinstance(value, str):
        return normalize_prefix(value)
    bits: Expr = BITS.get(str(ethertype)) if isinstance(ethertype, str) else None
    bits = bits or Cond(Fn("strcontains", (value, ":")), 128, 32)
    if isinstance(expr, ir.AttrRef):
        word = ".".join(str(part.value) for part in expr.path if isinstance(part, ir.Lit))
        return StringTemplate((value, "/", bits)) if ADDRESS.search(word) else value
    if values is None or all("/" in v for v in values):  # Heat refuses others since Ocata
        return value
    done: Expr = Fn("strcontains", (value, "/"))
    if "" in values:  # an empty string means any address
        done = Op("||", Op("==", value, ""), done)
    return Cond(done, value, StringTemplate((value, "/", bits)))


def traced_texts(lowering: HclLowering, expr: ir.Expr) -> list[str] | None:
    """The known values of a parameter, in a module those that its calls pass; None if nothing is known."""
    values = lowering.unit.traced_values(expr) if isinstance(expr, ir.ParamRef) else None
    return [str(v) for v in values or () if isinstance(v, (str, int))] or None
