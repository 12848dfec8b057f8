"""Hooks of clusters of container infrastructure.

The easy rule to break: the provider waits half an hour for a cluster, Heat a whole one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import finish_hook
from emitters.hcl.tree.nodes import Argument, Expr, Fn, Text

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer

PATIENCE = 60  # minutes in which Heat creates a stack, if it is not told otherwise


@finish_hook("cluster")
def finish_cluster(writer: Writer) -> None:
    """How long the provider waits: as long as Heat does, and as long as the cluster may take."""
    given = next((a.value for a in writer.block.body if isinstance(a, Argument) and a.name == "create_timeout"), None)
    minutes: Expr
    if given is None or isinstance(given, (int, float)):
        minutes = f"{max(int(given or 0), PATIENCE)}m"
    else:
        minutes = Text((Fn("max", (given, PATIENCE)), "m"))
    writer.block.block("timeouts").set("create", minutes)
