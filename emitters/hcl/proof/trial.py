"""One assignment of parameters, with both sides: what Terraform computes, and what Heat does.

Invariant: a trial in which Terraform would fail is not asserted; `fails` says why.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.evaluation.functions import Failed, Unknown, plain
from emitters.hcl.evaluation.instances import Called, Instance, Plan
from emitters.hcl.evaluation.values import Evaluation
from emitters.hcl.proof.heat import Heat
from emitters.hcl.tables.provider import find_refusal
from emitters.hcl.tree.nodes import Argument, Block
from transpile.evaluate.pure import EvaluationError
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from emitters.hcl.attempt import Attempt
    from emitters.hcl.evaluation.instances import Directory
    from emitters.hcl.proof.overrides import Overrides
    from emitters.hcl.tree.nodes import Expr
    from transpile.resolve.stack import Stack
    from transpile.stack_evaluation.evaluation import StackEvaluation as OfHeat


@final
class Subject:
    """What a test file tests: the root, or a module by itself.

    modules: all attempts at modules, by label. above: of a module, the evaluation that calls it and the resource there.
    fixed: values of variables that are no parameters, by label. values: those of parameters, to begin with.
    """

    def __init__(
        self,
        attempt: Attempt,
        stack: Stack,
        modules: Mapping[str, Attempt],
        overrides: Overrides,
        fixed: Mapping[str, Any],
        values: Mapping[str, Any],
        above: tuple[Heat, OfHeat, str] | None = None,
    ) -> None:
        self.attempt, self.stack, self.modules, self.overrides = attempt, stack, modules, overrides
        self.fixed, self.values, self.above = fixed, values, above
        self.emission, self.module = attempt.emission, attempt.emission.unit.module
        report = self.emission.log.report.parameters
        self.declared = {about["variable"] for about in report.values() if "variable" in about}
        self.declared |= {block.labels[0] for block in self.emission.variables.blocks.values()}


@final
class Trial:
    """A subject under an assignment. values: of parameters, as Heat converts them; planned: before anything exists."""

    def __init__(self, subject: Subject, values: Mapping[str, Any], *, planned: bool) -> None:
        self.subject, self.values, self.planned = subject, values, planned
        names = subject.emission.names.variables
        given = {**subject.fixed, **{names[name]: value for name, value in values.items()}}
        self.given = {label: value for label, value in given.items() if label in subject.declared}
        self.plan = self.planning(subject.overrides.planned if planned else subject.overrides.of)
        whole = self.planning(subject.overrides.of) if planned else self.plan  # Heat's references are not unknown
        name = str(subject.fixed.get("stack_name", "stack"))
        self.heat = Heat(subject.stack, whole.root, dict(values), subject.above, name)

    def planning(self, identify: Callable[[Instance, str], Any]) -> Plan:
        given = {label: functools.partial(lambda found: found, value) for label, value in self.given.items()}
        return Plan(self.subject.attempt, self.subject.modules, None, identify, given)

    @property
    def directory(self) -> Directory:
        return self.plan.root

    def fails(self) -> str:
        """Why Terraform, the provider's own checks or Heat would refuse these values; empty if nothing is known."""
        try:
            data = [one for directory in every(self.plan.root) for one in self.data(directory)]
            for instance in [*self.plan.root.instances(), *data]:
                for path, argument in arguments(instance.block.body):
                    why = self.refused(instance, path, argument)
                    if why:
                        return f"{instance.shown}: {why}"
            for directory in every(self.plan.root):
                if why := violated(directory):
                    return why
                outputs = [block.find_argument("value") for block in directory.outputs.values()]
                for found in (*outputs, *directory.emission.blocks.locals.values()):
                    if found is not None:
                        attempt(directory, found.value)
        except Unknown as e:
            return f"what Terraform makes of it is not known: {e}"
        except Failed as e:
            return f"Terraform fails: {e}"
        return self.refused_by_heat()

    def data(self, directory: Directory) -> Iterator[Instance]:
        for block in directory.data.values():
            for key in directory.keys(block):
                yield Instance(directory, block, key)

    def refused(self, instance: Instance, path: str, argument: Argument) -> str:
        """Why an argument's value is refused; empty if it is not. Raises Failed."""
        try:
            found = Evaluation(instance.directory, instance.bound).of(argument.value)
        except Unknown:
            return ""
        kind = ("data." if instance.block.type == "data" else "") + instance.block.labels[0]
        facts = self.subject.overrides.providers.find_argument(kind, path)
        if found is None and facts is not None and facts.get("required"):
            return f"{path} is null"
        if facts is None or found is None or isinstance(found, (list, dict)):
            return ""
        if facts.get("type") == "number" and isinstance(found, str):
            try:
                found = float(found)
            except ValueError:
                return f"{path} must be a number"
        if facts.get("type") == "bool" and found in ("true", "false"):
            found = found == "true"
        if facts.get("type") == "string" and isinstance(found, (bool, int, float)):
            found = str(found)
        why = find_refusal(facts, found)
        return f"{path}: {why}" if why else ""

    def refused_by_heat(self) -> str:
        evaluation = self.heat.evaluation
        try:
            for name in evaluation.resource_names:
                evaluation.evaluate_properties(name)
        except EvaluationError as e:
            return f"Heat refuses it: {e}"
        return ""


def every(root: Directory) -> Iterator[Directory]:
    """A directory, and all that it calls. Raises Unknown or Failed."""
    yield root
    for block in root.calls.values():
        for key in root.keys(block):
            yield from every(Called(root, block, key).directory)


def violated(directory: Directory) -> str:
    """Why Heat and the variables of a directory refuse a value; empty if they do not, or it is not known."""
    names = directory.emission.names.variables
    template = directory.emission.unit.template
    for name, param in template.parameters.items():
        try:
            value = plain(directory.variable(names[name]))
        except (Unknown, Failed):
            continue
        if value is not None and (why := parameters.check_constraints(param, value, budget=template.source.budget)):
            return f"{names[name]}: {why}"
    return ""


def attempt(directory: Directory, expr: Expr) -> None:
    """Computes something whose value may be unknown. Raises Failed."""
    try:
        Evaluation(directory, {}).of(expr)
    except Unknown:
        return


def arguments(body: list[Any], prefix: str = "") -> Iterator[tuple[str, Argument]]:
    """All arguments of a block, with their paths; those of dynamic blocks, `count` and `lifecycle` are left out."""
    for item in body:
        if isinstance(item, Argument) and item.name not in ("count", "for_each", "depends_on"):
            yield prefix + item.name, item
        elif isinstance(item, Block) and item.type not in ("lifecycle", "dynamic", "provisioner", "connection"):
            yield from arguments(item.body, f"{prefix}{item.type}.")
