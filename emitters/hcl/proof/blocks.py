"""Expands the nested blocks of a resource: those that are written out, and those that `dynamic` makes.

Invariant: the blocks come in the order in which Terraform has them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import DirectoryInstance
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.tree.nodes import Argument, Block, Note


class NestedBlock(NamedTuple):
    """The body of a nested block, and the values of the names that are bound in it, such as `each`."""

    body: Sequence[Argument | Block | Note]
    bound: Mapping[str, Any]

    def find_argument(self, name: str) -> Argument | None:
        return next((item for item in self.body if isinstance(item, Argument) and item.name == name), None)


def expand_blocks(directory: DirectoryInstance, around: NestedBlock, name: str) -> list[NestedBlock]:
    """The blocks with this name in a body. Raises UnknownValue or EvaluationFailed."""
    blocks: list[NestedBlock] = []
    for item in around.body:
        if not isinstance(item, Block):
            continue
        if item.type == name:
            blocks.append(NestedBlock(item.body, around.bound))
        elif item.type == "dynamic" and item.labels == (name,):
            blocks += expand_dynamic_block(directory, around, item)
    return blocks


def expand_dynamic_block(directory: DirectoryInstance, around: NestedBlock, block: Block) -> list[NestedBlock]:
    """The blocks that a `dynamic` block makes, one for each item of its list or map."""
    each = block.find_argument("for_each")
    content = next((item for item in block.body if isinstance(item, Block) and item.type == "content"), None)
    if each is None or content is None or block.has_argument("iterator"):
        raise UnknownValue(f"the blocks of dynamic {block.labels[0]}")
    items = to_plain_data(HclEvaluation(directory, around.bound).evaluate(each.value))
    if not isinstance(items, (list, dict)):
        raise EvaluationFailed(f"for_each of dynamic {block.labels[0]} is no list or map")
    pairs = items.items() if isinstance(items, dict) else enumerate(items)
    label = block.labels[0]
    return [NestedBlock(content.body, {**around.bound, label: {"key": key, "value": item}}) for key, item in pairs]
