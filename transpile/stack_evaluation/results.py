"""Evaluates a stack completely: all its values as plain data.

Invariant: a value that Heat refuses is missing, and `errors` has the reason under a path like `properties.name`. None
is Heat's null.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar, final

from transpile.evaluate.interpreter import ABSENT
from transpile.evaluate.pure import EvaluationError
from transpile.model.records import node
from transpile.resolve import implicit_dependencies
from transpile.stack_evaluation.evaluation import Evaluation
from transpile.stack_evaluation.outside import Outside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from transpile.model import ir
    from transpile.resolve.stack import Stack

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
    nested: Evaluated | None
    errors: Mapping[str, str]


@final
@node
class Evaluated:
    """A stack. `disabled`: resources whose conditions do not hold; `notes`: why nested stacks have no values."""

    parameters: Mapping[str, Any]
    pseudo_parameters: Mapping[str, Any]
    conditions: Mapping[str, bool | None]
    resources: Mapping[str, EvaluatedResource]
    disabled: Sequence[str]
    outputs: Mapping[str, EvaluatedOutput]
    errors: Mapping[str, str]
    notes: Sequence[str]


def evaluate_stack(stack: Stack, outside: Outside | None = None) -> Evaluated:
    """All values of a linked stack and of its nested stacks. An error is recorded with the resource or output that has
    it. Raises EvaluationError only if a condition of a resource cannot be evaluated.
    """
    return everything(Evaluation(stack, outside or Outside()))


def everything(asked: Evaluation) -> Evaluated:
    """All values of a stack and of its nested stacks."""
    template, interpreter = asked.stack.template, asked.interpreter
    errors: dict[str, str] = {}
    names = asked.names
    pseudo = {name: interpreter.pseudo(name) for name in sorted(asked.version.pseudo)}
    own = {
        n: attempt(errors, f"parameters.{n}", functools.partial(interpreter.parameter, n, []))
        for n in template.parameters
    }
    holds = {
        n: attempt(errors, f"conditions.{n}", functools.partial(interpreter.condition, n)) for n in template.conditions
    }
    added: dict[str, set[str]] = {}
    for owner, need, _ in implicit_dependencies.dependencies(asked.stack, exact=True):
        added.setdefault(owner, set()).add(need)
    resources = {name: of_resource(asked, name, added.get(name, set()) & set(names)) for name in names}
    outputs = {name: of_output(asked, one) for name, one in template.outputs.items()}
    if asked.group is not None and asked.group.outputs:
        refs = attempt(errors, f"outputs.{asked.group.outputs}", lambda: {n: asked.reference(n) for n in names})
        outputs = {asked.group.outputs: EvaluatedOutput(refs, True, sorted(names))}
    disabled = [name for name in template.resources if name not in resources]
    return Evaluated(own, pseudo, holds, resources, disabled, outputs, errors, asked.notes)


def of_output(asked: Evaluation, output: ir.Output) -> EvaluatedOutput:
    errors: dict[str, str] = {}
    value = attempt(errors, "value", lambda: asked.output(output.name))
    enabled = attempt(errors, "condition", lambda: asked.has_output(output.name))
    requires: Sequence[str] = ()
    if enabled:
        requires = attempt({}, "", lambda: sorted(asked.interpreter.needs(output.value))) or ()
    return EvaluatedOutput(value, enabled, requires, errors.get("value") or errors.get("condition", ""))


def of_resource(asked: Evaluation, name: str, added: set[str]) -> EvaluatedResource:
    """All values of one resource, including its stack. `added`: dependencies that plug-ins add."""
    resource = asked.stack.template.resources[name]
    errors: dict[str, str] = {}
    properties = {}
    for entry in resource.properties.entries if resource.properties is not None else ():
        value = attempt(errors, f"properties.{entry.key}", functools.partial(asked.interpreter.value, entry.value))
        if value is not ABSENT:
            properties[entry.key] = value
    external = attempt(errors, "external_id", lambda: asked.part(resource.external_id))
    inside = attempt({}, "", lambda: asked.nested(name), asked.notes) if asked.outside.deep else None
    kind = asked.kind(name)
    explicit, implicit, disabled = dependencies(asked, resource, errors)
    return EvaluatedResource(
        type=resource.type,
        implementation=kind if kind != resource.type else None,
        properties=properties,
        metadata=attempt(errors, "metadata", lambda: asked.metadata(name)) or {},
        deletion_policy=attempt(errors, "deletion_policy", lambda: asked.deletion_policy(name)),
        update_policy=attempt(errors, "update_policy", lambda: asked.part(resource.update_policy)),
        external_id=external,
        depends_on=[d.name for d in resource.depends_on],
        explicit=explicit,
        implicit=[] if external is not None else implicit,
        plugin=sorted(added - {*explicit, *implicit}),
        disabled=disabled,
        hooks=asked.stack.registry.steered(name, "hooks"),
        restricted_actions=sorted(asked.stack.registry.steered(name, "restricted_actions")),
        nested=everything(inside) if inside is not None else None,
        errors=errors,
    )


def dependencies(
    asked: Evaluation, resource: ir.Resource, errors: dict[str, str]
) -> tuple[list[str], list[str], list[str]]:
    """The dependencies of a resource by depends_on, those by references, and the disabled ones in depends_on."""
    known, names = asked.stack.template.resources, set(asked.names)
    named = {d.name for d in resource.depends_on}
    for name in sorted(named - set(known)):
        errors["depends_on"] = f"There is no resource {name}"

    def referred() -> set[str]:
        parts = (resource.properties, resource.metadata)
        return {name for part in parts if part is not None for name in asked.interpreter.needs(part)}

    found = attempt(errors, "dependencies", referred) or set()
    gone = {name for name in named if name in known and name not in names}
    return sorted(named & names), sorted(found), sorted(gone)


def attempt(errors: dict[str, str], path: str, make: Callable[[], T], notes: list[str] | None = None) -> T | None:
    """Returns a computed value; if that fails, None, after recording the reason under the path."""
    try:
        return make()
    except EvaluationError as e:
        errors[path] = str(e)
        if notes is not None:
            notes.append(str(e))
        return None
    except RecursionError:
        errors[path] = "Expressions are nested too deeply"
        return None
