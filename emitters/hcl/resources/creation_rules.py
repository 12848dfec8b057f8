"""Finds what the provider's code refuses only when it creates a resource, because neither its schema nor its validation
has the rule.

Invariant: only literals and missing arguments count, and no values that are known only at run time. Each reason is a
clause for a diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable

from emitters.hcl.tree.nodes import Argument, Block, Expr, Tuple

COOKIE = "APP_COOKIE"


def arguments_of_block(block: Block) -> dict[str, Expr]:
    return {item.name: item.value for item in block.body if isinstance(item, Argument)}


def check_pool(block: Block) -> str:
    """Why the provider would refuse a load balancer's pool; empty if it would not."""
    for item in block.body:
        if isinstance(item, Block) and item.type == "persistence":
            arguments = arguments_of_block(item)
            if arguments.get("type") == COOKIE and arguments.get("cookie_name") is None:
                return f"persistence of type {COOKIE} requires cookie_name"
            if (
                isinstance(arguments.get("type"), str)
                and arguments["type"] != COOKIE
                and arguments.get("cookie_name") is not None
            ):
                return f"only persistence of type {COOKIE} takes cookie_name"
    return ""


def check_subnet(block: Block) -> str:
    """Why the provider would refuse a subnet; empty if it would not."""
    arguments = arguments_of_block(block)
    if "prefix_length" in arguments and "subnetpool_id" not in arguments:
        return "prefix_length requires subnetpool_id"
    servers = arguments.get("dns_nameservers")
    addresses = [server for server in servers.items if isinstance(server, str)] if isinstance(servers, Tuple) else []
    return "dns_nameservers has an item twice" if len(addresses) > len(set(addresses)) else ""


RULES: dict[str, Callable[[Block], str]] = {
    "openstack_lb_pool_v2": check_pool,
    "openstack_networking_subnet_v2": check_subnet,
}


def refused_at_creation(block: Block) -> str:
    """Why the provider would fail when it creates the resource; empty if it would not."""
    rule = RULES.get(block.labels[0])
    return rule(block) if rule is not None else ""
