"""The addresses of one conversion: a row for each block of each directory, as a record and as JSON.

Invariant: all data from JSON is checked, because anybody can write the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from emitters.hcl.namespace import LEGAL
from emitters.hcl.tree.nodes import Attr, Expr, Index, Traversal
from transpile.model.records import field, node, record

Key: TypeAlias = "int | str | None"
ONE = ""  # the member of a resource that is no group
CONDITIONAL = "if"
NOWHERE = "", ""
DEEPEST = 64  # modules inside each other


@node
class FixedArgument:
    """An argument whose change makes Terraform replace the object. digest: of its value. updated: the property of which
    it is made, if Heat's update changes that in place. refers: the resources of the template that the value refers to.
    """

    digest: str
    updated: str = ""
    refers: tuple[str, ...] = ()


@record
class AddressRow:
    """A block. owner: the resource of the template, empty if it comes from none. names: its address in the directory,
    `(openstack_networking_port_v2, port)` or `(module, node)`. keys: of its instances, by their role: the member of a
    group, ONE for a resource outside of groups, `=DIGEST` for a part of either. inside: the rows of each instance of a
    module. digest: of the resource without its name. heat: whether the block is a stack of Heat that has the owner.
    A resource that became no block has a row with empty names. fixed: the arguments whose change replaces the object.
    """

    owner: str
    names: tuple[str, str]
    keys: dict[str, Key] = field(default_factory=dict)
    inside: dict[str, list[AddressRow]] = field(default_factory=dict)
    digest: str = ""
    heat: bool = False
    fixed: dict[str, FixedArgument] = field(default_factory=dict)

    @property
    def is_module(self) -> bool:
        return self.names[0] == "module"

    def address_in(self, path: Expr, member: str | None = None) -> Expr:
        """The address of the block, or of the instance that stands for a member. path: of the directory, None for the
        root.
        """
        address: Expr = Traversal(self.names) if path is None else Attr(Attr(path, self.names[0]), self.names[1])
        key = self.keys[member] if member is not None else None
        return address if key is None else Index(address, key)


def walk_addresses(rows: list[AddressRow], path: Expr = None) -> Iterator[tuple[Expr, AddressRow, str]]:
    """The address of each instance of resources and modules, with its row and its member."""
    for row in rows:
        for member in row.keys:
            yield row.address_in(path, member), row, member
            if row.is_module:
                yield from walk_addresses(row.inside.get(member, []), row.address_in(path, member))


def write_rows(rows: list[AddressRow]) -> list[Any]:
    """Writes the rows as JSON."""
    return [write_row(row) for row in rows]


def write_row(row: AddressRow) -> dict[str, Any]:
    if row.names == NOWHERE:
        return {"of": row.owner}
    out: dict[str, Any] = {"at": ".".join(row.names)}
    if row.owner:
        out["of"] = row.owner
    if row.digest:
        out["is"] = row.digest
    if row.heat:
        return {**out, "heat": True}
    if row.fixed:
        out["fixed"] = {name: [each.digest, each.updated, *each.refers] for name, each in row.fixed.items()}
    if row.keys != {ONE: None}:
        out["keys"] = write_keys(row)
    if row.inside:
        rows = [write_rows(inner) for inner in row.inside.values()]
        same = len(row.inside) == len(row.keys) and all(inner == rows[0] for inner in rows)
        out["in"] = rows[0] if same else dict(zip(row.inside, rows, strict=True))
    return out


def join_rows(rows: list[AddressRow], others: list[AddressRow]) -> list[AddressRow]:
    """The rows of two states that one configuration has: an instance is there if either has it."""
    joined: dict[tuple[object, ...], list[AddressRow]] = {}
    for row in rows:
        joined.setdefault((row.owner, row.names, row.heat), []).append(row)
    for row in others:
        mine = joined.setdefault((row.owner, row.names, row.heat), [])
        same = next((m for m in mine if m.keys == row.keys), mine[0] if len(mine) == 1 else None)
        if same is None:  # the members of a family have a row each
            mine.append(row)
            continue
        same.keys = {**row.keys, **same.keys}
        for member, inner in row.inside.items():
            same.inside[member] = join_rows(same.inside[member], inner) if member in same.inside else inner
    return [row for same in joined.values() for row in same]


def write_keys(row: AddressRow) -> Any:
    """Writes the keys in the shortest form: `if`, a number of members, their names, or the key of each."""
    if row.keys == {ONE: 0}:
        return CONDITIONAL
    if row.keys == {str(n): n for n in range(len(row.keys))}:
        return len(row.keys)
    if all(member == key for member, key in row.keys.items()):
        return list(row.keys)
    return dict(row.keys)


def read_rows(data: Any, depth: int = 0) -> list[AddressRow]:
    """The rows of JSON. Raises ValueError, TypeError, LookupError or AttributeError if it is something else."""
    if not isinstance(data, list) or depth > DEEPEST:
        raise ValueError(data)
    return [read_row(item, depth) for item in data]


def read_row(data: Mapping[str, Any], depth: int) -> AddressRow:
    if data.keys() == {"of"}:
        return AddressRow(str(data["of"]), NOWHERE)
    kind, label = data["at"].split(".")
    if not LEGAL.fullmatch(kind) or not LEGAL.fullmatch(label):
        raise ValueError(data["at"])
    row = AddressRow(str(data.get("of", "")), (kind, label), digest=str(data.get("is", "")))
    if data.get("heat"):
        row.heat = True
        return row
    keys = data.get("keys", {ONE: None})
    if keys == CONDITIONAL:
        keys = {ONE: 0}
    elif isinstance(keys, int):
        keys = {str(n): n for n in range(keys)}
    elif isinstance(keys, list):
        keys = {str(key): str(key) for key in keys}
    for member, key in keys.items():
        if key is not None and not (isinstance(key, str) or (type(key) is int and key >= 0)):
            raise ValueError(key)
        row.keys[str(member)] = key
    for name, (digest, updated, *refers) in data.get("fixed", {}).items():
        row.fixed[str(name)] = FixedArgument(str(digest), str(updated), tuple(map(str, refers)))
    inside = data.get("in", {})
    if isinstance(inside, list):
        row.inside = {member: read_rows(inside, depth + 1) for member in row.keys}
    else:
        row.inside = {str(member): read_rows(rows, depth + 1) for member, rows in inside.items()}
    return row
