"""Hooks of load balancers: those of Octavia, and LBaaS v2.

Octavia rejects HTTP arguments of a monitor that does not use HTTP. LBaaS v2 ignored them, defaults included.

Invariant: a pool belongs to a listener or to a load balancer, never to both.
"""

from __future__ import annotations

from collections.abc import Mapping

from emitters.hcl.hooks import finish_hook, property_hook
from emitters.hcl.resources.arguments import write_argument
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written
from emitters.hcl.tree.nodes import Argument, Cond, Expr, Fn, Tuple
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.report import make_fate

HTTP = ("HTTP", "HTTPS")
DEFAULTS = {"url_path": "/", "http_method": "GET", "expected_codes": "200"}


@property_hook("pool_load_balancer")
def write_pool_load_balancer(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the load balancer of a pool, unless the listener already determines it."""
    if writer.find_set("listener"):
        return Written.implied(entry.key, "the listener determines the load balancer", "listener_id", writer.to)
    load_balancer, how = writer.emission.data.resolve_name(
        writer.lowering, entry.value, writer.lookups["load_balancer"], "id", "load_balancer"
    )
    return Written.value(entry, "loadbalancer_id", load_balancer.expr, how)


@property_hook("old_lb_provider")
def write_lb_provider(writer: Writer, entry: ir.Entry) -> Written:
    """Writes the provider. Octavia has no `haproxy`; the other drivers kept their names."""
    if entry.value != ir.Lit("haproxy"):
        return write_argument(writer, entry.key, writer.rule.argument_rule, entry)
    why = "Octavia does not have this provider, and uses its default"
    return writer.drop_property(entry, codes.PROPERTY_WITHOUT_COUNTERPART, why)


@finish_hook("old_monitor")
def finish_old_monitor(writer: Writer) -> None:
    """Writes the HTTP arguments, with Heat's defaults, for HTTP monitors only."""
    limit_http_arguments(writer, DEFAULTS)


def limit_http_arguments(writer: Writer, defaults: Mapping[str, str]) -> None:
    """Removes HTTP arguments from other monitors, and adds the given defaults to HTTP monitors."""
    body = writer.block.body
    arguments = {item.name: item for item in body if isinstance(item, Argument)}
    kind = arguments["type"].value if "type" in arguments else None
    if kind is None:
        return
    place = body.index(arguments["type"])
    for name in DEFAULTS:
        item = arguments.get(name)
        if item is None and name not in defaults:
            continue
        value: Expr = item.value if item is not None else defaults[name]
        if not isinstance(kind, str):
            value = Cond(Fn("contains", (Tuple(HTTP), kind)), value, None)
        if isinstance(kind, str) and kind not in HTTP:
            if item is not None:
                body.remove(item)
                why = f"a {kind} monitor does not use HTTP"
                writer.record_fate(writer.entries[name].key, make_fate("implied", why=why))
            continue
        if item is None:
            place += 1
            body.insert(place, Argument(name, value))
            continue
        item.value, place = value, body.index(item)
