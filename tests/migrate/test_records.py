"""The memory of a migration about its directories is in one place, and keeps all facts on the way there."""

from __future__ import annotations

import base64
import json
import pathlib
import shutil
import sqlite3
import zlib
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.repositories import ALONE, migrate, put, tree
from transpile.text import base_store, manifest, output
from transpile.text.base_store import BASE
from transpile.text.destination_records import gather_records
from transpile.text.manifest import MANIFEST

OUT = pathlib.Path("out")
MAIN = OUT / "net/alone/main.tf"
OLD_TEXT = b"# written by a person\n"


def records() -> dict[str, Any]:
    return dict(json.loads((OUT / MANIFEST).read_text())["directories"])


def own_records() -> list[str]:
    return sorted(str(path.parent.relative_to(OUT)) for path in OUT.rglob(MANIFEST) if path.parent != OUT)


def edit(path: pathlib.Path) -> None:
    path.write_bytes(path.read_bytes() + OLD_TEXT)


def rename_resource(src: pathlib.Path) -> None:
    """Changes the address of the resource of net/alone."""
    put(src, "net/alone.yaml", ALONE.replace("  net:", "  other:").replace("resource: net", "resource: other"))


def as_earlier_version() -> None:
    """Turns the records of a destination into those of a version that had one in each directory."""
    for folder, record in records().items():
        if not folder:
            continue
        texts = {name: data.decode() for name, data in texts_of(OUT / folder).items()}
        packed = base64.b64encode(zlib.compress(json.dumps(texts).encode(), 9))
        (OUT / folder / BASE).write_bytes(b"hot2tf 1: what the last run wrote, as zlib in Base64\n" + packed + b"\n")
        (OUT / folder / MANIFEST).write_text(json.dumps({"generator": "hot2tf 0.1", **record}, indent=1) + "\n")
    (OUT / MANIFEST).unlink()
    (OUT / BASE).unlink()
    with sqlite3.connect(OUT / ".hot2tf/state.db") as database:
        for folder, files in database.execute("select folder, files from placed where folder <> ''").fetchall():
            status = (OUT / folder / MANIFEST).stat() if (OUT / folder / MANIFEST).exists() else None
            if status is not None:
                content = manifest.hash_content((OUT / folder / MANIFEST).read_bytes())
                stamps = {**json.loads(files), MANIFEST: (status.st_size, status.st_mtime_ns, content)}
                database.execute("update placed set files = ? where folder = ?", (json.dumps(stamps), folder))


def texts_of(directory: pathlib.Path) -> dict[str, bytes]:
    return base_store.read_base(directory, manifest.read_manifest(directory))


@pytest.mark.usefixtures("src")
def test_there_is_one_record_and_a_second_run_leaves_it(command: Run) -> None:
    assert migrate(command).status == 0
    assert own_records() == []
    assert records().keys() == {"", "copy/alone", "db/db", "modules/server", "net/alone", "waits", "web/web"}
    assert texts_of(OUT / "net/alone")["main.tf"] == MAIN.read_bytes()
    before = tree(OUT)
    assert migrate(command).status == 0
    assert tree(OUT) == before


def test_a_change_of_one_template_changes_its_lines_alone(src: pathlib.Path, command: Run) -> None:
    migrate(command)
    before = {name: set((OUT / name).read_text().splitlines()) for name in (MANIFEST, BASE)}
    put(src, "web/web.env", "parameters: {network: third}\n")
    assert migrate(command).status == 0
    changed = {name: set((OUT / name).read_text().splitlines()) ^ lines for name, lines in before.items()}
    assert {line.split('"')[1] for line in changed[MANIFEST]} == {"terraform.tfvars"}
    assert {line.split(" ")[0] for line in changed[BASE]} == {"web/web/terraform.tfvars"}


@pytest.mark.parametrize("clone", [False, True])
def test_the_day_after_an_upgrade_nothing_is_lost(clone: bool, src: pathlib.Path, command: Run) -> None:
    """Edits are merged, ticks and moves stay, and no directory has a record of its own any more."""
    migrate(command)
    todo = OUT / "TODO.md"
    todo.write_text(todo.read_text().replace("- [ ]", "- [x]"))
    edit(MAIN)
    edit(OUT / "waits/main.tf")
    expected = records()
    as_earlier_version()
    if clone:
        shutil.rmtree(OUT / ".hot2tf")
    assert migrate(command).status == 0
    assert records() == expected
    rename_resource(src)
    ended = migrate(command)
    assert (ended.status, "Merged with your changes: net/alone: main.tf." in ended.err) == (0, True)
    assert own_records() == []
    assert "other" in MAIN.read_text()
    assert MAIN.read_bytes().endswith(OLD_TEXT)
    assert (OUT / "waits/main.tf").read_bytes().endswith(OLD_TEXT)
    assert "openstack_networking_network_v2.other" in (OUT / "net/alone/moved.tf").read_text()
    assert "- [ ]" not in todo.read_text()


@pytest.mark.usefixtures("src")
def test_a_dry_run_leaves_the_records_of_an_earlier_version(command: Run) -> None:
    migrate(command)
    as_earlier_version()
    before = tree(OUT)
    assert migrate(command, "--diff").out == ""
    assert tree(OUT) == before


def test_a_conversion_into_a_directory_of_a_migration(src: pathlib.Path, command: Run) -> None:
    """The conversion knows the files of the migration, and the next migration knows those of the conversion."""
    migrate(command)
    edit(MAIN)
    rename_resource(src)
    ended = command("convert", "src/net/alone.yaml", "-o", "out/net/alone", "--parameter", "OS::stack_name=net-alone")
    assert ended.status == 0
    assert own_records() == ["net/alone"]
    assert MAIN.read_bytes().endswith(OLD_TEXT)
    assert migrate(command).status == 0
    assert own_records() == []
    assert MAIN.read_bytes().endswith(OLD_TEXT)
    assert "other" in (OUT / "net/alone/moved.tf").read_text()


@pytest.mark.usefixtures("src")
def test_a_conversion_beside_those_of_a_migration_keeps_its_own_record(command: Run) -> None:
    migrate(command)
    assert command("convert", "src/net/alone.yaml", "-o", "out/mine").status == 0
    before = tree(OUT / "mine")
    assert migrate(command).status == 0
    assert tree(OUT / "mine") == before
    assert "mine" not in records()


@pytest.mark.usefixtures("src")
def test_a_conversion_into_the_destination_itself_is_refused(command: Run) -> None:
    migrate(command)
    before = tree(OUT)
    ended = command("convert", "src/net/alone.yaml", "-o", "out")
    assert (ended.status, "out is the destination of a migration." in ended.err) == (1, True)
    assert tree(OUT) == before


def test_removed_stacks_are_forgotten_even_beside_files_of_a_person(src: pathlib.Path, command: Run) -> None:
    migrate(command)
    put(OUT, "net/alone/mine.txt", "mine\n")
    (src / "net/alone.yaml").unlink()
    (src / "waits.yaml").unlink()
    assert migrate(command).status == 0
    assert {path.name for path in (OUT / "net/alone").iterdir()} == {"mine.txt"}
    assert {"net/alone", "waits"}.isdisjoint(records())
    assert b"net/alone/" not in (OUT / BASE).read_bytes()


def test_a_clone_knows_the_files_at_the_top(src: pathlib.Path, command: Run) -> None:
    migrate(command)
    todo = OUT / "TODO.md"
    todo.write_text(todo.read_text().replace("- [ ]", "- [x]"))
    shutil.rmtree(OUT / ".hot2tf")
    put(src, "later.yaml", ALONE.replace("Net", "SecurityGroup"))
    assert migrate(command).status == 0
    assert "later" in (OUT / "README.md").read_text()
    assert "- [ ]" not in todo.read_text()


@pytest.mark.parametrize("way", ["moved", "cloned", "reset"])
def test_edits_survive_a_destination_that_was(way: str, src: pathlib.Path, command: Run) -> None:
    migrate(command)
    first = {name: (OUT / name).read_bytes() for name in (MANIFEST, BASE)}
    edit(MAIN)
    if way == "moved":
        OUT.rename("elsewhere")
        pathlib.Path("elsewhere").rename(OUT)
    elif way == "cloned":
        shutil.rmtree(OUT / ".hot2tf")
    else:  # git brings an older version of everything but the state
        put(src, "waits.yaml", (src / "waits.yaml").read_text().replace("60", "90"))
        migrate(command)
        for name, data in first.items():
            (OUT / name).write_bytes(data)
    rename_resource(src)
    assert migrate(command).status == 0
    assert MAIN.read_bytes().endswith(OLD_TEXT)
    assert migrate(command, "--diff").out == ""


@pytest.mark.usefixtures("src")
def test_without_the_record_existing_files_are_recognised(command: Run) -> None:
    migrate(command)
    before = tree(OUT)
    for name in (MANIFEST, BASE):
        (OUT / name).unlink()
    assert migrate(command).status == 0
    assert tree(OUT) == before


def test_a_record_in_a_directory_that_everybody_writes_is_not_believed(tmp_path: pathlib.Path) -> None:
    (tmp_path / MANIFEST).write_text(json.dumps({"directories": {"out": {"files": {"main.tf": "0"}}}}))
    assert manifest.read_manifest(tmp_path / "out") == {"main.tf": frozenset({"0"})}
    tmp_path.chmod(0o1777)
    assert manifest.read_manifest(tmp_path / "out") == {}


def test_a_store_with_hidden_values_is_for_its_owner_alone(tmp_path: pathlib.Path) -> None:
    for folder, private in (("open", ()), ("hidden", ("main.tf",))):
        files = {"main.tf": "# hot2tf\n"}
        listed = {**files, MANIFEST: manifest.print_manifest(files)}
        assert output.write_directory(tmp_path / folder, listed, private=private) == []
    gather_records(tmp_path, ["open"], set(), {})
    assert (tmp_path / BASE).stat().st_mode & 0o077 != 0
    gather_records(tmp_path, ["open", "hidden"], set(), {})
    assert (tmp_path / BASE).stat().st_mode & 0o077 == 0
    assert texts_of(tmp_path / "hidden") == texts_of(tmp_path / "open") == {"main.tf": b"# hot2tf\n"}


def write_own(destination: pathlib.Path, folder: str, files: dict[str, str | bytes]) -> None:
    assert output.write_directory(destination / folder, {**files, MANIFEST: manifest.print_manifest(files)}) == []


def test_what_directories_inside_of_others_remember_is_in_order(tmp_path: pathlib.Path) -> None:
    """As if all lines had been sorted at once."""
    folders = ["a", "a-b", "a/m", "a/m/n", "b"]
    for folder in folders:
        write_own(tmp_path, folder, {"b.tf": "# hot2tf b\n", "z/z.tf": "# hot2tf z\n"})
    for gathered in (["a/m", "b"], folders):
        gather_records(tmp_path, gathered, set(), {})
    lines = (tmp_path / BASE).read_bytes().splitlines()[1:]
    assert [line.split(b" ")[0].decode() for line in lines] == sorted(
        f"{folder}/{name}" for folder in folders for name in ("b.tf", "z/z.tf")
    )
    for folder in folders:
        assert texts_of(tmp_path / folder) == {"b.tf": b"# hot2tf b\n", "z/z.tf": b"# hot2tf z\n"}
    gather_records(tmp_path, folders, {"a/m"}, {})
    assert (texts_of(tmp_path / "a/m"), len(texts_of(tmp_path / "a/m/n")), len(texts_of(tmp_path / "a"))) == ({}, 2, 2)


def test_a_formatter_and_a_merge_by_git_leave_the_record_readable(tmp_path: pathlib.Path) -> None:
    """Other spaces, ends of lines as on Windows, and lines that are not in order any more."""
    for folder in ("a", "b"):
        write_own(tmp_path, folder, {"main.tf": f"# hot2tf {folder}\n"})
    gather_records(tmp_path, ["a", "b"], set(), {})
    path, store = tmp_path / MANIFEST, tmp_path / BASE
    written = path.read_bytes()
    heading, *lines = store.read_bytes().splitlines(keepends=True)
    store.write_bytes(heading + b"".join(reversed(lines)))
    for changed in (json.dumps(json.loads(written), indent=4).encode(), written.replace(b"\n", b"\r\n")):
        path.write_bytes(changed)
        assert texts_of(tmp_path / "a") == {"main.tf": b"# hot2tf a\n"}
        assert texts_of(tmp_path / "b") == {"main.tf": b"# hot2tf b\n"}


@pytest.mark.parametrize("module", [manifest, base_store])
def test_of_too_much_each_directory_keeps_its_own(
    module: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(tmp_path, "a", {"main.tf": "# hot2tf\n"})
    monkeypatch.setattr(module, "DESTINATION_LIMIT", 50)
    gather_records(tmp_path, ["a"], set(), {})
    assert manifest.read_own_record(tmp_path / "a") != {}
    assert texts_of(tmp_path / "a") == {"main.tf": b"# hot2tf\n"}
    assert not (tmp_path / MANIFEST).exists()
    assert not list(tmp_path.glob(".hot2tf-*"))
