"""Patched files are run, with stubs of terraform and openstack: they decide as before, and do not ask Heat any more."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

import pytest
import yaml

from tests.call_sites.repository import rewrite
from transpile.call_sites.yaml_texts import MODULES

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

# Each stub writes down its arguments. A stack is there if the file of its name is, and so is its state.
STUB = """\
#!/bin/sh
echo "$(basename "$0") $*" >> "$LOG"
case "$(basename "$0") $*" in
  *FAIL*) exit 7 ;;
esac
case "$*" in
  *"-chdir="*init*) exit "${INIT_STATUS:-0}" ;;
  *"stack show"*) test -e "$STATE" ; exit ;;
  *"state list"*) test -e "$STATE" && echo openstack_networking_network_v2.net ; exit 0 ;;
  *"stack create"*|*"stack update"*|*apply*)
    test "${APPLY_STATUS:-0}" = 0 && touch "$STATE"; exit "${APPLY_STATUS:-0}" ;;
  *"stack delete"*|*destroy*) rm -f "$STATE" ;;
  *"output show"*) printf '10.0.0.7\\n' ;;
  *"output -raw"*) printf '10.0.0.7' ;;
esac
"""


@pytest.fixture
def stubs(tmp_path: pathlib.Path) -> dict[str, str]:
    """The environment in which the stubs are called."""
    folder = tmp_path / "stubs"
    folder.mkdir()
    for name in ("terraform", "openstack"):
        (folder / name).write_text(STUB)
        (folder / name).chmod(0o755)
    return {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "LOG": str(tmp_path / "log"),
        "STATE": str(tmp_path / "state"),
    }


def run(words: list[str], cwd: pathlib.Path, environment: dict[str, str]) -> tuple[int, str, list[str]]:
    """The status and the output of a command, and the calls of the stub. The stack exists or not, as before."""
    log = pathlib.Path(environment["LOG"])
    log.write_text("")
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, log.read_text().splitlines()


SCRIPT = """\
#!/bin/bash
set -euo pipefail
NAME=web
KEY="a key"
if openstack stack show "$NAME" >/dev/null 2>&1; then
    echo updating
    openstack stack update --wait -t heat/web.yaml --parameter "key=$KEY" "$NAME" || { echo failed; exit 3; }
else
    echo creating
    openstack stack create --wait -t heat/web.yaml --parameter "key=$KEY;size=2" "$NAME"
fi
IP=$(openstack stack output show "$NAME" ip -f value -c output_value)
echo "ip <$IP>"
"""


@pytest.mark.parametrize("present", [False, True])
@pytest.mark.parametrize("apply_status", ["0", "1"])
def test_a_script_decides_as_before(
    tmp_path: pathlib.Path, stubs: dict[str, str], present: bool, apply_status: str
) -> None:
    """The script creates or updates, goes on or ends, with the same output and status."""
    where = tmp_path / "repository"
    results = []
    for text in (SCRIPT, rewrite(where, "deploy.sh", SCRIPT)):
        (where / "deploy.sh").write_text(text)
        state = pathlib.Path(stubs["STATE"])
        state.touch() if present else state.unlink(missing_ok=True)
        results.append(run(["bash", "deploy.sh"], where, {**stubs, "APPLY_STATUS": apply_status}))
    (status, output, heat), (new_status, new_output, terraform) = results
    assert (new_status, new_output) == (status, output)
    assert status == {"0": 0, "1": 3 if present else 1}[apply_status]
    assert all(line.startswith("openstack ") for line in heat)
    assert all(line.startswith("terraform -chdir=terraform/web ") for line in terraform)
    applied = [line for line in terraform if " apply " in line]
    size = "" if present else " -var size=2"
    assert applied == [f"terraform -chdir=terraform/web apply -input=false -auto-approve -var key=a key{size}"]
    assert (" output -raw ip" in terraform[-1]) == (apply_status == "0")


def test_a_failing_init_ends_the_script_as_a_failing_heat_did(tmp_path: pathlib.Path, stubs: dict[str, str]) -> None:
    where = tmp_path / "repository"
    text = rewrite(where, "deploy.sh", SCRIPT)
    (where / "deploy.sh").write_text(text)
    status, output, called = run(["bash", "deploy.sh"], where, {**stubs, "INIT_STATUS": "5"})
    assert (status, output) == (5, "creating\n")
    assert not any(" apply " in line or " output " in line for line in called)


MAKEFILE = """\
STACK = web
KEY := k1

.PHONY: create ip delete all
create:
\t@openstack stack create --wait -t heat/web.yaml \\
\t\t--parameter key=$(KEY) $(STACK)
ip:
\t@echo "ip $$(openstack stack output show $(STACK) ip -f value -c output_value)"
delete:
\t-@openstack stack show $(STACK) >/dev/null && openstack stack delete --yes --wait $(STACK)
all: create ip
\t@echo all
"""


@needs_make
@pytest.mark.parametrize("target", ["create", "ip", "delete", "all"])
@pytest.mark.parametrize("present", [False, True])
@pytest.mark.parametrize("apply_status", ["0", "1"])
def test_a_makefile_decides_as_before(
    tmp_path: pathlib.Path, stubs: dict[str, str], target: str, present: bool, apply_status: str
) -> None:
    where = tmp_path / "repository"
    results = []
    for text in (MAKEFILE, rewrite(where, "Makefile", MAKEFILE)):
        (where / "Makefile").write_text(text)
        state = pathlib.Path(stubs["STATE"])
        state.touch() if present else state.unlink(missing_ok=True)
        status, output, called = run(["make", target], where, {**stubs, "APPLY_STATUS": apply_status})
        results.append((status, output, called, state.exists()))
    (status, output, heat, there), (new_status, new_output, terraform, there_now) = results
    assert (new_status, new_output, there_now) == (status, output, there)
    assert all(line.startswith("openstack ") for line in heat)
    assert all(line.startswith("terraform -chdir=terraform/web ") for line in terraform)


@needs_make
def test_make_shows_what_it_would_do(tmp_path: pathlib.Path, stubs: dict[str, str]) -> None:
    """`make -n` has no call of Heat any more."""
    where = tmp_path / "repository"
    (where / "heat").mkdir(parents=True)
    (where / "Makefile").write_text(rewrite(where, "Makefile", MAKEFILE))
    _, output, called = run(["make", "-n", "create", "ip", "delete"], where, stubs)
    assert called == []
    assert "openstack" not in output
    assert "terraform -chdir=terraform/web apply" in output


GITLAB = """\
deploy:
  script:
    - openstack stack create --wait -t heat/web.yaml --parameter key=k web
    - |
      IP=$(openstack stack output show web ip -f value -c output_value)
      echo "ip $IP"
    - if openstack stack show web > /dev/null; then echo there; fi
destroy:
  script:
    - openstack stack delete --wait web
    - "if openstack stack show web > /dev/null; then echo there; fi"
"""


@pytest.mark.parametrize("apply_status", ["0", "1"])
def test_jobs_of_gitlab_decide_as_before(tmp_path: pathlib.Path, stubs: dict[str, str], apply_status: str) -> None:
    """A runner joins the items of `script`, and ends at the first that fails."""
    where = tmp_path / "repository"
    after = rewrite(where, ".gitlab-ci.yml", GITLAB)
    for job in ("deploy", "destroy"):
        results = []
        for text in (GITLAB, after):
            script = "set -eo pipefail\n" + "\n".join(yaml.safe_load(text)[job]["script"]) + "\n"
            pathlib.Path(stubs["STATE"]).unlink(missing_ok=True)
            results.append(run(["bash", "-c", script], where, {**stubs, "APPLY_STATUS": apply_status}))
        (status, output, heat), (new_status, new_output, terraform) = results
        assert (new_status, new_output) == (status, output)
        assert len(heat) > 0
        left = [line for line in terraform if not line.startswith("terraform ")]
        # a text in quotes of YAML cannot hold the test, so the whole job is left
        assert left == ([] if job == "deploy" else heat)


PLAYBOOK = """\
- hosts: localhost
  tasks:
    - name: the stack
      os_stack:
        name: web
        template: heat/web.yaml
        parameters:
          key: "{{ key }}"
        state: present
      tags: [stack]
    - name: its address
      shell: |
        openstack stack output show web ip -f value -c output_value
      register: address
"""


def test_a_playbook_has_the_same_tasks(tmp_path: pathlib.Path) -> None:
    """Ansible is not needed: the YAML has the same tasks, with Terraform's module in the place of Heat's."""
    after = yaml.safe_load(rewrite(tmp_path, "play.yml", PLAYBOOK))
    stack, address = after[0]["tasks"]
    assert stack == {
        "name": "the stack",
        "community.general.terraform": {
            "project_path": "terraform/web",
            "force_init": True,
            "variables": {"key": "{{ key }}"},
        },
        "tags": ["stack"],
    }
    assert address["register"] == "address"
    assert address["shell"].splitlines() == [
        "terraform -chdir=terraform/web init -input=false >&2",
        "terraform -chdir=terraform/web output -raw ip",
    ]
    assert not any(MODULES.fullmatch(key) for task in after[0]["tasks"] for key in task)
