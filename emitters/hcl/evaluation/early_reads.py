"""Finds data sources that a plan reads before the apply creates the objects that they look for.

Terraform reads a data source during the plan if its arguments are known, even if the blocks that use it wait for other
resources. In Heat, a name is looked up when the resource that has it is created, after everything that this resource
waits for.

Invariant: a data source looks for an object only if both have the same type and, with the values of this conversion,
the same name. A value that the user has not set yet is equal to itself alone.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from emitters.hcl.assemble.data_order import CallPath, EarlyRead
from emitters.hcl.attempt import Attempt
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue
from emitters.hcl.evaluation.instances import BlockInstance, DirectoryInstance, InstancePlan, ModuleInstance
from emitters.hcl.tree.nodes import Block
from transpile.model.meter import LimitExceeded

NAME = "name"  # the argument by which data sources search, and that names a resource


def find_early_reads(root: Attempt, modules: Mapping[str, Attempt]) -> list[EarlyRead]:
    """All data sources of a conversion that look for objects that it creates. modules: the attempts at modules, by
    label.
    """
    attempts = [root, *modules.values()]
    looked_for = {block.labels[0] for attempt in attempts for block in attempt.emission.blocks.data}
    kinds = looked_for & {
        item.labels[0]
        for attempt in attempts
        for item in attempt.emission.blocks.main
        if isinstance(item, Block) and item.type == "resource"
    }
    if not kinds:
        return []
    plan = InstancePlan(root, modules, refuse_attribute, root_variables(root))
    budget = root.emission.unit.template.source.budget
    spent, exceeded = dict(budget.spent), dict(budget.exceeded_optional_limits)
    makers: dict[tuple[str, str], dict[tuple[CallPath, str], None]] = {}
    readers: dict[tuple[CallPath, str], dict[tuple[str, str], None]] = {}
    try:
        for path, directory in walk_directories(plan.root, ()):
            for block in directory.blocks.values():
                for name in block_names(directory, block) if block.labels[0] in kinds else ():
                    makers.setdefault((block.labels[0], name), {})[path, block.address] = None
            for block in directory.data.values():
                for name in block_names(directory, block) if block.labels[0] in kinds else ():
                    readers.setdefault((path, block.address), {})[block.labels[0], name] = None
    except (LimitExceeded, RecursionError):  # a conversion has files even if there is no room for this
        return []
    finally:
        budget.spent, budget.exceeded_optional_limits = spent, exceeded
    return [
        EarlyRead(*reader, *maker) for reader, keys in readers.items() for key in keys for maker in makers.get(key, ())
    ]


def root_variables(root: Attempt) -> dict[str, Any]:
    """The values of the root's variables, by label. A variable without a value gets a text of its own."""
    emission = root.emission
    stack = emission.unit.stack
    values: dict[str, Any] = {}
    for name, param in stack.template.parameters.items():
        label = emission.names.variables[name]
        if name in stack.bindings:
            values[label] = stack.bindings[name].value
        elif param.default_data:
            continue
        elif param.type == "string":
            values[label] = f"${{var.{label}}}"
    environment_values = emission.unit.environment_values
    for key, block in emission.variables.blocks.items():
        if not block.has_argument("default"):
            values[block.labels[0]] = environment_values.get(key, f"${{var.{block.labels[0]}}}")
    return {label: functools.partial(lambda constant: constant, value) for label, value in values.items()}


def refuse_attribute(instance: BlockInstance, name: str) -> Any:
    raise UnknownValue(f"{instance.address_text}.{name}")


def walk_directories(directory: DirectoryInstance, path: CallPath) -> Iterator[tuple[CallPath, DirectoryInstance]]:
    """All directories of a plan, each with the calls that lead to it. A call with unknown instances is left out."""
    yield path, directory
    for label, block in directory.calls.items():
        try:
            keys = directory.instance_keys(block)
        except (UnknownValue, EvaluationFailed):
            continue
        for key in keys:
            inner = ModuleInstance(directory, block, key).module_directory
            yield from walk_directories(inner, (*path, f"module.{label}"))


def block_names(directory: DirectoryInstance, block: Block) -> Iterator[str]:
    """The names of the instances of a block, as far as they are known."""
    try:
        keys = directory.instance_keys(block)
    except (UnknownValue, EvaluationFailed):
        return
    for key in keys:
        try:
            name = BlockInstance(directory, block, key).argument_value(NAME)
        except (UnknownValue, EvaluationFailed):
            continue
        if isinstance(name, str):
            yield name
