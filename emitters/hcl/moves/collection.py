"""Collects the addresses of a conversion: those of all instances that Terraform would plan.

Invariant: an address is the one in the files, with families rolled up.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, final

from emitters.hcl.address_rows import NOWHERE, ONE, AddressRow, FixedArgument
from emitters.hcl.attempt import Attempt
from emitters.hcl.emission import Emission
from emitters.hcl.evaluation.early_reads import root_variables
from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, convert_to_text, to_plain_data
from emitters.hcl.evaluation.instances import (
    MISSING,
    BlockInstance,
    DirectoryInstance,
    InstancePlan,
    Key,
    ModuleInstance,
)
from emitters.hcl.evaluation.stand_ins import make_stand_in
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.moves.replaced_arguments import find_replaced_arguments, ignored_names
from emitters.hcl.plan.planner import OUTPUT
from emitters.hcl.provider_names import ProviderNames
from emitters.hcl.roll_up.families import names_of_block
from emitters.hcl.tables.forced_new import is_forced
from emitters.hcl.tables.provider import parse_type
from emitters.hcl.tables.replacements import load_facts
from emitters.hcl.tree.nodes import Argument, Block, Expr, Note, Traversal, condition_of_count, walk_expression
from emitters.hcl.tree.printer import print_inline
from transpile.model import heat_types, ir
from transpile.model.meter import LimitExceeded

if TYPE_CHECKING:
    from emitters.hcl.roll_up.names import Unrolled

STACK = "openstack_orchestration_stack_v1"
GROUPS = (
    heat_types.RESOURCE_GROUP,
    heat_types.AUTO_SCALING_GROUP,
    heat_types.AWS_AUTO_SCALING_GROUP,
    heat_types.INSTANCE_GROUP,
)
ASSUMED = 10  # members of a group whose size nobody has chosen yet
PART = "="  # begins the digest of a part
NOT_COMPARED = ("count", "for_each", "depends_on")


def collect_rows(
    root: Attempt, modules: Mapping[str, Attempt], roll_up: Unrolled, names: ProviderNames
) -> list[AddressRow]:
    """The rows of the root. modules: the attempts at modules, by label."""
    budget = root.emission.unit.template.source.budget
    spent, exceeded = dict(budget.spent), dict(budget.exceeded_optional_limits)
    collection = AddressCollection(root, modules, roll_up, names)
    try:
        return collection.collect_directory(collection.plan.root)
    except RecursionError:
        return []
    finally:
        budget.spent, budget.exceeded_optional_limits = spent, exceeded


@final
class AddressCollection:
    """The addresses of one conversion."""

    def __init__(self, root: Attempt, modules: Mapping[str, Attempt], roll_up: Unrolled, names: ProviderNames) -> None:
        self.roll_up, self.names = roll_up, names
        self.providers = root.emission.unit.tables.providers
        variables = root_variables(root) | hide_secrets(root.emission)
        self.plan = InstancePlan(root, modules, self.name_attribute, variables)

    def name_attribute(self, instance: BlockInstance, name: str) -> Any:
        """A value for an attribute that only the provider knows. It names the resource of the template."""
        block = instance.block
        names = (block.type, *block.labels) if block.type == "data" else block.labels
        about = self.providers.find_argument(".".join(names[:-1]), name)
        if not about:
            raise UnknownValue(f"{name} of {instance.address_text}")
        owner = instance.owner_name or ".".join(names)
        return make_stand_in(parse_type(about.get("type", "dynamic")), f"<{owner}.{instance.key}.{name}>", instance)

    def collect_directory(self, directory: DirectoryInstance) -> list[AddressRow]:
        """The rows of a directory, in the order of its blocks."""
        emission, digested = directory.emission, set[str]()
        updated = {(w.address, w.argument): w.property for w in find_replaced_arguments(emission)}
        rows: list[AddressRow] = []
        for block in emission.blocks.main:
            if not isinstance(block, Block) or block.type not in ("resource", "module"):
                continue
            owner = emission.blocks.find_owner(block)
            row = self.make_row(directory, block, owner, updated if owner and owner not in digested else None)
            if owner not in digested or row.is_module:
                row.digest = digest_resource(emission, owner)
                digested.add(owner)
            rows.append(row)
        for stack in directory.attempt.embedded:
            names = self.rename((STACK, stack.label))
            rows += [AddressRow(name, names, heat=True) for name in stack.members if not name.startswith(OUTPUT)]
        there = {row.owner for row in rows}
        rows += [AddressRow(name, NOWHERE) for name in emission.unit.template.resources if name not in there]
        return rows

    def make_row(
        self,
        directory: DirectoryInstance,
        block: Block,
        owner: str,
        updated: Mapping[tuple[str, str], str] | None,
    ) -> AddressRow:
        """The row of a block. updated: see `find_fixed_arguments`; None for an additional block of a resource."""
        emission = directory.emission
        row = AddressRow(owner, self.rename(names_of_block(block)))
        repeated = block.repetition
        conditional = repeated is not None and condition_of_count(repeated) is not None
        keys: list[Key] = [0 if conditional else None]
        if repeated is not None and not conditional:
            try:
                keys = list(directory.instance_keys(block))
            except (UnknownValue, EvaluationFailed, LimitExceeded):
                keys = list(range(ASSUMED)) if repeated.name == "count" else []
        single = repeated is None or conditional
        is_part = not row.is_module and directory.first.get(owner) is not block
        for key in keys:
            member = ONE if single else str(key)
            member = emission.blocks.member_of.get(id(block), member)
            if is_part:
                member = name_part(self, directory, block, key, "" if owner else block.address, row.keys, member)
            row.keys[member] = key
            if row.is_module:
                row.inside[member] = self.collect_module(directory, block, key)
        if updated is not None and keys and not row.is_module:
            row.fixed = find_fixed_arguments(directory, block, keys[0], updated)
        self.place_in_family(emission, block, row)
        return row

    def collect_module(self, directory: DirectoryInstance, block: Block, key: Key) -> list[AddressRow]:
        try:
            return self.collect_directory(ModuleInstance(directory, block, key).module_directory)
        except (UnknownValue, EvaluationFailed, LimitExceeded):
            return []

    def place_in_family(self, emission: Emission, block: Block, row: AddressRow) -> None:
        """Gives a row the address that its block has as a member of a family."""
        member = self.roll_up.names_in(emission).members.get(names_of_block(block))
        if member is not None:
            family, place = member
            row.names = self.rename(family.names)
            row.keys = dict.fromkeys(row.keys, family.key_of(place))

    def rename(self, names: tuple[str, str]) -> tuple[str, str]:
        return self.names.rename_words(names[0]), names[1]


def hide_secrets(emission: Emission) -> dict[str, Callable[[], Any]]:
    """Texts in place of hidden values, by the label of the variable: no digest is made of a secret."""
    labels, parameters = emission.names.variables, emission.unit.template.parameters
    hidden = [labels[name] for name, parameter in parameters.items() if parameter.hidden and parameter.type != "number"]
    return {label: functools.partial(str, f"${{var.{label}}}") for label in hidden}


def name_part(
    collection: AddressCollection,
    directory: DirectoryInstance,
    block: Block,
    key: Key,
    address: str,
    taken: Mapping[str, Key],
    member: str,
) -> str:
    """The name of a part of a resource, such as a rule of a security group: a digest of its values. A block without a
    resource goes by its address.
    """
    if address:
        return f"{PART}{address}"
    instance = BlockInstance(directory, block, key)
    values = dict(walk_values(directory, instance, block, ""))
    group = member if directory.emission.unit.stack.types.get(instance.owner_name) in GROUPS else ONE
    digest = hashlib.sha256(repr(sorted(values.items())).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    name, number = f"{group}{PART}{digest}", 2
    while name in taken:
        name, number = f"{group}{PART}{digest}.{number}", number + 1
    return name


def walk_values(
    directory: DirectoryInstance,
    instance: BlockInstance,
    block: Block,
    path: str,
    is_wanted: Callable[[str], bool] = lambda name: True,
) -> Iterator[tuple[str, str]]:
    """The values of the arguments of a block and of the blocks inside it; a value that is not known as its text."""
    number, evaluation = 0, HclEvaluation(directory, instance.bound)
    for item in block.body:
        if type(item) is Block:
            number += 1
            yield from walk_values(directory, instance, item, f"{path}{item.type}.{number}.", is_wanted)
        elif type(item) is Argument and item.name not in NOT_COMPARED and is_wanted(path + item.name):
            try:
                value = to_plain_data(evaluation.evaluate(item.value))
            except (UnknownValue, EvaluationFailed, LimitExceeded):
                value = f"? {print_inline(item.value)}"
            if value is not None and value is not MISSING:
                yield path + item.name, repr(convert_scalars(value))


def convert_scalars(value: Any) -> Any:
    """A value whose scalars are texts, as the provider converts them: 22 and "22" are one port."""
    if isinstance(value, dict):
        return {key: convert_scalars(inner) for key, inner in sorted(value.items())}
    if isinstance(value, list):
        return [convert_scalars(inner) for inner in value]
    return None if value is None else convert_to_text(value)


def find_fixed_arguments(
    directory: DirectoryInstance, block: Block, key: Key, updated: Mapping[tuple[str, str], str]
) -> dict[str, FixedArgument]:
    """The arguments whose change replaces the object, without those whose changes are ignored. updated: the property of
    which one is made, if Heat updates it, by the address of the block and the name of the argument.
    """
    kind = block.labels[0]
    if kind in load_facts()["connections"]:
        return {}
    values: dict[str, list[tuple[str, str]]] = {}
    instance = BlockInstance(directory, block, key)
    for path, value in walk_values(directory, instance, block, "", functools.partial(is_forced, kind)):
        values.setdefault(path.partition(".")[0], []).append((path, value))
    for ignored in ignored_names(block):
        values.pop(ignored, None)
    refers: dict[str, dict[str, None]] = {name: {} for name in values}
    for item in block.body:
        if type(item) is not Note and (name := item.name if type(item) is Argument else item.type) in refers:
            refers[name].update(dict.fromkeys(walk_references(directory, item, set())))
    address = block.address
    return {
        name: FixedArgument(digest_text(repr(pairs)), updated.get((address, name), ""), tuple(refers[name]))
        for name, pairs in values.items()
    }


def walk_references(directory: DirectoryInstance, item: Argument | Block, seen: set[int]) -> Iterator[str]:
    """The resources of the template to which an item refers, directly or through locals and data sources."""
    owners = directory.emission.blocks.owner_of
    for expr in walk_item(item):
        parts = expr.parts if isinstance(expr, Traversal) else ()
        definition = directory.find_definition(".".join(parts[: 3 if parts[0] == "data" else 2])) if parts[1:] else None
        if definition is None or id(definition) in seen:
            continue
        seen.add(id(definition))
        if id(definition) in owners:
            yield owners[id(definition)]
        elif parts[0] in ("data", "local"):
            yield from walk_references(directory, definition, seen)


def walk_item(item: Argument | Block | Note) -> Iterator[Expr]:
    """All expressions of an argument or block."""
    if type(item) is Argument:
        yield from walk_expression(item.value) if type(item.value) is not str else ()  # most are
    for inner in item.body if type(item) is Block else ():
        yield from walk_item(inner)


@functools.cache
def digest_text(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def digest_resource(emission: Emission, name: str) -> str:
    """A digest of a resource of the template without its name: one part for its type, and one for its content. For a
    running resource, it includes the physical ID: under another name, Heat has created another object.
    """
    resource: ir.Resource | None = emission.unit.template.resources.get(name)
    if resource is None:
        return ""
    physical_id = emission.unit.running.find_physical_id(name)
    parts: tuple[object, ...] = (
        resource.properties if resource.has_properties else None,
        resource.metadata,
        resource.update_policy,
        resource.deletion_policy,
        resource.external_id,
        resource.condition if resource.is_conditional else None,
        *([physical_id] if physical_id is not None else []),
    )
    kind = emission.unit.stack.types.get(name, resource.type)
    return f"{digest_text(kind)}-{digest_text(repr((resource.type, *parts)))}"
