"""Evaluates one assignment of parameters twice: as Terraform does, and as Heat does.

Invariant: a trial in which Terraform would fail is not asserted; `explain_failure` has the reason.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, final

from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import BlockInstance, DirectoryInstance, InstancePlan, ModuleInstance
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.proof.heat import HeatEvaluation
from emitters.hcl.proof.overrides import Overrides
from emitters.hcl.tables.provider import find_refusal
from emitters.hcl.tree.nodes import Argument, Block, Expr
from transpile.evaluate.pure import EvaluationError
from transpile.resolve.stack import Stack
from transpile.schema import parameters
from transpile.stack_evaluation.evaluation import StackEvaluation as OfHeat


@final
class ProofSubject:
    """The subject of a test file: the root, or a module by itself.

    modules: all attempts at modules, by label. above: for a module, its caller and the resource there.
    fixed: the values of variables without a parameter, by label. values: the initial values of parameters, by name.
    """

    def __init__(
        self,
        attempt: Attempt,
        stack: Stack,
        modules: Mapping[str, Attempt],
        overrides: Overrides,
        fixed: Mapping[str, Any],
        values: Mapping[str, Any],
        above: tuple[HeatEvaluation, OfHeat, str] | None = None,
    ) -> None:
        self.attempt, self.stack, self.modules, self.overrides = attempt, stack, modules, overrides
        self.fixed, self.values, self.above = fixed, values, above
        self.emission, self.module = attempt.emission, attempt.emission.unit.module
        report = self.emission.log.report.parameters
        self.declared = {about["variable"] for about in report.values() if "variable" in about}
        self.declared |= {block.labels[0] for block in self.emission.variables.blocks.values()}


@final
class ProofTrial:
    """A subject under an assignment. values: of parameters, as Heat converts them; planned: before resources exist."""

    def __init__(self, subject: ProofSubject, values: Mapping[str, Any], *, planned: bool) -> None:
        self.subject, self.values, self.planned = subject, values, planned
        names = subject.emission.names.variables
        variable_values = {**subject.fixed, **{names[name]: value for name, value in values.items()}}
        self.variable_values = {label: value for label, value in variable_values.items() if label in subject.declared}
        self.plan = self.make_plan(subject.overrides.planned_stand_in if planned else subject.overrides.stand_in_for)
        complete_plan = (
            self.make_plan(subject.overrides.stand_in_for) if planned else self.plan
        )  # Heat's side has a value for every reference, even during a plan
        name = str(subject.fixed.get("stack_name", "stack"))
        self.heat = HeatEvaluation(subject.stack, complete_plan.root, dict(values), subject.above, name)

    def make_plan(self, identify: Callable[[BlockInstance, str], Any]) -> InstancePlan:
        variables = {
            label: functools.partial(lambda constant: constant, value) for label, value in self.variable_values.items()
        }
        return InstancePlan(self.subject.attempt, self.subject.modules, None, identify, variables)

    @property
    def root_directory(self) -> DirectoryInstance:
        return self.plan.root

    def explain_failure(self) -> str:
        """Why Terraform, the provider's own checks or Heat would refuse these values; empty if no reason is known."""
        try:
            data = [
                instance_of_data
                for directory in walk_directories(self.plan.root)
                for instance_of_data in self.data_instances(directory)
            ]
            for instance in [*self.plan.root.walk_instances(), *data]:
                for path, argument in walk_arguments(instance.block.body):
                    why = self.explain_refused_argument(instance, path, argument)
                    if why:
                        return f"{instance.address_text}: {why}"
            for directory in walk_directories(self.plan.root):
                if why := explain_violation(directory):
                    return why
                outputs = [block.find_argument("value") for block in directory.outputs.values()]
                for argument_to_compute in (*outputs, *directory.emission.blocks.locals.values()):
                    if argument_to_compute is not None:
                        try_evaluation(directory, argument_to_compute.value)
        except UnknownValue as e:
            return f"what Terraform makes of it is not known: {e}"
        except EvaluationFailed as e:
            return f"Terraform fails: {e}"
        return self.explain_heat_refusal()

    def data_instances(self, directory: DirectoryInstance) -> Iterator[BlockInstance]:
        for block in directory.data.values():
            for key in directory.instance_keys(block):
                yield BlockInstance(directory, block, key)

    def explain_refused_argument(self, instance: BlockInstance, path: str, argument: Argument) -> str:
        """Why an argument's value is refused; empty if it is not. Raises EvaluationFailed."""
        try:
            value = HclEvaluation(instance.directory, instance.bound).evaluate(argument.value)
        except UnknownValue:
            return ""
        kind = ("data." if instance.block.type == "data" else "") + instance.block.labels[0]
        facts = self.subject.overrides.providers.find_argument(kind, path)
        if value is None and facts is not None and facts.get("required"):
            return f"{path} is null"
        if facts is None or value is None or isinstance(value, (list, dict)):
            return ""
        if facts.get("type") == "number" and isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                return f"{path} must be a number"
        if facts.get("type") == "bool" and value in ("true", "false"):
            value = value == "true"
        if facts.get("type") == "string" and isinstance(value, (bool, int, float)):
            value = str(value)
        why = find_refusal(facts, value)
        return f"{path}: {why}" if why else ""

    def explain_heat_refusal(self) -> str:
        evaluation = self.heat.evaluation
        try:
            for name in evaluation.resource_names:
                evaluation.evaluate_properties(name)
        except EvaluationError as e:
            return f"Heat refuses it: {e}"
        return ""


def walk_directories(root: DirectoryInstance) -> Iterator[DirectoryInstance]:
    """A directory, and all directories that it calls. Raises UnknownValue or EvaluationFailed."""
    yield root
    for block in root.calls.values():
        for key in root.instance_keys(block):
            yield from walk_directories(ModuleInstance(root, block, key).module_directory)


def explain_violation(directory: DirectoryInstance) -> str:
    """Why Heat and the variables of a directory refuse a value; empty if they do not, or it is not known."""
    names = directory.emission.names.variables
    template = directory.emission.unit.template
    for name, param in template.parameters.items():
        try:
            value = to_plain_data(directory.variable_value(names[name]))
        except (UnknownValue, EvaluationFailed):
            continue
        if value is not None and (why := parameters.check_constraints(param, value, budget=template.source.budget)):
            return f"{names[name]}: {why}"
    return ""


def try_evaluation(directory: DirectoryInstance, expr: Expr) -> None:
    """Computes an expression whose value may be unknown. Raises EvaluationFailed."""
    try:
        HclEvaluation(directory, {}).evaluate(expr)
    except UnknownValue:
        return


def walk_arguments(body: list[Any], prefix: str = "") -> Iterator[tuple[str, Argument]]:
    """All arguments of a block, with paths; `count` and arguments of `lifecycle` or dynamic blocks are omitted."""
    for item in body:
        if isinstance(item, Argument) and item.name not in ("count", "for_each", "depends_on"):
            yield prefix + item.name, item
        elif isinstance(item, Block) and item.type not in ("lifecycle", "dynamic", "provisioner", "connection"):
            yield from walk_arguments(item.body, f"{prefix}{item.type}.")
