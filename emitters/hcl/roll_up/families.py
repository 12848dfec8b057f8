"""Families of blocks: numbered copies in one directory, and the rules of its security groups.

Invariant: a family is found by the labels of its members, which are those of the template, and by nothing that a second
run might see otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.namespace import LEGAL, UniqueNames
from emitters.hcl.tree.nodes import Attr, Block, Expr, Index, Traversal
from emitters.hcl.tree.printer import print_inline
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import entity

RULE, GROUP = "openstack_networking_secgroup_rule_v2", "openstack_networking_secgroup_v2"
LEAST = 2  # members of a family
OF_GROUP = "security_group_id"  # the argument of a rule
MODULE = "module"
ALL_RULES = "rule"  # the label of the rules of several groups
NUMBERS = compile_lazily(r"(\d+)")


@final
@entity
class Family:
    """Blocks that may become one. keys: of `for_each`, in the order of the members. counted: `count` numbers them, so
    that the key of each is its place. rules: the members are the rules of security groups; an argument that one of
    them lacks is null. label: of the block that they become.
    """

    members: Sequence[Block]
    keys: Sequence[str]
    counted: bool
    rules: bool = False
    preferred: str = ""
    label: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """The address of the block that they become, as names: `(openstack_networking_port_v2, port)`."""
        first = self.members[0]
        return (MODULE, self.label) if first.type == MODULE else (first.labels[0], self.label)

    @property
    def address(self) -> str:
        return ".".join(self.names)

    def key_of(self, place: int) -> int | str:
        """The key of the instance that a member becomes."""
        return place if self.counted else self.keys[place]

    def address_of_member(self, place: int) -> Expr:
        """The address of the instance that a member becomes."""
        return Index(Traversal(self.names), self.key_of(place))

    def instance_address(self, place: int) -> str:
        return print_inline(self.address_of_member(place))


def names_of_block(block: Block) -> tuple[str, str]:
    """The address of a block as names."""
    return (MODULE, block.labels[0]) if block.type == MODULE else (block.labels[0], block.labels[1])


def list_candidates(emission: Emission) -> list[list[Block]]:
    """The blocks that may be families: numbered copies of one type or module, by their labels, and all rules."""
    numbered: dict[tuple[object, str], list[Block]] = {}
    rules: list[Block] = []
    for block in emission.blocks.main:
        if not isinstance(block, Block) or block.type not in ("resource", MODULE):
            continue
        if id(block) not in emission.blocks.owner_of or block.repetition is not None:
            continue
        if name_security_group(block):
            rules.append(block)
            continue
        kind, label = names_of_block(block)
        if NUMBERS.search(label):
            kind_key = id(emission.modules[label]) if kind == MODULE else kind
            numbered.setdefault((kind_key, NUMBERS.sub("#", label)), []).append(block)
    return [*numbered.values(), rules]


def name_security_group(block: Block) -> str:
    """The label of the security group whose rule a block is; empty if it is no rule, or if its group is not created
    here.
    """
    group = block.find_argument(OF_GROUP) if block.type == "resource" and block.labels[0] == RULE else None
    match join_names(group.value) if group is not None else None:
        case Traversal((kind, label, "id")) if kind == GROUP:
            return label
    return ""


def join_names(expr: Expr) -> Expr:
    """A name with its attributes as one node: both forms are printed as `a.b.c`."""
    if isinstance(expr, Attr):
        of = join_names(expr.of)
        return Traversal((*of.parts, expr.name)) if isinstance(of, Traversal) else expr
    return expr


def make_family(blocks: Sequence[Block]) -> Family | None:
    """The family of some blocks; None if they are too few."""
    if len(blocks) < LEAST:
        return None
    groups = {name_security_group(block) for block in blocks}
    if group := groups.pop():
        labels = [block.labels[1] for block in blocks]
        return Family(blocks, labels, counted=False, rules=True, preferred=ALL_RULES if groups else group)
    pieces = [NUMBERS.split(names_of_block(block)[1]) for block in blocks]
    varying = [i for i in range(1, len(pieces[0]), 2) if len({piece[i] for piece in pieces}) > 1]
    keys = ["_".join(piece[i] for i in varying) for piece in pieces]
    if len(varying) == 1 and all(key.isdecimal() for key in keys):
        order = sorted(range(len(keys)), key=lambda place: int(keys[place]))
        blocks, keys = [blocks[place] for place in order], [keys[place] for place in order]
    counted = keys == [str(n) for n in range(len(keys))]
    preferred = "".join(piece for i, piece in enumerate(pieces[0]) if i not in varying)
    return Family(blocks, keys, counted, preferred=clean_label(preferred, blocks[0]))


def split_by_group(family: Family) -> list[Family]:
    """The families of the rules of each group, for one of several groups."""
    rules: dict[str, list[Block]] = {}
    for block in family.members if family.rules else ():
        rules.setdefault(name_security_group(block), []).append(block)
    return [part for blocks in rules.values() if len(rules) > 1 and (part := make_family(blocks)) is not None]


def clean_label(words: str, block: Block) -> str:
    """The name that copies have in common, without the separator before their numbers."""
    label = re.sub(r"_+", "_", re.sub(r"-+", "-", words)).strip("_-")
    if LEGAL.fullmatch(label):
        return label
    kind = names_of_block(block)[0]
    return kind.split("_")[-2] if kind.count("_") > 1 else kind


def assign_labels(emission: Emission, families: Iterable[Family]) -> None:
    """Gives each family a label that no block of its type has, not even one that becomes a part of it: `moved` blocks
    need both.
    """
    taken: dict[str, UniqueNames] = {}
    for family in families:
        kind = names_of_block(family.members[0])[0]
        if kind not in taken:
            names = emission.names.labels.get(kind)
            taken[kind] = UniqueNames(names.taken if names is not None else (), emission.names.shape)
        family.label = taken[kind].reserve_name(family.preferred)


def add_attributes(of: Expr, names: Iterable[str]) -> Expr:
    """`of.a.b`."""
    for name in names:
        of = Attr(of, name)
    return of
