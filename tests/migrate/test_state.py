"""The state of a migration: damage heals, other trouble is no damage, and nothing in use is removed."""

from __future__ import annotations

import contextlib
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.conftest import Run
from tests.support import forged_states
from tests.support.forged_states import open_database
from tests.support.repositories import ALONE, CALLER, SERVER, put, tree
from transpile.migrate import progress, session, state_tables
from transpile.migrate.archive import Damaged
from transpile.migrate.destination import Unusable
from transpile.migrate.state import FOLDER, STATE_FILE, MigrationState
from transpile.settings.table import Request

DATABASE = pathlib.Path("out", FOLDER, STATE_FILE)
EVERY = 9  # only every ninth forged state is migrated, to save time; all of them are opened
ARCHIVES = ("results.files", "modules.files")  # columns whose values are files to be written
FORGERIES = list(forged_states.walk_forgeries())


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A source with two stacks that share a module, a third one, and a destination."""
    where = tmp_path_factory.mktemp("pristine")
    put(where, "src/lib/server.yaml", SERVER)
    put(where, "src/lib/boot.sh", "#!/bin/sh\n")
    for name in ("web", "db"):
        put(where, f"src/{name}/{name}.yaml", CALLER.format(network=name, server="../lib/server.yaml"))
    put(where, "src/net/alone.yaml", ALONE)
    assert migrate(where).ok
    return where


@pytest.fixture
def place(pristine: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A copy of it, which is the working directory."""
    shutil.copytree(pristine, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def migrate(where: pathlib.Path) -> session.MigrationResult:
    asked = session.MigrationRequest(Request(jobs=1))
    return session.migrate_stacks(where / "src", where / "out", asked, progress.SilentProgress())


# damage


def test_every_changed_row_is_found_when_the_state_is_opened(pristine: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Rows without a valid seal are found in every table and column, and so are foreign tables."""
    unseen, changed = [], 0
    for forgery in FORGERIES:
        if forgery.resealed:
            continue
        path = copy_state(pristine, tmp_path)
        before = read_rows(path)
        with open_database(path) as base:
            forgery.forge(base)
        if read_rows(path) == before:  # the table has no rows
            continue
        changed += 1
        try:
            MigrationState(path).close()
            unseen.append(forgery.name)
        except Damaged:
            pass
    assert changed > 200
    # a state that knows less is right; files that it does not know are made again, and stay in the destination
    harmless = {"modules: first deleted"} if len(uses_of_first_module(pristine)) == 0 else set()
    assert {name for name in unseen if not name.startswith(("placed: ", "learned: "))} == harmless


def copy_state(pristine: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / STATE_FILE
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    shutil.copyfile(pristine / DATABASE, path)
    return path


def read_rows(path: pathlib.Path) -> Any:
    with open_database(path) as base:
        base.text_factory = bytes
        tables = [str(name, "utf-8") for (name,) in base.execute("select name from sqlite_master where type = 'table'")]
        definitions = base.execute("select * from sqlite_master").fetchall()
        return definitions, {table: base.execute(f"select * from {table}").fetchall() for table in tables}


def uses_of_first_module(pristine: pathlib.Path) -> list[Any]:
    with open_database(pristine / DATABASE) as base:
        query = "select * from uses where module = (select name from modules order by rowid limit 1)"
        return base.execute(query).fetchall()


SAMPLE = [
    *[forgery for forgery in FORGERIES if forgery.resealed][::EVERY],
    *[
        forgery
        for forgery in FORGERIES
        if forgery.name in ("results: all deleted", "uses: all deleted", "older format")
    ],
]


@pytest.mark.parametrize("forgery", SAMPLE, ids=lambda forgery: f"{forgery.name}{' with seals' * forgery.resealed}")
def test_a_forged_state_heals_and_nothing_is_removed(
    forgery: forged_states.Forgery, place: pathlib.Path, command: Run
) -> None:
    before = tree(place / "out")
    with open_database(DATABASE) as base:
        forgery.forge(base)
    ended = command("migrate", "src", "out", "--progress", "none", "--jobs", "1")
    assert (ended.status, "HOT900" in ended.err, "Removed" in ended.err) == (0, False, False)
    assert tree(place / "out") == before
    again = command("migrate", "src", "out", "--progress", "none", "--jobs", "1")
    assert (again.status, "3 unchanged" in again.err, "HOT922" in again.err) == (0, True, False)


@pytest.mark.parametrize(
    "forgery",
    [forgery for forgery in FORGERIES if forgery.resealed and forgery.name.startswith(ARCHIVES)],
    ids=lambda forgery: forgery.name,
)
@pytest.mark.parametrize("removed", [False, True])
def test_forged_files_are_not_written(
    forgery: forged_states.Forgery, removed: bool, place: pathlib.Path, command: Run
) -> None:
    """Files are written from the state if it claims other contents of the directories, or if these are gone. A file
    that differs from the conversion of its stack is made again.
    """
    before = tree(place / "out")
    with open_database(DATABASE) as base:
        forgery.forge(base)
        forged_states.age_placed(base)
    if removed:
        for folder in ("web", "db", "net", "modules"):
            shutil.rmtree(place / "out" / folder)
    ended = command("migrate", "src", "out", "--progress", "none", "--jobs", "1")
    assert (ended.status, "HOT900" in ended.err, "Removed" in ended.err) == (0, False, False)
    assert tree(place / "out") == before


def test_a_state_that_hides_a_template_is_not_believed(place: pathlib.Path) -> None:
    """The facts of an earlier run about a file decide which stacks exist. They are checked again before output is
    removed.
    """
    before = tree(place / "out")
    with open_database(DATABASE) as base:
        for (key,) in base.execute("select key from learned").fetchall():
            state_tables.insert_row(base, "learned", key, "[]")
    result = migrate(place)
    assert [diagnostic.code for diagnostic in result.diagnostics] == ["HOT922"]
    assert tree(place / "out") == before


def test_the_state_of_an_older_version_is_made_again_and_edits_stay(place: pathlib.Path, command: Run) -> None:
    edited = pathlib.Path("out/web/web/main.tf")
    edited.write_text(edited.read_text() + "# mine\n")
    mine = edited.read_text()
    DATABASE.unlink()
    with open_database(DATABASE) as base:  # as version 0.2.0 made it
        base.execute("create table facts (name text primary key, value text) without rowid")
        base.execute("insert into facts values ('format', '1')")
        base.execute("create table placed (folder text primary key, digest text, files text) without rowid")
    ended = command("migrate", "src", "out", "--progress", "none")
    assert "HOT922" in ended.err
    assert edited.read_text() == mine


def test_a_journal_of_another_database_goes_with_a_damaged_state(place: pathlib.Path) -> None:
    DATABASE.write_bytes(b"no database")
    for ending in ("-journal", "-wal", "-shm"):
        DATABASE.with_name(DATABASE.name + ending).write_bytes(b"x" * 4096)
    assert [diagnostic.code for diagnostic in migrate(place).diagnostics] == ["HOT922"]
    assert migrate(place).diagnostics == []


# files in use


def test_a_module_that_a_file_of_the_user_calls_stays(place: pathlib.Path, command: Run) -> None:
    put(place, "out/own/main.tf", 'module "x" {\n  source = "../modules/server"\n}\n')
    shutil.rmtree("src/web")
    shutil.rmtree("src/db")
    ended = command("migrate", "src", "out", "--progress", "none")
    assert ended.status == 0
    assert "Removed, for their stacks are gone: db/db, web/web." in ended.err
    assert "Left, for files still refer to them: modules/server (own/main.tf)." in ended.err
    assert pathlib.Path("out/modules/server/main.tf").exists()
    pathlib.Path("out/own/main.tf").unlink()
    ended = command("migrate", "src", "out", "--progress", "none")
    assert "Removed, for their stacks are gone: modules/server." in ended.err
    assert not pathlib.Path("out/modules").exists()


def test_the_output_of_a_template_that_broke_stays_without_a_state(place: pathlib.Path, command: Run) -> None:
    put(place, "src/web/web.yaml", CALLER.format(network="web", server="../lib/server.yaml").replace("type:", "typ:"))
    with open_database(DATABASE) as base:
        for table in ("stacks", "results", "uses"):
            base.execute(f"delete from {table} where output = 'web/web'")
    ended = command("migrate", "src", "out", "--progress", "none")
    assert (ended.status, "Removed" in ended.err) == (1, False)
    assert pathlib.Path("out/web/web/main.tf").exists()


# trouble that is no damage


def test_a_full_disk_while_the_state_is_saved_is_a_message(
    place: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each size: SQLite itself says that the disk is full."""
    put(place, "src/lib/boot.sh", "#!/bin/sh\nanother\n" + random.Random(1).randbytes(100_000).hex())
    put(place, "src/more/alone.yaml", ALONE.replace("name: n", "name: m"))
    shutil.copytree("out", "kept")
    assert migrate(place).ok
    expected = tree(place / "out")
    refused = 0
    for more in range(0, 12, 3):
        shutil.rmtree("out")
        shutil.copytree("kept", "out")
        with monkeypatch.context() as limited:
            limited.setattr(sqlite3, "connect", partial(connect_limited, sqlite3.connect, more))
            refused += expect_refusal(place, "database or disk is full")
        result = migrate(place)
        assert (result.ok, result.diagnostics, tree(place / "out")) == (True, [], expected)
    assert refused


def connect_limited(connect: Callable[..., sqlite3.Connection], more: int, path: Any, **keywords: Any) -> Any:
    """A connection to a database that can grow by a few pages only."""
    base = connect(path, **keywords)
    if path != ":memory:":
        (pages,) = base.execute("pragma page_count").fetchone()
        base.execute(f"pragma max_page_count = {pages + more}")
    return base


def expect_refusal(place: pathlib.Path, cause: str) -> bool:
    """Whether a run was refused; then for this cause, and the state is still there."""
    size = DATABASE.stat().st_size
    message = try_to_migrate(place)
    if message:
        assert cause in message
        assert str(place / DATABASE) in message
        assert DATABASE.stat().st_size >= size
    return bool(message)


def try_to_migrate(place: pathlib.Path) -> str:
    """Why the destination cannot be used; empty if the run came to its end."""
    try:
        result = migrate(place)
    except Unusable as e:
        return str(e)
    assert result.diagnostics == []
    return ""


def test_a_state_that_cannot_be_written_is_a_message(place: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(place, "src/more/alone.yaml", ALONE.replace("name: n", "name: m"))
    connect = sqlite3.connect

    def connect_read_only(path: Any, **keywords: Any) -> sqlite3.Connection:
        inner = path == ":memory:"
        base: sqlite3.Connection = connect(path if inner else f"file:{path}?mode=ro", uri=not inner, **keywords)
        return base

    before = tree(place / "out")
    with monkeypatch.context() as limited:
        limited.setattr(sqlite3, "connect", connect_read_only)
        assert expect_refusal(place, "attempt to write a readonly database")
    assert tree(place / "out") == before
    result = migrate(place)
    assert (result.diagnostics, sorted(result.outcome.done.values()).count("unchanged")) == ([], 3)


def test_a_state_that_is_locked_is_a_message(place: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as hurried, open_database(DATABASE) as other:
        other.execute("pragma locking_mode = exclusive")
        other.execute("begin exclusive")
        other.execute("select * from facts").fetchone()
        hurried.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0))
        assert expect_refusal(place, "database is locked")
        other.execute("rollback")
    result = migrate(place)
    assert (result.diagnostics, set(result.outcome.done.values())) == ([], {"unchanged"})


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may write everything")
def test_a_state_without_permission_is_a_message(place: pathlib.Path, command: Run) -> None:
    DATABASE.chmod(0o400)
    ended = command("migrate", "src", "out")
    assert (ended.status, "cannot be opened: Permission denied" in ended.err) == (2, True)


def test_a_full_file_system_is_a_message_and_the_next_run_goes_on(
    tmp_path: pathlib.Path, pristine: pathlib.Path
) -> None:
    where = tmp_path / "small"
    where.mkdir()
    if os.name != "posix" or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", where]).returncode:
        pytest.skip("a file system can be mounted by root only")
    try:
        shutil.copytree(pristine / "src", where / "src")
        assert migrate(where).ok
        before = tree(where / "out")
        filler = where / "filler"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            for _ in range(100_000):
                file.write(b"x" * 1024)
        assert (where / "out" / FOLDER / STATE_FILE).stat().st_size > 4096
        assert "cannot be used" in (try_to_migrate(where) or "cannot be used")
        assert (where / "out" / FOLDER / STATE_FILE).stat().st_size > 4096
        filler.unlink()
        result = migrate(where)
        assert (result.ok, result.diagnostics, set(result.outcome.done.values())) == (True, [], {"unchanged"})
        assert tree(where / "out") == before
    finally:
        subprocess.run(["umount", where], check=True)
