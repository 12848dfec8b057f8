"""Makes assertions about the rest of the output: the values that no property or output of Heat determines.

For example, a mapping table adds `no_security_groups = true`, and Heat has no such property. Invariant: these values
are read from the output, so they prove nothing about the translation, and their messages say "as converted". They
notice later changes of the code. A place that an assertion with Heat's value reads is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, final

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, call_jsonencode, to_plain_data
from emitters.hcl.evaluation.instances import BlockInstance, ModuleInstance, add_key
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.proof import places
from emitters.hcl.proof.assertions import MEMBERS, Assertion, print_value
from emitters.hcl.proof.blocks import NestedBlock, expand_blocks
from emitters.hcl.proof.forms import LONGEST, MISFIT, equality_check, fit_to_type
from emitters.hcl.proof.lists import ITEM, are_different, evaluate_in_each, item_texts, knows_set
from emitters.hcl.proof.trial import ProofTrial
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Expr,
    Fn,
    ForTuple,
    Index,
    Op,
    Traversal,
    expression_from_data,
    walk_expression,
)
from emitters.hcl.tree.printer import print_inline
from emitters.hcl.tree.types import ANY, HclType

META = ("count", "for_each", "depends_on", "provider", "providers", "source", "version")
UNSEEN = ("lifecycle", "provisioner", "connection", "timeouts")  # blocks that are no part of a resource's value


def collect_remaining_assertions(trial: ProofTrial, asserted: Iterable[Assertion]) -> Iterator[Assertion]:
    """The assertions about blocks and outputs of the root that the assertions with Heat's values leave open."""
    remainder = Remainder(trial, {expr for assertion in asserted for expr in walk_expression(assertion.condition)})
    root = trial.root_directory
    for block in (*root.data.values(), *root.blocks.values(), *root.calls.values()):
        yield from remainder.assert_block(block)
    for label, block in root.outputs.items():
        yield from remainder.assert_output(block, label)


@final
class Remainder:
    """Asserts the parts of a directory that no assertion of a trial covers. covered: the other parts."""

    def __init__(self, trial: ProofTrial, covered: set[Expr]) -> None:
        self.trial, self.covered, self.directory = trial, covered, trial.root_directory

    def assert_block(self, block: Block) -> Iterator[Assertion]:
        """The assertions about the number of instances of a block, and about the arguments of the first ones."""
        if block.type == "data":
            names, kind = ("data", *block.labels), f"data.{block.labels[0]}"
        elif block.type == "module":
            names, kind = ("module", *block.labels), ""
        else:
            names, kind = block.labels, block.labels[0]
        base: Expr = Traversal(names)
        try:
            keys = list(self.directory.instance_keys(block))
        except (UnknownValue, EvaluationFailed):
            return
        if block.repetition is not None:
            yield from self.assert_number(base, len(keys), block)
        if block.type == "module":
            for key in keys[:MEMBERS]:
                yield from self.assert_outputs_of_module(add_key(base, key), block, key)
            return
        facts = self.trial.subject.overrides.providers.find_schema(kind)
        for key in keys[:MEMBERS] if facts else ():
            instance = BlockInstance(self.directory, block, key)
            body = NestedBlock(block.body, instance.bound)
            yield from self.assert_body(add_key(base, key), facts, body, block)

    def assert_number(self, collection: Expr, number: int, block: Block) -> Iterator[Assertion]:
        """The assertion about the number of instances or nested blocks."""
        length: Expr = Fn("length", (collection,))
        if length not in self.covered:
            subject = print_inline(length)
            yield make_assertion(subject, Op("==", length, number), str(number), block)

    def assert_body(self, base: Expr, facts: Mapping[str, Any], body: NestedBlock, block: Block) -> Iterator[Assertion]:
        """The assertions about the arguments and nested blocks of a body. base: the expression that reads it."""
        nested: dict[str, None] = {}
        for item in body.body:
            if isinstance(item, Argument) and item.name not in META:
                yield from self.assert_argument(base, facts, item, body.bound, block)
            elif isinstance(item, Block) and item.type not in UNSEEN:
                nested[item.labels[0] if item.type == "dynamic" else item.type] = None
        for name in nested:
            if (about := facts.get("blocks", {}).get(name)) is not None:
                yield from self.assert_nested(base, name, about, body, block)

    def assert_argument(
        self, base: Expr, facts: Mapping[str, Any], argument: Argument, bound: Mapping[str, Any], block: Block
    ) -> Iterator[Assertion]:
        place = places.locate_argument(base, facts, [argument.name])
        if place is None or Attr(base, argument.name) in self.covered:
            return
        value = self.evaluate(argument.value, bound)
        if value is None and not place.computed:
            yield from self.assert_value(Attr(base, argument.name), None, place.type, block)
        elif value is not None and value is not MISFIT:
            yield from self.assert_value(Attr(base, argument.name), fit_to_type(value, place.type), place.type, block)

    def assert_nested(
        self, base: Expr, name: str, facts: Mapping[str, Any], around: NestedBlock, block: Block
    ) -> Iterator[Assertion]:
        """The assertions about the nested blocks of a name: their number, and the contents of each."""
        collection = Attr(base, name)
        try:
            made = expand_blocks(self.directory, around, name)
        except (UnknownValue, EvaluationFailed):
            return
        match facts["nesting"]:
            case "list":
                yield from self.assert_number(collection, len(made), block)
                for number, body in enumerate(made[:MEMBERS]):
                    inner = self.leave_out_covered(body, collection)
                    yield from self.assert_body(Index(collection, number), facts, inner, block)
            case "set" if are_different(self.directory, made):
                known = not self.trial.planned or knows_set(self.directory, facts, made)
                # Terraform goes through a set with unknown parts, although it does not know its length.
                listed = collection if known else ForTuple((ITEM,), collection, True)
                yield from self.assert_number(listed, len(made), block)
                yield from self.assert_set(collection, made, block)
            case "single" | "group" if made:
                yield from self.assert_body(collection, facts, made[0], block)

    def leave_out_covered(self, body: NestedBlock, collection: Expr) -> NestedBlock:
        """The body without the arguments that an assertion about all blocks of the collection reads."""
        left = [
            item
            for item in body.body
            if not isinstance(item, Argument) or item_texts(collection, item.name) not in self.covered
        ]
        return NestedBlock(left, body.bound)

    def assert_set(self, collection: Expr, made: Sequence[NestedBlock], block: Block) -> Iterator[Assertion]:
        """The assertions about the values of each argument in all blocks of a set."""
        for name in dict.fromkeys(item.name for body in made for item in body.body if isinstance(item, Argument)):
            texts = item_texts(collection, name)
            values = evaluate_in_each(self.directory, made, name)
            if values is None or texts in self.covered:
                continue
            expected = Fn("jsonencode", (expression_from_data(sorted(values)),))
            subject = f"{print_inline(collection)}[*].{name}"
            condition = Op("==", Fn("jsonencode", (Fn("sort", (texts,)),)), expected)
            yield make_assertion(subject, condition, "", block)

    def assert_outputs_of_module(self, base: Expr, block: Block, key: int | str | None) -> Iterator[Assertion]:
        if self.trial.subject.left_out:
            return
        inside = ModuleInstance(self.directory, block, key)
        emission = inside.module_directory.emission
        for label in emission.names.outputs.values():
            place = Attr(base, label)
            if label in emission.sensitive or place in self.covered:
                continue
            try:
                value = to_plain_data(inside.attribute_of(label))
            except (UnknownValue, EvaluationFailed):
                continue
            if value is not None:
                yield from self.assert_value(place, value, kind_of(value), block)

    def assert_output(self, block: Block, label: str) -> Iterator[Assertion]:
        place = Traversal(("output", label))
        argument = block.find_argument("value")
        if argument is None or place in self.covered or block.has_argument("sensitive"):
            return
        value = self.evaluate(argument.value, {})
        if value is not None:
            yield from self.assert_value(place, value, kind_of(value), block)

    def evaluate(self, expr: Expr, bound: Mapping[str, Any]) -> Any:
        """The value of an expression; MISFIT if it is not known."""
        try:
            value = to_plain_data(HclEvaluation(self.directory, bound).evaluate(expr))
        except (UnknownValue, EvaluationFailed):
            return MISFIT
        self.trial.root.pay_for_comparison(value)
        return value

    def assert_value(self, place: Expr, value: Any, kind: HclType, block: Block) -> Iterator[Assertion]:
        """The assertion that a place has a value. A long value is compared by its hash."""
        if value is MISFIT:
            return
        subject = print_inline(place)
        if isinstance(value, (list, dict)) and len(encoded := call_jsonencode(value)) > LONGEST:
            if kind.kind == "set":
                return
            digest = hashlib.sha256(encoded.encode("utf-8", "surrogatepass")).hexdigest()
            condition: Expr = Op("==", Fn("sha256", (Fn("jsonencode", (place,)),)), digest)
        else:
            condition = equality_check(value, kind)(place)
        yield make_assertion(subject, condition, print_value(value), block)


def make_assertion(subject: str, condition: Expr, value: str, block: Block) -> Assertion:
    """An assertion without Heat's value. value: for the message; empty if it cannot be shown."""
    message = f"{subject} must be {value}, as converted." if value else f"{subject} must be as converted."
    return Assertion(subject, condition, message, block, from_heat=False)


def kind_of(value: Any) -> HclType:
    """The type by which the value of an output is compared."""
    return ANY if isinstance(value, (list, dict)) else HclType("string")
