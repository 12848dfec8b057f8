"""Compares the values that a root of several environments plans with those of a directory for one environment alone.

Invariant: both sides get their values from the text of the file that is written for the environment.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import hcl2

from emitters.hcl.attempt import Attempt
from emitters.hcl.emitter import TARGET
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import BlockInstance, DirectoryInstance, InstancePlan
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.proof import judge
from emitters.hcl.proof.blocks import NestedBlock, expand_blocks
from emitters.hcl.tree.nodes import Argument, Block
from transpile import pipeline
from transpile.migrate.environment_groups import EnvironmentGroup, digest_code
from transpile.repository.plan import JoinedStack, StackPlan
from transpile.resolve.stack_name import STACK_NAME
from transpile.settings.table import Request
from transpile.text.manifest import MANIFEST, encode_content

Values = dict[str, Any]  # by the address of an argument


class EvaluatedConversion(NamedTuple):
    """A conversion, and all values of its instances. why: why there are none."""

    code: str
    values: Values
    why: str = ""


def convert_stack(
    stack: StackPlan, siblings: Sequence[StackPlan], root: pathlib.Path, prefer: str
) -> EvaluatedConversion:
    """Converts one stack, to a root that its siblings share, or, without any, to a directory of its own."""
    attempts: list[tuple[Attempt, Mapping[str, Attempt]]] = []
    judge_conversion = judge.judge_conversion

    def record_attempts(linked: Any, attempt: Attempt, written: Mapping[str, Attempt], **more: Any) -> Any:
        attempts.append((attempt, written))
        return judge_conversion(linked, attempt, written, **more)

    def paths(names: Sequence[str]) -> tuple[pathlib.Path, ...]:
        return tuple(root / name for name in names)

    environment = {"environment": stack.environment} if siblings else {}
    joined = stack.joined or JoinedStack(stack.template, stack.output)
    request = Request(
        prefer=prefer,
        root=root,
        environments=paths(stack.environments),
        parameters={STACK_NAME: stack.name, **stack.parameters},
        options={"content_names": True, **environment},
        siblings=tuple((paths(other.environments), other.parameters) for other in siblings),
        variables=joined.variables,
    )
    judge.judge_conversion = record_attempts  # type: ignore[assignment]
    try:
        conversion = pipeline.run_conversion(root / joined.template, request)
    finally:
        judge.judge_conversion = judge_conversion
    if not attempts or not conversion.ok:
        return EvaluatedConversion("", {}, "not converted")
    files = {name: encode_content(text) for name, text in conversion.files.items() if name != MANIFEST}
    names = [name for name in files if name.endswith(".tfvars")]
    variables = read_values(files[names[0]].decode()) if names else {}
    assert TARGET.roots is not None
    code = digest_code({n: data for n, data in files.items() if n not in names}, TARGET.roots) if siblings else ""
    return EvaluatedConversion(code, evaluate_plan(*attempts[0], variables))


def read_values(text: str) -> dict[str, Any]:
    """The values in the text of a file of values."""
    return {name: plain_value(value) for name, value in hcl2.loads(text).items() if not name.startswith("__")}


def plain_value(value: Any) -> Any:
    """A value as Terraform reads it: the parser leaves the quotes and escapes of texts."""
    if isinstance(value, str):
        return json.loads(value).replace("$${", "${").replace("%%{", "%{") if value.startswith('"') else value
    if isinstance(value, list):
        return [plain_value(item) for item in value]
    if isinstance(value, dict):
        return {plain_value(key): plain_value(item) for key, item in value.items() if not str(key).startswith("__")}
    return value


def evaluate_plan(root: Attempt, modules: Mapping[str, Attempt], variables: Mapping[str, Any]) -> Values:
    """All arguments of all instances of a conversion, and its outputs, with these values of variables."""
    values = dict(variables)
    for label in declared_variables(root):
        values.setdefault(label, f"<{label}>")
    variables = {label: functools.partial(lambda constant: constant, value) for label, value in values.items()}
    plan = InstancePlan(root, modules, lambda instance, name: f"<{instance.address_text}.{name}>", variables)
    result: Values = {}
    for instance in walk_known_instances(plan.root, result):
        read_block(instance, NestedBlock(instance.block.body, instance.bound), instance.address_text, result)
    for label in plan.root.outputs:
        result[f"output.{label}"] = evaluated(functools.partial(plan.root.output_value, label))
    return result


def declared_variables(root: Attempt) -> Iterator[str]:
    """The variables of a root that have no default."""
    emission = root.emission
    for name, param in emission.unit.template.parameters.items():
        if param.default is None:
            yield emission.names.variables[name]
    for block in emission.variables.blocks.values():
        if block.find_argument("default") is None:
            yield block.labels[0]


def walk_known_instances(directory: DirectoryInstance, result: Values) -> Iterator[BlockInstance]:
    """All instances; where their number is not known, `result` says why."""
    try:
        yield from directory.walk_instances()
    except (UnknownValue, EvaluationFailed) as e:
        result["instances"] = f"{type(e).__name__}: {e}"


def read_block(instance: BlockInstance, block: NestedBlock, path: str, result: Values) -> None:
    """Adds the values of all arguments of a block, and of those inside of it, to `result`."""
    kinds: dict[str, None] = {}
    for item in block.body:
        if isinstance(item, Argument):
            evaluation = HclEvaluation(instance.directory, block.bound)
            result[f"{path}.{item.name}"] = evaluated(functools.partial(evaluation.evaluate, item.value))
        elif isinstance(item, Block):
            kinds[item.labels[0] if item.type == "dynamic" else item.type] = None
    for kind in kinds:
        try:
            for number, inner in enumerate(expand_blocks(instance.directory, block, kind)):
                read_block(instance, inner, f"{path}.{kind}.{number}", result)
        except (UnknownValue, EvaluationFailed) as e:
            result[f"{path}.{kind}"] = f"{type(e).__name__}: {e}"


def evaluated(compute: functools.partial[Any]) -> Any:
    try:
        return to_plain_data(compute())
    except (UnknownValue, EvaluationFailed) as e:
        return f"{type(e).__name__}: {e}"


def compare_values(own: Values, shared: Values) -> list[str]:
    """The differences between two roots, a line for each. An argument that is null counts as absent."""
    names = sorted(own.keys() | shared.keys())
    return [
        f"{name}: {own.get(name)!r} in a directory of its own, {shared.get(name)!r} in a shared root"
        for name in names
        if own.get(name) != shared.get(name)
    ]


def compare_group(group: EnvironmentGroup, root: pathlib.Path, prefer: str, *, shows_roots: bool) -> tuple[int, ...]:
    """Compares both layouts of a group, prints the differences, and returns counts."""
    roots: dict[str, list[str]] = {}
    compared = differing = failed = 0
    for stack in group.stacks:
        own, shared = (convert_stack(stack, siblings, root, prefer) for siblings in ((), group.stacks))
        if own.why or shared.why:
            failed += 1
            if own.why != shared.why:
                print(f"{stack.output}: {own.why or 'converted'} alone, {shared.why or 'converted'} in a shared root")
                differing += 1
            continue
        roots.setdefault(shared.code, []).append(stack.environment)
        compared += len(own.values)
        differences = compare_values(own.values, shared.values)
        differing += len(differences)
        for difference in differences[:5]:
            print(f"{stack.output}: {difference}")
    if shows_roots:
        for environments in roots.values():
            print(f"{group.folder}: {', '.join(environments)}")
    return len(group.stacks), failed, len(roots), compared, differing
