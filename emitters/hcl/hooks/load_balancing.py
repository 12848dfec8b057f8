"""Hooks of Octavia load balancers.

Invariant: a pool belongs to a listener or to a load balancer, never to both.
"""

from __future__ import annotations

from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from transpile.model import ir


@property_hook("pool_load_balancer")
def write_pool_load_balancer(writer: Writer, entry: ir.Entry) -> Written:
    """The load balancer of a pool, unless the listener already determines it."""
    if writer.find_set("listener"):
        return Written.implied(entry.key, "the listener determines the load balancer", "listener_id", writer.to)
    load_balancer, how = writer.emission.data.resolve_name(
        writer.lowering, entry.value, writer.lookups["load_balancer"], "id", "load_balancer"
    )
    return Written.value(entry, "loadbalancer_id", load_balancer.expr, how)
