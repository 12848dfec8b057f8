"""Finds arguments with JSON that Heat wrote in another form than `jsonencode`: with spaces, for example.

After an import, the plan would show such a text as a change, although nothing differs.

Invariant: an argument is ignored only if its text differs for a running resource, or if the text is not known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from emitters.hcl.adoption import unread
from emitters.hcl.attempt import Attempt
from emitters.hcl.emission import Emission
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import BlockInstance, InstancePlan
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.tree.nodes import CHILDREN, Argument, Block, Expr, Fn, Op, walk_expression
from transpile.adoption.adoption import Adoption
from transpile.adoption.environments import IgnoredArguments

REASON = "Heat wrote a list or map in it as JSON with other spaces"


def ignore_json_texts(
    adoption: Adoption, root: Attempt, modules: Mapping[str, Attempt], look_up_id: Callable[[BlockInstance], str]
) -> None:
    """Writes `ignore_changes` for arguments with such JSON in all imported resources."""
    attempts = [root, *modules.values()]
    environment = adoption.environment
    if environment.ignored is not None:
        ignore_for_all(attempts, environment.ignored)
        return
    if not any(contains_json(expr) for attempt in attempts for expr in walk_values(attempt)):
        return

    def identify(instance: BlockInstance, name: str) -> Any:
        if name != "id":
            raise UnknownValue(f"{name} of {instance.address_text}")
        return look_up_id(instance)

    ours = InstancePlan(root, modules, identify)
    heats = InstancePlan(root, modules, identify, encode_json=encode_as_heat)
    heat_instances = {instance.address_text: instance for instance in heats.root.walk_instances()}
    for instance in ours.root.walk_instances():
        if other := heat_instances.get(instance.address_text):
            emission, block = instance.directory.emission, instance.block
            reasons = dict.fromkeys(find_differences(instance, other), REASON)
            unread.ignore_arguments(emission, block, reasons)
            if reasons:
                environment.compared_otherwise.setdefault((label_of(emission), block.address), {}).update(reasons)


def ignore_for_all(attempts: Iterable[Attempt], ignored: IgnoredArguments) -> None:
    """Writes `ignore_changes` for the arguments that at least one environment of the configuration must ignore."""
    for attempt in attempts:
        for block in attempt.emission.blocks.main:
            if isinstance(block, Block) and (reasons := ignored.get((label_of(attempt.emission), block.address))):
                unread.ignore_arguments(attempt.emission, block, reasons)


def label_of(emission: Emission) -> str:
    """The label of the module of a directory; empty for the root."""
    return emission.unit.module.label


def encode_as_heat(value: Any) -> str:
    """A list or map as JSON, as Heat writes it."""
    return json.dumps(to_plain_data(value))


def walk_values(attempt: Attempt) -> Iterator[Expr]:
    """The values of all arguments and locals of a directory."""
    blocks = attempt.emission.blocks
    yield from (local.value for local in blocks.locals.values())
    for block in blocks.main:
        if isinstance(block, Block):
            for item in (block, *unread.walk_inner_blocks(block)):
                yield from (argument.value for argument in item.body if isinstance(argument, Argument))


def contains_json(expr: Expr) -> bool:
    """Whether an expression writes JSON into a text: JSON that is compared or decoded does not count."""
    todo = [expr]
    while todo:
        current = todo.pop()
        if isinstance(current, Fn) and current.name == "jsonencode":
            return True
        if not isinstance(current, Op) and not (isinstance(current, Fn) and current.name == "jsondecode"):
            todo += CHILDREN[type(current)](current) if type(current) in CHILDREN else ()
    return False


def find_differences(ours: BlockInstance, heats: BlockInstance) -> Iterator[str]:
    """The arguments and nested blocks of an instance with other values in Heat."""

    def differs(expr: Expr) -> bool:
        try:
            first, second = (
                to_plain_data(HclEvaluation(instance.directory, instance.bound).evaluate(expr))
                for instance in (ours, heats)
            )
        except (UnknownValue, EvaluationFailed):
            return contains_json(expr)
        return bool(first != second)

    for item in ours.block.body:
        if isinstance(item, Argument) and item.name not in unread.META_ARGUMENTS and has_parts(item.value):
            if differs(item.value):
                yield item.name
        elif isinstance(item, Block) and item.type != "lifecycle":
            inner = [argument for block in (item, *unread.walk_inner_blocks(item)) for argument in block.body]
            if any(isinstance(argument, Argument) and differs(argument.value) for argument in inner):
                yield item.labels[0] if item.type == "dynamic" else item.type


def has_parts(expr: Expr) -> bool:
    """Whether an expression is more than a literal."""
    return any(True for part in walk_expression(expr) if not isinstance(part, (str, int, float, type(None))))
