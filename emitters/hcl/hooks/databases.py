"""Hooks of databases.

Invariant: a database has a datastore, which the provider requires. Heat need not send one, as Trove has a default.
"""

from __future__ import annotations

from emitters.hcl.hooks import finish_hook
from emitters.hcl.lowering import lookup_variables
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import shared_block
from emitters.hcl.tree.nodes import Argument


@finish_hook("database")
def finish_database(writer: Writer) -> None:
    """With a preference, adds variables for the type and the version of the datastore, if the template has none."""
    if not writer.emission.unit.policy.asks_for_values:
        writer.lacks_preference = True
        return
    block = shared_block(writer.block, "datastore")
    names = {item.name for item in block.body if isinstance(item, Argument)}
    for word in ("type", "version"):
        if word not in names:
            block.add_argument(
                word, lookup_variables.variable_for_text(writer.lowering, writer.resource, f"datastore_{word}")
            )
