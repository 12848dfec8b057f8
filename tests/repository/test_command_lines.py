"""Command lines in scripts and documents: how they are written, and which files they mean."""

from __future__ import annotations

import pathlib

import pytest

from tests.repository.test_survey import stacks
from tests.repository.trees import env, hot, tree
from transpile.repository.command_lines import find_command_lines
from transpile.repository.survey import survey_tree


def read(text: str) -> list[tuple[str, tuple[str, ...], int]]:
    return [
        (command_line.template, command_line.environments, command_line.line)
        for command_line in find_command_lines("x", text.encode())
    ]


@pytest.mark.parametrize(
    "text",
    [
        "openstack stack create -t a.yaml -e b.env -e c.env name",
        "$ openstack --os-cloud x stack create --wait --template a.yaml --environment=b.env --environment c.env name",
        "heat stack-create name -f a.yaml -e b.env -e c.env -P 'x=y;z=1'",
        "Run `openstack stack update -t a.yaml -e b.env -e c.env name`, then wait.",
        "openstack stack create -t a.yaml -e b.env -e c.env name && openstack stack create -t z.yaml",
        "openstack stack create -t a.yaml -e b.env -e c.env name | tee -e d.env",
        'openstack stack create -t "a.yaml" -e "b.env" -e \'c.env\' name',
        "openstack stack create \\\n    -t a.yaml \\\n    -e b.env \\\n    -e c.env \\\n    name",
        "# openstack stack create \\\n#    -t a.yaml -e b.env \\\r\n#    -e c.env name",
        "openstack stack create `\n  -t a.yaml `\n  -e b.env -e c.env name",
        "openstack stack create ^\r\n  -t a.yaml -e b.env -e c.env name",
    ],
)
def test_how_command_lines_are_written(text: str) -> None:
    assert read(text)[0] == ("a.yaml", ("b.env", "c.env"), 1)


def test_the_line_is_where_the_command_begins() -> None:
    text = "#!/bin/sh\nstack create \\\n -t a \\\n -e b\nstack create -t c\n"
    assert read(text) == [("a", ("b",), 2), ("c", (), 5)]


@pytest.mark.parametrize("text", ["openstack stack delete -t a", "stack create name", "stack create -t a -t b", ""])
def test_a_command_line_without_a_template_is_no_stack(text: str) -> None:
    assert read(text) == []


def test_tasks_of_ansible() -> None:
    text = """\
- name: stack
  openstack.cloud.stack:
    name: x
    template: a.yaml
    environment:
      - b.env
      - "{{ playbook_dir }}/c.env"
  register: y
- os_stack:
    template: d.yaml
    environment: e.env
- os_stack:
    template: [no]
- openstack.cloud.stack:
    template: {{ not yaml
"""
    assert read(text) == [("a.yaml", ("b.env", "{{ playbook_dir }}/c.env"), 2), ("d.yaml", ("e.env",), 9)]


@pytest.mark.parametrize(
    ("script", "command"),
    [
        ("deploy.sh", "-t hot/a.yaml -e env/b.env"),
        ("hot/README.md", "-t a.yaml -e ../env/b.env"),
        ("hot/README.md", "-t hot/a.yaml -e env/b.env"),  # from the top
        ("tools/deep/run.sh", "-t ../../hot/a.yaml -e ../../env/b.env"),
        ("tools/deep/run.sh", '-t "$HERE/hot/a.yaml" -e ${HERE}/env/b.env'),
        ("tools/run.sh", "-t ~/a.yaml -e ~/b.env"),  # only one file has this name
        ("Makefile", "-t ./hot/a.yaml -e $(ENV)/b.env"),
        (".gitlab-ci.yml", "-t hot/a.yaml -e env/b.env"),
        ("hot/a.yaml", "-t a.yaml -e ../env/b.env"),  # in a comment of the template
    ],
)
def test_which_files_they_mean(tmp_path: pathlib.Path, script: str, command: str) -> None:
    src = tree(tmp_path, {"hot/a.yaml": hot(), "env/b.env": env("x"), "env/a.env": env("x")})
    line = f"# openstack stack create {command} name\n"
    tree(tmp_path, {script: line + (hot() if script == "hot/a.yaml" else "")})
    plan = survey_tree(src)
    assert ("env/b.env",) in stacks(plan)["hot/a.yaml"]
    assert f"command line in {script}:1" in [stack.why for stack in plan.stacks]


@pytest.mark.parametrize(
    "command", ["-t a.yaml -e $ENV", "-t a.yaml -e missing.env", "-t b.yaml -e p/x.env", "-t $T -e q.env"]
)
def test_the_files_of_a_command_line_must_exist(tmp_path: pathlib.Path, command: str) -> None:
    """Half of a command line would be another stack."""
    src = tree(tmp_path, {"a.yaml": hot(), "p/x.env": env("x"), "q.env": env("x"), "d.sh": f"stack create {command}\n"})
    assert stacks(survey_tree(src)) == {"a.yaml": ((),)}


def test_an_environment_in_a_command_line_is_in_no_other_stack(tmp_path: pathlib.Path) -> None:
    src = tree(
        tmp_path,
        {"a.yaml": hot("x"), "b.yaml": hot("x"), "a.env": env("x"), "run.sh": "stack create -t b.yaml -e a.env\n"},
    )
    assert stacks(survey_tree(src)) == {"a.yaml": ((),), "b.yaml": (("a.env",),)}


def test_the_order_of_environments_is_that_of_the_command_line(tmp_path: pathlib.Path) -> None:
    files = {
        "a.yaml": hot("x"),
        "z.env": env("x"),
        "b.env": env("x"),
        "x.sh": "stack create -t a.yaml -e z.env -e b.env",
    }
    assert stacks(survey_tree(tree(tmp_path, files))) == {"a.yaml": (("z.env", "b.env"),)}
