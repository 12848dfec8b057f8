"""Fleets of stacks, from a server of these tests that answers as OpenStack does.

Proves: one command adopts the stacks of several projects into one tree, those of a template as environments of one
configuration with shared modules; each stack is in the table, with the reason if it is left; nothing but reading
requests is sent; a run that was stopped anywhere goes on and ends with the same bytes; a second run writes nothing;
stacks that are gone or under way keep their files; and a comparison with the kept files finds the changes, and only
that.
"""

from __future__ import annotations

import json
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.support.fake_cloud import ENVIRONMENT, Server, exported, make_resource, serve_cloud
from tests.support.repositories import tree
from transpile.adopting.fleet import reading
from transpile.adopting.fleet.order_of_work import order_verdicts
from transpile.adopting.fleet.stacks import PART, WHOLE, StackVerdict
from transpile.cli.application import make_application
from transpile.migrate.state import MigrationState

OTHER = "b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2"  # the ID of another project
NODE = {
    "heat_template_version": "2018-08-31",
    "resources": {"port": {"type": "OS::Neutron::Port", "properties": {"network": "n"}}},
}
PARENT = {"type": "OS::Neutron::Port", "properties": {"network": "n"}}
RESOURCES = {"net": {"type": "OS::Neutron::Net"}, "inner": {"type": "file:///home/me/node.yaml"}}
WEB = {
    "heat_template_version": "2018-08-31",
    "description": "A network and a port on it.",
    "parameters": {"mtu": {"type": "number", "default": 1500}},
    "resources": RESOURCES,
}
WEB_FILE = """\
heat_template_version: 2018-08-31
description: A network and a port on it.
parameters:
  mtu: {type: number, default: 1500}
resources:
  # why there is a network
  net:
    type: OS::Neutron::Net
  inner:
    type: node.yaml
"""
WORD = {"heat_template_version": "2018-08-31", "resources": {"word": {"type": "OS::Heat::RandomString"}}}
FILES = {"file:///home/me/node.yaml": json.dumps(NODE)}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Iterator[Server]:
    with serve_cloud(monkeypatch, tmp_path) as served:
        served.projects["q"] = OTHER
        for project, id_ in (("p", "9d1c"), ("q", OTHER)):
            serve_stacks(served, id_, [make_web(project, "web"), make_word(f"{project}-word", "secret")])
        yield served


def make_web(project: str, name: str, **more: Any) -> dict[str, Any]:
    """A stack of the template WEB, whose objects have IDs that begin with the project."""
    inner = exported(
        f"{name}-inner",
        f"{project}{name}in",
        NODE,
        {"port": make_resource("port", "OS::Neutron::Port", f"{project}{name}port")},
    )
    made = exported(
        name,
        f"{project}{name}",
        WEB,
        {"net": make_resource("net", "OS::Neutron::Net", f"{project}{name}net"), "inner": {**inner, "files": {}}},
    )
    return {**made, "files": FILES, **more}


def make_word(name: str, value: str, **more: Any) -> dict[str, Any]:
    made = exported(
        name, f"{name}-id", WORD, {"word": make_resource("word", "OS::Heat::RandomString", name, value=value)}
    )
    return {**made, **more}


def serve_stacks(server: Server, project: str, stacks: list[dict[str, Any]], changed: str = "2026-01-01") -> None:
    """Lets a project have exactly these stacks, and the networks and ports that are in them."""
    heat = f"/heat/v1/{project}"
    rows = []
    for stack in stacks:
        row = {
            "stack_name": stack["name"], "id": stack["id"], "creation_time": changed, "parent": None,
            "stack_status": f"{stack['action']}_{stack['status']}",
        }  # fmt: skip
        rows.append(row)
        server.answers[f"{heat}/stacks/{stack['id']}"] = (200, {"stack": row})
        server.answers[f"{heat}/stacks/{stack['name']}/{stack['id']}/export"] = (200, stack)
        for resource in walk(stack):
            kind = resource.get("type", "").rpartition("::")[2].lower()
            if kind in ("net", "port"):
                noun, id_ = "network" if kind == "net" else kind, resource["resource_id"]
                shown = {"id": id_, "name": f"name-{id_}", "admin_state_up": True, "tags": [], "network_id": "n"}
                server.answers[f"/neutron/v2.0/{noun}s/{id_}"] = (200, {noun: shown})
    server.answers[f"{heat}/stacks"] = (200, {"stacks": rows})


def walk(stack: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for resource in stack["resources"].values():
        yield resource
        yield from walk(resource) if "resources" in resource else ()


def adopt(*options: str) -> Result:
    command = ["adopt", "--os-cloud", "here", "--all", "--project", "p", "--project", "q", *options]
    return CliRunner().invoke(make_application(), command)


def test_one_command_adopts_the_stacks_of_several_projects(server: Server, tmp_path: pathlib.Path) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    done = adopt("-o", str(out), "--report", str(report))
    assert done.exit_code == 0, done.stderr
    fleet = {(row["project"], row["stack"]): row for row in json.loads(report.read_text())["fleet"]}
    assert {key: (row["what"], row["folder"], row["environment"]) for key, row in fleet.items()} == {
        ("p", "p-word"): ("adopt whole", "p-word", "p-word"),
        ("p", "web"): ("adopt whole", "web", "p"),
        ("q", "q-word"): ("adopt whole", "p-word", "q-word"),
        ("q", "web"): ("adopt whole", "web", "q"),
    }
    assert fleet["q", "web"]["imports"] == 2
    assert "Stacks: 4 of 2 projects: 4 to adopt whole, 0 in part, 0 to leave" in done.stdout
    assert '../modules/node"' in (out / "web" / "main.tf").read_text()
    assert (out / "modules" / "node" / "main.tf").is_file()
    assert "qwebnet" in (out / "web" / "environments" / "q.tfvars").read_text()
    guide = (out / "ADOPT.md").read_text()
    assert "- [ ] 1. `p/p-word`: [p-word/environments/p-word/ADOPT.md]" in guide
    assert {method for method, path in server.seen if "/auth/tokens" not in path} == {"GET"}


def test_without_a_directory_only_the_table_comes(server: Server, tmp_path: pathlib.Path) -> None:
    before = set(tmp_path.iterdir())
    done = adopt()
    assert done.exit_code == 0, done.stderr
    assert "p-word (environment q-word): 1 to import" in done.stdout
    assert "Nothing was written." in done.stderr
    assert set(tmp_path.iterdir()) == before


def test_stacks_that_are_left_have_a_reason(server: Server, tmp_path: pathlib.Path) -> None:
    """A cluster of Magnum, a stack that failed and one that nobody may read: the others are adopted all the same."""
    cluster = make_word("cluster", "x", environment={"parameters": {"cluster_uuid": "c1", "magnum_url": "http://m/v1"}})
    failed = make_word("failed", "x", status="FAILED")
    serve_stacks(server, "9d1c", [cluster, failed, make_word("closed", "x"), make_web("p", "web")])
    server.answers["/heat/v1/9d1c/stacks/closed-id"] = (403, {})
    done = adopt("-o", str(tmp_path / "out"))
    assert done.exit_code == 1  # failures and unreadable files are errors
    words = " ".join(done.stdout.split())
    assert "cluster leave HOT747: The stack cluster belongs to Magnum" in words
    assert "failed leave HOT741: The stack failed is CREATE_FAILED" in words
    assert "closed leave HOT759: The cloud here does not let this user read the stack closed-id." in words
    assert "`p/cluster` | CREATE_COMPLETE | HOT747" in (tmp_path / "out" / "ADOPT.md").read_text()
    assert (tmp_path / "out" / "web" / "environments" / "p.tfvars").is_file()
    serve_stacks(server, "9d1c", [cluster])
    assert adopt("-o", str(tmp_path / "other")).exit_code == 0  # a service's stack alone is a warning


def test_a_run_that_was_stopped_goes_on(
    server: Server, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after any saved directory, and before the files are written, the same command ends with the same bytes and
    asks about nothing that it knows.
    """
    whole = tmp_path / "whole" / "out"
    adopt("-o", str(whole))
    asked = len(server.seen)
    save = MigrationState.save_result
    for number in (1, 2):
        out, saved = tmp_path / f"stopped{number}" / "out", 0

        def save_and_die(self: MigrationState, *args: Any, last: int = number) -> None:
            nonlocal saved
            save(self, *args)
            saved += 1
            if saved == last:
                raise SystemExit(137)

        monkeypatch.setattr(MigrationState, "save_result", save_and_die)
        assert adopt("-o", str(out)).exit_code == 137
        monkeypatch.setattr(MigrationState, "save_result", save)
        assert [path.name for path in out.iterdir()] == [".hot2tf"]
        before = len(server.seen)
        done = adopt("-o", str(out))
        assert done.exit_code == 0, done.stderr
        assert "Kept from the run that was stopped: p-word" in done.stderr
        assert tree(out) == tree(whole)
        again = [path for method, path in server.seen[before:] if method == "GET"]
        assert not any("/export" in path for path in again)
        assert len(again) < asked
        assert not (out / ".hot2tf" / reading.KEPT).exists()


def test_a_second_run_writes_nothing_and_keeps_edits(server: Server, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    adopt("-o", str(out))
    main = out / "web" / "main.tf"
    main.write_text(main.read_text() + "\n# mine\n")
    before = tree(out)
    done = adopt("-o", str(out))
    assert done.exit_code == 0, done.stderr
    assert "0 directories written" in done.stderr
    assert tree(out) == before


def test_stacks_that_are_gone_or_under_way_keep_their_files(server: Server, tmp_path: pathlib.Path) -> None:
    """q has deleted its empty stack. In p, Heat has had update 1, so the template is another one now."""
    out = tmp_path / "out"
    adopt("-o", str(out))
    before = tree(out)
    net = {"type": "OS::Neutron::Net", "deletion_policy": "Retain"}
    retained = {**WEB, "resources": {**RESOURCES, "net": net}}
    guarded = {**ENVIRONMENT, "resource_registry": {"resources": {"*": {"restricted_actions": "replace"}}}}
    serve_stacks(
        server,
        "9d1c",
        [make_web("p", "web", template=retained, environment=guarded), make_word("p-word", "secret")],
        "2026-02-02",
    )
    serve_stacks(server, OTHER, [make_word("q-word", "secret")])
    done = adopt("-o", str(out))
    assert done.exit_code == 0, done.stderr
    assert "web under way Heat has had an update of its ADOPT.md: go on there" in " ".join(done.stdout.split())
    after = tree(out)
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    assert changed <= {"ADOPT.md", "p-word/environments/p-word/evidence/before.json", ".hot2tf.json", ".hot2tf.base"}
    lines = set(before[".hot2tf.base"].splitlines()) ^ set(after[".hot2tf.base"].splitlines())
    assert all(line.startswith("p-word/") for line in lines)


def test_a_stack_of_which_only_the_rest_is_left_keeps_its_files(server: Server, tmp_path: pathlib.Path) -> None:
    """After update 2, Terraform has the stack itself, with another environment and the template of the rest."""
    parent = make_resource("parent", "OS::Neutron::Port", "pparent")
    trunk = make_resource("trunk", "OS::Neutron::Trunk", "ptrunk")
    template = {
        "heat_template_version": "2018-08-31",
        "resources": {
            "parent": PARENT,
            "trunk": {"type": "OS::Neutron::Trunk", "properties": {"port": {"get_resource": "parent"}}},
        },
    }
    serve_stacks(server, "9d1c", [exported("lines", "plines", template, {"parent": parent, "trunk": trunk})])
    out = tmp_path / "out"
    assert adopt("-o", str(out)).exit_code == 0
    before = tree(out / "lines")
    rest = {
        "heat_template_version": "2018-08-31",
        "resources": {"trunk": {"type": "OS::Neutron::Trunk", "properties": {"port": "pparent"}}},
    }
    serve_stacks(server, "9d1c", [exported("lines", "plines", rest, {"trunk": trunk})], "2026-02-02")
    done = adopt("-o", str(out))
    assert done.exit_code == 0, done.stderr
    assert "lines under way Heat has had an update" in " ".join(done.stdout.split())
    assert tree(out / "lines") == before


def test_a_new_stack_of_a_template_joins_its_directory(server: Server, tmp_path: pathlib.Path) -> None:
    """The environments that are there keep their names, also when another name would be chosen today."""
    out = tmp_path / "out"
    adopt("-o", str(out))
    serve_stacks(server, "9d1c", [make_web("p", "web"), make_web("p", "web-two"), make_word("p-word", "secret")])
    done = adopt("-o", str(out))
    assert done.exit_code == 0, done.stderr
    names = {path.name for path in (out / "web" / "environments").glob("*.tfvars")}
    assert names == {"p.tfvars", "q.tfvars", "p-web-two.tfvars"}


def test_directories_for_each_stack_on_request(server: Server, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    done = adopt("-o", str(out), "--environments", "directories")
    assert done.exit_code == 0, done.stderr
    assert {path.name for path in out.iterdir() if path.is_dir()} == {
        ".hot2tf", "modules", "p-word", "q-web", "q-word", "web",
    }  # fmt: skip
    assert (out / "q-web" / "imports.tf").is_file()


def test_the_code_comes_from_a_repository_where_it_is_the_same(server: Server, tmp_path: pathlib.Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "web.yaml").write_text(WEB_FILE)
    (repository / "node.yaml").write_text(json.dumps(NODE))
    done = adopt("-o", str(tmp_path / "out"), "--repository", str(repository))
    assert done.exit_code == 0, done.stderr
    assert "web (environment q), from web.yaml: 2 to import" in " ".join(done.stdout.split())
    assert "# why there is a network" in (tmp_path / "out" / "web" / "main.tf").read_text()
    (repository / "node.yaml").write_text(json.dumps(NODE).replace('"n"', '"other"'))
    done = adopt("-o", str(tmp_path / "other"), "--repository", str(repository))
    assert "from web.yaml" not in done.stdout
    assert "# why there is a network" not in (tmp_path / "other" / "web" / "main.tf").read_text()


def prove(directory: pathlib.Path) -> Result:
    return CliRunner().invoke(make_application(), ["adopt", "--os-cloud", "here", "--prove", str(directory)])


def test_running_stacks_are_compared_with_their_earlier_state(server: Server, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    adopt("-o", str(out))
    done = prove(out)
    assert done.exit_code == 0, done.stderr
    where = out / "web" / "environments" / "q"
    assert "**Nothing changed.**" in (where / "evidence" / "COMPARISON.md").read_text()
    assert (where / "evidence" / "after.json").stat().st_mode & 0o077 == 0
    _, shown = server.answers["/neutron/v2.0/ports/qwebport"]
    shown["port"] |= {"admin_state_up": False, "updated_at": "later"}
    server.answers["/neutron/v2.0/networks/qwebnet"] = (404, {})
    done = prove(where)
    assert done.exit_code == 1
    assert "error HOT777: web: the port of inner.port differs from the earlier state: admin_state_up." in done.stderr
    assert "error HOT777: web: the network of net is gone: qwebnet." in done.stderr
    comparison = (where / "evidence" / "COMPARISON.md").read_text()
    assert "| `inner.port` | port | `admin_state_up` | `true` | `false` |" in comparison
    assert "| `updated_at` |" not in comparison
    done = prove(out / "p-word")
    assert done.exit_code == 0, done.stderr
    assert prove(tmp_path / "nothing").exit_code == 2


def test_a_comparison_without_an_answer_does_not_say_that_nothing_changed(
    server: Server, tmp_path: pathlib.Path
) -> None:
    out = tmp_path / "out"
    adopt("-o", str(out))
    server.answers["/neutron/v2.0/ports/qwebport"] = (403, {})
    done = prove(out / "web" / "environments" / "q")
    assert done.exit_code == 1
    assert "1 question without an answer" in done.stderr


def test_the_limit_of_requests_holds_for_all_projects(server: Server, tmp_path: pathlib.Path) -> None:
    done = adopt("-o", str(tmp_path / "out"), "--limit", "requests=5")
    assert done.exit_code == 1
    assert "HOT118" in done.stderr + done.stdout
    assert sum(method == "GET" and "/v3" not in path[:4] for method, path in server.seen) <= 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--project", "p"], "--project takes --all"),
        (["web", "--at-once", "4"], "--at-once takes --all or --prove"),
        (["--all", "--project", "p", "--all-projects"], "exclude each other"),
        (["--all", "--at-once", "0"], "--at-once takes a number from 1 to 64"),
        (["--all", "--repository", "none"], "none is not a directory"),
        (["--all", "--answers", "a.json"], "--answers is for exports"),
        (["--all", "--prove", "."], "--prove takes --os-cloud"),
    ],
)
def test_options_that_do_not_go_together(options: list[str], message: str) -> None:
    done = CliRunner().invoke(make_application(), ["adopt", "--os-cloud", "here", *options])
    assert (done.exit_code, message in done.stderr) == (2, True), done.stderr


def test_a_run_that_is_killed_is_completed_by_the_next(server: Server, tmp_path: pathlib.Path) -> None:
    """SIGKILL at several moments: the next run ends with the files of an undisturbed one."""
    words = ["adopt", "--os-cloud", "here", "--all", "--project", "p", "--project", "q", "-o"]
    command = [sys.executable, "-m", "transpile.cli.process", *words]
    began = time.monotonic()
    subprocess.run([*command, "whole"], cwd=tmp_path, capture_output=True, check=True)
    seconds = time.monotonic() - began
    expected = tree(tmp_path / "whole")
    for number, share in enumerate((0.5, 0.7, 0.8, 0.9, 0.95)):
        out = f"out{number}"
        process = subprocess.Popen([*command, out], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(share * seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        subprocess.run([*command, out], cwd=tmp_path, capture_output=True, check=True)
        renamed = {name: text.replace(out, "whole") for name, text in tree(tmp_path / out).items()}
        assert sorted(renamed) == sorted(expected)
        assert [name for name in renamed if renamed[name] != expected[name] and name.endswith((".tf", ".tfvars"))] == []


def test_stacks_that_are_adopted_whole_come_first_by_directory() -> None:
    verdicts = [
        StackVerdict("p", stack, "id", "ok", what, folder=stack[0], environment=stack, imports=imports)
        for stack, what, imports in (("a1", WHOLE, 1), ("a2", PART, 1), ("b1", WHOLE, 5), ("c1", WHOLE, 2))
    ]
    assert [verdict.stack for verdict in order_verdicts(verdicts)] == ["c1", "b1", "a1", "a2"]
