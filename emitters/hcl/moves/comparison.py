"""Compares the addresses of two conversions: objects with another address now, and those that Terraform would destroy
although Heat keeps it.

Invariant: two addresses are one object only if they are the same member of the same resource of the template. Or one
resource is gone, and exactly one is new and equal to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, final

from emitters.hcl.address_rows import NOWHERE, AddressRow, walk_addresses
from emitters.hcl.tree.nodes import Expr
from emitters.hcl.tree.printer import print_inline

PART = "="


class Move(NamedTuple):
    """An object that has another address now."""

    source: Expr
    target: Expr


class Loss(NamedTuple):
    """An object that Terraform destroys although Heat keeps it, and why it cannot be moved."""

    address: str
    why: str


class Instance(NamedTuple):
    row: AddressRow
    member: str

    @property
    def kind(self) -> str:
        return self.row.names[0]

    @property
    def group_member(self) -> str:
        return self.member.partition(PART)[0]


@final
class AddressComparison:
    """The comparison of an earlier conversion with this one. renamed: resources with another name in the template."""

    def __init__(self, before: list[AddressRow], now: list[AddressRow]) -> None:
        self.moves: list[Move] = []
        self.losses: list[Loss] = []
        self.replaced: list[Loss] = []
        self.replaced_by_both: list[Loss] = []
        self.renamed: list[tuple[str, str]] = []
        self.declared = {print_inline(address) for address, _, _ in walk_addresses(now)}
        self.earlier = {print_inline(address) for address, _, _ in walk_addresses(before)}
        self.compare_directories(before, now, None)
        self.drop_impossible_moves()

    def compare_directories(self, before: list[AddressRow], now: list[AddressRow], path: Expr) -> None:
        """Compares the rows of one directory. path: its address now, to which the state has been moved already."""
        old, new = group_by_owner(before), group_by_owner(now)
        names = find_renamed_owners(old, new)
        self.renamed += names.items()
        same: list[tuple[Instance, Instance]] = []
        for owner, old_rows in old.items():
            new_rows = new.get(names.get(owner, owner), [])
            if not new_rows:
                continue
            old_heat, new_heat = find_heat_stack(old_rows), find_heat_stack(new_rows)
            if new_rows[0].names == NOWHERE:
                why = f"{owner} has no resource in Terraform any more"
                self.lose(old_rows, path, why)
                if old_heat is not None:
                    self.losses.append(Loss(f"{owner} in {print_inline(old_heat.address_in(path))}", why))
            elif old_heat is None and new_heat is None:
                same += self.compare_owners(old_rows, new_rows, path)
            elif old_heat is None and new_heat is not None:
                why = f"{owner} stays with Heat now, in {'.'.join(new_heat.names)}, which creates it again"
                self.lose(old_rows, path, why)
            elif new_heat is None and old_heat is not None:
                address = print_inline(old_heat.address_in(path))
                self.losses.append(Loss(f"{owner} in {address}", "Terraform itself creates it now"))
        self.move_heat_stacks(before, now, path)
        self.find_replacements(same, path)

    def find_replacements(self, same: Sequence[tuple[Instance, Instance]], path: Expr) -> None:
        """Finds the blocks that Terraform replaces: an argument changes that it cannot update, or refers to a replaced
        block.
        """
        replaced: dict[str, None] = {}
        reported: set[int] = set()
        grown = True
        while grown:
            grown = False
            for number, (old, new) in enumerate(same):
                why = explain_replacement(old.row, new.row, replaced)
                if why is None:
                    continue
                if new.row.owner not in replaced:
                    replaced[new.row.owner] = None
                    grown = True
                if number not in reported:
                    reported.add(number)
                    loss = Loss(print_inline(new.row.address_in(path, new.member)), why.text)
                    (self.replaced if why.updated else self.replaced_by_both).append(loss)

    def move_heat_stacks(self, before: list[AddressRow], now: list[AddressRow], path: Expr) -> None:
        """Moves stacks of Heat that have another address, each to the one that has most of its resources."""
        owners = {row.owner: row for row in now if row.heat}
        shared: dict[tuple[tuple[str, str], tuple[str, str]], int] = {}
        for row in before:
            if row.heat and row.owner in owners:
                pair = row.names, owners[row.owner].names
                shared[pair] = shared.get(pair, 0) + 1
        taken: set[tuple[str, str]] = set()
        by_names = {row.names: row for row in before if not row.heat}, {row.names: row for row in now if not row.heat}
        for old, new in sorted(shared, key=lambda pair: (-shared[pair], pair)):
            if old in taken or new in taken or old not in by_names[0] or new not in by_names[1]:
                continue
            taken |= {old, new}
            self.move_instances(
                match_instances(list_instances([by_names[0][old]]), list_instances([by_names[1][new]])), path
            )

    def compare_owners(
        self, before: Sequence[AddressRow], now: Sequence[AddressRow], path: Expr
    ) -> list[tuple[Instance, Instance]]:
        """Compares the blocks of one resource of the template. Returns the pairs of instances that are the same
        object.
        """
        old, new = list_instances(before), list_instances(now)
        pairs = match_instances(old, new)
        matched = {(id(instance.row), instance.member) for instance, _ in pairs}
        members = {instance.group_member for instance in new}
        for instance in old:
            left = (id(instance.row), instance.member) not in matched
            if left and instance.row.digest and instance.group_member in members:
                kept = {row.digest.partition("-")[0] for row in now if row.digest}
                if instance.row.digest.partition("-")[0] in kept:
                    why = f"it becomes {', '.join('.'.join(row.names) for row in now if row.digest)}"
                    self.losses.append(Loss(print_inline(instance.row.address_in(path, instance.member)), why))
        self.move_instances(pairs, path)
        return pairs

    def move_instances(self, pairs: Iterable[tuple[Instance, Instance]], path: Expr) -> None:
        """Moves instances, and compares the contents of modules."""
        for old, new in pairs:
            source, target = old.row.address_in(path, old.member), new.row.address_in(path, new.member)
            if source != target:
                self.moves.append(Move(source, target))
            if old.row.is_module and new.row.is_module:
                inside_before = old.row.inside.get(old.member, [])
                self.compare_directories(inside_before, new.row.inside.get(new.member, []), target)

    def lose(self, rows: Iterable[AddressRow], path: Expr, why: str) -> None:
        for row in rows:
            if row.digest and not row.heat:
                self.losses += [Loss(print_inline(row.address_in(path, member)), why) for member in row.keys]

    def drop_impossible_moves(self) -> None:
        """Leaves moves that Terraform refuses: from an address that is still used, or to one from which nothing moves
        away.
        """
        sources = {print_inline(move.source) for move in self.moves}
        kept = []
        for move in self.moves:
            source, target = print_inline(move.source), print_inline(move.target)
            if source in self.declared:
                self.losses.append(Loss(source, f"{target} is its address now, but another resource has its old one"))
            elif target in self.earlier and target not in sources:
                self.losses.append(Loss(source, f"{target} is its address now, which another resource had"))
            else:
                kept.append(move)
        self.moves = kept


class ReplacementReason(NamedTuple):
    """Why Terraform replaces an object, and whether Heat would update it."""

    text: str
    updated: bool


def explain_replacement(old: AddressRow, new: AddressRow, replaced: Collection[str]) -> ReplacementReason | None:
    """Why Terraform replaces an object; None if it does not."""
    reasons = []
    for name, argument in new.fixed.items():
        before = old.fixed.get(name)
        if before is not None and before.digest != argument.digest:
            reasons.append((argument, f"the provider cannot change {name}"))
        elif others := [owner for owner in argument.refers if owner in replaced]:
            reasons.append((argument, f"{name} refers to {', '.join(others)}, which is replaced"))
    if not reasons:
        return None
    argument, why = next((each for each in reasons if each[0].updated), reasons[0])
    return ReplacementReason(why, bool(argument.updated))


def group_by_owner(rows: Iterable[AddressRow]) -> dict[str, list[AddressRow]]:
    grouped: dict[str, list[AddressRow]] = {}
    for row in rows:
        grouped.setdefault(row.owner, []).append(row)
    return grouped


def find_heat_stack(rows: Iterable[AddressRow]) -> AddressRow | None:
    return next((row for row in rows if row.heat), None)


def find_renamed_owners(old: dict[str, list[AddressRow]], new: dict[str, list[AddressRow]]) -> dict[str, str]:
    """The resources that are gone, each with the one new resource that is equal to it, if neither side has another."""
    gone, added = index_digests(old, new), index_digests(new, old)
    return {
        names[0]: added[digest][0]
        for digest, names in gone.items()
        if len(names) == 1 and len(added.get(digest, ())) == 1
    }


def index_digests(rows: dict[str, list[AddressRow]], others: dict[str, list[AddressRow]]) -> dict[str, list[str]]:
    """The names of the resources that only one side has, by digest."""
    names: dict[str, list[str]] = {}
    for owner, own in rows.items():
        digest = next((row.digest for row in own if row.digest), "")
        if owner not in others and digest:
            names.setdefault(digest, []).append(owner)
    return names


def list_instances(rows: Iterable[AddressRow]) -> list[Instance]:
    return [Instance(row, member) for row in rows for member in row.keys]


def match_instances(old: Sequence[Instance], new: Sequence[Instance]) -> list[tuple[Instance, Instance]]:
    """The instances that are the same: those of one member and, if it has parts, of equal parts; then those that have
    the same place, and those of which each side has one only.
    """
    pairs: list[tuple[Instance, Instance]] = []
    for key in (name_instance, place_instance, name_group_member):
        by_key = index_instances(old, key), index_instances(new, key)
        same = {k for k, left in by_key[0].items() if len(left) == len(by_key[1].get(k, ())) == 1}
        pairs += [(by_key[0][k][0], by_key[1][k][0]) for k in by_key[0] if k in same]
        old = [instance for instance in old if key(instance) not in same]
        new = [instance for instance in new if key(instance) not in same]
    return pairs


def name_instance(instance: Instance) -> object:
    return instance.kind, instance.member


def place_instance(instance: Instance) -> object:
    return *instance.row.names, instance.row.keys[instance.member]


def name_group_member(instance: Instance) -> object:
    return instance.kind, instance.group_member


def index_instances(instances: Iterable[Instance], key: Callable[[Instance], object]) -> dict[object, list[Instance]]:
    index: dict[object, list[Instance]] = {}
    for instance in instances:
        index.setdefault(key(instance), []).append(instance)
    return index
