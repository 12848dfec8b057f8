"""Makes assertions beyond single properties: about lists, further blocks of a resource, module outputs.

Invariant: the asserted value is Heat's, and an assertion is made only where Terraform's is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import BlockInstance, Key, ModuleInstance, add_key
from emitters.hcl.proof import places
from emitters.hcl.proof.assertions import DERIVED, EQUAL, MEMBERS, Assertion, block_at, error_message, known_argument
from emitters.hcl.proof.forms import MISFIT, are_equal_values, equality_check, fit_to_value
from emitters.hcl.proof.heat import has_mark, nested_evaluation
from emitters.hcl.proof.lists import list_conditions
from emitters.hcl.proof.trial import ProofTrial
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Op, Traversal
from emitters.hcl.tree.types import ANY, HclType
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model.lazy_patterns import compile_lazily
from transpile.report import Fate
from transpile.stack_evaluation.evaluation import StackEvaluation as OfHeat

ITEM_PATH = compile_lazily(r"(\w+)\.\d+(?:\.|$)")  # of an item of a list, or something in it


def collect_further_assertions(trial: ProofTrial) -> Iterator[Assertion]:
    """The assertions about lists, parts of resources and outputs of modules, in the order of the template."""
    heat = trial.heat.evaluation
    try:
        enabled = set(heat.resource_names)
    except EvaluationError:
        return
    for name, report in trial.root_directory.emission.log.report.resources.items():
        if name not in heat.stack.template.resources or name not in enabled:
            continue
        inside = nested_evaluation(heat, name)
        if report.treatment == "module" and not trial.subject.left_out:
            yield from assert_module_outputs(trial, name, report.addresses, inside)
        if inside and inside.is_group and report.treatment != "embedded":
            continue
        yield from assert_item_lists(trial, name, report.properties)
        yield from assert_parts(trial, name, report.addresses[1:])
        for path, fate in report.properties.items():
            block = trial.root_directory.blocks.get(tuple(fate.get("to", "").split(".")))
            argument = fate.get("argument", "")
            if fate["as"] in (*EQUAL, DERIVED) and block is not None and is_list_of_blocks(trial, block, argument):
                yield from assert_list(trial, name, path, block, argument)


def assert_module_outputs(
    trial: ProofTrial, name: str, addresses: Sequence[str], inside: OfHeat | None
) -> Iterator[Assertion]:
    """The assertions for the outputs of a module: all that a test of the root sees of it, and so of its arguments."""
    block = block_at(trial.root_directory, addresses[0])
    if block is None or inside is None:
        return
    try:
        keys = list(trial.root_directory.instance_keys(block))
        members = inside.resource_names if inside.is_group else [""]
    except (UnknownValue, EvaluationFailed, EvaluationError):
        return
    for key, member in list(zip(keys, members, strict=False))[:MEMBERS]:
        member = key if key in members else member
        within = nested_evaluation(inside, member) if member else inside
        if not within or within.is_group:
            continue
        instance = ModuleInstance(trial.root_directory, block, key)
        emission = instance.module_directory.emission
        base = Traversal(("module", block.labels[0]))
        for output, label in emission.names.outputs.items():
            if output not in within.stack.template.outputs or label in emission.sensitive:
                continue
            try:
                expected, value = (
                    to_plain_data(within.evaluate_output(output)),
                    to_plain_data(instance.attribute_of(label)),
                )
            except (EvaluationError, UnknownValue, EvaluationFailed):
                continue
            trial.root.pay_for_comparison(expected)
            expected = fit_to_value(expected, value) if not has_mark(expected) else MISFIT
            if expected is None or expected is MISFIT or not are_equal_values(expected, value, ANY):
                continue
            subject = f"{name}{f'.{member}' if member else ''}.outputs.{output}"
            kind = ANY if isinstance(expected, (list, dict)) else HclType("string")
            place = Attr(add_key(base, key), label)
            yield Assertion(subject, equality_check(expected, kind)(place), error_message(subject, expected), block)


def is_list_of_blocks(trial: ProofTrial, block: Block, argument: str) -> bool:
    """Whether an argument is the name of nested blocks, or of `for_each`, which makes instances."""
    facts = trial.subject.overrides.providers.find_schema(block.labels[0])
    return argument == "for_each" or argument in facts.get("blocks", {})


def assert_item_lists(trial: ProofTrial, name: str, fates: Mapping[str, Fate]) -> Iterator[Assertion]:
    """The assertions for list properties of which each item becomes a nested block: that there are as many blocks."""
    seen = set[tuple[str, str, str]]()
    for path, fate in fates.items():
        item = ITEM_PATH.match(path)
        nested = ITEM_PATH.match(fate.get("argument", ""))
        block = trial.root_directory.blocks.get(tuple(fate.get("to", "").split(".")))
        if item is None or nested is None or block is None or (item[1], *block.labels) in seen:
            continue
        seen.add((item[1], block.labels[0], block.labels[1]))
        if is_list_of_blocks(trial, block, nested[1]):
            yield from assert_list(trial, name, item[1], block, nested[1])


def assert_parts(trial: ProofTrial, name: str, addresses: Sequence[str]) -> Iterator[Assertion]:
    """The assertions that further blocks of a resource, such as the rules of a security group, belong to it."""
    heat = trial.heat
    own = heat.reference_value(f"{heat.evaluation.prefix}{name}")
    for address in addresses:
        block = trial.root_directory.blocks.get(tuple(address.split(".")))
        if block is None or not isinstance(own, str) or has_mark(own):
            continue
        try:
            keys = list(trial.root_directory.instance_keys(block))
        except (UnknownValue, EvaluationFailed):
            continue
        for item in [item for item in block.body if isinstance(item, Argument)]:
            for key in keys[:MEMBERS]:
                if known_argument(BlockInstance(trial.root_directory, block, key), item.name) == own:
                    base: Expr = Traversal(block.labels)
                    place = Attr(add_key(base, key), item.name)
                    subject = f"{name} ({block.labels[1]}{'' if key is None else f'.{key}'}.{item.name})"
                    yield Assertion(subject, Op("==", place, own), error_message(subject, own), block)


def assert_list(trial: ProofTrial, name: str, path: str, block: Block, argument: str) -> Iterator[Assertion]:
    """The assertions for a list property whose items become nested blocks or instances."""
    key, *rest = path.split(".")
    try:
        value = trial.heat.evaluation.evaluate_property(name, key)
        items = None if value is ABSENT else places.value_at_path(value, rest)
        keys: list[Key] = [None] if argument == "for_each" else list(trial.root_directory.instance_keys(block))
    except (EvaluationError, UnknownValue, EvaluationFailed):
        return
    if not isinstance(items, list) or has_mark(items) or len(keys) != 1:
        return
    facts = trial.subject.overrides.providers.find_schema(block.labels[0])
    for suffix, condition in list_conditions(
        trial.root_directory, block, keys[0], argument, facts, items, planned=trial.planned
    ):
        subject = f"{name}.{path}{suffix}"
        yield Assertion(subject, condition, f"{subject} must be the value that Heat computes.", block)
