"""What is kept between runs: for each stack what it was made of and what came of it, and what lies in the destination.

Invariant: a result that was saved is never lost, whenever the process is killed (SQLite, write-ahead log). Whatever
cannot be read is made again, never trusted.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, NamedTuple, final

from transpile.migrate.archive import Damaged

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator, Mapping

    from transpile.migrate.unit import Result


FORMAT = 1  # of the tables
FOLDER = ".hot2tf"  # in the destination
NAME = "state.db"
NOTHING = ""  # in place of a digest
TOP = "."  # the destination itself, as a folder
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


class Row(NamedTuple):
    """What is known about a converted stack. `anywhere`: the digest of equal stacks in other places."""

    output: str
    request: str
    anywhere: str
    reads: dict[str, str]
    converted: bool
    digest: str
    summary: dict[str, Any]


class Placed(NamedTuple):
    """What a run wrote into a folder: the digest of what it was made of, and for each file its size, the time of its
    last change in nanoseconds, and its SHA-256.
    """

    digest: str
    files: dict[str, tuple[int, int, str]]


@final
class Memory(MutableMapping[str, str]):
    """Texts that stay for the next run. `keep` removes those that this run did not ask for."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self.base = base
        self.known: dict[str, str] = dict(base.execute("select key, value from learned"))
        self.asked: set[str] = set()

    def __getitem__(self, key: str) -> str:
        value = self.known[key]
        self.asked.add(key)
        return value

    def __setitem__(self, key: str, value: str) -> None:
        self.known[key] = value
        self.asked.add(key)

    def __delitem__(self, key: str) -> None:
        del self.known[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    def keep(self) -> None:
        """Saves what is known in one transaction."""
        before = {key for (key,) in self.base.execute("select key from learned")}
        self.base.execute("begin immediate")
        self.base.executemany("delete from learned where key = ?", [(key,) for key in before - self.asked])
        new = [(key, self.known[key]) for key in self.asked - before if key in self.known]
        self.base.executemany("insert into learned values (?, ?)", new)
        self.base.execute("commit")


@final
class State:
    """The state of a destination. Only one process has it open (`lock`)."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))  # files may hold secrets
        self.base = sqlite3.connect(path, isolation_level=None)
        try:
            self.base.execute("pragma journal_mode=wal")
            self.base.execute("pragma synchronous=normal")
            self.base.executescript(TABLES)
            found = self.fact("format")
            if found is None:
                self.remember("format", str(FORMAT))
            elif found != str(FORMAT):
                raise Damaged(f"it has format {found}, and this version of hot2tf has format {FORMAT}")
            if self.base.execute("pragma quick_check(1)").fetchone() != ("ok",):
                raise Damaged("it is damaged")
        except sqlite3.DatabaseError as e:
            self.base.close()
            raise Damaged(f"it is damaged: {e}") from None
        except Damaged:
            self.base.close()
            raise

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.base.execute("pragma wal_checkpoint(truncate)")
        self.base.close()

    def fact(self, name: str) -> str | None:
        found = self.base.execute("select value from facts where name = ?", (name,)).fetchone()
        return found[0] if found is not None else None

    def remember(self, name: str, value: str) -> None:
        self.base.execute("insert or replace into facts values (?, ?)", (name, value))

    # results

    def save(self, result: Result, request: str, anywhere: str) -> None:
        """Saves a result in one transaction. If nothing could be converted, the files of an earlier result stay."""
        output = result.output
        reads, summary = json.dumps(dict(result.reads)), json.dumps(dict(result.summary))
        row = output, request, anywhere, reads, int(result.converted), result.digest, summary
        with self.transaction():
            if not result.converted and self.earlier(output):
                self.base.execute("insert or replace into stacks values (?, ?, ?, ?, ?, ?, ?)", row)
                self.base.execute("update results set report = ? where output = ?", (result.report, output))
                return
            self.forget(output)
            self.base.execute("insert into stacks values (?, ?, ?, ?, ?, ?, ?)", row)
            found = output, result.files, result.digest if result.converted else NOTHING, result.report
            self.base.execute("insert into results values (?, ?, ?, ?)", found)
            for name, files in result.modules.items():
                self.base.execute("insert or ignore into modules values (?, ?)", (name, files))
                self.base.execute("insert into uses values (?, ?)", (output, name))

    def copy(self, known: Row, output: str, request: str) -> None:
        """Saves for another stack what came of an equal one."""
        with self.transaction():
            self.forget(output)
            self.base.execute(
                """insert into stacks select ?, ?, anywhere, reads, converted, digest, summary
                   from stacks where output = ?""",
                (output, request, known.output),
            )
            self.base.execute(
                "insert into results select ?, files, digest, report from results where output = ?",
                (output, known.output),
            )
            self.base.execute("insert into uses select ?, module from uses where output = ?", (output, known.output))

    def forget(self, output: str) -> None:
        for table in ("stacks", "results", "uses"):
            self.base.execute(f"delete from {table} where output = ?", (output,))

    def clean(self) -> None:
        """Removes modules that nobody uses."""
        self.base.execute("delete from modules where name not in (select module from uses)")

    def rows(self) -> Iterator[Row]:
        """All stacks, in order."""
        query = "select output, request, anywhere, reads, converted, digest, summary from stacks order by output"
        for output, request, anywhere, reads, converted, digest, summary in self.base.execute(query):
            yield Row(output, request, anywhere, json.loads(reads), bool(converted), digest, json.loads(summary))

    def row(self, output: str) -> Row | None:
        query = "select output, request, anywhere, reads, converted, digest, summary from stacks where output = ?"
        found = self.base.execute(query, (output,)).fetchone()
        if found is None:
            return None
        output, request, anywhere, reads, converted, digest, summary = found
        return Row(output, request, anywhere, json.loads(reads), bool(converted), digest, json.loads(summary))

    def files(self, output: str) -> bytes:
        found: bytes = self.base.execute("select files from results where output = ?", (output,)).fetchone()[0]
        return found

    def earlier(self, output: str) -> str:
        """The digest of the last files that a stack was converted to; NOTHING if it never was."""
        found = self.base.execute("select digest from results where output = ?", (output,)).fetchone()
        return NOTHING if found is None else str(found[0])

    def report(self, output: str) -> bytes:
        found: bytes = self.base.execute("select report from results where output = ?", (output,)).fetchone()[0]
        return found

    # modules

    def module(self, name: str) -> bytes:
        found: bytes = self.base.execute("select files from modules where name = ?", (name,)).fetchone()[0]
        return found

    def modules(self) -> Iterator[tuple[str, int, str]]:
        """The content names of the modules in use, with the number of stacks that use each and the first of them."""
        query = "select module, count(*), min(output) from uses group by module order by module"
        yield from self.base.execute(query)

    def used(self, output: str) -> list[str]:
        found = self.base.execute("select module from uses where output = ? order by module", (output,))
        return [name for (name,) in found]

    def users(self, name: str) -> list[str]:
        found = self.base.execute("select output from uses where module = ? order by output", (name,))
        return [output for (output,) in found]

    # the destination

    def placed(self, folder: str) -> Placed | None:
        found = self.base.execute("select digest, files from placed where folder = ?", (folder,)).fetchone()
        return None if found is None else Placed(found[0], {k: tuple(v) for k, v in json.loads(found[1]).items()})

    def place(self, folder: str, digest: str, files: Mapping[str, tuple[int, int, str]]) -> None:
        self.base.execute("insert or replace into placed values (?, ?, ?)", (folder, digest, json.dumps(dict(files))))

    def displace(self, folder: str) -> None:
        self.base.execute("delete from placed where folder = ?", (folder,))

    def verdict(self, folder: str, tool: str, digest: str) -> dict[str, Any] | None:
        """What a tool said about a directory of this digest."""
        query = "select verdict from verdicts where folder = ? and tool = ? and digest = ?"
        found = self.base.execute(query, (folder, tool, digest)).fetchone()
        return None if found is None else dict(json.loads(found[0]))

    def judge(self, folder: str, tool: str, digest: str, verdict: Mapping[str, Any]) -> None:
        row = folder, tool, digest, json.dumps(dict(verdict))
        self.base.execute("insert or replace into verdicts values (?, ?, ?, ?)", row)

    def folders(self) -> list[str]:
        """The directories of stacks and modules that were written."""
        found = self.base.execute("select folder from placed where folder <> ? order by folder", (TOP,))
        return [folder for (folder,) in found]

    def memory(self) -> Memory:
        """What surveys learned from files."""
        return Memory(self.base)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        self.base.execute("begin immediate")
        try:
            yield
        except BaseException:
            self.base.execute("rollback")
            raise
        self.base.execute("commit")
