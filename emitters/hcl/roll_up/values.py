"""Merges the values that members of a family have in one place: the common parts, and those of each key alone.

Invariant: another name or another function is a difference in shape. Any other difference must be a value that the
configuration has: a literal, or one that is made of variables, locals and data sources; in a rule also a reference.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any, final

from emitters.hcl.roll_up.families import Family, add_attributes
from emitters.hcl.roll_up.names import DirectoryNames
from emitters.hcl.tree.nodes import (
    Attr,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Not,
    Object,
    Op,
    Splat,
    StringTemplate,
    Traversal,
    Tuple,
    child_expressions,
    walk_expression,
)
from transpile.model.lazy_patterns import compile_lazily

VALUES = ("var", "local", "data", "path")
BOUND = ("each", "count", "self")
COUNT_INDEX, EACH_KEY = Traversal(("count", "index")), Traversal(("each", "key"))
EACH_VALUE = Traversal(("each", "value"))
NUMBERS = compile_lazily(r"(\d+)")
IDENTIFIER = compile_lazily(r"[a-z_]\w*", re.ASCII)
CHAIN = "one waits for another"
ABSENT: Any = object()  # in place of an argument that a rule has not


class NotAlike(Exception):
    """Members differ in more than values. why: a clause without a verb, such as `different fixed_ip`; it may be empty
    where an argument around will name it.
    """

    def __init__(self, why: str = "") -> None:
        super().__init__(why)
        self.why = why


class NeedsMap(Exception):
    """A value is not computed from the index."""


@final
class ValueMerger:
    """Merges values of one family. `columns`: the values of each key, by name, which `each.value` reads. Raises
    NotAlike, and NeedsMap if the family is counted and cannot be.
    """

    def __init__(self, family: Family, names: DirectoryNames) -> None:
        self.family, self.names = family, names
        self.columns: dict[str, list[Any]] = {}

    def merge_values(self, values: Sequence[Expr], name: str) -> Expr:
        """Merges the values of all members into one expression. name: of the column, if there must be one."""
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
                pairs = zip([key for key, _ in entries], cells, strict=True)
                return Object(tuple([(key, self.merge_values(column, name_cell(key, name))) for key, column in pairs]))
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
            len(set(map(type, values))) > 1 or any(isinstance(value, str) and "\n" in value for value in values)
        ):
            raise NotAlike
        return Traversal(("each", "value", self.choose_column(values, name)))

    def choose_column(self, values: Sequence[Any], name: str) -> str:
        """The name of a column with these values, in which absent ones are ABSENT: one that is there, or a new one."""
        for other, column in self.columns.items():
            if all(
                a is b is ABSENT or (ABSENT not in (a, b) and are_same((a, b)))
                for a, b in zip(column, values, strict=True)
            ):
                return other
        taken = self.columns.keys()
        chosen = next(n for i in itertools.count(1) if (n := name if i == 1 else f"{name}_{i}") not in taken)
        self.columns[chosen] = list(values)
        return chosen


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
