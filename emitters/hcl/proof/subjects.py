"""What is tested: the root, and each module by itself, each with values for its variables to begin with.

Invariant: a value is one that Heat accepts. A hidden parameter has a sample, whatever its value is.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.evaluation.functions import Failed, Unknown, plain
from emitters.hcl.proof import samples
from emitters.hcl.proof.heat import STACK_NAME, marked, nested
from emitters.hcl.proof.overrides import Overrides
from emitters.hcl.proof.trial import Subject, Trial, arguments
from emitters.hcl.tree.nodes import Block, Fn, Traversal
from transpile.evaluate.pure import EvaluationError
from transpile.model import ir
from transpile.model.records import EMPTY
from transpile.schema import parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emitters.hcl.attempt import Attempt
    from emitters.hcl.emission import Emission
    from emitters.hcl.evaluation.instances import Directory
    from emitters.hcl.plan.modules import TerraformModule
    from emitters.hcl.proof.heat import Heat
    from transpile.resolve.stack import Stack
    from transpile.stack_evaluation.evaluation import StackEvaluation as OfHeat

META = {"source", "count", "for_each", "depends_on", "providers"}  # arguments of a call that are no variables


@final
class Unprovable(Exception):
    """No test can be written, and why."""


def root_of(stack: Stack, root: Attempt, modules: Mapping[str, Attempt]) -> Subject:
    """The root as a subject. Raises Unprovable."""
    emission = root.emission
    fixed = {b.labels[0]: synthetic(emission, b) for b in required(emission)}
    return Subject(root, stack, modules, Overrides(emission.unit.tables.providers), fixed, chosen(stack, emission))


def required(emission: Emission) -> list[Block]:
    """The variables that are no parameters and have no default."""
    return [block for block in emission.variables.blocks.values() if block.find_argument("default") is None]


def called(root: Subject) -> Iterator[tuple[TerraformModule, Subject | str]]:
    """The modules that a root calls, directly or through others, each with what its first call passes, or why it cannot
    be tested.
    """
    seen = set[str]()
    trial = Trial(root, root.values, planned=False)
    waiting = [(trial.directory, trial.heat, trial.heat.evaluation)]
    while waiting:
        directory, heat, evaluation = waiting.pop(0)
        for name, report in directory.emission.log.report.resources.items():
            inside = nested(evaluation, name) if report.treatment == "module" else None
            member = (
                inside.resource_names[0]
                if inside is not None and inside.group is not None and inside.resource_names
                else None
            )
            within = nested(inside, member) if inside is not None and member is not None else inside
            found = heat.called(directory, evaluation, name, member)
            if within is None or within.group is not None or found is None:
                continue
            waiting.append((found, heat, within))
            module = found.emission.unit.module
            if module is not None and module.label not in seen:
                seen.add(module.label)
                owner = (evaluation, name) if member is None or inside is None else (inside, member)
                try:
                    yield module, module_of(root, found, within, (heat, *owner))
                except Unprovable as e:
                    yield module, str(e)


def module_of(root: Subject, directory: Directory, evaluation: OfHeat, above: tuple[Heat, OfHeat, str]) -> Subject:
    """A module as a subject. Raises Unprovable."""
    emission = directory.emission
    module = emission.unit.module
    assert module is not None
    known = evaluation.stack.template.parameters
    names = {label: name for name, label in emission.names.variables.items() if name in known}
    fixed: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for label in [label for label in directory.given or () if label not in META]:
        if label in names and names[label] not in module.id_parameters:
            with contextlib.suppress(EvaluationError, KeyError):
                found = evaluation.interpreter.evaluate_get_param(names[label], [])
                if not marked(found) and found is not None:
                    values[names[label]] = found
        else:
            try:
                value = plain(directory.variable(label))
            except (Unknown, Failed):
                value = label in module.presence_variables.values() or f"a-{label}"
            (values if label in names else fixed)[names.get(label, label)] = value
    fixed |= {b.labels[0]: synthetic(emission, b) for b in required(emission) if b.labels[0] not in fixed}
    stack = evaluation.stack
    values = {**chosen(stack, emission, values), **values}
    hidden = {name for name in values if emission.unit.hidden(name)}
    values |= {name: value for name, value in chosen(stack, emission, {}).items() if name in hidden}
    overrides = Overrides(emission.unit.tables.providers)
    return Subject(directory.attempt, stack, root.modules, overrides, fixed, values, above)


def chosen(stack: Stack, emission: Emission, known: Mapping[str, Any] = EMPTY) -> dict[str, Any]:
    """Values for the parameters that have none, for hidden ones, and for those that environments set. Raises
    Unprovable.
    """
    out = {}
    facts, paths = uses(emission), paths_of(stack.template)
    for name, param in stack.template.parameters.items():
        if name in known:
            continue
        label = emission.names.variables[name]
        if name in stack.bindings and not param.hidden:
            if not stack.bindings[name].converted:
                raise Unprovable(f"the value of {name} does not fit its type")
            out[name] = stack.bindings[name].value
        elif param.default is None or param.hidden:
            budget = stack.template.source.budget
            value = samples.accepted(param, budget, facts.get(label, ()), paths.get(name, ()))
            if value is None and label not in emission.unused:
                raise Unprovable(f"no value is known that {name} accepts")
            if value is not None:
                out[name] = parameters.convert_value(param.type, value)
    return out


def synthetic(emission: Emission, block: Block) -> Any:
    """A value for a variable that is no parameter."""
    label = block.labels[0]
    if "stack_name" in emission.variables and emission.variables.blocks["stack_name"] is block:
        return STACK_NAME
    kind = block.find_argument("type")
    match kind.value if kind is not None else None:
        case Traversal(("number",)):
            return 1
        case Traversal(("bool",)):
            return True
        case Traversal(("string",)):
            formats = (str(about.get("format")) for about in uses(emission).get(label, ()))
            known = [samples.OF_FORMAT[one] for one in formats if one in samples.OF_FORMAT]
            return known[0] if known else f"a-{label}"
        case Fn(("list" | "set"), (Traversal(("string",)),)):
            return [f"a-{label}"]
    raise Unprovable(f"no value is known for var.{label}")


def uses(emission: Emission) -> dict[str, list[Mapping[str, Any]]]:
    """What the provider says of the arguments that are nothing but a variable, by its label."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for block in (*emission.blocks.main, *emission.blocks.data):
        if isinstance(block, Block) and block.type in ("resource", "data"):
            kind = ("data." if block.type == "data" else "") + block.labels[0]
            for path, argument in arguments(block.body):
                match argument.value:
                    case Traversal(("var", label)):
                        about = emission.unit.tables.providers.find_argument(kind, path)
                        if about is not None:
                            found.setdefault(label, []).append(about)
    return found


def paths_of(template: ir.Template) -> dict[str, list[tuple[Any, ...]]]:
    """The literal paths that a template reads of its parameters, by name."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    parts = (template.resources, template.outputs, template.conditions)
    owners: list[ir.Resource | ir.Output | ir.Condition] = [one for part in parts for one in part.values()]
    for owner in owners:
        for ref in owner.refs:
            if isinstance(ref, ir.ParamRef) and (steps := literal_steps(ref.path)):
                found.setdefault(ref.name, []).append(steps)
    return found


def literal_steps(path: tuple[ir.Expr, ...]) -> tuple[Any, ...]:
    """The literal steps at the beginning of a path."""
    out = []
    for step in path:
        if not isinstance(step, ir.Lit):
            break
        out.append(step.value)
    return tuple(out)
