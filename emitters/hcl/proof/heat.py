"""Evaluates a stack as Heat does, with stand-ins as the values of references.

Invariant: a reference that the report does not map to an expression gets a mark, and no value with a mark is asserted.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, final

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import DirectoryInstance, ModuleInstance
from emitters.hcl.evaluation.values import HclEvaluation as OfTerraform
from emitters.hcl.proof.overrides import PROJECT, ZONE
from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model import heat_types
from transpile.resolve.stack import Stack
from transpile.stack_evaluation.evaluation import StackEvaluation
from transpile.stack_evaluation.outside import Outside
from transpile.stack_evaluation.plugin_properties import follow_path

MARK = "⟨"
STACK_NAME = "stack"
LONGEST = 100  # items of a list that is made of attributes


@final
class HeatEvaluation:
    """Heat's evaluation of the stack of a directory.

    above: for a nested stack, both evaluations of the stack around it, and the name of the resource there.
    """

    def __init__(
        self,
        stack: Stack,
        directory: DirectoryInstance,
        parameter_values: Mapping[str, Any],
        above: tuple[HeatEvaluation, StackEvaluation, str] | None = None,
        name: str = STACK_NAME,
        *,
        yaql: bool = True,
    ) -> None:
        self.directory, self.outer = directory, above[0] if above is not None else None
        outside = Outside(
            self.reference_value, self.attribute_value, name, f"{MARK}stack_id", PROJECT, (ZONE,), yaql=yaql
        )
        self.evaluation = StackEvaluation(stack, outside, above[1:] if above is not None else None, parameter_values)

    # references to resources

    def reference_value(self, address: str) -> Any:
        location = self.locate_resource(address)
        if location is None:
            return self.outer.reference_value(address) if self.outer is not None else mark_unknown(address)
        directory, evaluation, name, member = location
        report = directory.emission.log.report.resources.get(name)
        if report is None or report.treatment == "module":
            return ABSENT
        if not report.reference:
            return mark_unknown(address)
        return self.evaluate_report_text(directory, evaluation, name, member, report.reference, address)

    def attribute_value(self, address: str, path: tuple[Any, ...]) -> Any:
        location = self.locate_resource(address)
        if location is None:
            return self.outer.attribute_value(address, path) if self.outer is not None else mark_unknown(address)
        directory, evaluation, name, member = location
        report = directory.emission.log.report.resources.get(name)
        words = tuple(map(str, path))
        if member is None and (
            evaluation.resource_kind(name) == heat_types.VALUE or nested_evaluation(evaluation, name) is not None
        ):
            return ABSENT  # Heat computes it from the resources inside
        for length in range(len(words), 0, -1):
            text = report.attributes.get(".".join(words[:length])) if report is not None else None
            if text is not None:
                value = self.evaluate_report_text(directory, evaluation, name, member, text, address)
                if length == len(path) or (isinstance(value, str) and MARK in value):
                    return value
                if not isinstance(value, (dict, list)):
                    return mark_unknown(address)  # the path is computed, and the expression already follows all of it
                try:
                    return follow_path(value, path[length:])
                except (EvaluationError, TypeError, LookupError):
                    return mark_unknown(address)
        longer = (
            self.assemble_attribute(directory, evaluation, name, member, ".".join(words), address) if words else None
        )
        return longer if longer is not None else mark_unknown(address)

    def assemble_attribute(
        self,
        directory: DirectoryInstance,
        evaluation: StackEvaluation,
        name: str,
        member: str | None,
        path: str,
        address: str,
    ) -> Any:
        """An attribute made of its parts; None if the report has no part of it.

        Old templates read a whole attribute, such as `networks`, where the report has only `networks.0` and so on.
        """
        report = directory.emission.log.report.resources.get(name)
        out: dict[Any, Any] = {}
        for key, text in report.attributes.items() if report is not None else ():
            if not key.startswith(f"{path}."):
                continue
            value = self.evaluate_report_text(directory, evaluation, name, member, text, address)
            *way, last = key.removeprefix(f"{path}.").split(".")
            at = out
            for step in way:
                at = at.setdefault(step, {})
                if not isinstance(at, dict):
                    return mark_unknown(address)
            at[last] = value
        return maps_to_lists(out, address) if out else None

    def evaluate_report_text(
        self,
        directory: DirectoryInstance,
        evaluation: StackEvaluation,
        name: str,
        member: str | None,
        text: str,
        address: str,
    ) -> Any:
        """The value of an expression of the report. member: a member of a group, whose value is taken from the list."""
        tree = directory.emission.log.expressions.get(text)
        if tree is None:
            return mark_unknown(address)
        try:
            value = to_plain_data(OfTerraform(directory, {}).evaluate(tree))
            if member is not None:
                value = value[self.member_names(evaluation, name).index(member)]
        except (UnknownValue, EvaluationFailed, EvaluationError, LookupError, TypeError, ValueError):
            return mark_unknown(address)
        return mark_unknown(address) if value is None else value

    def member_names(self, evaluation: StackEvaluation, name: str) -> Sequence[str]:
        inside = evaluation.find_nested_stack(name)
        return inside.resource_names if inside is not None else ()

    def locate_resource(self, address: str) -> tuple[DirectoryInstance, StackEvaluation, str, str | None] | None:
        """The directory, evaluation, name and group member of a resource by its address; None outside of this stack.

        For example, the member is "0" for the address `group.0`.
        """
        own = self.evaluation
        if not address.startswith(own.prefix):
            return None
        directory, evaluation = self.directory, own
        names = address.removeprefix(own.prefix).split(".")
        while len(names) > 1:
            name, following = names[0], names[1]
            inside = nested_evaluation(evaluation, name)
            if inside is None:
                break
            group = inside.is_group
            module_directory = self.called_directory(directory, evaluation, name, following if group else None)
            if module_directory is None:
                return directory, evaluation, name, following if group else None
            within = nested_evaluation(inside, following) if group else inside
            if within is None:
                return directory, evaluation, name, following
            directory, evaluation, names = module_directory, within, names[2:] if group else names[1:]
            if not names:
                return None
        return directory, evaluation, ".".join(names), None

    def called_directory(
        self, directory: DirectoryInstance, evaluation: StackEvaluation, name: str, member: str | None
    ) -> DirectoryInstance | None:
        """The directory of the module that a resource, or a member of a group, calls."""
        report = directory.emission.log.report.resources.get(name)
        label = report.addresses[0].partition(".")[2] if report is not None and report.treatment == "module" else ""
        block = directory.calls.get(label)
        if block is None:
            return None
        try:
            keys = list(directory.instance_keys(block))
            if member is None:
                key = keys[0]
            else:
                key = member if member in keys else keys[self.member_names(evaluation, name).index(member)]
        except (UnknownValue, EvaluationFailed, EvaluationError, LookupError, ValueError):
            return None
        return ModuleInstance(directory, block, key).module_directory


def maps_to_lists(value: Any, address: str) -> Any:
    """The value with lists in place of maps whose keys are numbers. Missing items are marks."""
    if not isinstance(value, dict):
        return value
    inner = {key: maps_to_lists(item, address) for key, item in value.items()}
    if all(key.isdigit() for key in inner) and max(map(int, inner)) < LONGEST:
        return [inner.get(str(n), mark_unknown(address)) for n in range(max(map(int, inner)) + 1)]
    return inner


def nested_evaluation(evaluation: StackEvaluation, name: str) -> StackEvaluation | None:
    """The evaluation of the nested stack of a resource; None if it has no nested stack."""
    try:
        return evaluation.find_nested_stack(name) if name in evaluation.stack.template.resources else None
    except EvaluationError:
        return None


def mark_unknown(address: str) -> str:
    return f"{MARK}{address}⟩"


def has_mark(value: Any) -> bool:
    """Whether a value contains a part that only Heat knows."""
    if isinstance(value, str):  # most are
        return MARK in value or "attr:" in value
    todo, seen = [value], set[int]()
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            if MARK in part or "attr:" in part:
                return True
        elif isinstance(part, (dict, list)) and id(part) not in seen:  # a part may occur many times
            seen.add(id(part))
            todo += itertools.chain.from_iterable(part.items()) if isinstance(part, dict) else part
    return False
