"""Makes assertions about lists: the blocks or instances that one property of the template becomes.

Invariant: the expected values are Heat's. An argument is asserted only if its values in all blocks are those of one key
in all of Heat's items; otherwise nobody knows which key it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, convert_to_text, to_plain_data
from emitters.hcl.evaluation.instances import BlockInstance, DirectoryInstance, Key, add_key
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.proof.blocks import NestedBlock, expand_blocks
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Expr,
    Fn,
    ForTuple,
    Op,
    Traversal,
    expression_from_data,
)

ITEM = "item"


def list_conditions(
    directory: DirectoryInstance,
    block: Block,
    key: Key,
    argument: str,
    facts: Mapping[str, Any],
    items: Sequence[Any],
    *,
    planned: bool,
) -> Iterator[tuple[str, Expr]]:
    """The conditions that a list of Heat has as many blocks or instances, with the same values; each with its subject.

    argument: the name of nested blocks of the instance with this key, or `for_each` for all instances. facts: about the
    resource. planned: whether the run only plans: then nothing is known of a set if a part of an item is not.
    """
    base: Expr = Traversal(block.labels)
    try:
        if argument == "for_each":
            instances = [BlockInstance(directory, block, key) for key in directory.instance_keys(block)]
            made = [NestedBlock(block.body, instance.bound) for instance in instances]
            collection, ordered = base, False
        else:
            instance = BlockInstance(directory, block, key)
            made = expand_blocks(directory, NestedBlock(block.body, instance.bound), argument)
            collection = Attr(add_key(base, key), argument)
            ordered = facts.get("blocks", {})[argument]["nesting"] == "list"
    except (UnknownValue, EvaluationFailed):
        return
    if len(made) != len(items):
        return
    if argument != "for_each" and not ordered and not are_different(directory, made, unknown=True):
        return  # Terraform has equal blocks of a set once, and Heat has all of them
    if planned and argument != "for_each" and not ordered and not knows_set(directory, facts["blocks"][argument], made):
        return
    yield "", Op("==", Fn("length", (collection,)), len(items))
    names = [item.name for item in made[0].body if isinstance(item, Argument)] if made else []
    for name in names:
        values = evaluate_in_each(directory, made, name)
        if values is None:
            continue
        texts: Expr = item_texts(collection, name)
        columns = key_texts(items)
        if not ordered:  # Terraform has them in an order of its own
            texts, values, columns = Fn("sort", (texts,)), sorted(values), [sorted(column) for column in columns]
        if values in columns:
            expected = expression_from_data(values)
            yield f".{name}", Op("==", Fn("jsonencode", (texts,)), Fn("jsonencode", (expected,)))


def are_different(directory: DirectoryInstance, made: Sequence[NestedBlock], *, unknown: bool = False) -> bool:
    """Whether no two blocks of a set may be the same, as these would be one. unknown: whether values that are not known
    count as different.
    """
    rows = []
    for number, nested_block in enumerate(made):
        names = sorted(item.name for item in nested_block.body if isinstance(item, Argument))
        values = [evaluate_in_each(directory, [nested_block], name) for name in names]
        rows.append((*names, *(str(number if value is None and unknown else value) for value in values)))
    return len(set(rows)) == len(rows)


def item_texts(collection: Expr, name: str) -> Expr:
    """The values of an argument in all items of a collection, as texts."""
    return ForTuple((ITEM,), collection, Fn("tostring", (Attr(Traversal((ITEM,)), name),)))


def knows_set(directory: DirectoryInstance, facts: Mapping[str, Any], made: Sequence[NestedBlock]) -> bool:
    """Whether Terraform knows a set of nested blocks while it plans: all parts of all items are known."""
    computed = any(about.get("computed") for about in facts.get("arguments", {}).values())
    return not computed and all(is_known(directory, nested_block) for nested_block in made)


def is_known(directory: DirectoryInstance, made: NestedBlock) -> bool:
    """Whether all arguments of a block are known."""
    try:
        for item in made.body:
            if isinstance(item, Argument):
                to_plain_data(HclEvaluation(directory, made.bound).evaluate(item.value))
    except (UnknownValue, EvaluationFailed):
        return False
    return not any(isinstance(item, Block) for item in made.body)


def evaluate_in_each(directory: DirectoryInstance, made: Sequence[NestedBlock], name: str) -> list[str] | None:
    """The values of an argument in all blocks, as texts; None if one is unknown, or no text, number or boolean."""
    texts = []
    for block in made:
        argument = block.find_argument(name)
        try:
            value = to_plain_data(
                HclEvaluation(directory, block.bound).evaluate(argument.value if argument is not None else None)
            )
        except (UnknownValue, EvaluationFailed):
            return None
        if not isinstance(value, (str, int, float)):
            return None
        texts.append(convert_to_text(value))
    return texts


def key_texts(items: Sequence[Any]) -> list[list[str]]:
    """The values of each key in all items, as texts; for items that are no maps, the items themselves."""
    if all(isinstance(item, dict) for item in items):
        keys = dict.fromkeys(key for item in items for key in item)
        columns = [[item.get(key) for item in items] for key in keys]
    else:
        columns = [list(items)]
    return [
        [convert_to_text(value) for value in column]
        for column in columns
        if all(isinstance(value, (str, int, float)) for value in column)
    ]
