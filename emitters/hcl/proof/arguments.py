"""Reads the arguments of one instance, as Terraform computes them.

Invariant: each body is indexed once, and each argument is computed once, however many paths into it are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, final

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import BlockInstance
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.proof.blocks import NestedBlock, expand_blocks
from emitters.hcl.proof.places import value_at_path
from emitters.hcl.tree.nodes import Argument, Block, Expr, Object
from emitters.hcl.tree.types import is_scalar_literal

Path = tuple[str, ...]
META_ARGUMENTS = ("count", "for_each", "depends_on", "source", "version", "provider", "providers")
NOT_NESTED = ("lifecycle", "provisioner", "connection")


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

    def evaluate_all(self) -> Iterator[tuple[Path, Argument, Any]]:
        """Every argument that Terraform evaluates and that is no literal, with its path and its value. The value is an
        exception if Terraform fails, or if it is not known.
        """
        yield from self.evaluate_body(self.top, ())

    def evaluate_body(self, body: IndexedBody, path: Path) -> Iterator[tuple[Path, Argument, Any]]:
        for argument in body.arguments.values():
            if argument.name not in META_ARGUMENTS and not is_scalar_literal(argument.value):
                here = (*path, argument.name)
                yield here, argument, self.evaluate_or_fail(body.block, argument, here)
        inner = {
            item.labels[0] if item.type == "dynamic" else item.type: item
            for item in body.block.body
            if isinstance(item, Block) and item.type not in NOT_NESTED
        }
        for name, item in inner.items():
            here = (*path, name)
            try:
                blocks = self.nested_blocks(body.block, here)
            except (UnknownValue, EvaluationFailed) as e:
                yield here, Argument("for_each", None, item.span), e
                continue
            for number, block in enumerate(blocks):
                yield from self.evaluate_body(block, (*here, str(number)))

    def evaluate_or_fail(self, block: NestedBlock, argument: Argument, path: Path) -> Any:
        """The value of an argument, computed once; or the exception."""
        if path not in self.computed:
            try:
                self.computed[path] = HclEvaluation(self.instance.directory, block.bound).evaluate(argument.value)
            except (UnknownValue, EvaluationFailed) as e:
                self.computed[path] = e
        return self.computed[path]

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
        if is_scalar_literal(expr) and step == len(path):
            return expr
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
