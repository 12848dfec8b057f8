"""Finds what the provider's code refuses only when it creates a resource, because neither its schema nor its validation
has the rule.

Invariant: only literals and missing arguments count, and no values that are known only at run time. Each reason is a
clause for a diagnostic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.tree.nodes import Argument, Block, Expr, Tuple

if TYPE_CHECKING:
    from collections.abc import Callable

COOKIE = "APP_COOKIE"


def arguments(block: Block) -> dict[str, Expr]:
    return {item.name: item.value for item in block.body if isinstance(item, Argument)}


def pool(block: Block) -> str:
    """Why the provider would refuse a load balancer's pool; empty if it would not."""
    for item in block.body:
        if isinstance(item, Block) and item.type == "persistence":
            given = arguments(item)
            if given.get("type") == COOKIE and given.get("cookie_name") is None:
                return f"persistence of type {COOKIE} requires cookie_name"
            if isinstance(given.get("type"), str) and given["type"] != COOKIE and given.get("cookie_name") is not None:
                return f"only persistence of type {COOKIE} takes cookie_name"
    return ""


def subnet(block: Block) -> str:
    """Why the provider would refuse a subnet; empty if it would not."""
    given = arguments(block)
    if "prefix_length" in given and "subnetpool_id" not in given:
        return "prefix_length requires subnetpool_id"
    servers = given.get("dns_nameservers")
    known = [one for one in servers.items if isinstance(one, str)] if isinstance(servers, Tuple) else []
    return "dns_nameservers has an item twice" if len(known) > len(set(known)) else ""


RULES: dict[str, Callable[[Block], str]] = {
    "openstack_lb_pool_v2": pool,
    "openstack_networking_subnet_v2": subnet,
}


def refused_at_creation(block: Block) -> str:
    """Why the provider would fail when it creates the resource; empty if it would not."""
    rule = RULES.get(block.labels[0])
    return rule(block) if rule is not None else ""
