"""Keeps the state between runs: the inputs and the result of each stack, and the files in the destination.

Invariant: a saved result is never lost, even if the process is killed at any moment (SQLite, write-ahead log). Damaged
data is made again and never trusted.
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
from transpile.migrate.unit import UnitResult

FORMAT = 1  # of the tables
FOLDER = ".hot2tf"  # in the destination
STATE_FILE = "state.db"
NO_DIGEST = ""  # in place of a digest
TOP_FOLDER = "."  # the destination itself, as a folder
TABLES = """
create table if not exists facts (name text primary key, value text) without rowid;
create table if not exists stacks (
    output text primary key, request text, anywhere text, reads text, converted integer, digest text, summary text);
create table if not exists results (output text primary key, files blob, digest text, report blob);
create table if not exists modules (name text primary key, files blob);
create table if not exists uses (output text, module text, primary key (output, module)) without rowid;
create index if not exists users on uses (module);
create table if not exists verdicts (
    folder text, tool text, digest text, verdict text, primary key (folder, tool)) without rowid;
create table if not exists learned (key text primary key, value text) without rowid;
create table if not exists placed (folder text primary key, digest text, files text) without rowid;
"""


class StackRow(NamedTuple):
    """What is known about a converted stack. `anywhere`: the digest of equal stacks in other places."""

    output: str
    request: str
    anywhere: str
    reads: dict[str, str]
    converted: bool
    digest: str
    summary: dict[str, Any]


class PlacedFiles(NamedTuple):
    """What a run wrote into a folder: the digest of what it was made of, and for each file its size, the time of its
    last change in nanoseconds, and its SHA-256.
    """

    digest: str
    files: dict[str, tuple[int, int, str]]


@final
class SurveyMemory(MutableMapping[str, str]):
    """Texts for the next run. `save_used` removes those that this run did not use."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self.base = base
        self.texts: dict[str, str] = dict(base.execute("select key, value from learned"))
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
        """Saves what is known in one transaction."""
        before = {key for (key,) in self.base.execute("select key from learned")}
        self.base.execute("begin immediate")
        self.base.executemany("delete from learned where key = ?", [(key,) for key in before - self.used_keys])
        new = [(key, self.texts[key]) for key in self.used_keys - before if key in self.texts]
        self.base.executemany("insert into learned values (?, ?)", new)
        self.base.execute("commit")


@final
class MigrationState:
    """The state of a destination. Only one process has it open (`lock`)."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))  # files may hold secrets
        self.database = sqlite3.connect(path, isolation_level=None)
        try:
            self.database.execute("pragma journal_mode=wal")
            self.database.execute("pragma synchronous=normal")
            self.database.executescript(TABLES)
            format_number = self.read_fact("format")
            if format_number is None:
                self.save_fact("format", str(FORMAT))
            elif format_number != str(FORMAT):
                raise Damaged(f"it has format {format_number}, and this version of hot2tf has format {FORMAT}")
            if self.database.execute("pragma quick_check(1)").fetchone() != ("ok",):
                raise Damaged("it is damaged")
        except sqlite3.DatabaseError as e:
            self.database.close()
            raise Damaged(f"it is damaged: {e}") from None
        except Damaged:
            self.database.close()
            raise

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.database.execute("pragma wal_checkpoint(truncate)")
        self.database.close()

    def read_fact(self, name: str) -> str | None:
        row = self.database.execute("select value from facts where name = ?", (name,)).fetchone()
        return row[0] if row is not None else None

    def save_fact(self, name: str, value: str) -> None:
        self.database.execute("insert or replace into facts values (?, ?)", (name, value))

    # results

    def save_result(self, result: UnitResult, request: str, anywhere: str) -> None:
        """Saves a result in one transaction. If nothing could be converted, the files of an earlier result stay."""
        output = result.output
        reads, summary = json.dumps(dict(result.reads)), json.dumps(dict(result.summary))
        row = output, request, anywhere, reads, int(result.converted), result.digest, summary
        with self.transaction():
            if not result.converted and self.earlier_digest(output):
                self.database.execute("insert or replace into stacks values (?, ?, ?, ?, ?, ?, ?)", row)
                self.database.execute("update results set report = ? where output = ?", (result.report, output))
                return
            self.forget_stack(output)
            self.database.execute("insert into stacks values (?, ?, ?, ?, ?, ?, ?)", row)
            result_row = output, result.files, result.digest if result.converted else NO_DIGEST, result.report
            self.database.execute("insert into results values (?, ?, ?, ?)", result_row)
            for name, files in result.modules.items():
                self.database.execute("insert or ignore into modules values (?, ?)", (name, files))
                self.database.execute("insert into uses values (?, ?)", (output, name))

    def copy_result(self, equal_row: StackRow, output: str, request: str) -> None:
        """Saves for another stack what came of an equal one."""
        with self.transaction():
            self.forget_stack(output)
            self.database.execute(
                """insert into stacks select ?, ?, anywhere, reads, converted, digest, summary
                   from stacks where output = ?""",
                (output, request, equal_row.output),
            )
            self.database.execute(
                "insert into results select ?, files, digest, report from results where output = ?",
                (output, equal_row.output),
            )
            self.database.execute(
                "insert into uses select ?, module from uses where output = ?", (output, equal_row.output)
            )

    def forget_stack(self, output: str) -> None:
        for table in ("stacks", "results", "uses"):
            self.database.execute(f"delete from {table} where output = ?", (output,))

    def remove_unused_modules(self) -> None:
        """Removes modules that nobody uses."""
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
        self.database.execute(
            "insert or replace into placed values (?, ?, ?)", (folder, digest, json.dumps(dict(files)))
        )

    def forget_placed(self, folder: str) -> None:
        self.database.execute("delete from placed where folder = ?", (folder,))

    def find_verdict(self, folder: str, tool: str, digest: str) -> dict[str, Any] | None:
        """What a tool said about a directory of this digest."""
        query = "select verdict from verdicts where folder = ? and tool = ? and digest = ?"
        row = self.database.execute(query, (folder, tool, digest)).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def save_verdict(self, folder: str, tool: str, digest: str, verdict: Mapping[str, Any]) -> None:
        row = folder, tool, digest, json.dumps(dict(verdict))
        self.database.execute("insert or replace into verdicts values (?, ?, ?, ?)", row)

    def list_folders(self) -> list[str]:
        """The directories of stacks and modules that were written."""
        rows = self.database.execute("select folder from placed where folder <> ? order by folder", (TOP_FOLDER,))
        return [folder for (folder,) in rows]

    def open_memory(self) -> SurveyMemory:
        """What surveys learned from files."""
        return SurveyMemory(self.database)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        self.database.execute("begin immediate")
        try:
            yield
        except BaseException:
            self.database.execute("rollback")
            raise
        self.database.execute("commit")
