"""The tables of the state, and the checks that prove that hot2tf wrote them and that they fit together.

Invariant: each row ends with a seal, a digest of its values, so a changed row is found. The seal is no signature: rows
are checked for their form, too, and nothing that a state says proves that output may be removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from transpile.migrate.archive import Damaged
from transpile.migrate.unit import CONTENT_NAME
from transpile.model.lazy_patterns import compile_lazily
from transpile.text import places

FORMAT = 3  # of the tables
TOP_FOLDER = "."  # the destination itself, as a folder
Value = str | int | bytes | None
# Of each table its columns without the seal, and its key. `modules` of a stack are those that its files call, as a list
# in JSON; `uses` has them once more, to be searched.
COLUMNS = {
    "facts": (("name", "value"), "name"),
    "stacks": (("output", "request", "anywhere", "reads", "converted", "digest", "summary", "modules"), "output"),
    "results": (("output", "files", "digest", "report"), "output"),
    "modules": (("name", "files"), "name"),
    "uses": (("output", "module"), "output, module"),
    "verdicts": (("folder", "tool", "digest", "verdict"), "folder, tool"),
    "learned": (("key", "value"), "key"),
    "placed": (("folder", "digest", "files"), "folder"),
}
STATEMENTS = (
    *(f"create table {name} ({', '.join(row)}, seal, primary key ({key}))" for name, (row, key) in COLUMNS.items()),
    "create index users on uses (module)",
)
HASH = compile_lazily(r"[0-9a-f]{64}")
SUMMARY: dict[str, type] = {
    "treatments": dict,
    "dropped": int,
    "diagnostics": dict,
    "codes": dict,
    "kept": list,
}  # of a stack: the keys that each has; `freed_by` is optional
DAMAGE = frozenset(  # the errors of SQLite that mean it; others come from the disk, from permissions or from locks
    {
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_SCHEMA,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_CONSTRAINT,
    }
)
BASIC = 0xFF  # the part of an error code with its kind


def means_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the database itself is wrong. A text that is not UTF-8 has no error code."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return code is None or code & BASIC in DAMAGE


def seal_row(table: str, values: Collection[Value]) -> str:
    """The digest of a row."""
    total = hashlib.sha256(f"{table} {len(values)}".encode())
    for value in values:
        data = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
        total.update(f"\n{type(value).__name__} {len(data)}\n".encode())
        total.update(data)
    return total.hexdigest()


def insert_row(database: sqlite3.Connection, table: str, *values: Value) -> None:
    """Adds a row with its seal, or replaces the one with the same key."""
    marks = ", ".join("?" * (len(values) + 1))
    database.execute(f"insert or replace into {table} values ({marks})", (*values, seal_row(table, values)))


def walk_table(database: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """All rows of a table, without their seals. Raises Damaged if one does not have its seal."""
    columns = ", ".join(COLUMNS[table][0])
    for *values, seal in database.execute(f"select {columns}, seal from {table}"):
        if seal != seal_row(table, values):
            raise Damaged(f"a row of the table {table} was changed")
        yield tuple(values)


def make_tables(database: sqlite3.Connection) -> None:
    """Makes the tables of a new state, all or none."""
    with transaction(database):
        for statement in STATEMENTS:
            database.execute(statement)
        insert_row(database, "facts", "format", str(FORMAT))


@contextlib.contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Saves the changes of the block as a whole, or not at all."""
    database.execute("begin immediate")
    try:
        yield
        database.execute("commit")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # SQLite itself has gone back already if the disk is full
            database.execute("rollback")
        raise


def check_database(database: sqlite3.Connection) -> None:
    """Raises Damaged if the state was not left so by this version of hot2tf, and sqlite3.DatabaseError."""
    try:
        format_row = database.execute("select value from facts where name = 'format'").fetchone()
    except sqlite3.OperationalError as e:
        if not means_damage(e):
            raise
        format_row = None
    if format_row is None:
        raise Damaged("it has no format")
    if format_row[0] != str(FORMAT):
        raise Damaged(f"it has format {str(format_row[0])[:20]!r}, and this version of hot2tf has format {FORMAT}")
    with contextlib.closing(sqlite3.connect(":memory:")) as pattern:
        for statement in STATEMENTS:
            pattern.execute(statement)
        if list_definitions(database) != list_definitions(pattern):
            raise Damaged("its tables are not those that hot2tf makes")
    if database.execute("pragma quick_check(1)").fetchone() != ("ok",):
        raise Damaged("it is damaged")
    check_rows(database)


def list_definitions(database: sqlite3.Connection) -> list[tuple[Value, ...]]:
    """Returns the definitions in a database: tables, indexes, views and triggers."""
    return sorted(database.execute("select type, name, tbl_name, coalesce(sql, '') from sqlite_master"))


def check_rows(database: sqlite3.Connection) -> None:
    """Raises Damaged for a row that hot2tf would not write, or that lacks another row which belongs to it."""
    calls = {}
    for output, request, anywhere, reads, converted, digest, summary, modules in walk_table(database, "stacks"):
        require(places.is_plain_path(output) if isinstance(output, str) else False, "stacks")
        require(all(isinstance(text, str) for text in (request, anywhere, digest)) and converted in (0, 1), "stacks")
        require(is_map_of(parse_json(reads), lambda value: isinstance(value, str)), "stacks")
        require(is_summary(parse_json(summary)), "stacks")
        names = parse_json(modules)
        require(isinstance(names, list) and all(map(is_content_name, names)), "stacks")
        calls[output] = names
    results = set()
    for output, files, digest, report in walk_table(database, "results"):
        require(isinstance(files, bytes) and isinstance(report, bytes) and isinstance(digest, str), "results")
        results.add(output)
    require(results == calls.keys(), "results")
    saved_modules = set()
    for name, files in walk_table(database, "modules"):
        require(is_content_name(name) and isinstance(files, bytes), "modules")
        saved_modules.add(name)
    uses = set(walk_table(database, "uses"))
    require(uses == {(output, name) for output, names in calls.items() for name in names}, "uses")
    require({name for _, name in uses} <= saved_modules, "modules")
    for folder, digest, files in walk_table(database, "placed"):
        stamps = parse_json(files)
        require(isinstance(folder, str) and isinstance(digest, str) and is_map_of(stamps, is_stamp), "placed")
        require(folder == TOP_FOLDER or places.is_plain_path(folder), "placed")
    for *texts, verdict in walk_table(database, "verdicts"):
        document = parse_json(verdict)
        require(all(isinstance(text, str) for text in texts), "verdicts")
        require(isinstance(document, dict) and isinstance(document.get("valid"), bool), "verdicts")
        messages = document.get("diagnostics", [])
        require(isinstance(messages, list) and all(isinstance(text, str) for text in messages), "verdicts")
    for table in ("facts", "learned"):
        for row in walk_table(database, table):
            require(all(isinstance(text, str) for text in row), table)


def require(right: bool, table: str) -> None:
    if not right:
        raise Damaged(f"a row of the table {table} is wrong or missing")


def parse_json(text: Value) -> Any:
    """The value of a text; None if it is no JSON."""
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def is_map_of(value: Any, is_right: Callable[[Any], bool]) -> bool:
    return isinstance(value, dict) and all(map(is_right, value.values()))


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_content_name(value: Any) -> bool:
    return isinstance(value, str) and CONTENT_NAME.fullmatch(value) is not None


def is_stamp(value: Any) -> bool:
    """Whether a value is the size, the time and the hash of a file."""
    if not isinstance(value, list) or len(value) != 3:
        return False
    return is_number(value[0]) and is_number(value[1]) and isinstance(value[2], str) and bool(HASH.fullmatch(value[2]))


def is_summary(value: Any) -> bool:
    """Whether a value is the summary of a stack."""
    if not isinstance(value, dict) or not all(isinstance(value.get(key), kind) for key, kind in SUMMARY.items()):
        return False
    counts: list[Mapping[str, Any]] = [value["treatments"], value["diagnostics"], value["codes"]]
    return (
        all(is_map_of(numbers, is_number) for numbers in counts)
        and is_number(value["dropped"])
        and all(map(is_reason, value["kept"]))
        and isinstance(value.get("freed_by", ""), str)
    )


def is_reason(value: Any) -> bool:
    """Whether a value is a reason that keeps resources in Heat: a type, a code, a sentence, and a number."""
    if not isinstance(value, list) or len(value) != 4:
        return False
    return all(isinstance(text, str) for text in value[:3]) and is_number(value[3])
