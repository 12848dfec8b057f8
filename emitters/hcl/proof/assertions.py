"""Compares every property and output whose value Heat knows with Terraform's, and makes assertions of equal ones.

Invariant: the asserted value is Heat's. The output is evaluated only to find out whether Terraform knows the value at
that time, and which type it has.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import MISSING, BlockInstance, DirectoryInstance, Key, add_key
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.proof import places
from emitters.hcl.proof.arguments import ArgumentReader
from emitters.hcl.proof.excuses import FailedValue
from emitters.hcl.proof.forms import MISFIT, are_equal_values, equality_check, fit_to_type, fit_to_value
from emitters.hcl.proof.heat import has_mark, nested_evaluation
from emitters.hcl.proof.influence import EVERYTHING, Influenced
from emitters.hcl.proof.overrides import AfterApply
from emitters.hcl.proof.trial import EvaluatedDirectory
from emitters.hcl.tree.nodes import Argument, Attr, Block, Expr, Fn, Op, Traversal
from emitters.hcl.tree.types import ANY, HclType
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.words import count_noun
from transpile.stack_evaluation.evaluation import StackEvaluation as OfHeat

DERIVED = "derived"  # a property with this fate is asserted only if both values are the same
EQUAL = ("value", "reference", "lookup")
DIFFERS = "differs"
META_ARGUMENTS = ("count", "for_each", "provider", "depends_on")
MEMBERS = 3  # of a group, at most so many are asserted
DEFINITION = compile_lazily(r"(?:resource_def|resource)\.properties\.(.+)")


class Assertion(NamedTuple):
    """An assertion about a value. subject: in Heat's words, for example `server.flavor`. block: the block that it
    checks. from_heat: whether Heat has the value; otherwise it is the one that was written.
    """

    subject: str
    condition: Expr
    message: str
    block: Block | None = None
    from_heat: bool = True


class Agreement(NamedTuple):
    """A value that is the same in Heat and in Terraform. make_condition: see `OutputPlace`."""

    subject: str
    expected: Any
    type: HclType
    make_condition: Callable[[Callable[[Expr], Expr]], Expr]
    block: Block

    def assert_value(self) -> Assertion:
        condition = self.make_condition(equality_check(self.expected, self.type))
        return Assertion(self.subject, condition, error_message(self.subject, self.expected), self.block)


class Unasserted(NamedTuple):
    """A value that is not asserted, and why: unknown (until apply), heat (only Heat knows it), or differs.

    owner: the resource in the template; empty for an output. path: of the property in the report, or the name of the
    output. member: the member of a group.
    """

    subject: str
    why: str
    heat: Any = None
    terraform: Any = None
    owner: str = ""
    path: str = ""
    member: str = ""


Observation: TypeAlias = Agreement | Assertion | Unasserted


def collect_assertions(trial: EvaluatedDirectory) -> Iterator[Assertion | Unasserted]:
    """All assertions of a trial, in the order of the template."""
    for observation in compare_values(trial):
        yield observation.assert_value() if isinstance(observation, Agreement) else observation


def compare_values(trial: EvaluatedDirectory, only: Influenced = EVERYTHING) -> Iterator[Observation]:
    """All values of a trial, in the order of the template. only: the parts of the template that they are about, by
    default all.
    """
    heat = trial.evaluation
    reports = trial.directory.emission.log.report.resources
    try:
        enabled = set(heat.resource_names)
    except EvaluationError:
        return
    for name, report in reports.items():
        if name not in heat.stack.template.resources or name not in only.resources:
            continue
        if name not in enabled:
            yield from assert_absent(trial, name, report.addresses)
            continue
        inside = nested_evaluation(heat, name)
        group = inside if inside and inside.is_group and report.treatment != "embedded" else None
        yield from assert_present(trial, name, report.addresses, group)
        for path, fate in report.properties.items():
            to, argument = fate.get("to", ""), fate.get("argument", "")
            if fate["as"] not in (*EQUAL, DERIVED) or not argument or argument == "count":
                continue
            block = trial.directory.blocks.get(tuple(to.split(".")))
            if block is None or argument.startswith("lifecycle."):
                continue
            member = DEFINITION.fullmatch(path)
            if group is None and member is not None:
                continue  # members that are too many to be evaluated
            derived = fate["as"] == DERIVED
            if group is None:
                observations = compare_property(trial, heat, name, name, path, block, argument, 0, fate["as"])
                yield from locate_observations(observations, name, path, derived=derived)
            elif member is not None:
                for n, child in enumerate(group.resource_names[:MEMBERS]):
                    key = trial.directory.emission.blocks.member_of.get(id(block))
                    if key in (None, child):
                        observations = compare_property(
                            trial, group, child, f"{name}.{child}", member[1], block, argument, n, fate["as"]
                        )
                        yield from locate_observations(observations, name, path, child, derived=derived)
    for name, output in trial.directory.emission.log.report.outputs.items():
        if name not in only.outputs:
            continue
        if "output" in output and name in heat.stack.template.outputs:
            yield from locate_observations(compare_output(trial, name, output["output"]), "", name)


def locate_observations(
    observations: Iterable[Observation], owner: str, path: str, member: str = "", *, derived: bool = False
) -> Iterator[Observation]:
    """The observations, with the place in the template of those that are not asserted. derived: the property may differ
    from Heat, so its differences are left out.
    """
    for observation in observations:
        if not isinstance(observation, Unasserted):
            yield observation
        elif not derived:
            yield observation._replace(owner=owner, path=path, member=member)


def assert_absent(trial: EvaluatedDirectory, name: str, addresses: Sequence[str]) -> Iterator[Assertion]:
    """The assertions that a resource whose condition is false has no instances."""
    for address in addresses:
        block = block_at(trial.directory, address)
        if block is not None and block.repetition is not None:
            condition = Op("==", Fn("length", (Traversal(tuple(address.split("."))),)), 0)
            yield Assertion(name, condition, f"{name}: its condition does not hold, so there must be none.", block)


def assert_present(
    trial: EvaluatedDirectory, name: str, addresses: Sequence[str], group: OfHeat | None
) -> Iterator[Assertion]:
    """The assertions that a conditional resource has an instance, and that a group has as many members as in Heat."""
    for address in addresses[:1] if group is not None else addresses:
        block = block_at(trial.directory, address)
        if block is None or block.repetition is None:
            continue
        if trial.directory.emission.blocks.owner_of.get(id(block)) != name:
            continue
        resource = trial.evaluation.stack.template.resources[name]
        if group is None and not resource.is_conditional:
            continue
        if id(block) in trial.directory.emission.blocks.member_of:
            continue
        try:
            instance_count = len(trial.directory.instance_keys(block))
        except (UnknownValue, EvaluationFailed):
            continue
        expected_count = len(group.resource_names) if group is not None else 1
        if instance_count == expected_count or group is not None:
            condition = Op("==", Fn("length", (Traversal(tuple(address.split("."))),)), expected_count)
            many = count_noun(expected_count, "member") if group is not None else "one, as its condition holds"
            yield Assertion(name, condition, f"{name}: there must be {many}.", block)


def block_at(directory: DirectoryInstance, address: str) -> Block | None:
    definition = directory.find_definition(address)
    return definition if isinstance(definition, Block) else None


def compare_property(
    trial: EvaluatedDirectory,
    heat: OfHeat,
    name: str,
    display_name: str,
    path: str,
    block: Block,
    argument: str,
    place: int,
    fate: str,
) -> Sequence[Observation]:
    """Compares one property: the assertion about it comes last, after those about the look-ups that it needs."""
    subject, directory = f"{display_name}.{path}", trial.directory
    key, *rest = path.split(".")
    try:
        heat_value = heat.evaluate_property(name, key)
        if heat_value is ABSENT:
            heat_value = None
        elif rest:
            heat_value = places.value_at_path(heat_value, rest)
    except EvaluationError:
        return ()
    except UnknownValue:
        heat_value = None
    if has_mark(heat_value):
        return (Unasserted(subject, "heat", heat_value),)
    trial.pay_for_comparison(heat_value)
    try:
        keys = directory.instance_keys(block)
    except (UnknownValue, EvaluationFailed):
        return (Unasserted(subject, "unknown", heat_value),)
    if not keys or place >= len(keys):
        return (Unasserted(subject, "none", heat_value),)
    chosen: Key = name if name in keys else keys[place]
    base = add_key(Traversal(block.labels), chosen)
    facts = trial.subject.overrides.providers.find_schema(block.labels[0])
    reader = trial.argument_reader(block, chosen)
    steps = choose_argument(reader, argument).split(".")
    place_in_output = places.locate_argument(base, facts, steps)
    if place_in_output is None:
        return ()
    kind, value = place_in_output.type, MISFIT
    try:
        value = reader.evaluate_argument(steps)
        trial.pay_for_comparison(value)
    except AfterApply:
        return (Unasserted(subject, "unknown", heat_value),)
    except EvaluationFailed as e:
        return (Unasserted(subject, DIFFERS, heat_value, FailedValue(e)),)
    except UnknownValue:
        if fate != "value" or trial.refers_to_resource(block):
            return (Unasserted(subject, "unknown", heat_value),)
    if heat_value is None or (heat_value == "" and value is None):
        if value is None and place_in_output.direct and not place_in_output.computed and fate != DERIVED:
            condition = place_in_output.make_condition(lambda expr: Op("==", expr, None))
            return (Assertion(subject, condition, f"{subject} must be null.", block),)
        return ()
    lookup_assertions: dict[str, Assertion] = {}
    if value is MISFIT:
        if not isinstance(heat_value, (str, int)) or isinstance(heat_value, bool):
            return (Unasserted(subject, "unknown", heat_value),)
        expected = fit_to_type(heat_value, kind)
    else:
        translated = translate_lookups(trial, heat_value, value, subject, lookup_assertions)
        expected = fit_to_type(translated, kind) if kind != ANY else fit_to_value(translated, value)
        other = fit_to_type(value, kind)
        if value is None or not are_equal_values(expected, other, kind):
            why = "heat" if value is None and trial.reads_heat_stack(block) else DIFFERS
            return (Unasserted(subject, why, heat_value, value),)
        expected = other if isinstance(expected, str) else expected  # JSON: Terraform's spelling
    if expected is MISFIT:
        return (Unasserted(subject, DIFFERS, heat_value, value),)
    return *lookup_assertions.values(), Agreement(subject, expected, kind, place_in_output.make_condition, block)


def choose_argument(reader: ArgumentReader, argument: str) -> str:
    """The argument that has the value, of two that exclude each other: `image_name`, and `image_id` for an ID."""
    if "." in argument:
        return argument
    for ending, other in (("_name", "_id"), ("_id", "_name")):
        twin = argument.removesuffix(ending) + other
        if argument.endswith(ending) and reader.instance.block.has_argument(twin):
            with contextlib.suppress(UnknownValue, EvaluationFailed):
                if reader.evaluate_argument([argument]) is None:
                    return twin
    return argument


def translate_lookups(
    trial: EvaluatedDirectory, heat_value: Any, value: Any, subject: str, lookup_assertions: dict[str, Assertion]
) -> Any:
    """Heat's value, in which a name is replaced where Terraform has another attribute of the same resource.

    For example, Heat has the name of a network, and Terraform has the ID that a data source found. An assertion that
    the data source looks for this name is added to `lookup_assertions`. value: the one that Terraform computes.
    """
    if isinstance(heat_value, list) and isinstance(value, list) and len(heat_value) == len(value):
        return [
            translate_lookups(trial, item, other, subject, lookup_assertions)
            for item, other in zip(heat_value, value, strict=True)
        ]
    owners = trial.subject.overrides.owners
    if heat_value == value or not isinstance(value, str):
        return heat_value
    if isinstance(heat_value, bool) and value.lower() == str(heat_value).lower():
        return value  # Heat writes booleans as "true" or "True", depending on the reader
    others = owners.get(value, {})
    mine = owners.get(heat_value, {}) if isinstance(heat_value, str) else {}
    if mine.keys() & others.keys() or any(known_argument(owner, "name") == value for owner in mine.values()):
        return value
    for owner in others.values():
        if owner.block.type != "data":  # the template has the name of a resource as plain text
            name = known_argument(owner, "name")
            if name is not None and not mine and are_same_texts(heat_value, name):
                return value
        elif (condition := lookup_condition(owner, heat_value)) is not None:
            label = f"{owner.block.labels[-1]}{'' if owner.key is None else f'.{owner.key}'}"
            lookup_assertions[label] = Assertion(
                f"{subject} ({label})", condition, error_message(subject, heat_value), owner.block
            )
            return value
    return heat_value


def lookup_condition(owner: BlockInstance, heat_value: Any) -> Expr | None:
    """The condition that a data source looks for a value of Heat, for example a name; None if it does not."""
    base = add_key(Traversal(("data", *owner.block.labels)), owner.key)
    names = lookup_arguments(owner)
    for name in names:
        argument_value = known_argument(owner, name)
        if isinstance(argument_value, (str, int, float)) and are_same_texts(heat_value, argument_value):
            others = [other for other in names if other != name and is_set_to_null(owner, other)]
            condition = Op("==", Attr(base, name), argument_value)
            for other in others:
                condition = Op("&&", condition, Op("==", Attr(base, other), None))
            return condition
    return None


def lookup_arguments(owner: BlockInstance) -> list[str]:
    """The arguments by which a data source looks: all that it has, without those that the lookup table adds to every
    search.
    """
    tables = owner.directory.emission.unit.tables
    kind = owner.block.labels[0]
    narrowing = {name for lookup in tables.lookups.values() if lookup.data == kind for name, _ in lookup.more}
    names = [item.name for item in owner.block.body if isinstance(item, Argument)]
    return [name for name in names if name not in narrowing and name not in META_ARGUMENTS]


def are_same_texts(heat_value: Any, value: Any) -> bool:
    """Whether two values have the same text. Heat writes booleans as "true" or "True", depending on the reader."""
    first, second = (fit_to_type(value, HclType("string")) for value in (heat_value, value))
    if isinstance(heat_value, bool):
        return str(first).lower() == str(second).lower()
    return bool(first == second)


def is_set_to_null(instance: BlockInstance, name: str) -> bool:
    """Whether an argument is present and null, and nothing but the configuration sets it."""
    try:
        if instance.argument_value(name) is not None:
            return False
    except (UnknownValue, EvaluationFailed):
        return False
    providers = instance.directory.emission.unit.tables.providers
    return not providers.find_argument(f"data.{instance.block.labels[0]}", name).get("computed")


def known_argument(instance: BlockInstance, name: str) -> Any:
    """The value of an argument; None if it is absent or not known."""
    try:
        value = instance.argument_value(name)
    except (UnknownValue, EvaluationFailed):
        return None
    return None if value is MISSING else value


def compare_output(trial: EvaluatedDirectory, name: str, label: str) -> Sequence[Agreement | Unasserted]:
    """Compares one output."""
    subject = f"outputs.{name}"
    try:
        heat_value = to_plain_data(trial.evaluation.evaluate_output(name))
    except EvaluationError:
        return ()
    if has_mark(heat_value):
        return (Unasserted(subject, "heat", heat_value),)
    trial.pay_for_comparison(heat_value)
    block = trial.directory.outputs.get(label)
    if block is None:
        return ()
    value: Any = MISFIT
    argument = block.find_argument("value")
    try:
        value = to_plain_data(
            HclEvaluation(trial.directory, {}).evaluate(argument.value if argument is not None else None)
        )
    except AfterApply:
        return (Unasserted(subject, "unknown", heat_value),)
    except EvaluationFailed as e:
        return (Unasserted(subject, DIFFERS, heat_value, FailedValue(e)),)
    except UnknownValue:
        return (Unasserted(subject, "unknown", heat_value),)
    expected = fit_to_value(heat_value, value)
    if expected is MISFIT or not are_equal_values(expected, value, ANY):
        why = "heat" if value is None and trial.reads_heat_stack(block) else DIFFERS
        return (Unasserted(subject, why, heat_value, value),)
    kind = ANY if isinstance(expected, (list, dict)) else HclType("string")
    return (Agreement(subject, expected, kind, lambda check: check(Traversal(("output", label))), block),)


def error_message(subject: str, expected: Any) -> str:
    """The message of a failed assertion. It leaves out values that are long or contain special characters."""
    text = print_value(expected)
    return f"{subject} must be {text}, as in Heat." if text else f"{subject} must be the value that Heat computes."


def print_value(value: Any) -> str:
    """A value for a message; empty if it is empty, long, or contains special characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 and text.isprintable() and "${" not in text and "%{" not in text else ""


def influencing_variables(directory: DirectoryInstance, block: Block) -> frozenset[str]:
    """The variables that a block depends on, directly or through others."""
    addresses = directory.find_addresses([block])
    return frozenset(address.partition(".")[2] for address in addresses if address.startswith("var."))
