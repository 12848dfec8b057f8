"""Chooses the subjects of tests: the root, and each module by itself, each with initial values for its variables.

Invariant: Heat accepts every value. A hidden parameter gets a sample in place of its real value.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, final

from emitters.hcl.attempt import Attempt
from emitters.hcl.emission import Emission
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import DirectoryInstance
from emitters.hcl.plan.modules import TerraformModule
from emitters.hcl.proof import samples
from emitters.hcl.proof.heat import STACK_NAME, HeatEvaluation, has_mark, nested_evaluation
from emitters.hcl.proof.overrides import Overrides
from emitters.hcl.proof.trial import ProofSubject, ProofTrial, walk_arguments
from emitters.hcl.symbols import hidden_default_key
from emitters.hcl.tree.nodes import Block, Fn, Traversal
from transpile.evaluate.pure import EvaluationError
from transpile.model import ir
from transpile.model.meter import LimitExceeded
from transpile.model.records import EMPTY
from transpile.resolve.stack import Stack, walk_stacks
from transpile.schema import parameters
from transpile.stack_evaluation.evaluation import StackEvaluation as OfHeat

TOO_DEEP = "values depend on each other in too long a chain"
META = {"source", "count", "for_each", "depends_on", "providers"}  # arguments of a call that are not variables


@final
class Unprovable(Exception):
    """No test can be written. The message is the reason.

    definition: the name of the resource or parameter that prevents it.
    """

    def __init__(self, why: str, definition: str = "") -> None:
        super().__init__(why)
        self.definition = definition


def explain_unprovable(error: Exception) -> str:
    """Why nothing is proved, as a clause: the subject is unprovable, or would cost too much."""
    if isinstance(error, LimitExceeded):
        return f"it would exceed the limit {error.name}"
    return TOO_DEEP if isinstance(error, RecursionError) else str(error)


def root_subject(stack: Stack, root: Attempt, modules: Mapping[str, Attempt], *, mocked: bool = True) -> ProofSubject:
    """The root as a subject. mocked: as for `Overrides`. Raises Unprovable."""
    emission = root.emission
    environment_values = emission.unit.environment_values
    fixed = {
        block.labels[0]: environment_values[key]
        for key, block in emission.variables.blocks.items()
        if key in environment_values
    }
    for block in required_variables(emission):
        if block.labels[0] in fixed:
            continue
        try:
            fixed[block.labels[0]] = choose_variable_value(emission, block)
        except Unprovable:  # without a value, all that depends on the variable is unknown
            if mocked:
                raise
    if not mocked:
        fixed |= hidden_defaults(stack, emission)
    return ProofSubject(
        root,
        stack,
        modules,
        Overrides(emission.unit.tables.providers, mocked=mocked),
        fixed,
        choose_parameter_values(stack, emission),
    )


def hidden_defaults(stack: Stack, emission: Emission) -> dict[str, Any]:
    """The values that environments give to hidden parameters of nested templates, by the label of the variable that
    replaces each of them.
    """
    values = {}
    for nested in walk_stacks(stack):
        for name, binding in nested.bindings.items():
            block = emission.variables.blocks.get(hidden_default_key(nested.template.parameters[name]))
            if block is not None and nested is not stack:
                values[block.labels[0]] = binding.value
    return values


def required_variables(emission: Emission) -> list[Block]:
    """The variables without a parameter and without a default."""
    return [block for block in emission.variables.blocks.values() if not block.has_argument("default")]


def walk_called_modules(root: ProofSubject) -> Iterator[tuple[TerraformModule, ProofSubject | str]]:
    """The modules that a root calls, directly or through others.

    Each comes as a subject with the values of its first call, or with the reason why it cannot be tested.
    """
    seen = set[str]()
    trial = ProofTrial(root, root.values, planned=False)
    waiting = [(trial.root_directory, trial.heat, trial.heat.evaluation)]
    while waiting:
        directory, heat, evaluation = waiting.pop(0)
        for name, report in directory.emission.log.report.resources.items():
            inside = nested_evaluation(evaluation, name) if report.treatment == "module" else None
            member = inside.resource_names[0] if inside and inside.is_group and inside.resource_names else None
            within = nested_evaluation(inside, member) if inside and member is not None else inside
            module_directory = heat.called_directory(directory, evaluation, name, member)
            if not within or within.is_group or not module_directory:
                continue
            waiting.append((module_directory, heat, within))
            module = module_directory.emission.unit.module
            if module.label not in seen:
                seen.add(module.label)
                owner = (evaluation, name) if member is None or inside is None else (inside, member)
                try:
                    yield module, module_subject(root, module_directory, within, (heat, *owner))
                except Unprovable as e:
                    yield module, str(e)


def module_subject(
    root: ProofSubject, directory: DirectoryInstance, evaluation: OfHeat, above: tuple[HeatEvaluation, OfHeat, str]
) -> ProofSubject:
    """A module as a subject. Raises Unprovable."""
    emission = directory.emission
    module = emission.unit.module
    template_parameters = evaluation.stack.template.parameters
    names = {label: name for name, label in emission.names.variables.items() if name in template_parameters}
    fixed: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for label in [label for label in directory.arguments or () if label not in META]:
        if label in names and names[label] not in {*module.id_parameters, *module.name_parameters}:
            with contextlib.suppress(EvaluationError, KeyError):
                parameter_value = evaluation.interpreter.evaluate_get_param(names[label], [])
                if not has_mark(parameter_value) and parameter_value is not None:
                    values[names[label]] = parameter_value
        else:
            try:
                value = to_plain_data(directory.variable_value(label))
            except (UnknownValue, EvaluationFailed):
                value = label in module.presence_variables.values() or f"a-{label}"
            (values if label in names else fixed)[names.get(label, label)] = value
    fixed |= {
        b.labels[0]: choose_variable_value(emission, b)
        for b in required_variables(emission)
        if b.labels[0] not in fixed
    }
    stack = evaluation.stack
    values = {**choose_parameter_values(stack, emission, values), **values}
    hidden = {name for name in values if emission.unit.is_hidden(name)}
    values |= {name: value for name, value in choose_parameter_values(stack, emission, {}).items() if name in hidden}
    overrides = Overrides(emission.unit.tables.providers)
    return ProofSubject(directory.attempt, stack, root.modules, overrides, fixed, values, above)


def choose_parameter_values(
    stack: Stack, emission: Emission, present_values: Mapping[str, Any] = EMPTY
) -> dict[str, Any]:
    """Values for the parameters that have none, for hidden ones, and for those that environments set. Raises
    Unprovable.
    """
    parameter_values = {}
    facts, paths = argument_facts_by_variable(emission), parameter_paths(stack.template)
    for name, param in stack.template.parameters.items():
        if name in present_values:
            continue
        label = emission.names.variables[name]
        hidden = emission.unit.is_hidden(name)
        if name in stack.bindings and not hidden:
            if not stack.bindings[name].converted:
                raise Unprovable(f"the value of {name} does not fit its type", name)
            parameter_values[name] = stack.bindings[name].value
        elif param.default is None or hidden:
            budget = stack.template.source.budget
            value = samples.find_accepted_value(param, budget, facts.get(label, ()), paths.get(name, ()))
            if value is None and label not in emission.unused:
                raise Unprovable(f"no value is known that {name} accepts", name)
            if value is not None:
                parameter_values[name] = parameters.convert_value(param.type, value)
    return parameter_values


def choose_variable_value(emission: Emission, block: Block) -> Any:
    """A value for a variable without a parameter."""
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
            formats = (str(about.get("format")) for about in argument_facts_by_variable(emission).get(label, ()))
            format_samples = [
                samples.OF_FORMAT[format_name] for format_name in formats if format_name in samples.OF_FORMAT
            ]
            return format_samples[0] if format_samples else f"a-{label}"
        case Fn(("list" | "set"), (Traversal(("string",)),)):
            return [f"a-{label}"]
    raise Unprovable(f"no value is known for var.{label}")


def argument_facts_by_variable(emission: Emission) -> dict[str, list[Mapping[str, Any]]]:
    """The provider's facts about arguments whose value is just a variable, such as `size = var.size`, by its label."""
    facts_by_variable: dict[str, list[Mapping[str, Any]]] = {}
    for block in (*emission.blocks.main, *emission.blocks.data):
        if isinstance(block, Block) and block.type in ("resource", "data"):
            kind = ("data." if block.type == "data" else "") + block.labels[0]
            for path, argument in walk_arguments(block.body):
                match argument.value:
                    case Traversal(("var", label)):
                        about = emission.unit.tables.providers.find_argument(kind, path)
                        if about:
                            facts_by_variable.setdefault(label, []).append(about)
    return facts_by_variable


def parameter_paths(template: ir.Template) -> dict[str, list[tuple[Any, ...]]]:
    """The literal paths that a template reads of its parameters, by name."""
    paths_by_parameter: dict[str, list[tuple[Any, ...]]] = {}
    parts = (template.resources, template.outputs, template.conditions)
    owners: list[ir.Resource | ir.Output | ir.Condition] = [
        definition for part in parts for definition in part.values()
    ]
    for owner in owners:
        for ref in owner.refs:
            if isinstance(ref, ir.ParamRef) and (steps := literal_steps(ref.path)):
                paths_by_parameter.setdefault(ref.name, []).append(steps)
    return paths_by_parameter


def literal_steps(path: tuple[ir.Expr, ...]) -> tuple[Any, ...]:
    """The literal steps at the beginning of a path."""
    out = []
    for step in path:
        if not isinstance(step, ir.Lit):
            break
        out.append(step.value)
    return tuple(out)
