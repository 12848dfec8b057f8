"""Reads the arguments of one instance, as Terraform computes them.

Invariant: each body is indexed once, and each argument is computed once, however many paths into it are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, final

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import BlockInstance
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.proof.blocks import NestedBlock, expand_blocks
from emitters.hcl.proof.places import value_at_path
from emitters.hcl.tree.nodes import Argument, Expr, Object

Path = tuple[str, ...]


class IndexedBody(NamedTuple):
    """The body of a block, and its arguments by name."""

    block: NestedBlock
    arguments: dict[str, Argument]


def index_body(block: NestedBlock) -> IndexedBody:
    arguments: dict[str, Argument] = {}
    for item in block.body:
        if isinstance(item, Argument):
            arguments.setdefault(item.name, item)
    return IndexedBody(block, arguments)


@final
class ArgumentReader:
    """Reads the arguments of one instance of a block."""

    def __init__(self, instance: BlockInstance) -> None:
        self.instance = instance
        self.top = index_body(NestedBlock(instance.block.body, instance.bound))
        self.nested: dict[Path, list[IndexedBody] | UnknownValue | EvaluationFailed] = {}
        self.objects: dict[int, tuple[Object, dict[str, Expr]]] = {}  # by id() of the object, which stays alive
        self.computed: dict[Path, Any] = {}  # an exception if the value is not known

    def evaluate_argument(self, path: Sequence[str]) -> Any:
        """The value at a path; None if it is absent. Raises UnknownValue or EvaluationFailed."""
        here, step = self.top, 0
        while step < len(path):
            if (argument := here.arguments.get(path[step])) is not None:
                return self.evaluate_inside(here.block, argument, path, step + 1)
            blocks = self.nested_blocks(here.block, tuple(path[: step + 1]))
            step += 1
            if not blocks:
                return None
            number = 0
            if step < len(path) and path[step].isdigit():
                number, step = int(path[step]), step + 1
            if number >= len(blocks):
                raise UnknownValue(f"{path[step - 2]}, of which there are fewer")
            here = blocks[number]
        raise UnknownValue("a whole block")

    def nested_blocks(self, around: NestedBlock, path: Path) -> list[IndexedBody]:
        """The blocks at a path. Raises UnknownValue or EvaluationFailed."""
        if path not in self.nested:
            try:
                blocks = expand_blocks(self.instance.directory, around, path[-1])
                self.nested[path] = [index_body(block) for block in blocks]
            except (UnknownValue, EvaluationFailed) as e:
                self.nested[path] = e
        blocks_or_error = self.nested[path]
        if isinstance(blocks_or_error, (UnknownValue, EvaluationFailed)):
            raise blocks_or_error
        return blocks_or_error

    def evaluate_inside(self, block: NestedBlock, argument: Argument, path: Sequence[str], step: int) -> Any:
        """The value of an argument at the rest of a path. Only one item of a literal map is computed, as others may
        have no value.
        """
        expr = argument.value
        while isinstance(expr, Object) and step < len(path) and path[step] in (items := self.items_of(expr)):
            expr, step = items[path[step]], step + 1
        key = tuple(path[:step])
        if key not in self.computed:
            try:
                self.computed[key] = to_plain_data(HclEvaluation(self.instance.directory, block.bound).evaluate(expr))
            except (UnknownValue, EvaluationFailed) as e:
                self.computed[key] = e
        value = self.computed[key]
        if isinstance(value, (UnknownValue, EvaluationFailed)):
            raise value
        return value_at_path(value, path[step:])

    def items_of(self, expr: Object) -> dict[str, Expr]:
        """The items of a literal map by their literal keys."""
        if id(expr) not in self.objects:
            items: dict[str, Expr] = {}
            for key, item in expr.entries:
                if isinstance(key, str):
                    items.setdefault(key, item)
            self.objects[id(expr)] = expr, items
        return self.objects[id(expr)][1]
