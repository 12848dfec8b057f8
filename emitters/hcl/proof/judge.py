"""Judges a conversion: compares every value that Heat computes with the one that Terraform computes.

Invariant: only a difference between two known values is reported. A value that either side cannot tell before
resources exist is no difference, and neither is one that a diagnostic has announced.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import itertools
import json
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias, final

from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue
from emitters.hcl.proof.assertions import DEFINITION, DIFFERS, Unasserted, block_at, compare_values
from emitters.hcl.proof.excuses import EXCUSES, FailedValue
from emitters.hcl.proof.failures import Failure, find_failures
from emitters.hcl.proof.heat import has_mark, nested_evaluation
from emitters.hcl.proof.influence import EVERYTHING, Influence, Influenced
from emitters.hcl.proof.subjects import Unprovable, explain_unprovable, root_subject
from emitters.hcl.proof.trial import EvaluatedDirectory, ProofSubject, ProofTrial
from emitters.hcl.tables.reader import field_schemas
from emitters.hcl.tree.nodes import Block
from transpile.diagnostics import codes
from transpile.diagnostics.model import MASK, Diagnostic
from transpile.diagnostics.registry import rule_of_code
from transpile.evaluate.pure import EvaluationError
from transpile.model import heat_types, ir
from transpile.model.meter import LimitExceeded, spend_budget
from transpile.model.offsets import find_path_to
from transpile.model.records import replace
from transpile.model.span import START, Span
from transpile.resolve.stack import Stack
from transpile.schema import catalog
from transpile.schema.properties import read_typed_value
from transpile.stack_evaluation.evaluation import StackEvaluation

NOTHING: Any = object()  # in place of Heat's value, where only Terraform computes something
MEMBERS = 3  # of a group, so many are judged
LONGEST = 200  # characters of a value in a message
UNKNOWN = "?"  # in place of a code
DEFINITIONS = ("resource_def", "resource")  # properties of groups that define their members
STEP = 16  # parts of an expression that cost one step to look through
SHOWN = 20  # differences of one conversion that are reported one by one
ANNOUNCED = frozenset(code for code in EXCUSES if rule_of_code(code).severity == "info")  # a warning has said it itself


class ValueDifference(NamedTuple):
    """A value that Terraform and Heat compute differently.

    announced: the code of the diagnostic that said so. made_up: the value depends on a parameter that has no value, so
    that one was made up. hidden: it depends on a hidden parameter, so no message shows it.
    """

    place: JudgedDirectory
    subject: str
    span: Span
    heat: Any
    terraform: Any
    announced: str
    made_up: bool
    hidden: bool

    def as_diagnostic(self) -> Diagnostic:
        """An error, or a warning if a diagnostic has announced the difference."""
        source = self.place.template.source
        heat = f"Heat makes {self.abbreviate(self.heat)}, this" if self.heat is not NOTHING else "this"
        message = f"{self.subject}: {heat} Terraform {self.describe_value()}."
        if self.announced:
            return Diagnostic(self.announced, message, source, self.span.in_text, forced="warning")
        return Diagnostic(codes.VALUE_DIFFERS_FROM_HEAT, message, source, self.span.in_text)

    def describe_value(self) -> str:
        """Terraform's value or failure, as the end of a sentence."""
        if isinstance(self.terraform, FailedValue):
            return f"fails: {self.terraform}"
        return f"makes {self.abbreviate(self.terraform)}"

    def abbreviate(self, value: Any) -> str:
        """The text of a value for a message."""
        text = MASK if self.hidden else json.dumps(value, ensure_ascii=False, default=str)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


class Judgement(NamedTuple):
    """The result for one conversion. unjudged: why it could not be judged, or was judged only in part."""

    compared: int
    differences: list[ValueDifference]
    unjudged: str = ""

    @property
    def unannounced(self) -> list[ValueDifference]:
        return [difference for difference in self.differences if not difference.announced]

    def report_differences(self) -> list[Diagnostic]:
        """The errors for differences that nothing announces: the first ones, and how many follow."""
        unannounced = self.unannounced
        errors = [difference.as_diagnostic() for difference in unannounced[:SHOWN]]
        if len(unannounced) > SHOWN:
            last = errors[-1]
            message = f"{last.message} {len(unannounced) - SHOWN} more values differ."
            errors[-1] = replace(last, message=message)
        return errors

    def list_marks(self) -> dict[str, list[tuple[int, str]]]:
        """The offsets of differences that nothing announces, each with a comment, by the label of the directory."""
        marks: dict[str, list[tuple[int, str]]] = {}
        for difference in self.unannounced:
            comments = marks.setdefault(difference.place.emission.unit.module.label, [])
            comments.append((difference.span.at, difference.as_diagnostic().message))
        return marks

    def report_certain_differences(self) -> list[Diagnostic]:
        """A warning for each property whose announcement only says that the value may differ, though it does."""
        by_place = {
            (difference.announced, difference.span, difference.place.template.source.name): difference.as_diagnostic()
            for difference in reversed(self.differences)
            if difference.announced in ANNOUNCED and not difference.made_up
        }
        return list(reversed(by_place.values()))

    def as_json(self) -> dict[str, Any]:
        """The entry in the report: the values that could not be compared, and the announced differences; empty if
        none.
        """
        announced = {f"{d.place.prefix}{d.subject}": d.announced for d in self.differences if d.announced}
        why = {"why": self.unjudged} if self.unjudged else {}
        return {**({"announced": announced} if announced else {}), **why}


Excuses: TypeAlias = Callable[[str], bool]
Reference: TypeAlias = "tuple[JudgedDirectory, str, str]"  # with the kind of the reference, and its name


@final
class JudgedDirectory:
    """A directory of the output with Heat's evaluation of its stack. caller: the directory that calls it, and the
    resource there.
    """

    def __init__(self, evaluated: EvaluatedDirectory, caller: tuple[JudgedDirectory, str] | None = None) -> None:
        self.evaluated, self.caller = evaluated, caller
        self.emission = evaluated.directory.emission
        self.template = self.emission.unit.template
        self.prefix = evaluated.evaluation.prefix
        announcements = [
            (span.at, number, code)
            for number, (code, span) in enumerate(self.emission.log.announcements)
            if code in EXCUSES
        ]
        self.announcements = sorted(announcements)  # by their places; the numbers say which came first

    def announced_within(self, span: Span, excuses: Excuses) -> str:
        """The code of the first diagnostic within a place that excuses a difference; empty if there is none."""
        first, last = (
            bisect.bisect_left(self.announcements, at, key=operator.itemgetter(0))
            for at in (span.at, max(span.end, span.at + 1))
        )
        announcements = (row[1:] for row in self.announcements[first:last] if excuses(row[2]))
        return min(announcements, default=(0, ""))[1]


def judge_conversion(
    stack: Stack, root: Attempt, modules: Mapping[str, Attempt], *, thorough: bool = False
) -> Judgement:
    """Compares the values of a conversion. It costs steps of the budget; if these run out, the rest is not judged.

    thorough: also with the values that tests of the output assign to parameters.
    """
    try:
        judge = Judge(root_subject(stack, root, modules, mocked=False))
    except (Unprovable, LimitExceeded, RecursionError) as e:
        return Judgement(0, [], explain_unprovable(e))
    try:
        complete = judge.judge_values(judge.subject.values)
        if thorough:
            judge_further_values(judge, stack, root, complete=complete)
    except (LimitExceeded, RecursionError) as e:
        return Judgement(judge.compared, list(judge.differences.values()), explain_unprovable(e))
    return Judgement(judge.compared, list(judge.differences.values()))


def judge_further_values(judge: Judge, stack: Stack, root: Attempt, *, complete: bool) -> None:
    """Compares the values with those that tests assign to parameters. complete: see `Judge.judge_values`."""
    from emitters.hcl.proof.assignments import RUNS, further_assignments  # most conversions write no tests

    influence = Influence(root) if complete else None
    for assignment in itertools.islice(further_assignments(stack, root.emission, judge.subject.values, ()), RUNS):
        if not assignment.refused:
            only = influence.find_influenced(assignment.changed_names) if influence else EVERYTHING
            judge.judge_values(assignment.values, made_up=True, only=only)


@final
class Judge:
    """Compares the values of one conversion. differences: the first one of each property and output, by its address."""

    def __init__(self, subject: ProofSubject) -> None:
        self.subject = subject
        self.compared = 0
        self.differences: dict[tuple[str, str], ValueDifference] = {}

    def judge_values(self, values: Mapping[str, Any], *, made_up: bool = False, only: Influenced = EVERYTHING) -> bool:
        """Compares all values under one assignment of parameters. Returns whether Heat has the root's resources with
        it. made_up: the assignment is not that of the user. only: the differences from an assignment that was compared.
        """
        trial = ProofTrial(self.subject, values, planned=False, yaql=False)
        for place in walk_directories_with_stacks(trial, only):
            changed = only if place.caller is None else EVERYTHING
            for observation in compare_values(place.evaluated, changed):
                if not isinstance(observation, Unasserted):
                    self.compared += 1
                    continue
                if observation.why != DIFFERS:
                    continue
                self.compared += 1
                if not have_same_meaning(observation.heat, observation.terraform) and not is_refused_by_heat(
                    place, observation
                ):
                    self.record_difference(trial, place, observation, made_up)
            for failure in find_failures(place.evaluated, changed):
                if (observed := observe_failure(place, failure)) is not None:
                    self.record_difference(trial, place, observed, made_up, failure.span)
            for observation in compare_numbers(place, changed):
                self.compared += 1
                if observation.heat != observation.terraform:
                    self.record_difference(trial, place, observation, made_up)
        return has_resources(trial.heat.evaluation)

    def record_difference(
        self,
        trial: ProofTrial,
        place: JudgedDirectory,
        observation: Unasserted,
        made_up: bool,
        where: Span = START,
    ) -> None:
        node, span, keys = locate_definition(place, observation)
        span = where if span is START and where.at >= 0 else span
        seen: set[Reference] = set()

        @functools.cache
        def excuses(code: str) -> bool:
            return EXCUSES[code](observation.heat, observation.terraform)

        announced = find_announcement(place, node, span, seen, excuses)
        announced = announced or next(filter(None, (place.announced_within(key, excuses) for key in keys)), "")
        if announced == UNKNOWN:
            return
        made_up = made_up or any(reads_made_up_value(trial, *reference) for reference in seen)
        hidden = any(is_hidden_parameter(*reference) for reference in seen)
        values = observation.heat, observation.terraform
        difference = ValueDifference(place, observation.subject, span, *values, announced, made_up, hidden)
        self.differences.setdefault((place.prefix, observation.subject), difference)


def observe_failure(place: JudgedDirectory, failure: Failure) -> Unasserted | None:
    """A failure of Terraform, at the resource that its value belongs to; None if Heat fails there, too, or does not
    have the resource.
    """
    evaluation, template, failed = place.evaluated.evaluation, place.template, FailedValue(failure.error)
    owner = find_owner(place, failure)
    if not owner:
        refused = refuses_any(evaluation)
        return None if refused else Unasserted(failure.expression, DIFFERS, NOTHING, failed, path=failure.expression)
    properties = template.resources[owner].properties
    inside = properties.at <= failure.span.at < properties.end
    path = ".".join(find_path_to(properties, failure.span.at)) if inside else ""
    if is_refused(evaluation, owner):
        return None
    return Unasserted(f"{owner}.{path}" if path else failure.expression, DIFFERS, NOTHING, failed, owner, path)


def has_resources(evaluation: StackEvaluation) -> bool:
    """Whether Heat can tell which resources there are."""
    try:
        return evaluation.resource_names is not None
    except EvaluationError:
        return False


def refuses_any(evaluation: StackEvaluation) -> bool:
    """Whether Heat refuses any resource of a stack with these values."""
    try:
        return any(is_refused(evaluation, name) for name in evaluation.resource_names)
    except EvaluationError:
        return True


def is_refused(evaluation: StackEvaluation, name: str) -> bool:
    """Whether Heat does not make a resource with these values: its condition does not hold, or Heat refuses one of its
    properties, or one of a group's members.
    """
    try:
        if not evaluation.has_resource(name):
            return True
        if evaluation.resource_kind(name) == heat_types.VALUE:
            evaluation.evaluate_heat_value(name)
        facts, budget = evaluation.resource_facts(name).get("properties", {}), evaluation.stack.template.source.budget
        properties = evaluation.evaluate_properties(name)
        inside = nested_evaluation(evaluation, name)
        members = inside.resource_names[:MEMBERS] if inside and inside.is_group else ()
    except EvaluationError:
        return True
    if inside is not None and any(is_refused(inside, member) for member in members):
        return True
    return any(
        read_typed_value(facts[key], properties[key], budget=budget)[1] for key in properties.keys() & facts
    ) or (is_refused_by_service({"fields": facts}, properties))


def is_refused_by_service(schema: catalog.PropertySchema, value: Any) -> bool:
    """Whether a service refuses a value that Heat may take: nothing for a required property, or in a field of it, an
    empty name of an existing object, or items that are no texts.
    """
    if value in (None, ""):
        return bool(schema.get("required")) or (value == "" and names_what_exists(schema))
    if isinstance(value, list):
        if "items" not in schema:  # of texts; Heat leaves the refusal of others to the service
            return any(isinstance(item, (dict, list)) for item in value)
        return any(is_refused_by_service(schema["items"], item) for item in value)
    fields = field_schemas(schema)
    if not isinstance(value, dict) or not fields:
        return False
    aliases = {inner.get("alias", name) for name, inner in fields.items() if name in value}
    return any(
        is_refused_by_service(inner, value.get(name))
        for name, inner in fields.items()
        if name in value or name not in aliases
    )


def find_owner(place: JudgedDirectory, failure: Failure) -> str:
    """The resource of the template that needs the failing expression: the one whose block has it, or the first that
    refers to it; empty if there is none.
    """
    owner_of = place.emission.blocks.owner_of
    if id(failure.item) in owner_of:
        return owner_of[id(failure.item)]
    address = failure.item.address if isinstance(failure.item, Block) else failure.expression
    for block in (*place.evaluated.directory.blocks.values(), *place.evaluated.directory.calls.values()):
        if id(block) in owner_of and address in place.evaluated.addresses_in(block):
            return owner_of[id(block)]
    return ""


def compare_numbers(place: JudgedDirectory, only: Influenced) -> Iterator[Unasserted]:
    """Compares the numbers of each group's members and of each other resource, in Heat and in Terraform.

    Terraform may make several instances of a resource, such as one deployment for each server; then only whether there
    is any is compared, which a condition decides.
    """
    directory, evaluation = place.evaluated.directory, place.evaluated.evaluation
    emission = place.emission
    try:
        enabled = set(evaluation.resource_names)
    except EvaluationError:
        return
    for name, report in emission.log.report.resources.items():
        if name not in only.resources:
            continue
        block = block_at(directory, report.addresses[0]) if report.addresses else None
        if block is None or report.treatment == "embedded" or name not in place.template.resources:
            continue
        if emission.blocks.owner_of.get(id(block)) != name or id(block) in emission.blocks.member_of:
            continue
        try:
            number = len(directory.instance_keys(block))
        except (UnknownValue, EvaluationFailed):
            continue
        inside = nested_evaluation(evaluation, name)
        if name in enabled and inside and inside.is_group:
            yield Unasserted(f"the number of {name}", DIFFERS, len(inside.resource_names), number, name)
        elif place.template.resources[name].is_conditional:
            yield Unasserted(f"whether {name} exists", DIFFERS, name in enabled, number > 0, name)


def walk_directories_with_stacks(trial: ProofTrial, only: Influenced = EVERYTHING) -> Iterator[JudgedDirectory]:
    """The root, and every directory that it calls, directly or through others; of a group, the first members'. only:
    the resources of the root that call them, by default all.
    """
    waiting = [JudgedDirectory(trial.root)]
    while waiting:
        place = waiting.pop(0)
        yield place
        directory, evaluation = place.evaluated.directory, place.evaluated.evaluation
        for name, report in place.emission.log.report.resources.items():
            if place.caller is None and name not in only.resources:
                continue
            inside = nested_evaluation(evaluation, name) if report.treatment == "module" else None
            for member, within in nested_stacks(inside) if inside is not None else ():
                called = trial.heat.called_directory(directory, evaluation, name, member)
                if called is not None:
                    waiting.append(JudgedDirectory(EvaluatedDirectory(trial.subject, called, within), (place, name)))


def nested_stacks(inside: StackEvaluation) -> Iterator[tuple[str | None, StackEvaluation]]:
    """A nested stack itself, or for a group the stacks of its first members, each with the member's name."""
    if not inside.is_group:
        yield None, inside
        return
    for member in inside.resource_names[:MEMBERS]:
        within = nested_evaluation(inside, member)
        if within and not within.is_group:
            yield member, within


def have_same_meaning(heat: Any, terraform: Any) -> bool:
    """Whether two values are the same to the provider or to Heat, though not to their types.

    For example, Heat reads true as the number 1, and takes a list from a parameter as a text with commas.
    """
    if isinstance(terraform, FailedValue):
        return False
    if isinstance(heat, list) and isinstance(terraform, str):
        return all(isinstance(item, str) for item in heat) and ",".join(heat) == terraform
    if isinstance(heat, (bool, int, float, str)) and isinstance(terraform, (bool, int, float, str)):
        return heat == terraform or str(heat).lower() == str(terraform).lower()
    return bool(heat == terraform)


def is_refused_by_heat(place: JudgedDirectory, observation: Unasserted) -> bool:
    """Whether Heat refuses the value, so that there is nothing to compare. This happens to values that were made up."""
    evaluation, owner, path = place.evaluated.evaluation, observation.owner, observation.path
    if observation.member:
        group, inside = nested_evaluation(evaluation, owner), DEFINITION.fullmatch(path)
        if group is None or inside is None:
            return False
        evaluation, owner, path = group, observation.member, inside[1]
    key = path.partition(".")[0]
    schema = evaluation.resource_facts(owner).get("properties", {}).get(key) if owner else None
    if schema is None:
        return False
    value = evaluation.evaluate_property(owner, key)
    if isinstance(observation.terraform, FailedValue) and is_refused_by_service(schema, value):
        return True
    _, problems = read_typed_value(schema, value, budget=evaluation.stack.template.source.budget)
    return bool(problems)


def names_what_exists(schema: Mapping[str, Any]) -> bool:
    """Whether Heat asks a service for the object that a property names, before it creates anything."""
    return any(constraint[0] == "custom_constraint" for constraint in schema.get("constraints", ()))


def locate_definition(place: JudgedDirectory, observation: Unasserted) -> tuple[ir.Expr | None, Span, list[Span]]:
    """The expression of a property, output or condition, its place in the template, and the places of the keys that
    lead to it.
    """
    if not observation.owner:
        output = place.template.outputs.get(observation.path)
        return (output.value, output.span, []) if output is not None else (None, START, [])
    resource = place.template.resources[observation.owner]
    if not observation.path:
        return resource.condition if resource.is_conditional else resource.properties, resource.name_span, []
    node: ir.Expr = resource.properties
    keys = list[Span]()
    for step in observation.path.split("."):
        entry = next((e for e in node.entries if e.key == step), None) if isinstance(node, ir.Map) else None
        if entry is not None:
            keys.append(Span(entry.at, entry.at))
            node = entry.value
        elif isinstance(node, ir.Seq) and step.isdecimal() and int(step) < len(node.items):
            node = node.items[int(step)]
        else:
            break  # a computed value, or a key that contains a dot
    return node, node.span if node.at >= 0 else resource.name_span, keys


def is_hidden_parameter(place: JudgedDirectory, kind: str, name: str) -> bool:
    return kind == ir.ParamRef.__name__ and place.emission.unit.is_hidden(name)


def reads_made_up_value(trial: ProofTrial, place: JudgedDirectory, kind: str, name: str) -> bool:
    """Whether a reference reads a parameter of the root that has no value, so that one was made up."""
    param = place.template.parameters.get(name)
    if place.caller is not None or kind != ir.ParamRef.__name__ or param is None:
        return False
    hidden = place.emission.unit.is_hidden(name)
    return hidden or (param.default is None and name not in trial.subject.stack.bindings)


def find_announcement(
    place: JudgedDirectory, node: ir.Expr | None, span: Span, seen: set[Reference], excuses: Excuses
) -> str:
    """The code of a diagnostic that announces the difference here, or where this value comes from; UNKNOWN if the value
    comes from one that only Heat knows. excuses: whether a code announces this difference.
    """
    code = place.announced_within(span, excuses)
    parts = list(ir.walk(node)) if node is not None else []
    spend_budget("steps", 1 + len(parts) // STEP, place.template.source, span)
    for part in parts:
        if isinstance(part, (ir.ParamRef, ir.ResourceRef, ir.AttrRef, ir.ConditionRef)):
            key = (place, type(part).__name__, part.name)
            if key not in seen:
                seen.add(key)
                other = find_announcement_of_reference(
                    place, part, seen, excuses
                )  # `seen` gets all references in any case
                code = UNKNOWN if other == UNKNOWN else code or other
    return code


def find_announcement_of_reference(
    place: JudgedDirectory,
    ref: ir.ParamRef | ir.ResourceRef | ir.AttrRef | ir.ConditionRef,
    seen: set[Reference],
    excuses: Excuses,
) -> str:
    """Like `find_announcement`, for a parameter, resource or condition."""
    template, code = place.template, ""
    if isinstance(ref, ir.ConditionRef):
        condition = template.conditions.get(ref.name)
        return find_announcement(place, condition.value, condition.span, seen, excuses) if condition is not None else ""
    if isinstance(ref, ir.ParamRef):
        param = template.parameters.get(ref.name)
        code = place.announced_within(param.span, excuses) if param is not None else ""
        if place.caller is None:
            return code
        with contextlib.suppress(EvaluationError):
            if has_mark(place.evaluated.evaluation.interpreter.evaluate_get_param(ref.name, [])):
                return UNKNOWN
        place, name = place.caller
        resource = place.template.resources[name]
        if (entry := find_argument_entry(resource.properties, ref.name)) is not None:
            return find_announcement(place, entry.value, Span(entry.at, entry.end), seen, excuses) or code
    elif ref.name in template.resources:
        resource = template.resources[ref.name]
    else:
        return ""
    return find_announcement(place, resource.properties, resource.span, seen, excuses) or code


def find_argument_entry(properties: ir.Expr | None, name: str) -> ir.Entry | None:
    """The property that sets a parameter of a nested stack: of its resource, or in a group the one of its members."""
    if not isinstance(properties, ir.Map):
        return None
    for entry in properties.entries:
        if entry.key == name:
            return entry
    for word in DEFINITIONS:
        definition = properties.get(word)
        inner = definition.get("properties") if isinstance(definition, ir.Map) else None
        if (entry_inside := find_argument_entry(inner, name)) is not None:
            return entry_inside
    return None
