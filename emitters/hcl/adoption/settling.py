"""Removes the entries of `ignore_changes` that only the import needs, and lists the resources that Terraform updates.

Invariant: an argument is compared again only if the update that stores it changes nothing that runs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from emitters.hcl.adoption.unread import SENSITIVE_REASON, write_reasons
from emitters.hcl.emission import Emission
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue
from emitters.hcl.evaluation.instances import MISSING, BlockInstance
from emitters.hcl.tables import imports
from emitters.hcl.tables.imports import ImportRow
from emitters.hcl.tree.nodes import Argument, Block, Index, Note, Traversal, Tuple
from emitters.hcl.tree.printer import Item
from transpile.model.records import replace

NOTHING: tuple[Any, ...] = (
    None,
    "",
    False,
    [],
    {},
)  # values that an import leaves in an argument that it does not read


def settling_names(emission: Emission, block: Block) -> set[str]:
    """The arguments of a block that Terraform need not ignore any longer, once they are imported."""
    row = imports.find_row(block.labels[0])
    reasons = emission.blocks.ignored_of.get(id(block), {})
    names = {name for name, why in reasons.items() if why == SENSITIVE_REASON or settles(block, row, name)}
    together = set(row.together)
    complete = names.issuperset(together & set(reasons)) and not together & ignored_in_part(block)
    return names if complete else names - together


def ignored_in_part(block: Block) -> set[str]:
    """The arguments of which a single key stays in `ignore_changes`, such as a hidden parameter of a stack in Heat: an
    update would send the asterisks that Heat returns for it.
    """
    items = block.ignored_changes
    return {item.of.parts[0] for item in items if isinstance(item, Index) and isinstance(item.of, Traversal)}


def settles(block: Block, row: ImportRow, name: str) -> bool:
    """Whether an argument that the import does not read back can be compared after it.

    For example, the security groups of a port can: Neutron gets those that the port has. Its `fixed_ip` can if each has
    an address; for one without, Neutron might choose another.
    """
    if name not in row.settles:
        return False
    inner = [item for item in block.body if isinstance(item, Block) and name in (item.type, *item.labels)]
    return all(
        item.type != "dynamic" and (argument := item.find_argument(needed)) is not None and argument.value is not None
        for item in inner
        for needed in row.settles[name]
    )


def changes_when_settled(instance: BlockInstance, names: Collection[str]) -> bool:
    """Whether the plan after that changes an instance: some argument has another value than an import leaves."""
    reasons = instance.directory.emission.blocks.ignored_of[id(instance.block)]
    for name in names:
        try:
            value = instance.argument_value(name)
        except (UnknownValue, EvaluationFailed):
            return True
        if reasons[name] == SENSITIVE_REASON or value is MISSING or value not in NOTHING:  # missing: it is a block
            return True
    return False


def settle_blocks(emission: Emission, items: Sequence[Item]) -> list[Item]:
    """The items of main.tf without the `ignore_changes` that only the import needs; empty if there are none."""
    settled: list[Item] = []
    for item in items:
        if isinstance(item, Block) and item.type == "resource" and (names := settling_names(emission, item)):
            settled.append(settle_block(item, emission.blocks.ignored_of[id(item)], names))
        else:
            settled.append(item)
    return settled if any(new is not old for new, old in zip(settled, items, strict=True)) else []


def settle_block(block: Block, reasons: Mapping[str, str], names: Collection[str]) -> Block:
    """A copy of a block that does not ignore changes of some arguments."""
    body: list[Argument | Block | Note] = []
    for item in block.body:
        if isinstance(item, Block) and item.type == "lifecycle":
            lifecycle = settle_lifecycle(item, reasons, names)
            body += [lifecycle] if lifecycle.body else []
        else:
            body.append(item)
    return replace(block, body=body)


def settle_lifecycle(lifecycle: Block, reasons: Mapping[str, str], names: Collection[str]) -> Block:
    body: list[Argument | Block | Note] = []
    for item in lifecycle.body:
        if isinstance(item, Argument) and item.name == "ignore_changes" and isinstance(item.value, Tuple):
            left = [i for i in item.value.items if not (isinstance(i, Traversal) and i.parts[0] in names)]
            body += [replace(item, value=Tuple(tuple(left)))] if left else []
        else:
            body.append(item)
    own = write_reasons(reasons)
    others = [line for line in lifecycle.comments if line not in own]
    remaining = write_reasons({name: why for name, why in reasons.items() if name not in names})
    return replace(lifecycle, body=body, comments=[*others, *remaining])
