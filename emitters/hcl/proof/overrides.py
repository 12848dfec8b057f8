"""Stand-ins for what only the provider computes: IDs, addresses, what data sources find.

Invariant: a stand-in has the type that the provider's schema says, and no two resources have the same. All instances of
a resource have the same: OpenTofu overrides resources, not their instances. Those in instances of a module have not:
Terraform overrides nothing in a module that is repeated, but by the instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.hcl.evaluation.functions import Failed, Unknown, text_of
from emitters.hcl.evaluation.instances import MISSING, Instance
from emitters.hcl.evaluation.values import Evaluation
from emitters.hcl.tables.provider import parse_type
from emitters.hcl.tree.nodes import Argument, Attr, Block, Index
from emitters.hcl.tree.printer import print_inline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.tables.provider import Providers
    from emitters.hcl.tree.nodes import Expr
    from emitters.hcl.tree.types import HclType

ITEMS = 4  # of a list that is read
PROJECT, ZONE = "project", "nova"
KNOWN: Mapping[tuple[str, str], Any] = {  # what Heat's evaluation is told, too
    ("data.openstack_identity_auth_scope_v3", "project_id"): PROJECT,
    ("data.openstack_compute_availability_zones_v2", "names"): [ZONE],
}


class AfterApply(Unknown):
    """A value that is known only when the resource exists."""


@final
class Override:
    """A resource or data source that gets stand-ins, and these by attribute."""

    def __init__(self, address: Expr, *, data: bool) -> None:
        self.address, self.data = address, data
        self.values: dict[str, Any] = {}


@final
class Overrides:
    """The stand-ins of one test file, by address."""

    def __init__(self, providers: Providers) -> None:
        self.providers = providers
        self.given: dict[str, Override] = {}
        self.labels: dict[str, str] = {}  # what stand-ins begin with → the address
        self.owners: dict[str, dict[str, Instance]] = {}  # of the stand-ins that are texts, by address

    def of(self, instance: Instance, name: str) -> Any:
        """The value of an attribute that no argument gives. Raises Unknown where nothing can stand in for it."""
        block, directory = instance.block, instance.directory
        names = (block.type, *block.labels) if block.type == "data" else block.labels
        kind = ".".join(names[:-1])
        facts = self.providers.find_schema(kind)
        if facts is None:
            raise Unknown(f"{name} of {instance.shown}, of which nothing is known")
        if name in facts.get("blocks", {}):
            return blocks(instance, name, facts["blocks"][name])
        about = facts.get("arguments", {}).get(name)
        if about is None:
            raise Failed(f"{kind} has no attribute {name}")
        if not about.get("computed") and name != "id":
            return None  # an argument that is not given
        address = directory.below(*names)
        over = self.given.setdefault(print_inline(address), Override(address, data=block.type == "data"))
        known = over.values
        if name not in known:
            value = KNOWN.get((kind, name), MISSING)
            if value is MISSING:
                label = self.label([*within(directory.path), block.labels[-1]], print_inline(address))
                value = made(parse_type(about.get("type", "dynamic")), f"{label}-{name}", instance)
            known[name] = value
        if isinstance(known[name], str):
            self.owners.setdefault(known[name], {})[instance.shown] = instance
        return known[name]

    def label(self, words: list[str], address: str) -> str:
        """What the stand-ins of an address begin with: its names, and a number if another address has the same."""
        wanted, number = "-".join(words), 1
        while self.labels.setdefault(label := wanted if number == 1 else f"{wanted}-{number}", address) != address:
            number += 1
        return label

    def planned(self, instance: Instance, name: str) -> Any:
        """The same while Terraform plans, when only data sources have been read."""
        found = self.of(instance, name)
        facts = self.providers.find_schema(instance.block.labels[0]) or {}
        if instance.block.type != "data" and name not in facts.get("blocks", {}) and found is not None:
            raise AfterApply(f"{name} of {instance.shown}")
        return found


def whole(address: Expr) -> Expr:
    """The address of a resource, of which one is that of an instance."""
    return address.of if isinstance(address, Index) else address


def bare(path: Expr) -> Expr:
    """The path to a module without keys."""
    match path:
        case Attr(of, name):
            return Attr(bare(of), name)
        case Index(of, _):
            return bare(of)
    return path


def within(path: Expr | None) -> list[str]:
    """The names of the modules that lead to a directory."""
    return [] if path is None else [word for word in print_inline(bare(path)).split(".") if word != "module"]


def made(kind: HclType, label: str, instance: Instance) -> Any:
    """A value of a type, named after what it stands for."""
    match kind.kind:
        case "string":
            return label
        case "list" | "set" if kind.of is not None and kind.of.kind == "string":
            return [f"{label}-{n}" for n in range(ITEMS)]
        case "number":
            return 1 + sum(map(ord, label)) % 1000
        case "bool":
            return True
        case "map":
            return {}
    raise Unknown(f"an attribute of {instance.shown} whose type has no stand-in")


def blocks(instance: Instance, name: str, facts: Mapping[str, Any]) -> Any:
    """The nested blocks of a name, as far as they are written out."""
    found = []
    for item in instance.block.body:
        if isinstance(item, Block) and item.type == "dynamic" and item.labels == (name,):
            raise Unknown(f"{name} of {instance.shown}, which is dynamic")
        if isinstance(item, Block) and item.type == name:
            found.append(Nested(instance, item, facts))
    if facts.get("nesting") == "single":
        return found[0] if found else None
    return found


@final
class Nested:
    """A nested block of an instance."""

    def __init__(self, instance: Instance, block: Block, facts: Mapping[str, Any]) -> None:
        self.instance, self.block, self.facts = instance, block, facts

    def attribute(self, name: str) -> Any:
        given = next((a for a in self.block.body if isinstance(a, Argument) and a.name == name), None)
        if given is not None:
            return Evaluation(self.instance.directory, self.instance.bound).of(given.value)
        if name in self.facts.get("arguments", {}):
            raise Unknown(f"{text_of(name)} in a block of {self.instance.shown}")
        raise Failed(f"there is no {name}")
