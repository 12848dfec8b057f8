"""The addresses of one conversion: a row for each block of each directory, as a record and as JSON.

Invariant: what is read from JSON is checked, because anybody can write the file that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from emitters.hcl.namespace import LEGAL
from emitters.hcl.tree.nodes import Attr, Expr, Index, Traversal
from transpile.model.records import field, record

Key: TypeAlias = "int | str | None"
ONE = ""  # the member of a resource that is no group
SINGLE, COUNT, FOR_EACH = "", "count", "for_each"  # how a block is repeated
CONDITIONAL = "if"
DEEPEST = 64  # modules inside each other


@record
class AddressRow:
    """A block. owner: the resource of the template, empty if it comes from none. names: its address in the directory,
    `(openstack_networking_port_v2, port)` or `(module, node)`. repeat: SINGLE, COUNT or FOR_EACH. keys: of its
    instances, by what each stands for: the member of a group, ONE for a resource that is none, `=DIGEST` for a part of
    either. They are assumed if only the values of variables say which there are. inside: the rows of each instance of a
    module. digest: of the resource without its name. heat: whether the block is a stack of Heat that has the owner.
    """

    owner: str
    names: tuple[str, str]
    repeat: str = SINGLE
    keys: dict[str, Key] = field(default_factory=dict)
    assumed: bool = False
    inside: dict[str, list[AddressRow]] = field(default_factory=dict)
    digest: str = ""
    heat: bool = False

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
    """The rows as JSON."""
    return [write_row(row) for row in rows]


def write_row(row: AddressRow) -> dict[str, Any]:
    out: dict[str, Any] = {"at": ".".join(row.names)}
    if row.owner:
        out["of"] = row.owner
    if row.digest:
        out["is"] = row.digest
    if row.heat:
        return {**out, "heat": True}
    if row.keys != {ONE: None}:
        out["keys"] = write_keys(row)
    if row.assumed:
        out["assumed"] = True
    if row.inside:
        rows = [write_rows(inner) for inner in row.inside.values()]
        same = len(row.inside) == len(row.keys) and all(inner == rows[0] for inner in rows)
        out["in"] = rows[0] if same else dict(zip(row.inside, rows, strict=True))
    return out


def write_keys(row: AddressRow) -> Any:
    """The keys in the shortest form: `if`, a number of members, their names, or the key of each."""
    if row.repeat == COUNT:
        if row.keys == {ONE: 0}:
            return CONDITIONAL
        if row.keys == {str(n): n for n in range(len(row.keys))}:
            return len(row.keys)
    if row.repeat == FOR_EACH and all(member == key for member, key in row.keys.items()):
        return list(row.keys)
    return dict(row.keys)


def read_rows(data: Any, depth: int = 0) -> list[AddressRow]:
    """The rows of JSON. Raises ValueError, TypeError, LookupError or AttributeError if it is something else."""
    if not isinstance(data, list) or depth > DEEPEST:
        raise ValueError(data)
    return [read_row(item, depth) for item in data]


def read_row(data: Mapping[str, Any], depth: int) -> AddressRow:
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
    kinds = {type(key) for key in row.keys.values()}
    row.repeat = FOR_EACH if str in kinds or isinstance(data.get("keys"), list) else COUNT if int in kinds else SINGLE
    if keys == {} and row.repeat == SINGLE:
        row.repeat = COUNT
    row.assumed = bool(data.get("assumed"))
    inside = data.get("in", {})
    if isinstance(inside, list):
        row.inside = {member: read_rows(inside, depth + 1) for member in row.keys}
    else:
        row.inside = {str(member): read_rows(rows, depth + 1) for member, rows in inside.items()}
    return row
