"""Makes stand-ins for values that only the provider computes: IDs, addresses, results of data sources.

Invariant: a stand-in has the type of the provider's schema, and differs between resources. In a file for Terraform it
also differs between the instances of a resource or module. In a file for OpenTofu all instances share it, because
OpenTofu overrides resources, not their instances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

from emitters.hcl.evaluation.functions import EvaluationFailed, UnknownValue, convert_to_text
from emitters.hcl.evaluation.instances import MISSING, BlockInstance, add_key, compute_once
from emitters.hcl.evaluation.stand_ins import make_stand_in
from emitters.hcl.evaluation.values import HclEvaluation
from emitters.hcl.proof.blocks import NestedBlock, expand_blocks
from emitters.hcl.tables.provider import Providers, parse_type
from emitters.hcl.tree.nodes import Attr, Block, Cond, Expr, Index
from emitters.hcl.tree.printer import print_inline

PROJECT, ZONE = "project", "nova"
FIXED_VALUES: Mapping[tuple[str, str], Any] = {  # Heat's evaluation gets the same values
    ("data.openstack_identity_auth_scope_v3", "project_id"): PROJECT,
    ("data.openstack_compute_availability_zones_v2", "names"): [ZONE],
}


class AfterApply(UnknownValue):
    """The value is known only when the resource exists."""


@final
class Override:
    """A resource or data source, and its stand-ins by attribute."""

    def __init__(self, address: Expr, *, data: bool) -> None:
        self.address, self.data = address, data
        self.values: dict[str, Any] = {}


@final
class Overrides:
    """The stand-ins of one test file, by address.

    mocked: a data source has no value for a search argument that is not given, because Terraform's mock providers have
    none; a real data source has the value of the object. by_instance: whether instances have stand-ins of their own.
    `rename`: gives the address that the files have, where numbered copies are rolled up.
    """

    def __init__(self, providers: Providers, *, mocked: bool = True, by_instance: bool = True) -> None:
        self.providers, self.mocked, self.by_instance = providers, mocked, by_instance
        self.rename: Callable[[Expr], Expr] = lambda address: address
        self.by_address: dict[str, Override] = {}
        self.labels: dict[str, str] = {}  # prefix of stand-ins → address
        self.owners: dict[str, dict[str, BlockInstance]] = {}  # text stand-in → address → instance

    def stand_in_for(self, instance: BlockInstance, name: str) -> Any:
        """A stand-in for an attribute that no argument sets. Raises UnknownValue if none can be made."""
        block, directory = instance.block, instance.directory
        names = (block.type, *block.labels) if block.type == "data" else block.labels
        kind = ".".join(names[:-1])
        facts = self.providers.find_schema(kind)
        if not facts:
            raise UnknownValue(f"{name} of {instance.address_text}, of which nothing is known")
        if name in facts.get("blocks", {}):
            values = nested_block_values(instance, name, facts["blocks"][name])
            if not values and not self.mocked:  # a mock makes none, but the provider may
                raise UnknownValue(f"the {name} blocks of {instance.address_text} in the provider")
            return values
        about = facts.get("arguments", {}).get(name)
        if about is None:
            raise EvaluationFailed(f"{kind} has no attribute {name}")
        if not about.get("computed") and name != "id" and (self.mocked or block.type != "data"):
            return None  # an argument that is not given
        key = instance.key if self.by_instance and not is_single(block) else None
        address = self.rename(add_key(directory.address_inside(*names), key))
        address = address if self.by_instance else path_without_keys(address)
        over = self.by_address.setdefault(print_inline(address), Override(address, data=block.type == "data"))
        values = over.values
        if name not in values:
            value = FIXED_VALUES.get((kind, name), MISSING)
            if value is MISSING:
                words = [*module_names(directory.path), block.labels[-1]]
                words += [str(key)] if key is not None else []
                label = self.unique_label(words, print_inline(address))
                value = make_stand_in(parse_type(about.get("type", "dynamic")), f"{label}-{name}", instance)
            values[name] = value
        if isinstance(values[name], str):
            self.owners.setdefault(values[name], {})[instance.address_text] = instance
        return values[name]

    @property
    def have_keys(self) -> bool:
        """Whether an address has an instance key, such as the `[0]` of `module.a[0].b.c`."""
        return any(over.address != path_without_keys(over.address) for over in self.by_address.values())

    def unique_label(self, words: list[str], address: str) -> str:
        """The prefix of the stand-ins of an address: its names, and a number if another address has the same names."""
        preferred, number = "-".join(words), 1
        while (
            self.labels.setdefault(label := preferred if number == 1 else f"{preferred}-{number}", address) != address
        ):
            number += 1
        return label

    def planned_stand_in(self, instance: BlockInstance, name: str) -> Any:
        """Like `stand_in_for` while Terraform plans. Only data sources are read by then, so others raise AfterApply."""
        value = self.stand_in_for(instance, name)
        facts = self.providers.find_schema(instance.block.labels[0])
        if instance.block.type != "data" and name not in facts.get("blocks", {}) and value is not None:
            raise AfterApply(f"{name} of {instance.address_text}")
        return value


def is_single(block: Block) -> bool:
    """Whether a block has one instance at most, as `count` of `c ? 1 : 0` makes it."""
    count = block.find_argument("count")
    return count is not None and isinstance(count.value, Cond) and {count.value.yes, count.value.no} == {0, 1}


def resource_address(address: Expr) -> Expr:
    """The address of a resource, from this address or that of an instance: `a.b[0]` gives `a.b`."""
    return address.of if isinstance(address, Index) else address


def path_without_keys(path: Expr) -> Expr:
    """An address without instance keys: `module.a[0].module.b` gives `module.a.module.b`."""
    match path:
        case Attr(of, name):
            return Attr(path_without_keys(of), name)
        case Index(of, _):
            return path_without_keys(of)
    return path


def module_names(path: Expr | None) -> list[str]:
    """The names of the modules that lead to a directory."""
    return (
        [] if path is None else [word for word in print_inline(path_without_keys(path)).split(".") if word != "module"]
    )


def nested_block_values(instance: BlockInstance, name: str, facts: Mapping[str, Any]) -> Any:
    """The nested blocks with this name. Raises UnknownValue or EvaluationFailed."""
    around = NestedBlock(instance.block.body, instance.bound)
    values = [NestedBlockValue(instance, block, facts) for block in expand_blocks(instance.directory, around, name)]
    if facts.get("nesting") == "single":
        return values[0] if values else None
    return values


@final
class NestedBlockValue:
    """A nested block of an instance."""

    def __init__(self, instance: BlockInstance, block: NestedBlock, facts: Mapping[str, Any]) -> None:
        self.instance, self.block, self.facts = instance, block, facts
        self.attributes: dict[str, Any] = {}

    def attribute_of(self, name: str) -> Any:
        return compute_once(self.attributes, name, self.compute_attribute)

    def compute_attribute(self, name: str) -> Any:
        argument = self.block.find_argument(name)
        if argument is not None:
            return HclEvaluation(self.instance.directory, self.block.bound).evaluate(argument.value)
        if name in self.facts.get("arguments", {}):
            raise UnknownValue(f"{convert_to_text(name)} in a block of {self.instance.address_text}")
        raise EvaluationFailed(f"there is no {name}")
