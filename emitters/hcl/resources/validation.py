"""Checks written blocks against the provider's schema, and against rules that its code applies only at creation.

Invariant: only errors that do not depend on run-time values are reported. Each reason is a clause for a diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from emitters.hcl.tables.provider import Providers, find_refusal
from emitters.hcl.tree.nodes import Argument, Block, Cond, Expr, Fn, Tuple
from emitters.hcl.tree.types import is_scalar_literal
from transpile.model.records import EMPTY

COOKIE = "APP_COOKIE"

CHECKED_TYPES = ("resource", "data", "provider")  # of blocks: those with a schema
META_ARGUMENTS = frozenset(
    ("count", "for_each", "depends_on", "provider", "alias")
)  # those that Terraform itself reads
META_BLOCKS: Mapping[str, Any] = {  # the blocks that Terraform itself reads, as in a schema
    "lifecycle": {"max": 1},
    "connection": {"max": 1},
    "provisioner": {},
}


def why_block_refused(providers: Providers, block: Block) -> str:
    """Why the provider would reject a resource block; empty if it would not."""
    return why_block_invalid(providers, block) or refused_at_creation(block)


def why_block_invalid(providers: Providers, block: Block) -> str:
    """Why a block does not fit its schema: missing, conflicting or unknown arguments, or an invalid nested block. Empty
    if it fits, or if there is no schema.
    """
    facts = providers.find_schema(block.schema_key)
    if not facts:
        return ""
    return (
        check_argument_sets(providers, block)
        or check_nested_blocks(block, facts.get("blocks", EMPTY))
        or check_arguments(block, facts, META_ARGUMENTS)
    )


def check_argument_sets(providers: Providers, block: Block) -> str:
    """Why the arguments do not go together: one is required, conflicts with another, or requires another; empty if they
    do. A value that may be null counts as set only where that is the harmless assumption.
    """
    names = {item.name for item in block.body if type(item) is Argument} | {
        (item.labels or (item.type,))[0] for item in block.body if type(item) is Block
    }
    surely = {item.name for item in block.body if type(item) is Argument and not may_be_null(item.value)}
    for name, argument in providers.constrained_arguments(block.schema_key):
        why = ""
        if name not in names:
            if argument.get("required"):
                why = f"{name} is required"
            elif "exactly_one_of" in argument and not names & {name, *argument["exactly_one_of"]}:
                why = f"one of {', '.join(sorted({name, *argument['exactly_one_of']}))} is required"
            elif "at_least_one_of" in argument and not names & {name, *argument["at_least_one_of"]}:
                why = f"one of {', '.join(sorted({name, *argument['at_least_one_of']}))} is required"
        else:
            barred = {*argument.get("conflicts_with", ()), *argument.get("exactly_one_of", ())} - {name}
            if name in surely and (others := surely & barred):
                why = f"{name} conflicts with {', '.join(sorted(others))}"
            if missing := set(argument.get("required_with", ())) - names:
                why = f"{name} requires {', '.join(sorted(missing))}"
        if why:
            return why
    return ""


def check_nested_blocks(block: Block, blocks: Mapping[str, Any]) -> str:
    """Why the nested blocks are wrong: one is unknown or lacks a required argument, or there are too few or too many;
    empty if they are not.
    """
    inside: dict[str, int] = {}
    for item in block.body:
        if type(item) is not Block:
            continue
        name, body = (
            (item.labels[0], next(b for b in item.body if type(b) is Block))
            if item.type == "dynamic"
            else (item.type, item)
        )
        inner = blocks.get(name) or META_BLOCKS.get(name)
        if inner is None:
            return f"it has no block {name}"
        inside[name] = inside.get(name, 0) + (item.type != "dynamic")
        if inside[name] > inner.get("max", inside[name]):
            return f"it has more than {inner['max']} {name} blocks"
        if name in META_BLOCKS:
            continue
        names = {entry.name for entry in body.body if type(entry) is Argument}
        for argument, about in inner["arguments"].items():
            if about.get("required") and argument not in names:
                return f"{name} requires {argument}"
        if why := check_nested_blocks(body, inner.get("blocks", EMPTY)):
            return why
    for name, inner in blocks.items():
        if inner.get("min") and name not in inside:
            return f"a {name} block is required"
    return ""


def check_arguments(block: Block, facts: Mapping[str, Any], known: AbstractSet[str] = frozenset()) -> str:
    """Why an argument is wrong: it is unknown, is set twice, or is a literal that the provider refuses; empty if none
    is. Hooks write arguments that no rule has checked. known: arguments that no schema lists.
    """
    seen = set[str]()
    for item in block.body:
        if type(item) is Argument:
            name = item.name
            if name in seen:
                return f"{name} would be set twice"
            seen.add(name)
            about = facts["arguments"].get(name)
            if about is None:
                if name not in known:
                    return f"it has no argument {name}"
            elif "required" not in about and "optional" not in about:
                return f"{name} is the provider's to set"
            elif item.value is None:
                if "required" in about:
                    return f"{name} is required, and would be null"
            elif is_scalar_literal(item.value) and (why := find_refusal(about, item.value)):
                return f"{item.value!r} for {name}: {why}"
        elif type(item) is Block and item.type not in META_BLOCKS:
            dynamic = item.type == "dynamic"
            inner = facts.get("blocks", {}).get(item.labels[0] if dynamic else item.type)
            body = next((b for b in item.body if type(b) is Block), item) if dynamic else item
            if inner is not None and (why := check_arguments(body, inner)):
                return why
    return ""


def may_be_null(expr: Expr) -> bool:
    """Whether a value may be null, which means absent."""
    if type(expr) is Cond:
        return may_be_null(expr.yes) or may_be_null(expr.no)
    return expr is None or (type(expr) is Fn and expr.name in ("try", "lookup") and may_be_null(expr.args[-1]))


def is_null_in_branch(expr: Expr) -> bool:
    """Whether a condition makes a value null, or whether nothing is looked up for it."""
    if isinstance(expr, Cond):
        return any(branch is None or is_null_in_branch(branch) for branch in (expr.yes, expr.no))
    return isinstance(expr, Fn) and expr.name == "one"


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
    servers = arguments.get("dns_nameservers")
    addresses = [server for server in servers.items if isinstance(server, str)] if isinstance(servers, Tuple) else []
    return "dns_nameservers has an item twice" if len(addresses) > len(set(addresses)) else ""


def check_port(block: Block) -> str:
    """Why the provider would refuse a port; empty if it would not."""
    without = arguments_of_block(block).get("no_fixed_ip") is True
    addresses = any(isinstance(item, Block) and item.type == "fixed_ip" for item in block.body)
    return "it has both fixed_ip and no_fixed_ip" if without and addresses else ""


RULES: dict[str, Callable[[Block], str]] = {
    "openstack_lb_pool_v2": check_pool,
    "openstack_networking_port_v2": check_port,
    "openstack_networking_subnet_v2": check_subnet,
}
REQUIRED_WITH = {  # an argument, and the one that it requires
    "openstack_networking_floatingip_v2": ("fixed_ip", "port_id"),
    "openstack_networking_subnet_v2": ("prefix_length", "subnetpool_id"),
}


def refused_at_creation(block: Block) -> str:
    """Why the provider would fail when it creates the resource; empty if it would not."""
    rule, required = RULES.get(block.labels[0]), REQUIRED_WITH.get(block.labels[0])
    if required is not None and block.has_argument(required[0]) and not block.has_argument(required[1]):
        return f"{required[0]} requires {required[1]}"
    return rule(block) if rule is not None else ""
