"""Hooks of container infrastructure clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import finish_hook
from emitters.hcl.tree.nodes import Argument, Expr, Fn, Text

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer

PATIENCE = 60  # minutes: Heat's default timeout for creating a stack


@finish_hook("cluster")
def finish_cluster(writer: Writer) -> None:
    """Writes the create timeout: the larger of Heat's and the cluster's. The provider's default, half an hour, is too
    short.
    """
    given = next((a.value for a in writer.block.body if isinstance(a, Argument) and a.name == "create_timeout"), None)
    minutes: Expr
    if given is None or isinstance(given, (int, float)):
        minutes = f"{max(int(given or 0), PATIENCE)}m"
    else:
        minutes = Text((Fn("max", (given, PATIENCE)), "m"))
    writer.block.block("timeouts").set("create", minutes)
