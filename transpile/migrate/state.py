"""Keeps the state between runs: the inputs and the result of each stack, and the files in the destination.

Invariant: a saved result is never lost, even if the process is killed at any moment (SQLite, write-ahead log). Damaged
data is made again and never trusted. A full disk, a lock or a missing permission is no damage.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sqlite3
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, NamedTuple, final

from transpile.migrate.archive import Damaged
from transpile.migrate.state_tables import (
    TOP_FOLDER,
    check_database,
    insert_row,
    list_definitions,
    make_tables,
    means_damage,
    transaction,
    walk_table,
)
from transpile.migrate.unit import UnitResult

FOLDER = ".hot2tf"  # in the destination
STATE_FILE = "state.db"
BESIDE_STATE = ("-wal", "-shm", "-journal")  # the suffixes of SQLite's own files
NO_DIGEST = ""  # in place of a digest


class StateUnavailable(Exception):
    """The state may be right, but it cannot be read or written now; the message says why."""


class StackRow(NamedTuple):
    """The row of a converted stack in the state. `anywhere`: the digest of equal stacks in other places."""

    output: str
    request: str
    anywhere: str
    reads: dict[str, str]
    converted: bool
    digest: str
    summary: dict[str, Any]


class PlacedFiles(NamedTuple):
    """The files that a run wrote into a folder: the digest of their inputs, and for each file its size, the time of its
    last change in nanoseconds, and its SHA-256.
    """

    digest: str
    files: dict[str, tuple[int, int, str]]


@final
class SurveyMemory(MutableMapping[str, str]):
    """Texts for the next run. `save_used` removes those that this run did not use, and ends the use of the others."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self.base = base
        self.texts: dict[str, str] = dict(walk_table(base, "learned"))
        self.used_keys: set[str] = set()

    def __getitem__(self, key: str) -> str:
        value = self.texts[key]
        self.used_keys.add(key)
        return value

    def __setitem__(self, key: str, value: str) -> None:
        self.texts[key] = value
        self.used_keys.add(key)

    def __delitem__(self, key: str) -> None:
        del self.texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def save_used(self) -> None:
        """Saves the facts that this survey used, and deletes all others, in one transaction."""
        before = {key for (key,) in self.base.execute("select key from learned")}
        with transaction(self.base):
            self.base.executemany("delete from learned where key = ?", [(key,) for key in before - self.used_keys])
            for key in sorted(self.used_keys - before):
                if key in self.texts:
                    insert_row(self.base, "learned", key, self.texts[key])
        self.texts.clear()
        self.used_keys.clear()


@final
class MigrationState:
    """The state of a destination. Only one process has it open (`lock`)."""

    def __init__(self, path: pathlib.Path) -> None:
        """Opens a state, or makes a new one. Raises Damaged and StateUnavailable."""
        self.path = path
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))  # it may hold secrets
        except OSError as e:
            raise StateUnavailable(f"{path} cannot be opened: {e.strerror}") from None
        with explain_errors(path):
            self.database = sqlite3.connect(path, isolation_level=None)
            try:
                self.database.execute("pragma journal_mode=wal")
                self.database.execute("pragma synchronous=normal")
                if list_definitions(self.database):
                    check_database(self.database)
                else:
                    make_tables(self.database)
            except BaseException:
                self.database.close()
                raise

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.database.execute("pragma wal_checkpoint(truncate)")
        self.database.close()

    # results

    def save_result(self, result: UnitResult, request: str, anywhere: str) -> None:
        """Saves a result in one transaction. If nothing could be converted, the files of an earlier result stay."""
        output = result.output
        names = sorted(result.modules)
        with transaction(self.database):
            earlier = self.earlier_digest(output)
            if kept := not result.converted and earlier != NO_DIGEST:
                names = self.modules_of_stack(output)
                files, digest = self.read_files(output), earlier
            else:
                self.forget_stack(output)
                files, digest = result.files, result.digest if result.converted else NO_DIGEST
            reads, summary = json.dumps(dict(result.reads)), json.dumps(dict(result.summary))
            row = output, request, anywhere, reads, int(result.converted), result.digest, summary, json.dumps(names)
            insert_row(self.database, "stacks", *row)
            insert_row(self.database, "results", output, files, digest, result.report)
            if not kept:
                for name, archive in result.modules.items():
                    insert_row(self.database, "modules", name, archive)
                    insert_row(self.database, "uses", output, name)

    def copy_result(self, equal_row: StackRow, output: str, request: str) -> None:
        """Saves the result of an equal stack for another stack."""
        equal = equal_row.output
        query = "select files, digest, report from results where output = ?"
        with transaction(self.database):
            result = self.database.execute(query, (equal,)).fetchone()
            names = self.modules_of_stack(equal)
            self.forget_stack(output)
            reads, summary = json.dumps(equal_row.reads), json.dumps(equal_row.summary)
            row = output, request, equal_row.anywhere, reads, int(equal_row.converted), equal_row.digest, summary
            insert_row(self.database, "stacks", *row, json.dumps(names))
            insert_row(self.database, "results", output, *result)
            for name in names:
                insert_row(self.database, "uses", output, name)

    def forget_stack(self, output: str) -> None:
        for table in ("stacks", "results", "uses"):
            self.database.execute(f"delete from {table} where output = ?", (output,))

    def remove_unused_modules(self) -> None:
        """Removes unused modules."""
        self.database.execute("delete from modules where name not in (select module from uses)")

    def walk_rows(self) -> Iterator[StackRow]:
        """All stacks, in order."""
        query = "select output, request, anywhere, reads, converted, digest, summary from stacks order by output"
        for output, request, anywhere, reads, converted, digest, summary in self.database.execute(query):
            yield StackRow(output, request, anywhere, json.loads(reads), bool(converted), digest, json.loads(summary))

    def find_row(self, output: str) -> StackRow | None:
        query = "select output, request, anywhere, reads, converted, digest, summary from stacks where output = ?"
        values = self.database.execute(query, (output,)).fetchone()
        if values is None:
            return None
        output, request, anywhere, reads, converted, digest, summary = values
        return StackRow(output, request, anywhere, json.loads(reads), bool(converted), digest, json.loads(summary))

    def read_files(self, output: str) -> bytes:
        data: bytes = self.database.execute("select files from results where output = ?", (output,)).fetchone()[0]
        return data

    def earlier_digest(self, output: str) -> str:
        """The digest of the last files that a stack was converted to; NOTHING if it never was."""
        row = self.database.execute("select digest from results where output = ?", (output,)).fetchone()
        return NO_DIGEST if row is None else str(row[0])

    def read_report(self, output: str) -> bytes:
        data: bytes = self.database.execute("select report from results where output = ?", (output,)).fetchone()[0]
        return data

    # modules

    def read_module(self, name: str) -> bytes:
        data: bytes = self.database.execute("select files from modules where name = ?", (name,)).fetchone()[0]
        return data

    def walk_modules(self) -> Iterator[tuple[str, int, str]]:
        """The content names of the modules in use, with the number of stacks that use each and the first of them."""
        query = "select module, count(*), min(output) from uses group by module order by module"
        yield from self.database.execute(query)

    def modules_of_stack(self, output: str) -> list[str]:
        rows = self.database.execute("select module from uses where output = ? order by module", (output,))
        return [name for (name,) in rows]

    def stacks_of_module(self, name: str) -> list[str]:
        rows = self.database.execute("select output from uses where module = ? order by output", (name,))
        return [output for (output,) in rows]

    # the destination

    def find_placed(self, folder: str) -> PlacedFiles | None:
        row = self.database.execute("select digest, files from placed where folder = ?", (folder,)).fetchone()
        return None if row is None else PlacedFiles(row[0], {k: tuple(v) for k, v in json.loads(row[1]).items()})

    def save_placed(self, folder: str, digest: str, files: Mapping[str, tuple[int, int, str]]) -> None:
        insert_row(self.database, "placed", folder, digest, json.dumps(dict(files)))

    def forget_placed(self, folder: str) -> None:
        self.database.execute("delete from placed where folder = ?", (folder,))

    def find_verdict(self, folder: str, tool: str, digest: str) -> dict[str, Any] | None:
        """Returns the verdict of a tool on a directory with this digest; None if there is none."""
        query = "select verdict from verdicts where folder = ? and tool = ? and digest = ?"
        row = self.database.execute(query, (folder, tool, digest)).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def save_verdict(self, folder: str, tool: str, digest: str, verdict: Mapping[str, Any]) -> None:
        insert_row(self.database, "verdicts", folder, tool, digest, json.dumps(dict(verdict)))

    def list_folders(self) -> list[str]:
        """The directories of stacks and modules that were written."""
        rows = self.database.execute("select folder from placed where folder <> ? order by folder", (TOP_FOLDER,))
        return [folder for (folder,) in rows]

    def open_memory(self) -> SurveyMemory:
        """Returns the memory of surveys, which the same database keeps."""
        return SurveyMemory(self.database)

    def transaction(self) -> contextlib.AbstractContextManager[None]:
        return transaction(self.database)


@contextlib.contextmanager
def explain_errors(path: pathlib.Path) -> Iterator[None]:
    """Raises errors of SQLite as Damaged or StateUnavailable, with their cause."""
    try:
        yield
    except sqlite3.DatabaseError as e:
        if means_damage(e):
            raise Damaged(f"it is damaged: {e}") from None
        raise StateUnavailable(
            f"{path} cannot be used: {e}. Its content is kept, and the same command goes on from there"
        ) from None
