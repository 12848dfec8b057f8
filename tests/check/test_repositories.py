"""`hot2tf check DIRECTORY`: files that belong together are checked together, and no finding is false.

Invariant: a finding of a template that Heat accepts with its environments is a defect. The corpus proves it where there
are verdicts.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import pytest

from tests.conftest import Ended, Run
from tests.support import oracles
from tests.support.files import write_files

HOT = "heat_template_version: 2021-04-16\n"
USER = HOT + "resources:\n  one: {type: My::Server, properties: {size: 3}}\n"
SERVER = HOT + "parameters: {size: {type: number}}\nresources: {a: {type: My::Disk}}\n"
DISK = HOT + "resources: {a: {type: OS::Heat::None}}\n"
REGISTRY = "resource_registry:\n  My::Server: lib/server.yaml\n  My::Disk: lib/disk.yaml\n"


def lines(done: Ended) -> list[str]:
    return done.out.splitlines()


def concise(command: Run, *words: str) -> Ended:
    return command("check", *words, "--diagnostics", "concise")


def test_an_environment_beside_a_template_defines_its_types(command: Run, tmp_path: pathlib.Path) -> None:
    """The environment also defines types of the nested template, which is checked by itself, too."""
    write_files(tmp_path, {"main.yaml": USER, "env.yaml": REGISTRY, "lib/server.yaml": SERVER, "lib/disk.yaml": DISK})
    done = concise(command, ".")
    assert lines(done) == ["lib/server.yaml:2:14: warning HOT601: Nothing uses the parameter size."]
    assert done.status == 0
    assert done.err == "4 files checked: 0 errors, 1 warning.\n"


def test_pairs_of_templates_and_environments_are_reported(command: Run, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"main.yaml": USER, "env.yaml": REGISTRY, "lib/server.yaml": SERVER, "lib/disk.yaml": DISK})
    assert concise(command, ".", "-v").err.splitlines() == [
        "main.yaml: a stack with -e env.yaml",
        "lib/disk.yaml: nested in stacks with -e env.yaml",
        "lib/server.yaml: nested in stacks with -e env.yaml",
        "4 files checked: 0 errors, 1 warning.",
    ]


def test_a_type_that_nothing_defines_is_an_error_all_the_same(command: Run, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"main.yaml": USER, "env.yaml": REGISTRY, "lib/server.yaml": SERVER, "lib/disk.yaml": DISK})
    write_files(tmp_path, {"lib/disk.yaml": DISK.replace("OS::Heat::None", "My::Platter")})
    done = concise(command, ".")
    errors = [line for line in lines(done) if " error " in line]
    assert errors == ["lib/disk.yaml:2:23: error HOT214: Unknown resource type My::Platter."]
    assert done.status == 1


def test_each_environment_of_a_template_is_tried(command: Run, tmp_path: pathlib.Path) -> None:
    """A finding that all stacks have is said once, and one that only some have says with which environments."""
    size = HOT + "parameters:\n  size: {type: number, constraints: [{range: {max: 9}}]}\n  unused: {type: string}\n"
    write_files(
        tmp_path,
        {
            "web.yaml": size + "outputs: {a: {value: {get_param: size}}}\n",
            "web-small.env": "parameters: {size: 3}\n",
            "web-large.env": "parameters: {size: 30}\n",
        },
    )
    done = command("check", ".", "--diagnostics", "json")
    rows = [(d["code"], pathlib.Path(d["file"]).name, d.get("hint", "")) for d in json.loads(done.out)]
    assert [row[:2] for row in rows] == [("HOT302", "web-large.env"), ("HOT601", "web.yaml")]
    assert "It is so with -e web-large.env." in rows[0][2]
    assert "It is so" not in rows[1][2]


def test_values_that_callers_give_are_not_missing(command: Run, tmp_path: pathlib.Path) -> None:
    """A nested template alone could not be validated without them."""
    inner = HOT + (
        "parameters: {n: {type: number}}\nconditions: {c: {equals: [{get_param: n}, 1]}}\n"
        "resources: {a: {type: OS::Heat::None, condition: {and: [c, {yaql: {expression: $.a, data: {a: "
        "{get_param: n}}}}]}}}\noutputs: {o: {value: {get_attr: [a, {get_param: n}]}}}\n"
    )
    outer = HOT + "resources: {one: {type: inner.yaml, properties: {n: 1}}}\n"
    write_files(tmp_path, {"inner.yaml": inner})
    alone = concise(command, "inner.yaml")
    assert "HOT219" in alone.out
    write_files(tmp_path, {"outer.yaml": outer})
    assert "HOT219" not in concise(command, ".").out


REQUIRED = HOT + (
    "parameters:\n  size: {type: number}\n  password: {type: string, hidden: true}\n"
    "resources:\n  one: {type: OS::Heat::Value, properties: {value: [{get_param: size}, {get_param: password}]}}\n"
)


@pytest.mark.parametrize("names", [["."], ["main.yaml", "lib/inner.yaml"], ["main.yaml"]])
def test_a_repository_without_environments_lacks_no_values(
    names: list[str], command: Run, tmp_path: pathlib.Path
) -> None:
    """The same holds for its files when pre-commit names them: the values come when the stack is created."""
    outer = REQUIRED + "  two: {type: lib/inner.yaml, properties: {size: 1, password: x}}\n"
    write_files(tmp_path, {"main.yaml": outer, "lib/inner.yaml": REQUIRED})
    done = concise(command, *names, "--level", "create")
    assert (done.status, done.out) == (0, "")


@pytest.mark.parametrize("named", [["-e", "env.yaml"], ["--parameter", "other=1"]])
def test_beside_other_values_a_missing_one_is_an_error(named: list[str], command: Run, tmp_path: pathlib.Path) -> None:
    """A hidden one is not: a password stands in no environment of a repository."""
    more = REQUIRED.replace("  password", "  other: {type: string}\n  password").replace("[{", "[{get_param: other}, {")
    write_files(tmp_path, {"main.yaml": more, "env.yaml": "parameters: {other: x}\n"})
    done = concise(command, "main.yaml", "--level", "create", *named)
    assert (done.status, lines(done)) == (1, ["main.yaml:3:3: error HOT219: The parameter size has no value."])


def test_an_environment_that_is_paired_lacks_values(command: Run, tmp_path: pathlib.Path) -> None:
    more = REQUIRED.replace("  password", "  other: {type: string}\n  password").replace("[{", "[{get_param: other}, {")
    write_files(tmp_path, {"main.yaml": more, "env.yaml": "parameters: {other: x}\n"})
    done = concise(command, ".", "--level", "create")
    assert (done.status, lines(done)) == (1, ["main.yaml:3:3: error HOT219: The parameter size has no value."])


def test_a_directory_may_be_read_as_a_repository_may(command: Run, tmp_path: pathlib.Path) -> None:
    """Without .git a template by itself may only read below its own directory."""
    write_files(
        tmp_path, {"stacks/a.yaml": HOT + "resources: {one: {type: ../lib/disk.yaml}}\n", "lib/disk.yaml": DISK}
    )
    assert "HOT217" in concise(command, "stacks/a.yaml").out
    assert lines(concise(command, ".")) == []


@pytest.mark.parametrize("place", ["env.yaml", "environments/base.yaml", "../env/base.yaml"])
def test_a_named_file_is_told_which_environment_defines_its_type(
    place: str, command: Run, tmp_path: pathlib.Path
) -> None:
    write_files(tmp_path, {"in/.git/HEAD": "", "in/stacks/main.yaml": USER})
    write_files(tmp_path / "in/stacks", {place: "resource_registry: {'My::*': OS::Heat::None}\n"})
    done = concise(command, "in/stacks/main.yaml", "--min-severity", "info")
    where = os.path.normpath(f"in/stacks/{place}")
    message = f"The environment {where} defines My::Server. It was not given, so the resource was not checked."
    assert lines(done) == [f"in/stacks/main.yaml:3:15: info HOT936: {message}"]
    assert done.status == 0


def test_named_environments_exclude_all_others(command: Run, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"main.yaml": USER, "env.yaml": REGISTRY, "other.env": "parameters: {}\n"})
    done = concise(command, "main.yaml", "-e", "other.env")
    assert "main.yaml:3:15: error HOT214: Unknown resource type My::Server." in lines(done)


def test_environments_outside_of_the_repository_define_nothing(command: Run, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"in/.git/HEAD": "", "in/main.yaml": USER, "env.yaml": REGISTRY})
    assert "HOT214" in concise(command, "in/main.yaml").out


def test_the_plan_file_of_a_tree_is_obeyed(command: Run, tmp_path: pathlib.Path) -> None:
    files = {"main.yaml": USER, "a.env": REGISTRY, "b.env": REGISTRY, "lib/server.yaml": SERVER, "lib/disk.yaml": DISK}
    write_files(tmp_path, files)
    plan = "format: 1\nstacks:\n- {template: main.yaml, environments: [b.env]}\n"
    write_files(tmp_path, {"hot2tf-migrate.yaml": plan})
    assert "main.yaml: a stack with -e b.env" in concise(command, ".", "-v").err.splitlines()
    write_files(tmp_path, {"hot2tf-migrate.yaml": plan.replace("b.env", "c.env")})
    done = concise(command, ".")
    assert "hot2tf-migrate.yaml:3:39: error HOT942" in done.out
    assert done.status == 1
    (tmp_path / "all").mkdir()
    for name in (*files, "hot2tf-migrate.yaml"):
        (tmp_path / "all" / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).rename(tmp_path / "all" / name)
    assert "all/hot2tf-migrate.yaml:3:39: error HOT942" in concise(command, "all").out


@pytest.mark.parametrize("name", ["check", "fmt"])
def test_a_directory_without_templates_is_named_by_mistake(name: str, command: Run, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"empty/pipeline.yaml": "parameters: [{name: a}]\nsteps: []\n", "full/a.yaml": DISK})
    done = command(name, "empty")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("hot2tf: there is no template ")
    assert "below empty" in done.err
    assert command(name, "full", "empty").status == 2
    assert command(name, "full").status == 0


def test_files_of_others_that_cannot_be_read_are_not_ours_to_report(command: Run, tmp_path: pathlib.Path) -> None:
    write_files(tmp_path, {"a.yaml": DISK})
    (tmp_path / "latin.yaml").write_bytes(b"name: caf\xe9\n")
    (tmp_path / "large.json").write_text('{"a": "%s"}' % ("x" * (9 << 20)), encoding="ascii")
    assert lines(concise(command, ".")) == []
    (tmp_path / "latin.yaml").write_bytes(HOT.encode() + b"description: caf\xe9\n")
    assert "latin.yaml:2:17: error HOT102" in concise(command, ".").out


def rows(path: pathlib.Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.long
@oracles.needs_corpus
def test_accepted_files_have_no_findings(command: Run) -> None:
    """Heat's verdicts of all stacks of the corpus: a repository with only accepted stacks of a template has no error
    in that template.
    """
    corpus = oracles.SHARED / "corpus"
    verdicts: dict[str, list[bool]] = {}
    for row in rows(corpus / "heat_stacks.jsonl"):
        verdicts.setdefault(row["template"], []).append(row["accepts"])
    for row in rows(corpus / "heat_verdicts.jsonl"):
        if row["path"] not in verdicts:
            verdicts[row["path"]] = [row["accepts"]]
    wrong = []
    for repository in sorted(path for path in corpus.iterdir() if path.is_dir()):
        done = command("check", str(repository), "--diagnostics", "json", "--quiet")
        for d in json.loads(done.out):
            name = os.path.relpath(d["file"], corpus) if "file" in d else ""
            if d["severity"] == "error" and name in verdicts and all(verdicts[name]):
                wrong.append(f"{name}:{d['line']}: {d['code']} {d['message']}")
    assert wrong == []
