"""Finds the families of one directory that can be merged.

Invariant: families only get smaller or fewer during the search, so it ends. A family refers to another family by the
other's final keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.namespace import UniqueNames
from emitters.hcl.roll_up.families import ALL_RULES, Family, assign_labels, list_candidates, make_family, split_by_group
from emitters.hcl.roll_up.merging import FamilyMerger, MergedFamily
from emitters.hcl.roll_up.names import DirectoryNames
from emitters.hcl.roll_up.values import NeedsMap, NotAlike
from emitters.hcl.tree.nodes import Argument, Block
from emitters.hcl.tree.printer import print_hcl
from transpile.diagnostics import codes

SHAPES = 50  # a block that is like none of the first so many others of its name is left


def count_lines(*items: Block | Argument | None) -> int:
    """The lines of blocks, or of the local with the values of a family, with the blank ones between them."""
    lines = 0
    for item in items:
        if isinstance(item, Argument):
            item = Block("locals", body=[item])
        lines += print_hcl([item]).count("\n") + 1 if item is not None else 0
    return lines


def name_values(family: Family) -> str:
    """A name for the local with the values of a family."""
    if family.rules:
        return "rules" if family.preferred == ALL_RULES else f"{family.label}_rules"
    return f"{family.label}_values"


@final
class FamilySearch:
    """The families of one directory, which `settle` makes consistent."""

    def __init__(self, emission: Emission) -> None:
        self.emission = emission
        self.groups = list_candidates(emission)
        self.families = [f for blocks in self.groups if (f := make_family(blocks)) is not None]
        self.names = DirectoryNames(())
        self.locals: dict[int, str] = {}  # names of locals, by id() of the family
        self.candidates = [id(block) for family in self.families for block in family.members]
        self.reasons: dict[int, str] = {}  # why a member is left, by id() of its block

    def settle(self) -> None:
        """Splits the families until each can be merged, and drops those whose members would not become shorter."""
        while True:
            self.name_families()
            changed = False
            for family in list(self.families):
                try:
                    merged = self.merge_family(family)
                    if count_lines(merged.block, merged.values) >= count_lines(*family.members):
                        self.drop_family(family, "one block would not be shorter")
                        changed = True
                except NeedsMap:
                    family.counted = False
                    changed = True
                except NotAlike as e:
                    self.split_family(family, e.why)
                    changed = True
            if not changed:
                return

    def drop_family(self, family: Family, why: str) -> None:
        """Leaves the members of a family as they are, or the rules of several groups as a family for each group."""
        self.reasons |= dict.fromkeys(map(id, family.members), why)
        parts = {id(family): split_by_group(family)}
        self.families = [part for other in self.families for part in parts.get(id(other), [other])]

    def name_families(self) -> None:
        assign_labels(self.emission, self.families)
        self.names = DirectoryNames(self.families)
        taken = UniqueNames(self.emission.names.locals.taken, self.emission.names.shape)
        self.locals = {id(family): taken.reserve_name(name_values(family)) for family in self.families}

    def merge_family(self, family: Family, members: Sequence[Block] | None = None) -> MergedFamily:
        """The block of a family. members: with their final bodies."""
        if members is not None:
            family.members = members
        return FamilyMerger(family, self.names, self.locals[id(family)]).merge()

    def split_family(self, family: Family, why: str) -> None:
        """Replaces a family by families of those of its members that are alike. why: the reason why not all can be
        merged.
        """
        groups: list[list[Block]] = []
        for block in family.members:
            for group in groups[:SHAPES]:
                if not (why := self.find_difference(family, group[0], block)):
                    group.append(block)
                    break
                self.reasons[id(block)] = why
                self.reasons.setdefault(id(group[0]), why)
            else:
                groups.append([block])
        place = next(i for i, other in enumerate(self.families) if other is family)
        if len(groups) == 1:
            self.reasons |= dict.fromkeys(map(id, family.members), why)
        smaller = [f for group in groups if (f := make_family(group)) is not None] if len(groups) > 1 else []
        self.families[place : place + 1] = smaller

    def find_difference(self, family: Family, first: Block, second: Block) -> str:
        """Why two members of a family cannot become one block; empty if they can."""
        pair = Family((first, second), ("1", "2"), counted=False, rules=family.rules, label=family.label)
        try:
            FamilyMerger(pair, self.names, "").merge()
        except NotAlike as e:
            return e.why or "different values"
        return ""

    def report_left(self) -> None:
        """Reports the candidates that are left, by reason."""
        rolled = {id(block) for family in self.families for block in family.members}
        owners, log = self.emission.blocks.owner_of, self.emission.log
        for place in self.candidates:
            if place not in rolled:
                message = "Copies that stay blocks of their own: {}."
                owner = self.emission.unit.template.resources[owners[place]]
                why = self.reasons.get(place, "too few are alike")
                log.gather_name(codes.COPIES_NOT_ROLLED_UP, message, why, owner.name, owner.name_span)
