"""Merges the members of a family into one block: their common parts, and their differences as values of each key.

Invariant: an argument or a block that a member has and another lacks is a difference in shape. Only for the rules of a
security group, an absent argument is one that is null.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple, final

from emitters.hcl.roll_up.families import OF_GROUP, Family, join_names, name_security_group, names_of_block
from emitters.hcl.roll_up.names import DEPENDS_ON, DirectoryNames
from emitters.hcl.roll_up.values import ABSENT, CHAIN, EACH_VALUE, NotAlike, ValueMerger, are_same
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, Index, Note, Object, Traversal, Tuple
from emitters.hcl.tree.rebuilding import rebuild_body, rebuild_expression
from transpile.model.records import replace

CONSTANT = ("lifecycle",)  # blocks in which nothing is evaluated
FIXED = ("source", "version", "provider", "providers", DEPENDS_ON)  # arguments in which nothing is evaluated
COMMON_NAMES = ("id", "name", "value", "type", "key")  # of arguments of nested blocks: they say too little alone
Item = Argument | Block | Note


class MergedFamily(NamedTuple):
    """The block that a family becomes, and the local with the values of its keys; None if there are none."""

    block: Block
    values: Argument | None


@final
class FamilyMerger:
    """Merges one family. local: the name of the local with the values. Raises NotAlike, and NeedsMap if the family is
    counted and cannot be.
    """

    def __init__(self, family: Family, names: DirectoryNames, local: str) -> None:
        self.family, self.names, self.local = family, names, local
        self.values = ValueMerger(family, names)

    def merge(self) -> MergedFamily:
        family, first = self.family, self.family.members[0]
        body = (
            self.merge_rules([block.body for block in family.members])
            if family.rules
            else self.merge_bodies([block.body for block in family.members])
        )
        values: Argument | None = None
        repeat = Argument("count", len(family.members))
        if not family.counted:
            keys = tuple(family.keys)
            repeat = Argument("for_each", Fn("toset", (Tuple(keys),)))
            if self.values.columns:
                repeat = Argument("for_each", Traversal(("local", self.local)))
                values = Argument(self.local, self.make_values(), first.span)
                if self.has_one_column:
                    body = rebuild_body(body, lambda argument: rebuild_expression(argument.value, shorten_value))
        labels = (*first.labels[:-1], family.label)
        comments = self.merge_comments([block.comments for block in family.members])
        return MergedFamily(replace(first, labels=labels, body=[repeat, *body], comments=comments), values)

    @property
    def has_one_column(self) -> bool:
        return len(self.values.columns) == 1 and not self.family.rules

    def make_values(self) -> Expr:
        """The values of the keys, as an object."""
        rows: list[tuple[Expr, Expr]] = []
        for place, key in enumerate(self.family.keys):
            row = [(name, column[place]) for name, column in self.values.columns.items()]
            cells = [(name, cell) for name, cell in row if cell is not ABSENT]
            rows.append((key, cells[0][1] if self.has_one_column else Object(tuple(cells))))
        return Object(tuple(rows))

    # bodies

    def merge_bodies(self, bodies: Sequence[Sequence[Item]], above: str = "", *, constant: bool = False) -> list[Item]:
        parts = [[item for item in body if not isinstance(item, Note)] for body in bodies]
        if len({tuple(map(name_item, items)) for items in parts}) > 1:
            raise NotAlike(explain_shapes([[name_item(item) for item in items] for items in parts], above))
        merged: list[Item] = []
        for items in zip(*parts, strict=True):
            first = items[0]
            if isinstance(first, Argument):
                merged.append(self.merge_arguments(items, above, constant=constant))
            else:
                if any((item.type, item.labels) != (first.type, first.labels) for item in items):
                    raise NotAlike(f"different {name_item(first)}")
                inside = self.merge_bodies(
                    [item.body for item in items],
                    name_item(first),
                    constant=constant or first.type in CONSTANT,
                )
                comments = self.merge_comments([item.comments for item in items])
                merged.append(replace(first, body=inside, comments=comments))
        return merged + self.merge_notes(bodies)

    def merge_arguments(self, items: Sequence[Any], above: str, *, constant: bool) -> Argument:
        try:
            return self.merge_argument_values(items, above, constant=constant)
        except NotAlike as e:
            name = items[0].name
            raise NotAlike(e.why or f"different {f'{above}.{name}' if above else name}") from None

    def merge_argument_values(self, items: Sequence[Any], above: str, *, constant: bool) -> Argument:
        values: list[Expr] = [rebuild_expression(item.value, join_names) for item in items]
        first: Argument = items[0]
        if first.name == DEPENDS_ON:
            value = self.merge_depends_on(values)
        elif constant or first.name in FIXED:
            if not are_same(values):
                raise NotAlike
            value = self.names.rename_expression(values[0])
        else:
            value = self.values.merge_values(values, name_column(first.name, above))
        return replace(first, value=value, comments=self.merge_comments([item.comments for item in items]))

    def merge_depends_on(self, values: Sequence[Expr]) -> Expr:
        """A list of blocks that is the same for all, if each names the block that a member became."""
        renamed = [self.names.rename_depends_on(value) if isinstance(value, Tuple) else value for value in values]
        if not are_same(renamed):
            raise NotAlike
        own = {names_of_block(block) for block in self.family.members}
        for value in values:
            items = value.items if isinstance(value, Tuple) else ()
            if any(isinstance(item, Traversal) and item.parts[:2] in own for item in items):
                raise NotAlike(CHAIN)
        return renamed[0]

    def merge_rules(self, bodies: Sequence[Sequence[Item]]) -> list[Item]:
        """The arguments of rules. An argument that a rule lacks is null."""
        by_name: dict[str, list[Any]] = {}
        for place, body in enumerate(bodies):
            for item in body:
                if isinstance(item, Argument):
                    by_name.setdefault(item.name, [ABSENT] * len(bodies))[place] = item
        merged: list[Item] = []
        for name in join_orders([[i.name for i in body if isinstance(i, Argument)] for body in bodies]):
            items = by_name[name]
            present = [item for item in items if item is not ABSENT]
            if name == OF_GROUP and len({name_security_group(block) for block in self.family.members}) > 1:
                merged.append(replace(items[0], value=self.merge_groups(items)))
            elif len(present) == len(items):
                merged.append(self.merge_arguments(items, "", constant=False))
            elif name in FIXED:
                raise NotAlike
            else:
                cells: list[Any] = [ABSENT if item is ABSENT else self.values.lift_value(item.value) for item in items]
                column = self.values.choose_column(cells, name_column(name, ""))
                comments = self.merge_comments([[] if item is ABSENT else item.comments for item in items])
                value = Fn("lookup", (EACH_VALUE, column, None))
                merged.append(replace(present[0], value=value, comments=comments))
        blocks = [[item for item in body if isinstance(item, Block)] for body in bodies]
        return merged + (self.merge_bodies(blocks) if any(blocks) else []) + self.merge_notes(bodies)

    def merge_groups(self, items: Sequence[Any]) -> Expr:
        """The group of each rule, by its label."""
        labels = [name_security_group(block) for block in self.family.members]
        groups = {label: self.names.rename_expression(item.value) for label, item in zip(labels, items, strict=True)}
        column = self.values.choose_column(labels, "group")
        return Index(Object(tuple(groups.items())), Traversal(("each", "value", column)))

    # comments

    def merge_comments(self, comments: Sequence[Sequence[str]]) -> list[str]:
        """The comments of all members: once if they are the same, and otherwise each below the key of its member."""
        if all(lines == comments[0] for lines in comments):
            return list(comments[0])
        shared = [line for line in comments[0] if all(line in lines for lines in comments)]
        out = list(shared)
        for place, lines in enumerate(comments):
            if own := [line for line in lines if line not in shared]:
                out += [f" {self.family.key_of(place)}:", *(f" {line}" if line else "" for line in own)]
        return out

    def merge_notes(self, bodies: Sequence[Sequence[Item]]) -> list[Item]:
        """The comments inside bodies that belong to nothing there."""
        lines = [[line for item in body if isinstance(item, Note) for line in item.lines] for body in bodies]
        return [Note(self.merge_comments(lines))] if any(lines) else []


def join_orders(orders: Sequence[Sequence[str]]) -> list[str]:
    """The names of all lists, each once: before those that follow it in its own list, and otherwise at the end."""
    joined: list[str] = []
    for order in orders:
        for i, name in enumerate(order):
            if name not in joined:
                later = [joined.index(other) for other in order[i + 1 :] if other in joined]
                joined.insert(min(later, default=len(joined)), name)
    return joined


def name_item(item: Item) -> str:
    """The name of an argument or a nested block."""
    if isinstance(item, Block):
        return item.labels[0] if item.type == "dynamic" else item.type
    return item.name if isinstance(item, Argument) else ""


def explain_shapes(names: Sequence[Sequence[str]], above: str) -> str:
    """The first argument or block that some members lack, or have more often."""
    for name in dict.fromkeys(itertools.chain.from_iterable(names)):
        if len({list(row).count(name) for row in names}) > 1:
            return f"different {f'{above}.{name}' if above else name}"
    return "another order of arguments"


def name_column(name: str, above: str) -> str:
    """The name of the column for an argument. above: the nested block that it is in."""
    return f"{above}_{name}" if above and name in COMMON_NAMES else name


def shorten_value(expr: Expr) -> Expr:
    """`each.value.size` → `each.value`."""
    return EACH_VALUE if isinstance(expr, Traversal) and expr.parts[:2] == EACH_VALUE.parts else expr
