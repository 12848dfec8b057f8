"""Properties that are arguments of one shared nested block.

Invariant: an empty block is not written, as the provider may require arguments in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emitters.hcl.hooks import property_hook
from emitters.hcl.tree.nodes import Block
from transpile.model import ir

if TYPE_CHECKING:
    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule

NOTHING = (ir.Lit(None), ir.Lit(""))


def shared(writer: Writer, to: str) -> tuple[Block, str]:
    """The block for an argument (`meta.name`), created on first use, and the argument's path in the report."""
    name, _, argument = to.rpartition(".")
    if not name:
        return writer.block, argument
    found = next((b for b in writer.block.body if isinstance(b, Block) and b.type == name), None)
    return found if found is not None else writer.block.block(name), f"{name}.0.{argument}"


def nothing(writer: Writer, entry: ir.Entry) -> bool:
    """Whether a property is null or empty. Records its fate if so."""
    if entry.value in NOTHING:
        writer.default(entry.key)
    return entry.value in NOTHING


@property_hook("in_block")
def in_block(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    """Writes one argument of the block that `to` names."""
    if nothing(writer, entry):
        return
    block, where = shared(writer, rule.to)
    if block is not writer.block and block.at < 0:
        block.span = entry.span
    writer.argument(block, entry.key, rule, entry, where)
