"""Hooks of Octavia load balancers.

Invariant: a pool belongs to a listener or to a load balancer, never to both.
"""

from __future__ import annotations

from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tables.mapping import Rule
from transpile.model import ir
from transpile.report import make_fate


@property_hook("pool_load_balancer")
def write_pool_load_balancer(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes the load balancer of a pool, unless the listener already determines it."""
    listener = writer.entries.get("listener")
    if entry.value in (ir.NULL, ir.Lit("")):
        writer.record_default(entry.key)
    elif listener is not None and listener.value not in (ir.NULL, ir.Lit("")):
        writer.record_fate(
            entry.key, make_fate("implied", writer.to, "listener_id", "the listener determines the load balancer")
        )
    else:
        load_balancer, how = writer.emission.data.resolve_name(
            writer.lowering, entry.value, writer.lookups["load_balancer"], "id", "load_balancer"
        )
        writer.write_value(entry, "loadbalancer_id", load_balancer.expr, how)
