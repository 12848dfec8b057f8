"""Merges the members of a family into one block: what they have in common, and what differs as values of each key.

Invariant: what a member has and another has not is a difference in shape, and so is another name or another function;
only for the rules of a security group, an absent argument is one that is null. What differs otherwise must be a value
that the configuration has: a literal, or one that is made of variables, locals and data sources.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, final

from emitters.hcl.roll_up.families import Family, add_attributes, join_names, names_of_block
from emitters.hcl.roll_up.names import DEPENDS_ON, DirectoryNames
from emitters.hcl.tree.nodes import (
    Argument,
    Attr,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Not,
    Note,
    Object,
    Op,
    Splat,
    StringTemplate,
    Traversal,
    Tuple,
    child_expressions,
    walk_expression,
)
from emitters.hcl.tree.rebuilding import rebuild_body, rebuild_expression
from transpile.model.records import replace

CONSTANT = ("lifecycle",)  # blocks in which nothing is evaluated
FIXED = ("source", "version", "provider", "providers", DEPENDS_ON)  # arguments in which nothing is evaluated
VALUES = ("var", "local", "data", "path")
BOUND = ("each", "count", "self")
COUNT_INDEX, EACH_KEY, EACH_VALUE = (
    Traversal(("count", "index")),
    Traversal(("each", "key")),
    Traversal(("each", "value")),
)
NUMBERS = re.compile(r"(\d+)")
IDENTIFIER = re.compile(r"[a-z_]\w*", re.ASCII)
ABSENT: Any = object()
CHAIN = "one waits for another"
Item = Argument | Block | Note


class NotAlike(Exception):
    """Members differ in more than values. why: a clause without a verb, such as `different fixed_ip`; it may be empty
    where an argument around will name it.
    """

    def __init__(self, why: str = "") -> None:
        super().__init__(why)
        self.why = why


class NeedsMap(Exception):
    """A value is not computed from the index."""


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
        self.columns: dict[str, list[Expr]] = {}
        self.lacking: set[str] = set()  # columns that some rules have not

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
            if self.columns:
                repeat = Argument("for_each", Traversal(("local", self.local)))
                values = Argument(self.local, self.make_values(), first.span)
                if self.has_one_column:
                    body = rebuild_body(body, lambda argument: rebuild_expression(argument.value, shorten_value))
        labels = (*first.labels[:-1], family.label)
        comments = self.merge_comments([block.comments for block in family.members])
        return MergedFamily(replace(first, labels=labels, body=[repeat, *body], comments=comments), values)

    @property
    def has_one_column(self) -> bool:
        return len(self.columns) == 1 and not self.family.rules

    def make_values(self) -> Expr:
        """The values of the keys, as an object."""
        rows: list[tuple[Expr, Expr]] = []
        for place, key in enumerate(self.family.keys):
            cells = [(name, column[place]) for name, column in self.columns.items() if column[place] is not ABSENT]
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
                    [item.body for item in items], name_item(first), constant=constant or first.type in CONSTANT
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
            value = self.merge_values(values, self.name_column(first.name, above))
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
        """The arguments of rules. What some of them lack is null there."""
        by_name: dict[str, list[Any]] = {}
        for place, body in enumerate(bodies):
            for item in body:
                if isinstance(item, Argument):
                    by_name.setdefault(item.name, [ABSENT] * len(bodies))[place] = item
        merged: list[Item] = []
        for name in join_orders([[i.name for i in body if isinstance(i, Argument)] for body in bodies]):
            items = by_name[name]
            present = [item for item in items if item is not ABSENT]
            if len(present) == len(items):
                merged.append(self.merge_arguments(items, "", constant=False))
            elif name in FIXED:
                raise NotAlike
            else:
                column = self.name_column(name, "")
                cells: list[Any] = [ABSENT if item is ABSENT else self.lift_value(item.value) for item in items]
                self.columns[column] = cells
                comments = self.merge_comments([[] if item is ABSENT else item.comments for item in items])
                value = Fn("lookup", (EACH_VALUE, column, None))
                merged.append(replace(present[0], value=value, comments=comments))
        blocks = [[item for item in body if isinstance(item, Block)] for body in bodies]
        return merged + (self.merge_bodies(blocks) if any(blocks) else []) + self.merge_notes(bodies)

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

    # values

    def merge_values(self, values: Sequence[Expr], name: str) -> Expr:
        """One expression for the values of all members. name: of the column, if there must be one."""
        if are_same(values):
            return self.names.rename_expression(values[0])
        if (reference := self.merge_references(values)) is not None:
            return reference
        columns = dict(self.columns)
        try:
            return self.merge_structure(values, name)
        except NotAlike:
            self.columns = columns
            if self.family.counted:
                raise NeedsMap from None
            return self.add_column([self.lift_value(value) for value in values], name)

    def merge_structure(self, values: Sequence[Expr], name: str) -> Expr:
        """Merges values of the same form part by part. Raises NotAlike if their forms differ."""
        first = values[0]
        kind = type(first)
        if any(type(value) is not kind for value in values):
            raise NotAlike
        if isinstance(first, (bool, int, float, str)):
            return self.merge_literals(values, name)
        lists: list[Any] = list(values)
        match first:
            case StringTemplate():
                kinds = {tuple(type(part) is str for part in value.parts) for value in lists}
                if len(kinds) > 1:
                    raise NotAlike
                parts = self.merge_all([value.parts for value in lists], name)
                return StringTemplate(flatten_parts(parts))
            case Attr(_, attribute) if all(value.name == attribute for value in lists):
                return Attr(self.merge_values([value.of for value in lists], name), attribute)
            case Index():
                return Index(
                    self.merge_values([value.of for value in lists], name),
                    self.merge_values([value.key for value in lists], name),
                )
            case Splat(_, names) if all(value.names == names for value in lists):
                return Splat(self.merge_values([value.of for value in lists], name), names)
            case Fn(function, _, expand) if all((value.name, value.expand) == (function, expand) for value in lists):
                return Fn(function, self.merge_all([value.args for value in lists], name), expand)
            case Op(sign) if all(value.sign == sign for value in lists):
                left, right = self.merge_all([child_expressions(value) for value in lists], name)
                return Op(sign, left, right)
            case Not():
                return Not(self.merge_values([value.of for value in lists], name))
            case Cond():
                test, yes, no = self.merge_all([child_expressions(value) for value in lists], name)
                return Cond(test, yes, no)
            case Tuple():
                return Tuple(self.merge_all([value.items for value in lists], name))
            case Object(entries):
                if not all(are_same(keys) for keys in zip_strictly([[k for k, _ in v.entries] for v in lists])):
                    raise NotAlike
                cells = zip_strictly([[cell for _, cell in value.entries] for value in lists])
                return Object(
                    tuple(
                        (
                            key,
                            self.merge_values(
                                column, key if isinstance(key, str) and IDENTIFIER.fullmatch(key) else name
                            ),
                        )
                        for (key, _), column in zip(entries, cells, strict=True)
                    )
                )
            case ForTuple(names) if all(value.names == names for value in lists):
                over, inner, test = self.merge_all([(v.over, v.value, v.test) for v in lists], name)
                return ForTuple(names, over, inner, test)
            case ForObject(names) if all(value.names == names for value in lists):
                over, key, inner, test = self.merge_all([(v.over, v.key, v.value, v.test) for v in lists], name)
                return ForObject(names, over, key, inner, test)
        raise NotAlike

    def merge_all(self, rows: Sequence[Sequence[Expr]], name: str) -> tuple[Expr, ...]:
        return tuple([self.merge_values(column, name) for column in zip_strictly(rows)])

    def merge_references(self, values: Sequence[Expr]) -> Expr:
        """A reference to the member of another family that belongs to each key: `port[each.key]`. None if the values
        are no such references.
        """
        references = [self.names.find_member(value) for value in values]
        first = references[0]
        if first is None or any(reference is None for reference in references):
            return None
        family, rest = first[0].family, first[1]
        if any(r is not None and (r[0].family is not family or r[1] != rest) for r in references):
            return None
        if family is self.family:
            raise NotAlike(CHAIN)
        keys: list[Expr] = [family.key_of(reference[0].place) for reference in references if reference is not None]
        key = self.merge_values(keys, family.label)
        return add_attributes(Index(Traversal(family.names), key), rest)

    def merge_literals(self, values: Sequence[Any], name: str) -> Expr:
        if self.family.counted:
            return count_up(values)
        if not self.family.rules:
            if list(values) == list(self.family.keys):
                return EACH_KEY
            if all(type(v) is int for v in values) and [str(v) for v in values] == list(self.family.keys):
                return Fn("tonumber", (EACH_KEY,))
            if isinstance(values[0], str) and (text := self.insert_key(values)) is not None:
                return text
        return self.add_column(values, name)

    def insert_key(self, values: Sequence[str]) -> Expr:
        """Texts that differ in nothing but the key, as a template; None for other texts."""
        if not all(key.isdecimal() for key in self.family.keys):
            return None
        rows = [NUMBERS.split(text) for text in values]
        if len({len(row) for row in rows}) > 1:
            return None
        parts: list[Expr] = []
        for i, column in enumerate(zip(*rows, strict=True)):
            if len(set(column)) == 1:
                parts.append(column[0])
            elif i % 2 and list(column) == list(self.family.keys):
                parts.append(EACH_KEY)
            else:
                return None
        return StringTemplate(flatten_parts(parts))

    # columns

    def lift_value(self, value: Expr) -> Expr:
        """A value as it is written into the local. Raises NotAlike if it cannot be there."""
        for part in walk_expression(value):
            if isinstance(part, Traversal):
                if part.parts[0] in BOUND or (part.parts[0] not in VALUES and not self.is_reference(part)):
                    raise NotAlike
            elif isinstance(part, str) and "\n" in part and not self.family.rules:
                raise NotAlike  # whole scripts
        return self.names.rename_expression(value)

    def is_reference(self, part: Traversal) -> bool:
        """Whether a name is one of a resource or module, and may be a value: that of a security group in a rule."""
        return self.family.rules and len(part.parts) > 1 and (part.parts[0] == "module" or "_" in part.parts[0])

    def add_column(self, values: Sequence[Expr], name: str) -> Expr:
        if not self.family.rules and (
            len({bool if type(v) is bool else type(v) for v in values}) > 1
            or any(isinstance(value, str) and "\n" in value for value in values)
        ):
            raise NotAlike
        for known, column in self.columns.items():
            if len(column) == len(values) and are_same([Tuple(tuple(column)), Tuple(tuple(values))]):
                return Traversal(("each", "value", known))
        column_name = name
        for number in itertools.count(2):
            if column_name not in self.columns:
                break
            column_name = f"{name}_{number}"
        self.columns[column_name] = list(values)
        return Traversal(("each", "value", column_name))

    def name_column(self, name: str, above: str) -> str:
        return f"{above}_{name}" if above and name in ("id", "name", "value", "type", "key") else name


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


def shorten_value(expr: Expr) -> Expr:
    """`each.value.size` → `each.value`."""
    return EACH_VALUE if isinstance(expr, Traversal) and expr.parts[:2] == EACH_VALUE.parts else expr


def are_same(values: Sequence[Expr]) -> bool:
    """Whether expressions are the same, also in the types of literals: 1 == True in Python."""
    first = values[0]
    if not all(value == first for value in values):
        return False
    kinds = [type(part) for part in walk_expression(first)]
    return all([type(part) for part in walk_expression(value)] == kinds for value in values[1:])


def name_cell(key: Expr, name: str) -> str:
    """The name of a column for a value in an object: its key, or else that of the argument."""
    return key if isinstance(key, str) and IDENTIFIER.fullmatch(key) else name


def zip_strictly(rows: Sequence[Sequence[Expr]]) -> list[tuple[Expr, ...]]:
    """Columns of rows. Raises NotAlike if the rows have different lengths."""
    if len({len(row) for row in rows}) > 1:
        raise NotAlike
    return list(zip(*rows, strict=True))


def flatten_parts(parts: Sequence[Expr]) -> tuple[Expr, ...]:
    """The parts of a template without templates inside it, and with adjacent texts as one."""
    out: list[Expr] = []
    for part in parts:
        inner = flatten_parts(part.parts) if isinstance(part, StringTemplate) else (part,)
        for piece in inner:
            if isinstance(piece, str) and out and isinstance(out[-1], str):
                out[-1] += piece
            elif piece != "":
                out.append(piece)
    return tuple(out)


def count_up(values: Sequence[Any]) -> Expr:
    """Literals that count up, as an expression of the index. Raises NeedsMap for others."""
    if all(type(value) is int for value in values):
        return add_index([int(value) for value in values])
    if not all(isinstance(value, str) for value in values):
        raise NeedsMap
    rows = [NUMBERS.split(text) for text in values]
    if len({len(row) for row in rows}) > 1:
        raise NeedsMap
    parts: list[Expr] = []
    for i, column in enumerate(zip(*rows, strict=True)):
        if len(set(column)) == 1:
            parts.append(column[0])
        elif i % 2 and all(str(int(number)) == number for number in column):
            parts.append(add_index([int(number) for number in column]))
        else:
            raise NeedsMap
    return StringTemplate(flatten_parts(parts))


def add_index(numbers: Sequence[int]) -> Expr:
    """`count.index + 10` for 10, 11, 12 …"""
    start = numbers[0]
    if list(numbers) != list(range(start, start + len(numbers))):
        raise NeedsMap
    return COUNT_INDEX if start == 0 else Op("+" if start > 0 else "-", COUNT_INDEX, abs(start))
