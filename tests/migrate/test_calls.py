"""`migrate --calls` and `--patch`: calls of Heat around a repository of templates, after a real conversion."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest

from tests.conftest import Run
from tests.repository.trees import tree

WEB = """\
heat_template_version: 2018-08-31
parameters:
  key: {type: string}
  token: {type: string, hidden: true}
  size: {type: number, default: 1}
resources:
  net:
    type: OS::Neutron::Net
    properties:
      name: {list_join: ["-", [{get_param: "OS::stack_name"}, {get_param: key}, {get_param: token}, {get_param: size}]]}
outputs:
  id: {value: {get_resource: net}}
"""
MAKEFILE = """\
create:
\topenstack stack create --wait -t heat/web.yaml -e heat/web.env --parameter "key=$(KEY)" --parameter token=hunter2 shop
id:
\t@openstack stack output show shop id -f value -c output_value
delete:
\topenstack stack delete --yes --wait shop
all:
\topenstack stack list
"""


@pytest.fixture
def repository(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, command: Run) -> pathlib.Path:
    """A repository whose templates lie in one directory, and its scripts around it; the commands run in it."""
    assert command
    where = tree(
        tmp_path / "shop",
        {
            "heat/web.yaml": WEB,
            "heat/web.env": "parameters: {size: 2}\n",
            "Makefile": MAKEFILE,
            "deploy.py": "import heatclient\nheat.stacks.create(stack_name='shop')\n",
        },
    )
    subprocess.run(["git", "init", "-q", str(where)], check=True)
    monkeypatch.chdir(where)
    return where


def before(where: pathlib.Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in where.rglob("*") if p.is_file() and ".git/" not in str(p)}


def test_the_list(repository: pathlib.Path, command: Run) -> None:
    """Without DEST nothing is written, and the list says what would take the place of each call."""
    files = before(repository)
    ended = command("migrate", "heat", "--calls", "--quiet")
    assert ended.status == 0, ended.err
    lines = ended.out.splitlines()
    assert lines[0] == "Makefile:2: creates shop (web)"
    assert lines[1] == "    terraform -chdir=DEST/web init -input=false"
    apply = "terraform -chdir=DEST/web apply -input=false -auto-approve"
    assert lines[2] == f'    {apply} -var "key=$(KEY)" -var token=****** -var stack_name=shop'
    assert lines[-1] == "5 calls of Heat: 3 can be rewritten, 2 are left."
    assert "    Left: it is a call in Python." in lines
    assert "    Left: Terraform has no list of stacks: each directory is one." in lines
    assert "hunter2" not in ended.out + ended.err
    assert before(repository) == files


def test_the_patch(repository: pathlib.Path, command: Run) -> None:
    """The patch is in a file of its own, and changes nothing. Applied, the makefile calls Terraform."""
    makefile = (repository / "Makefile").read_bytes()
    ended = command("migrate", "heat", "terraform", "--patch", "calls.diff", "--quiet")
    assert (ended.status, ended.out) == (0, ""), ended.err
    assert (repository / "Makefile").read_bytes() == makefile
    patch = (repository / "calls.diff").read_bytes()
    subprocess.run(["git", "apply", "calls.diff"], cwd=repository, check=True)
    start = "terraform -chdir=terraform/web"
    values = '-var "key=$(KEY)" -var token=hunter2 -var stack_name=shop'
    assert (repository / "Makefile").read_text() == (
        f"create:\n\t{start} init -input=false\n\t{start} apply -input=false -auto-approve {values}\n"
        f"id:\n\t@{start} init -input=false >&2\n\t@{start} output -raw id\n"
        f"delete:\n\t{start} init -input=false\n\t{start} destroy -input=false -auto-approve {values}\n"
        "all:\n\topenstack stack list\n"
    )
    subprocess.run(["git", "apply", "-R", "calls.diff"], cwd=repository, check=True)
    again = command("migrate", "heat", "terraform", "--patch", "calls.diff", "--quiet")
    assert (again.status, (repository / "calls.diff").read_bytes()) == (0, patch)


def test_after_the_patch_there_is_nothing_left_to_rewrite(repository: pathlib.Path, command: Run) -> None:
    command("migrate", "heat", "terraform", "--patch", "calls.diff")
    subprocess.run(["git", "apply", "calls.diff"], cwd=repository, check=True)
    ended = command("migrate", "heat", "terraform", "--patch", "calls.diff", "--calls")
    assert (repository / "calls.diff").read_text() == ""
    assert ended.out.splitlines()[-1] == "2 calls of Heat: 0 can be rewritten, 2 are left."
    assert "The patch is empty: no call of Heat can be rewritten safely." in ended.err


def test_findings_and_report(repository: pathlib.Path, command: Run) -> None:
    """Each call is a finding in every form of diagnostics, and an entry of the report."""
    ended = command("migrate", "heat", "terraform", "--calls", "--diagnostics", "json", "--report", "r.json", "--quiet")
    calls = [row for row in json.loads(ended.out) if row["code"] == "HOT949"]
    assert [(row["file"], row["line"], row["severity"]) for row in calls] == [
        ("Makefile", 2, "info"),
        ("Makefile", 4, "info"),
        ("Makefile", 6, "info"),
        ("Makefile", 8, "info"),
        ("deploy.py", 2, "info"),
    ]
    assert calls[1]["message"] == (
        "reads an output of shop (web). In its place: terraform -chdir=terraform/web output -raw id."
    )
    report = json.loads((repository / "r.json").read_text())["calls"]
    assert [(row["file"], row["line"], row["does"], row["stack"], row["rewritten"]) for row in report] == [
        ("Makefile", 2, "create", "web", True),
        ("Makefile", 4, "output", "web", True),
        ("Makefile", 6, "delete", "web", True),
        ("Makefile", 8, "list", "", False),
        ("deploy.py", 2, "create", "", False),
    ]
    assert report[4]["reason"] == "it is a call in Python"
    assert "hunter2" not in ended.out + json.dumps(report)
    plain = command("migrate", "heat", "terraform", "--report", "r.json")
    assert plain.status == 0
    assert "calls" not in json.loads((repository / "r.json").read_text())


def test_wrong_usage(repository: pathlib.Path, command: Run) -> None:
    ended = command("migrate", "heat", "--patch", "calls.diff")
    assert ended.status == 2
    assert "--patch needs DEST" in ended.err
    assert command("migrate", "heat", "terraform", "--patch", "x.json", "--report", "x.json").status == 2
    assert not (repository / "terraform").exists()


def test_a_difference_writes_the_patch_alone(repository: pathlib.Path, command: Run) -> None:
    ended = command("migrate", "heat", "terraform", "--diff", "--patch", "calls.diff", "--quiet")
    assert ended.status == 0, ended.err
    assert not (repository / "terraform").exists()
    assert "terraform -chdir=terraform/web" in (repository / "calls.diff").read_text()


def test_a_stack_that_fails_is_left(repository: pathlib.Path, command: Run) -> None:
    (repository / "heat/web.yaml").write_text(
        WEB.replace("{name:", "{nam:").replace("properties:\n      name", "properties:\n      nam")
    )
    ended = command("migrate", "heat", "terraform", "--calls")
    assert ended.status == 1
    assert ended.out.count("Left: the stack was not converted.") == 3


def test_other_targets_have_no_commands_of_terraform(repository: pathlib.Path, command: Run) -> None:
    ended = command("migrate", "heat", "tosca", "--to", "tosca", "--calls", "--patch", "calls.diff")
    assert ended.out.splitlines()[-1] == "5 calls of Heat: 0 can be rewritten, 5 are left."
    assert (repository / "calls.diff").read_text() == ""
