"""Evaluates a stack completely: all its values as plain data.

Invariant: a value that Heat refuses is missing, and `errors` has the reason under a path like `properties.name`. None
is Heat's null.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, final

from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model import ir
from transpile.model.records import node
from transpile.resolve import implicit_dependencies
from transpile.resolve.stack import Stack
from transpile.stack_evaluation.evaluation import StackEvaluation
from transpile.stack_evaluation.outside import Outside

T = TypeVar("T")


@final
@node
class EvaluatedOutput:
    """An output. `requires`: the names of resources that its value depends on; `error`: why it has no value."""

    value: Any
    enabled: bool | None = True
    requires: Sequence[str] = ()
    error: str = ""


@final
@node
class EvaluatedResource:
    """An enabled resource.

    `implementation`: the type with which the registry replaces its type, or None; `explicit`, `implicit`, `plugin`: its
    dependencies by `depends_on`, by references and by Heat's plug-ins; `disabled`: dependencies that are disabled;
    `nested`: its nested stack.
    """

    type: str
    implementation: str | None
    properties: Mapping[str, Any]
    metadata: Any
    deletion_policy: Any
    update_policy: Any
    external_id: Any
    depends_on: Sequence[str]
    explicit: Sequence[str]
    implicit: Sequence[str]
    plugin: Sequence[str]
    disabled: Sequence[str]
    hooks: Sequence[str]
    restricted_actions: Sequence[str]
    nested: EvaluatedStack | None
    errors: Mapping[str, str]


@final
@node
class EvaluatedStack:
    """A stack. `disabled`: resources whose conditions do not hold; `notes`: why nested stacks have no values."""

    parameters: Mapping[str, Any]
    pseudo_parameters: Mapping[str, Any]
    conditions: Mapping[str, bool | None]
    resources: Mapping[str, EvaluatedResource]
    disabled: Sequence[str]
    outputs: Mapping[str, EvaluatedOutput]
    errors: Mapping[str, str]
    notes: Sequence[str]


def evaluate_stack(stack: Stack, outside: Outside | None = None) -> EvaluatedStack:
    """All values of a linked stack and of its nested stacks. An error is recorded with the resource or output that has
    it. Raises EvaluationError only if a condition of a resource cannot be evaluated.
    """
    return evaluate_everything(StackEvaluation(stack, outside or Outside()))


def evaluate_everything(evaluation: StackEvaluation) -> EvaluatedStack:
    """All values of a stack and of its nested stacks."""
    template, interpreter = evaluation.stack.template, evaluation.interpreter
    errors: dict[str, str] = {}
    names = evaluation.resource_names
    pseudo_parameters = {
        name: interpreter.evaluate_pseudo_parameter(name) for name in sorted(evaluation.version.pseudo)
    }
    parameters = {
        n: evaluate_or_record(errors, f"parameters.{n}", functools.partial(interpreter.evaluate_get_param, n, []))
        for n in template.parameters
    }
    conditions = {
        n: evaluate_or_record(errors, f"conditions.{n}", functools.partial(interpreter.evaluate_condition, n))
        for n in template.conditions
    }
    added: dict[str, set[str]] = {}
    for owner, need, _ in implicit_dependencies.find_implicit_dependencies(evaluation.stack, exact=True):
        added.setdefault(owner, set()).add(need)
    resources = {name: evaluate_resource(evaluation, name, added.get(name, set()) & set(names)) for name in names}
    outputs = {name: evaluate_output(evaluation, output) for name, output in template.outputs.items()}
    if evaluation.group is not None and evaluation.group.outputs:
        refs = evaluate_or_record(
            errors, f"outputs.{evaluation.group.outputs}", lambda: {n: evaluation.reference(n) for n in names}
        )
        outputs = {evaluation.group.outputs: EvaluatedOutput(refs, True, sorted(names))}
    disabled = [name for name in template.resources if name not in resources]
    return EvaluatedStack(
        parameters, pseudo_parameters, conditions, resources, disabled, outputs, errors, evaluation.notes
    )


def evaluate_output(evaluation: StackEvaluation, output: ir.Output) -> EvaluatedOutput:
    errors: dict[str, str] = {}
    value = evaluate_or_record(errors, "value", lambda: evaluation.evaluate_output(output.name))
    enabled = evaluate_or_record(errors, "condition", lambda: evaluation.has_output(output.name))
    requires: Sequence[str] = ()
    if enabled:
        requires = (
            evaluate_or_record({}, "", lambda: sorted(evaluation.interpreter.referenced_resources(output.value))) or ()
        )
    return EvaluatedOutput(value, enabled, requires, errors.get("value") or errors.get("condition", ""))


def evaluate_resource(evaluation: StackEvaluation, name: str, added: set[str]) -> EvaluatedResource:
    """All values of one resource, including its stack. `added`: dependencies that plug-ins add."""
    resource = evaluation.stack.template.resources[name]
    errors: dict[str, str] = {}
    properties = {}
    for entry in resource.entries:
        value = evaluate_or_record(
            errors, f"properties.{entry.key}", functools.partial(evaluation.interpreter.evaluate, entry.value)
        )
        if value is not ABSENT:
            properties[entry.key] = value
    external = evaluate_or_record(errors, "external_id", lambda: evaluation.evaluate_or_none(resource.external_id))
    inside = (
        evaluate_or_record({}, "", lambda: evaluation.find_nested_stack(name), evaluation.notes)
        if evaluation.outside.deep
        else None
    )
    kind = evaluation.resource_kind(name)
    explicit, implicit, disabled = collect_dependencies(evaluation, resource, errors)
    return EvaluatedResource(
        type=resource.type,
        implementation=kind if kind != resource.type else None,
        properties=properties,
        metadata=evaluate_or_record(errors, "metadata", lambda: evaluation.evaluate_metadata(name)) or {},
        deletion_policy=evaluate_or_record(
            errors, "deletion_policy", lambda: evaluation.evaluate_deletion_policy(name)
        ),
        update_policy=evaluate_or_record(
            errors, "update_policy", lambda: evaluation.evaluate_or_none(resource.update_policy)
        ),
        external_id=external,
        depends_on=[d.name for d in resource.depends_on],
        explicit=explicit,
        implicit=[] if external is not None else implicit,
        plugin=sorted(added - {*explicit, *implicit}),
        disabled=disabled,
        hooks=evaluation.stack.registry.steering_words(name, "hooks"),
        restricted_actions=sorted(evaluation.stack.registry.steering_words(name, "restricted_actions")),
        nested=evaluate_everything(inside) if inside is not None else None,
        errors=errors,
    )


def collect_dependencies(
    evaluation: StackEvaluation, resource: ir.Resource, errors: dict[str, str]
) -> tuple[list[str], list[str], list[str]]:
    """The dependencies of a resource by depends_on, those by references, and the disabled ones in depends_on."""
    resources, names = evaluation.stack.template.resources, set(evaluation.resource_names)
    explicit = {d.name for d in resource.depends_on}
    for name in sorted(explicit - set(resources)):
        errors["depends_on"] = f"There is no resource {name}"

    def collect_references() -> set[str]:
        parts = (resource.properties, resource.metadata)
        return {
            name for part in parts if part is not None for name in evaluation.interpreter.referenced_resources(part)
        }

    implicit = evaluate_or_record(errors, "dependencies", collect_references) or set()
    disabled = {name for name in explicit if name in resources and name not in names}
    return sorted(explicit & names), sorted(implicit), sorted(disabled)


def evaluate_or_record(
    errors: dict[str, str], path: str, compute: Callable[[], T], notes: list[str] | None = None
) -> T | None:
    """Returns a computed value; if that fails, None, after recording the reason under the path."""
    try:
        return compute()
    except EvaluationError as e:
        errors[path] = str(e)
        if notes is not None:
            notes.append(str(e))
        return None
    except RecursionError:
        errors[path] = "Expressions are nested too deeply"
        return None
