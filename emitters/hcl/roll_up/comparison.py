"""Compares Terraform's plans with and without families: the instances, and the value of each argument and output.

Invariant: a value that is not known before Terraform runs is compared by its form: the expression of a rolled-up
block must be, with the values of one key, that of the member.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

from emitters.hcl.attempt import Attempt
from emitters.hcl.emission import Emission
from emitters.hcl.evaluation.early_reads import root_variables
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, to_plain_data
from emitters.hcl.evaluation.instances import (
    BlockInstance,
    DirectoryInstance,
    InstancePlan,
    Key,
    ModuleInstance,
    bind_instance_key,
)
from emitters.hcl.evaluation.stand_ins import make_stand_in
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.roll_up.families import MODULE, Family, join_names, names_of_block
from emitters.hcl.roll_up.names import DEPENDS_ON, PathNames
from emitters.hcl.roll_up.values import COUNT_INDEX, EACH_KEY, EACH_VALUE, flatten_parts
from emitters.hcl.tables.provider import parse_type
from emitters.hcl.tree.nodes import (
    REPEATS,
    Argument,
    Block,
    Expr,
    Fn,
    Index,
    Note,
    Object,
    Op,
    StringTemplate,
    Traversal,
)
from emitters.hcl.tree.printer import print_inline
from emitters.hcl.tree.rebuilding import REBUILD
from transpile.model.records import node, replace

UNKNOWN: Any = object()
Item = Argument | Block | Note


def with_blocks(attempt: Attempt, emission: Emission) -> Attempt:
    """A copy of an attempt with another emission."""
    other = copy.copy(attempt)
    other.emission = emission
    return other


@final
class Comparison:
    """Compares two forms of an output. before, after: the attempts at modules, by label, and the root under the empty
    label.
    """

    def __init__(self, before: Mapping[str, Attempt], after: Mapping[str, Attempt], paths: PathNames) -> None:
        self.paths, self.root_emission = paths, before[""].emission
        self.compared = 0  # instances
        self.providers = self.root_emission.unit.tables.providers
        variables = root_variables(before[""])
        self.before = InstancePlan(before[""], before, self.name_attribute_before, variables)
        self.after = InstancePlan(after[""], after, self.name_attribute, variables)

    def name_attribute_before(self, instance: BlockInstance, name: str) -> Any:
        return self.stand_in(instance, name, print_inline(self.rename(instance.import_address)))

    def name_attribute(self, instance: BlockInstance, name: str) -> Any:
        return self.stand_in(instance, name, instance.address_text)

    def stand_in(self, instance: BlockInstance, name: str, address: str) -> Any:
        """A value for an attribute that only the provider knows. It names the instance."""
        block = instance.block
        names = (block.type, *block.labels) if block.type == "data" else block.labels
        about = self.providers.find_argument(".".join(names[:-1]), name)
        if not about:
            raise UnknownValue(f"{name} of {address}")
        return make_stand_in(parse_type(about.get("type", "dynamic")), f"<{address}.{name}>", instance)

    def rename(self, address: Expr) -> Expr:
        return self.paths.rename_path(self.root_emission, address)

    def find_differences(self) -> Iterator[tuple[Emission, Family | None]]:
        """The families whose plan differs from that of their members, each with its directory; None for a difference
        elsewhere in a directory.
        """
        yield from self.compare_directories(self.before.root, self.after.root)

    def compare_directories(
        self, before: DirectoryInstance, after: DirectoryInstance
    ) -> Iterator[tuple[Emission, Family | None]]:
        names = self.paths.in_directory(before.emission)
        planned: dict[tuple[str, Key], bool] = {}
        for block in (*after.blocks.values(), *after.calls.values()):
            planned |= {(block.address, key): False for key in keys_of(after, block)}
        for block in (*before.blocks.values(), *before.calls.values()):
            member = names.members.get(names_of_block(block))
            family = member.family if member is not None else None
            other = after.find_definition(family.address if family is not None else block.address)
            assert isinstance(other, Block)
            for key in keys_of(before, block):
                binding = KeyBinding(*member, values_of(after, other)) if member is not None else None
                new_key = binding.key if binding is not None else key
                if (other.address, new_key) not in planned:
                    yield before.emission, family
                    continue
                planned[other.address, new_key] = True
                self.compared += 1
                if not self.are_alike((before, block, key), (after, other, new_key), binding):
                    yield before.emission, family
                if block.type == MODULE:
                    yield from self.compare_directories(
                        ModuleInstance(before, block, key).module_directory,
                        ModuleInstance(after, other, new_key).module_directory,
                    )
        if not all(planned.values()):
            yield before.emission, None
        for label, output in before.outputs.items():
            if not self.compare_bodies(output.body, after.outputs[label].body, (before, {}), (after, {}), None):
                yield before.emission, None

    def are_alike(
        self,
        old: tuple[DirectoryInstance, Block, Key],
        new: tuple[DirectoryInstance, Block, Key],
        binding: KeyBinding | None,
    ) -> bool:
        before, block, key = old
        after, other, new_key = new
        try:
            bound = bind_instance_key(block, before, key)
            new_bound = bind_family_key(after, binding) if binding else bind_instance_key(other, after, new_key)
        except (UnknownValue, EvaluationFailed):
            return False
        return self.compare_bodies(block.body, other.body, (before, bound), (after, new_bound), binding)

    def compare_bodies(
        self,
        old: Sequence[Item],
        new: Sequence[Item],
        before: tuple[DirectoryInstance, Mapping[str, Any]],
        after: tuple[DirectoryInstance, Mapping[str, Any]],
        binding: KeyBinding | None,
    ) -> bool:
        """Whether all arguments have the same values, and nested blocks the same arguments."""
        old_arguments, new_arguments = named_arguments(old), named_arguments(new)
        for name in {**old_arguments, **new_arguments}:
            value, other = (
                evaluate_or_fail(arguments.get(name), scope)
                for arguments, scope in ((old_arguments, before), (new_arguments, after))
            )
            if value is UNKNOWN or other is UNKNOWN:
                if not self.have_same_form(old_arguments.get(name), new_arguments.get(name), before[0], binding):
                    return False
            elif value != other or not have_same_types(value, other):
                return False
        old_blocks = [item for item in old if isinstance(item, Block)]
        new_blocks = [item for item in new if isinstance(item, Block)]
        return len(old_blocks) == len(new_blocks) and all(
            (a.type, a.labels) == (b.type, b.labels) and self.compare_bodies(a.body, b.body, before, after, binding)
            for a, b in zip(old_blocks, new_blocks, strict=True)
        )

    def have_same_form(self, old: Expr, new: Expr, directory: DirectoryInstance, binding: KeyBinding | None) -> bool:
        """Whether an expression of a family is that of its member, with the values of its key."""
        renamed = self.paths.in_directory(directory.emission).rename_expression(old)
        if binding is None:
            return bool(renamed == new)
        return bool(instantiate(renamed, binding) == instantiate(new, binding))


def named_arguments(items: Sequence[Item]) -> dict[str, Expr]:
    """The arguments that describe an instance, by name."""
    left_out = (*REPEATS, DEPENDS_ON)
    return {item.name: item.value for item in items if isinstance(item, Argument) and item.name not in left_out}


def evaluate_or_fail(expr: Expr, scope: tuple[DirectoryInstance, Mapping[str, Any]]) -> Any:
    """The value of an argument as plain data; UNKNOWN if only Terraform, the provider or the cloud knows it."""
    try:
        return to_plain_data(HclEvaluation(scope[0], scope[1]).evaluate(expr))
    except (UnknownValue, EvaluationFailed):
        return UNKNOWN


def have_same_types(value: Any, other: Any) -> bool:
    """Whether equal values also have equal types: 1 is not true."""
    if isinstance(value, dict) and isinstance(other, dict):
        return all(have_same_types(value[key], other[key]) for key in value)
    if isinstance(value, list) and isinstance(other, list):
        return all(have_same_types(a, b) for a, b in zip(value, other, strict=True))
    return isinstance(value, bool) is isinstance(other, bool) and isinstance(value, str) is isinstance(other, str)


def keys_of(directory: DirectoryInstance, block: Block) -> Sequence[Key]:
    """The keys of a block; those that only Terraform knows count as none, before and after. If they are written out,
    they are known though a value is not.
    """
    values = values_of(directory, block)
    if isinstance(values, Object):
        return [str(key) for key, _ in values.entries]
    try:
        return directory.instance_keys(block)
    except (UnknownValue, EvaluationFailed):
        return ()


def bind_family_key(directory: DirectoryInstance, binding: KeyBinding) -> dict[str, Any]:
    """The values of `count` or `each` for one key of a family. Unknown parts of `each.value` are left out."""
    if isinstance(binding.key, int):
        return {"count": {"index": binding.key}}
    each: dict[str, Any] = {"key": binding.key}
    value = binding.each_value
    if isinstance(value, Object):
        cells = {name: evaluate_or_fail(cell, (directory, {})) for name, cell in value.entries}
        each["value"] = {name: cell for name, cell in cells.items() if cell is not UNKNOWN}
    elif (known := evaluate_or_fail(value, (directory, {}))) is not UNKNOWN:
        each["value"] = known
    return {"each": each}


def values_of(directory: DirectoryInstance, block: Block) -> Expr:
    """The expression of `for_each` of a block, with the local in place of its name."""
    each = block.find_argument("for_each")
    if each is None:
        return None
    name = print_inline(each.value).removeprefix("local.")
    local = directory.emission.blocks.locals.get(name)
    return local.value if local is not None else each.value


def copy_emission(emission: Emission, names: Mapping[str, str], main: list[Item]) -> Emission:
    """A copy of an emission with other blocks in main.tf. names: the new name of each call of a module that is gone."""
    blocks = copy.copy(emission.blocks)
    blocks.main = main
    blocks.owner_of, blocks.ignored_of = dict(blocks.owner_of), dict(blocks.ignored_of)
    modules = {**emission.modules, **{new: emission.modules[old] for old, new in names.items()}}
    return replace(emission, blocks=blocks, modules=modules)


@final
@node
class KeyBinding:
    """A key of a family. values: the expression of `for_each`."""

    family: Family
    place: int
    values: Expr

    @property
    def key(self) -> int | str:
        return self.family.key_of(self.place)

    @property
    def each_value(self) -> Expr:
        """The value of the key in `for_each`."""
        entries = self.values.entries if isinstance(self.values, Object) else ()
        return next((value for key, value in entries if key == self.key), self.key)


def instantiate(expr: Expr, binding: KeyBinding) -> Expr:
    """An expression for one key."""
    if isinstance(expr, Traversal):
        if expr in (COUNT_INDEX, EACH_KEY):
            return binding.key
        if expr.parts[:2] == EACH_VALUE.parts:
            return read_column(binding.each_value, expr.parts[2:])
        return expr
    if isinstance(expr, Fn) and expr.name == "lookup" and expr.args[0] == EACH_VALUE:
        entries = binding.each_value.entries if isinstance(binding.each_value, Object) else ()
        return next((value for key, value in entries if key == expr.args[1]), expr.args[2])
    expr = join_names(expr)
    rebuild = REBUILD.get(type(expr))
    return simplify(rebuild(expr, lambda inner: instantiate(inner, binding))) if rebuild is not None else expr


def read_column(value: Expr, names: tuple[str, ...]) -> Expr:
    for name in names:
        entries = value.entries if isinstance(value, Object) else ()
        value = next((cell for key, cell in entries if key == name), None)
    return value


def simplify(expr: Expr) -> Expr:
    """The value of the few forms by which a block computes with its key."""
    match expr:
        case Op("+", int(left), int(right)):
            return left + right
        case Op("-", int(left), int(right)):
            return left - right
        case Fn("tonumber", (str(text),)) if text.isdecimal():
            return int(text)
        case StringTemplate(parts):
            flat = flatten_parts([str(part) if type(part) is int else part for part in parts])
            if all(isinstance(part, str) for part in flat):
                return "".join(part for part in flat if isinstance(part, str))
            return StringTemplate(flat)
        case Index(Object(entries), str(label)):
            return next((value for key, value in entries if key == label), expr)
        case Index(of, int(key)) if type(key) is int:
            return Index(of, key)
    return expr
