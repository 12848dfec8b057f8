"""States of a migration that are sound databases and wrong inside: each table with each kind of damage."""

from __future__ import annotations

import contextlib
import functools
import pathlib
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from transpile.migrate import archive, state_tables

STRANGE_VALUES: dict[str, Any] = {
    "null": None,
    "empty": "",
    "word": "x",
    "number": 7,
    "bytes": b"\x00\xff",
    "list": "[1]",
    "map": "{}",
    "wrong map": '{"a": 1}',
    "json null": "null",
    "deep": "[" * 100_000,
    "outside": "../../victim",
    "absolute": "/victim",
    "zero byte": "a\0b",
    "a hash": "0" * 64,
    "content name": f"server-{'0' * 64}",
    "no archive": archive.compress_data(b"[]"),
    "other archive": archive.pack_files({"main.tf": b"# hot2tf\n"}),
    "outside archive": archive.pack_files({"../../../../victim": b"# hot2tf\n"}),
    "not UTF-8": "a text that no binding can make; see forge",
}
SCHEMAS = {
    "trigger": "create trigger t after insert on placed begin delete from stacks; end",
    "view": "drop table verdicts; create view verdicts as select 1",
    "other columns": "drop table stacks; create table stacks (output text primary key)",
    "no table": "drop table results",
    "one more table": "create table more (a)",
    "no index": "drop index users",
    "only an unknown table": "".join(f"drop table {name};" for name in state_tables.COLUMNS) + "create table x (a)",
    "other format": "update facts set value = '99'",
    "older format": "update facts set value = '1'",
    "no format": "delete from facts",
}


class Forgery(NamedTuple):
    """A kind of damage. resealed: whether the changed rows have seals as if hot2tf had written them."""

    name: str
    forge: Callable[[sqlite3.Connection], Any]
    resealed: bool


def walk_forgeries() -> Iterator[Forgery]:
    """All kinds of damage."""
    for name, script in SCHEMAS.items():
        yield Forgery(name, functools.partial(run_script, script), False)
    for table, (columns, _) in state_tables.COLUMNS.items():
        if table == "facts":
            continue
        for resealed in (False, True):
            for rows in ("all", "first"):
                where = f"rowid = (select min(rowid) from {table})" if rows == "first" else "true"
                change = f"delete from {table} where {where}"
                yield Forgery(f"{table}: {rows} deleted", functools.partial(run_script, change), resealed)
            for at, column in enumerate(columns):
                for kind in STRANGE_VALUES:
                    yield Forgery(
                        f"{table}.{column}: {kind}",
                        functools.partial(forge_column, table, at, kind, resealed),
                        resealed,
                    )
        yield Forgery(f"{table}: one more row", functools.partial(add_row, table), True)


def run_script(script: str, base: sqlite3.Connection) -> None:
    base.executescript(script)


def forge_column(table: str, at: int, kind: str, resealed: bool, base: sqlite3.Connection) -> None:
    """Puts a strange value into a column of all rows; of the first one if it is in the key."""
    columns, key = state_tables.COLUMNS[table]
    column = columns[at]
    limit = 1 if column in key.split(", ") else -1
    rows = base.execute(f"select {', '.join(columns)} from {table} limit {limit}").fetchall()
    marks = " and ".join(f"{name} is ?" for name in columns)
    for row in rows:
        if kind == "not UTF-8":
            base.execute(f"update {table} set {column} = cast(x'fffe' as text) where {marks}", row)
            continue
        new = (*row[:at], STRANGE_VALUES[kind], *row[at + 1 :])
        base.execute(f"update {table} set {column} = ? where {marks}", (STRANGE_VALUES[kind], *row))
        if resealed:
            at_new = " and ".join(f"{name} is ?" for name in columns)
            base.execute(f"update {table} set seal = ? where {at_new}", (state_tables.seal_row(table, new), *new))


def add_row(table: str, base: sqlite3.Connection) -> None:
    """Adds a row whose key names nothing that there is."""
    columns, _ = state_tables.COLUMNS[table]
    row = base.execute(f"select {', '.join(columns)} from {table}").fetchone()
    values = row if row is not None else ("x",) * len(columns)
    state_tables.insert_row(base, table, "unknown/stack", *values[1:])


def age_placed(base: sqlite3.Connection) -> None:
    """Makes a state say that every directory was made of something older, so that all files are written again."""
    for folder, files in base.execute("select folder, files from placed").fetchall():
        state_tables.insert_row(base, "placed", folder, "0" * 64, files)


@contextlib.contextmanager
def open_database(path: pathlib.Path) -> Iterator[sqlite3.Connection]:
    """The database of a state, to be damaged."""
    with contextlib.closing(sqlite3.connect(path)) as base:
        yield base
        base.commit()
