"""hot2tf migrate: the files that it writes, those that it leaves alone, and the work that it does not repeat."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any

import hcl2
import pytest

from tests.conftest import Run
from tests.support import oracles
from tests.support.repositories import BROKEN, SERVER, put, tree
from transpile.migrate import archive, executors, state_tables
from transpile.migrate.state import FOLDER
from transpile.migrate.unit import MigrationUnit

STACKS = ["copy/alone", "db/db", "net/alone", "waits", "web/web"]


@pytest.fixture
def converted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stacks that are converted, as they are."""
    seen: list[str] = []
    inline = executors.InlineExecutor.run_units

    def run(self: executors.InlineExecutor, units: Iterator[MigrationUnit]) -> Any:
        for unit, result in inline(self, units):
            seen.append(unit.output)
            yield unit, result

    monkeypatch.setattr(executors.InlineExecutor, "run_units", run)
    return seen


def fresh_tree(command: Run) -> dict[str, str]:
    """The files that the same command writes if `out` does not exist yet."""
    out = pathlib.Path("out").rename("kept")
    command("migrate", "src", "out", "--quiet")
    written = tree(pathlib.Path("out"))
    shutil.rmtree("out")
    out.rename("out")
    return written


def test_a_directory_for_each_stack_and_one_module_for_both_callers(src: pathlib.Path, command: Run) -> None:
    assert command("migrate", "src", "out", "--quiet", "--report", "r.json").status == 0
    files = tree(pathlib.Path("out"))
    assert sorted({pathlib.PurePosixPath(name).parent.as_posix() for name in files if name.endswith("main.tf")}) == [
        "copy/alone",
        "db/db",
        "modules/server",
        "net/alone",
        "waits",
        "web/web",
    ]
    for stack in ("db/db", "web/web"):
        (module,) = hcl2.loads(files[f"{stack}/main.tf"])["module"]
        assert module['"one"']["source"] == '"../../modules/server"'
    assert files["modules/server/files/boot.sh"] == "#!/bin/sh\necho started\n"
    assert files["web/web/terraform.tfvars"].splitlines()[-1] == 'network    = "back"'
    report = json.loads(pathlib.Path("r.json").read_text())
    assert [entry["output"] for entry in report["stacks"]] == STACKS
    (module,) = report["modules"]
    assert (module["module"], module["template"]) == ("server", "lib/server.yaml")
    assert module["stacks"] == ["db/db", "web/web"]
    assert report["summary"]["without_heat"] == 4
    kept = {"type": "OS::Heat::WaitCondition", "stacks": 1, "free_without": 0}  # its handle stays, too
    assert kept in report["summary"]["kept_types"]


def test_an_unchanged_repository_is_not_converted_again(src: pathlib.Path, command: Run, converted: list[str]) -> None:
    assert command("migrate", "src", "out", "--quiet").status == 0
    assert len(converted) == 4  # net/alone is the same as copy/alone
    before, stamps = tree(pathlib.Path("out")), times(pathlib.Path("out"))
    converted.clear()
    ended = command("migrate", "src", "out", "--progress", "none")
    assert (ended.status, converted) == (0, [])
    assert "5 stacks: 5 unchanged." in ended.err
    assert (tree(pathlib.Path("out")), times(pathlib.Path("out"))) == (before, stamps)


def test_quiet_leaves_out_the_summary_but_no_errors(src: pathlib.Path, command: Run) -> None:
    assert command("migrate", "src", "out", "--quiet").err == ""
    put(src, "broken.yaml", BROKEN)
    ended = command("migrate", "src", "out", "--quiet")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.splitlines() == [
        "  fix 1: problems that stop a conversion or a plan",
        "    broken.yaml:3: HOT301 OS::Neutron::Net has no property nam.",
    ]
    listed = command("migrate", "src", "out", "--quiet", "--diagnostics", "text")
    assert (listed.status, "Failed" in listed.err, "HOT301" in listed.out) == (1, False, True)


def times(where: pathlib.Path) -> dict[str, int]:
    return {
        str(path): path.stat().st_mtime_ns for path in where.rglob("*") if path.is_file() and FOLDER not in path.parts
    }


@pytest.mark.parametrize(
    ("name", "text", "again"),
    [
        ("lib/server.yaml", SERVER.replace("cirros", "alpine"), ["db/db", "web/web"]),
        ("lib/boot.sh", "#!/bin/sh\n", ["db/db", "web/web"]),
        ("web/web.env", "parameters: {network: other}\n", ["web/web"]),
        ("README.md", "still nothing\n", []),
    ],
)
def test_after_a_change_only_its_users_are_converted(
    name: str, text: str, again: list[str], src: pathlib.Path, command: Run, converted: list[str]
) -> None:
    command("migrate", "src", "out", "--quiet")
    converted.clear()
    put(src, name, text)
    assert command("migrate", "src", "out", "--quiet").status == 0
    assert converted == again
    assert tree(pathlib.Path("out")) == fresh_tree(command)


def test_other_options_convert_everything(src: pathlib.Path, command: Run, converted: list[str]) -> None:
    command("migrate", "src", "out", "--quiet")
    converted.clear()
    command("migrate", "src", "out", "--quiet", "--prefer", "native")
    assert len(converted) == 4


def test_a_stack_that_is_gone_is_removed_with_its_module(src: pathlib.Path, command: Run) -> None:
    command("migrate", "src", "out", "--quiet")
    for name in ("web/web.yaml", "web/web.env", "db/db.yaml", "lib/server.yaml", "lib/boot.sh"):
        (src / name).unlink()
    ended = command("migrate", "src", "out", "--progress", "none")
    assert ended.status == 0
    assert "Removed, for their stacks are gone: db/db, modules/server, web/web." in ended.err
    assert {path.name for path in pathlib.Path("out").iterdir()} == {
        ".gitattributes", ".gitignore", ".hot2tf", ".hot2tf.base", ".hot2tf.json", "README.md", "TODO.md",
        "copy", "net", "waits",
    }  # fmt: skip


def test_edited_files_are_left_and_listed(src: pathlib.Path, command: Run) -> None:
    command("migrate", "src", "out", "--quiet")
    edited = pathlib.Path("out/web/web/main.tf")
    mine = edited.read_text() + "# mine\n"
    edited.write_text(mine)
    ended = command("migrate", "src", "out", "--progress", "none")
    assert ended.status == 0  # nothing else was to be written there
    assert "Edited by hand, and left: web/web: main.tf." in ended.err
    put(
        src,
        "lib/server.yaml",
        SERVER.replace("port:\n    type", "gate:\n    type").replace("resource: port", "resource: gate"),
    )
    put(src, "web/web.env", "parameters: {network: third}\n")
    ended = command("migrate", "src", "out", "--progress", "none")
    assert ended.status == 0  # main.tf of the stack is the same, and the module is not edited
    assert edited.read_text() == mine
    put(src, "web/web.yaml", (src / "web/web.yaml").read_text().replace("  one:", "  two:").replace("[one", "[two"))
    ended = command("migrate", "src", "out", "--progress", "none")
    assert (ended.status, "Merged with your changes: web/web: main.tf." in ended.err) == (0, True)
    assert edited.read_text() == fresh_tree(command)["web/web/main.tf"] + "# mine\n"
    assert command("migrate", "src", "out", "--progress", "none", "--force").status == 0
    assert forget(tree(pathlib.Path("out"))) == forget(fresh_tree(command))
    moved = pathlib.Path("out/web/web/moved.tf").read_text()  # the new names say the same as the old ones
    assert "module.two" in moved
    assert "openstack_networking_port_v2.gate" in moved


def forget(files: dict[str, str]) -> dict[str, str]:
    """The files without a directory's memory of earlier runs."""
    remembered = (".hot2tf.json", ".hot2tf.base", "moved.tf")
    return {name: text for name, text in files.items() if not name.endswith(remembered)}


def test_a_file_of_a_person_beside_ours_stays(src: pathlib.Path, command: Run) -> None:
    command("migrate", "src", "out", "--quiet")
    mine = pathlib.Path("out/web/web/backend.tf")
    mine.write_text('terraform {\n  backend "local" {}\n}\n')
    put(src, "web/web.env", "parameters: {network: third}\n")
    assert command("migrate", "src", "out", "--quiet").status == 0
    assert mine.read_text() == 'terraform {\n  backend "local" {}\n}\n'
    assert 'network    = "third"' in pathlib.Path("out/web/web/terraform.tfvars").read_text()


def test_a_broken_template_is_reported_and_the_others_are_converted(src: pathlib.Path, command: Run) -> None:
    put(src, "broken.yaml", BROKEN)
    assert command("migrate", "src", "out", "--quiet", "--report", "r.json").status == 1
    stacks = {entry["output"]: entry for entry in json.loads(pathlib.Path("r.json").read_text())["stacks"]}
    assert {name for name, entry in stacks.items() if entry["status"] == "converted"} == set(STACKS)
    (error,) = [row for row in stacks["broken"]["report"]["diagnostics"] if row["severity"] == "error"]
    assert (error["file"], error["line"]) == ("broken.yaml", 3)
    assert not pathlib.Path("out/broken").exists()
    again = command("migrate", "src", "out", "--progress", "none")
    assert again.status == 1
    assert "6 stacks: 5 unchanged, 1 failed." in again.err


def test_the_directory_of_a_template_that_broke_stays_with_its_module(src: pathlib.Path, command: Run) -> None:
    command("migrate", "src", "out", "--quiet")
    before = tree(pathlib.Path("out"))
    for name in ("README.md", "TODO.md", ".hot2tf.json", ".hot2tf.base"):  # which say what was converted
        del before[name]
    good = (src / "db/db.yaml").read_text()
    (src / "web/web.yaml").unlink()
    (src / "web/web.env").unlink()
    put(src, "db/db.yaml", good.replace("properties:", "propertys:"))
    ended = command("migrate", "src", "out", "--progress", "none")
    assert ended.status == 1
    assert "Cannot be converted now, and left as they were: db/db." in ended.err
    now = tree(pathlib.Path("out"))
    assert {name: now.get(name) for name in before if not name.startswith("web/")} == {
        name: text for name, text in before.items() if not name.startswith("web/")
    }
    put(src, "db/db.yaml", good)
    assert command("migrate", "src", "out", "--quiet").status == 0
    assert tree(pathlib.Path("out")) == fresh_tree(command)


@pytest.mark.parametrize("fitting", [False, True])
def test_a_state_of_a_stranger_writes_nothing_outside(src: pathlib.Path, fitting: bool, command: Run) -> None:
    """This holds even if the state's rows have the seals of hot2tf. Files that do not have the digest of their stack
    are made again, those that do are refused.
    """
    import sqlite3

    command("migrate", "src", "out", "--quiet")
    wrong = {"../../../../victim.tf": b"# Made by hot2tf: hot2tf migrate SRC DEST\n"}
    digest = archive.digest_files(wrong) if fitting else "x"
    with sqlite3.connect("out/.hot2tf/state.db") as base:
        for output, report in base.execute("select output, report from results").fetchall():
            if output not in ("db/db", "web/web"):  # whose digests have those of their modules
                state_tables.insert_row(base, "results", output, archive.pack_files(wrong), digest, report)
    base.close()
    before, written = tree(src), tree(pathlib.Path("out"))
    ended = command("migrate", "src", "out", "--progress", "none")
    assert ended.status == int(fitting)
    assert ("HOT902" if fitting else "HOT922") in ended.err
    assert not list(pathlib.Path().rglob("victim.tf"))
    assert (tree(src), tree(pathlib.Path("out"))) == (before, written)


def test_with_fail_fast_it_stops_at_the_first_failure_and_goes_on_later(
    src: pathlib.Path, command: Run, converted: list[str]
) -> None:
    put(src, "broken.yaml", BROKEN)
    ended = command("migrate", "src", "out", "--progress", "none", "--fail-fast")
    assert ended.status == 1
    assert converted == ["broken"]
    put(src, "broken.yaml", BROKEN.replace("nam:", "name:"))
    assert command("migrate", "src", "out", "--quiet").status == 0
    assert tree(pathlib.Path("out")) == fresh_tree(command)


def test_the_plan_is_shown_and_nothing_is_written(src: pathlib.Path, command: Run) -> None:
    ended = command("migrate", "--plan", "src")
    assert ended.status == 0
    for name in ("copy/", "alone.yaml", "db.yaml", "waits.yaml", "-e web.env"):
        assert name in ended.out
    assert "lib/server.yaml" in ended.out
    assert sorted(path.name for path in pathlib.Path().iterdir()) == ["src"]


def test_a_plan_file_is_obeyed(src: pathlib.Path, command: Run) -> None:
    plan = "src/hot2tf-migrate.yaml"
    assert command("migrate", "--plan", "src", "--write", plan).status == 0
    text = pathlib.Path(plan).read_text()
    assert "output: web/web" in text
    pathlib.Path(plan).write_text(text.replace("output: web/web", "output: front"))
    assert command("migrate", "src", "out", "--quiet").status == 0
    assert 'source     = "../modules/server"' in pathlib.Path("out/front/main.tf").read_text()
    assert not pathlib.Path("out/web").exists()


@pytest.mark.parametrize("target", ["tosca", "hot"])
def test_other_targets_get_a_directory_for_each_stack(target: str, src: pathlib.Path, command: Run) -> None:
    assert command("migrate", "src", "out", "--quiet", "--to", target).status == 0
    files = tree(pathlib.Path("out"))
    main = {"tosca": "web/web/web.yaml", "hot": "web/web/web/web.yaml"}[target]
    nested = {"tosca": "web/web/web.files/lib/server.yaml", "hot": "web/web/lib/server.yaml"}[target]
    assert main in files
    assert nested in files
    if target == "hot":  # all that the template names is there, in its place
        assert (
            command("check", "-e", "out/web/web/web/web.env", f"out/{main}", "--strict", "--root", "out/web/web").status
            == 0
        )
    before = tree(pathlib.Path("out"))
    assert "5 unchanged" in command("migrate", "src", "out", "--progress", "none", "--to", target).err
    assert tree(pathlib.Path("out")) == before


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_files_with_hidden_defaults_are_for_their_owner_alone(src: pathlib.Path, command: Run) -> None:
    """The files are in a stack's own directory and in a shared module. The state has the defaults, too, and is
    private.
    """
    hidden = "parameters: {p: {type: string, hidden: true, default: hunter2-secret}}"
    put(
        src,
        "net/alone.yaml",
        f"heat_template_version: 2018-08-31\n{hidden}\noutputs: {{o: {{value: {{get_param: p}}}}}}\n",
    )
    server = SERVER.replace("parameters:", hidden[:-1].replace("{p", "\n  p", 1))
    put(
        src,
        "lib/server.yaml",
        server.replace("{get_param: network}}", "{get_param: network}, name: {get_param: p}}", 1),
    )
    assert command("migrate", "src", "out", "--quiet").status == 0
    modes = {path.as_posix(): path.stat().st_mode & 0o077 for path in pathlib.Path("out").rglob("*") if path.is_file()}
    for name in ("out/net/alone/variables.tf", "out/modules/server/variables.tf", "out/.hot2tf/state.db"):
        assert modes[name] == 0
    for name in ("out/web/web/main.tf", "out/modules/server/main.tf", "out/README.md"):
        assert modes[name] != 0


@pytest.mark.parametrize("declared", ["root", "nested", "both"])
def test_a_hidden_value_of_an_environment_is_in_no_file(src: pathlib.Path, command: Run, declared: str) -> None:
    """A module that two stacks share, and one that only one stack calls."""
    secret = "Zq7xSecretValue9"
    head, user = "heat_template_version: 2018-08-31\n", "type: OS::Keystone::User, properties: {name: u, password: "
    hidden = {where: str(declared in (where, "both")).lower() for where in ("root", "nested")}
    for name in ("shared", "single"):
        part = f"{head}parameters: {{pw: {{type: string, default: '', hidden: {hidden['nested']}}}}}\n"
        put(src, f"parts/{name}.yaml", part + f"resources: {{user: {{{user}{{get_param: pw}}}}}}}}\n")
    for name in ("one", "two"):
        calls = "  a: {type: ../parts/shared.yaml}\n" + "  b: {type: ../parts/single.yaml}\n" * (name == "one")
        root = f"{head}parameters: {{pw: {{type: string, hidden: {hidden['root']}}}}}\nresources:\n{calls}"
        put(src, f"{name}/{name}.yaml", f"{root}  user: {{{user}{{get_param: pw}}}}}}\n")
        put(src, f"{name}/{name}.env.yaml", f"parameter_defaults: {{pw: {secret}}}\n")
    done = command("migrate", "src", "out", "--report", "report.json", "--html", "page.html", "--diagnostics", "json")
    assert done.status == 0
    assert pathlib.Path("out/one/one/main.tf").is_file()
    assert secret not in done.out + done.err
    written = [path for path in pathlib.Path("out").rglob("*") if path.is_file()]
    for path in (*written, pathlib.Path("report.json"), pathlib.Path("page.html")):
        assert secret.encode() not in path.read_bytes(), path


# refusals


def test_source_and_destination_do_not_contain_each_other(src: pathlib.Path, command: Run) -> None:
    for source, destination in [("src", "src/out"), ("src/web", "src"), ("src", "src"), ("src", "src/../src/x")]:
        ended = command("migrate", source, destination)
        assert ended.status == 2
        assert "must not contain each other" in ended.err
    assert not (src / "out").exists()


def test_a_directory_with_other_files_is_refused(src: pathlib.Path, command: Run) -> None:
    put(pathlib.Path("out"), "precious.txt", "mine")
    ended = command("migrate", "src", "out")
    assert ended.status == 2
    assert "'precious.txt' is there" in ended.err
    assert [path.name for path in pathlib.Path("out").iterdir()] == ["precious.txt"]
    assert command("migrate", "src", "out", "--quiet", "--force").status == 0
    assert pathlib.Path("out/precious.txt").read_text() == "mine"


def test_a_fresh_repository_is_a_destination_and_keeps_its_readme(src: pathlib.Path, command: Run) -> None:
    put(pathlib.Path("out"), ".git/HEAD", "ref: refs/heads/main\n")
    put(pathlib.Path("out"), "README.md", "# Ours\n")
    ended = command("migrate", "src", "out", "--progress", "none")
    assert ended.status == 0
    assert "Edited by hand, and left: README.md." in ended.err
    assert pathlib.Path("out/README.md").read_text() == "# Ours\n"


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"x" * 4096])
def test_a_damaged_state_is_begun_again(content: bytes, src: pathlib.Path, command: Run, converted: list[str]) -> None:
    command("migrate", "src", "out", "--quiet")
    before = tree(pathlib.Path("out"))
    for path in pathlib.Path("out", FOLDER).glob("state.db*"):
        path.unlink()
    pathlib.Path("out", FOLDER, "state.db").write_bytes(content)
    converted.clear()
    ended = command("migrate", "src", "out", "--progress", "none")
    assert ended.status == 0
    assert ("HOT922" in ended.err) == bool(content)  # an empty file is an empty state
    assert len(converted) == 4
    assert tree(pathlib.Path("out")) == before


@pytest.mark.parametrize(
    "change",
    [
        "update results set files = x'00'",
        "update modules set files = x'789c'",
        "alter table results drop column digest",
        "update facts set value = '999' where name = 'format'",  # the state of another version
    ],
)
def test_a_damaged_result_is_begun_again(change: str, src: pathlib.Path, command: Run) -> None:
    import sqlite3

    command("migrate", "src", "out", "--quiet")
    before = tree(pathlib.Path("out"))
    with sqlite3.connect("out/.hot2tf/state.db") as base:
        base.execute(change)
    base.close()
    ended = command("migrate", "src", "out", "--progress", "none")
    assert (ended.status, "HOT922" in ended.err) == (0, True)
    assert tree(pathlib.Path("out")) == before


def test_nothing_is_written_through_a_link_in_the_destination(src: pathlib.Path, command: Run) -> None:
    pathlib.Path("victim").mkdir()
    pathlib.Path("out/.hot2tf").mkdir(parents=True)
    pathlib.Path("out/web").symlink_to("../victim")
    ended = command("migrate", "src", "out", "--progress", "none")
    assert ended.status == 1
    assert "is a link" in ended.err
    assert list(pathlib.Path("victim").iterdir()) == []
    pathlib.Path("other").mkdir()
    pathlib.Path("other/.hot2tf").symlink_to("../victim")
    assert command("migrate", "src", "other").status == 2
    assert list(pathlib.Path("victim").iterdir()) == []


def test_two_runs_at_once_are_refused(src: pathlib.Path, command: Run) -> None:
    fcntl = pytest.importorskip("fcntl", reason="locks of POSIX")
    command("migrate", "src", "out", "--quiet")
    with pathlib.Path("out/.hot2tf/lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ended = command("migrate", "src", "out")
    assert ended.status == 2
    assert "another hot2tf migrate is at work" in ended.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing", "out"],
        ["src", "--html", "page.html"],
        ["empty", "out"],
        ["src", "out", "--jobs", "-1"],
        ["src", "out", "--progress", "x"],
        ["src", "--write", "f"],
    ],
)
def test_wrong_usage(arguments: list[str], src: pathlib.Path, command: Run) -> None:
    pathlib.Path("empty").mkdir()
    assert command("migrate", *arguments).status == 2
    assert not pathlib.Path("out").exists()


@oracles.needs_providers
def test_the_output_is_valid_terraform(src: pathlib.Path, command: Run) -> None:
    ended = command("migrate", "src", "out", "--progress", "none", "--validate", "--report", "r.json")
    assert ended.status == 0
    assert "5 of 5 are valid." in ended.err
    stacks = json.loads(pathlib.Path("r.json").read_text())["stacks"]
    assert all(verdict["valid"] for stack in stacks for verdict in stack["validation"].values())
    assert not list(pathlib.Path("out").glob("*/*/.terraform*"))
    broken = pathlib.Path("out/net/alone/main.tf")
    broken.write_text(broken.read_text() + 'resource "x" "y" {\n')
    ended = command("migrate", "src", "out", "--progress", "none", "--validate")
    assert ended.status == 1
    assert "Not valid: net/alone." in ended.err
