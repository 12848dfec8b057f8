"""Hooks of Octavia load balancers.

Invariant: a pool belongs to a listener or to a load balancer, never to both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import property_hook
from transpile.model import ir
from transpile.report import fate

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule


@property_hook("pool_load_balancer")
def pool_load_balancer(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the load balancer of a pool, unless the listener already determines it."""
    listener = writer.given.get("listener")
    if entry.value in (ir.NULL, ir.Lit("")):
        writer.default(entry.key)
    elif listener is not None and listener.value not in (ir.NULL, ir.Lit("")):
        writer.fate(entry.key, fate("implied", writer.to, "listener_id", "the listener determines the load balancer"))
    else:
        found, how = writer.emission.data.one(
            writer.lowering, entry.value, writer.lookups["load_balancer"], "id", "load_balancer"
        )
        writer.block.set("loadbalancer_id", found.expr, entry)
        writer.is_value(entry.key, "loadbalancer_id", how)
