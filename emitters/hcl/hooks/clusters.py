"""Hooks of container infrastructure clusters."""

from __future__ import annotations

from emitters.hcl.hooks import finish_hook
from emitters.hcl.resources.validation import may_be_null
from emitters.hcl.resources.writer import Writer
from emitters.hcl.tree.nodes import Argument, Expr, Fn, StringTemplate

PATIENCE = 60  # minutes: Heat's default timeout for creating a stack


@finish_hook("cluster")
def finish_cluster(writer: Writer) -> None:
    """Writes the create timeout: the larger of Heat's and the cluster's. The provider's default, half an hour, is too
    short.
    """
    timeout = next((a.value for a in writer.block.body if isinstance(a, Argument) and a.name == "create_timeout"), None)
    minutes: Expr
    if timeout is None or isinstance(timeout, (int, float)):
        minutes = f"{max(int(timeout or 0), PATIENCE)}m"
    else:
        timeout = Fn("coalesce", (timeout, PATIENCE)) if may_be_null(timeout) else timeout
        minutes = StringTemplate((Fn("max", (timeout, PATIENCE)), "m"))
    writer.block.add_block("timeouts").add_argument("create", minutes)
