"""Environments that share a directory, together with a backend, a pipeline and calls of Heat.

Every job is run by a shell, with a program in place of Terraform that writes down its arguments.
"""

from __future__ import annotations

import os
import pathlib
import stat
import subprocess
from typing import Any

import hcl2
import pytest
import yaml

from tests.conftest import Run
from tests.repository.trees import tree

WEB = """\
heat_template_version: 2018-08-31
parameters:
  name: {type: string}
resources:
  net:
    type: OS::Neutron::Net
    properties: {name: {get_param: name}}
outputs:
  id: {value: {get_resource: net}}
"""
FILES = {
    "heat/web.yaml": WEB,
    "heat/env/web.production.yaml": "parameters: {name: prod}\n",
    "heat/env/web.staging.yaml": "parameters: {name: stage}\n",
    "heat/alone.yaml": WEB.replace("{type: string}", "{type: string, default: lone}"),
    "deploy.sh": "#!/bin/sh\nset -e\n"
    "openstack stack create --wait -t heat/web.yaml -e heat/env/web.staging.yaml web-staging\n"
    "openstack stack output show web-staging id -f value -c output_value\n",
}
STUB = '#!/bin/sh\nprintf "%s\\n" "${PWD##*/shop/}: $*" >> "$LOG"\n'
S3 = ("--backend", "s3", "--backend-config", "bucket=b")
INIT = "tf/web: init -backend-config=environments/staging.backend.hcl\n"
PLAN = "tf/web: plan -out=plan.tfplan -var-file=environments/staging.tfvars\n"
ALONE = "tf/alone: init -backend-config=backend.hcl\ntf/alone: plan -out=plan.tfplan\n"


@pytest.fixture
def repository(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, command: Run) -> pathlib.Path:
    """A repository of git, in which the commands run, with a program in place of Terraform."""
    assert command
    where = tree(tmp_path / "shop", FILES)
    subprocess.run(["git", "init", "-q", str(where)], check=True)
    (tmp_path / "terraform").write_text(STUB, encoding="utf-8")
    (tmp_path / "terraform").chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    monkeypatch.chdir(where)
    return where


def run_commands(repository: pathlib.Path, script: str, **variables: str) -> str:
    """The calls that the commands of a job make to the program in place of Terraform."""
    log = repository.parent / "log"
    log.unlink(missing_ok=True)
    subprocess.run(["sh", "-euc", script], cwd=repository, env=os.environ | variables, check=True, timeout=60)
    return log.read_text(encoding="utf-8")


def read_settings(path: str) -> dict[str, Any]:
    return dict(hcl2.loads(pathlib.Path(path).read_text(encoding="utf-8")))


def read_jobs(path: str) -> dict[str, Any]:
    return dict(yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8")))


def test_each_environment_has_a_state_of_its_own_in_the_backend(command: Run, repository: pathlib.Path) -> None:
    done = command("migrate", "heat", "tf", *S3)
    assert done.status == 0, done.err
    keys = {
        path.relative_to("tf").as_posix(): str(read_settings(str(path))["key"]).strip('"')
        for path in sorted(pathlib.Path("tf").rglob("*backend.hcl"))
    }
    assert keys == {
        "alone/backend.hcl": "alone.tfstate",
        "web/environments/production.backend.hcl": "web/production.tfstate",
        "web/environments/staging.backend.hcl": "web/staging.tfstate",
    }
    assert repository


def test_gitlab_plans_each_environment_with_its_own_credentials(command: Run, repository: pathlib.Path) -> None:
    assert command("migrate", "heat", "tf", *S3, "--ci", "gitlab").status == 0
    jobs = read_jobs("tf/.gitlab-ci.yml")
    rows = {name: jobs[name]["variables"] for name in jobs if name.startswith("stack ")}
    assert list(rows) == ["stack alone", "stack web production", "stack web staging"]
    assert jobs["plan"]["environment"] == {"name": "$ENVIRONMENT", "action": "prepare"}
    plan, apply = ("\n".join(jobs[name]["script"]) for name in ("plan", "apply"))
    assert run_commands(repository, plan, **rows["stack web staging"]) == INIT + PLAN
    assert run_commands(repository, apply, **rows["stack web staging"]) == f"{INIT}tf/web: apply plan.tfplan\n"
    assert run_commands(repository, plan, **rows["stack alone"]) == ALONE


def test_github_passes_the_environment_in_a_variable(command: Run, repository: pathlib.Path) -> None:
    assert command("migrate", "heat", "tf", *S3, "--ci", "github").status == 0
    jobs = read_jobs("tf/.github/workflows/terraform.yml")["jobs"]
    rows = jobs["stacks-1"]["strategy"]["matrix"]["include"]
    assert [(row["stack"], row["environment"]) for row in rows] == [
        ("tf/alone", "default"),
        ("tf/web", "production"),
        ("tf/web", "staging"),
    ]
    (script,) = (step["run"] for step in jobs["stacks-1"]["steps"] if step.get("name") == "Plan")
    assert run_commands(repository, script, STACK="tf/web", ENVIRONMENT="staging") == INIT + PLAN
    assert run_commands(repository, script, STACK="tf/alone", ENVIRONMENT="default") == ALONE
    assert jobs["apply"]["env"]["ENVIRONMENT"] == "${{ inputs.environment }}"


@pytest.mark.parametrize("form", ["gitlab", "github"])
def test_workspaces_share_the_settings_and_are_chosen(form: str, command: Run, repository: pathlib.Path) -> None:
    assert command("migrate", "heat", "tf", *S3, "--ci", form, "--environments", "workspaces").status == 0
    assert read_settings("tf/web/backend.hcl")["key"].strip('"') == "web.tfstate"
    if form == "gitlab":
        script = "\n".join(read_jobs("tf/.gitlab-ci.yml")["plan"]["script"])
    else:
        steps = read_jobs("tf/.github/workflows/terraform.yml")["jobs"]["stacks-1"]["steps"]
        (script,) = (step["run"] for step in steps if step.get("name") == "Plan")
    directory = "STACK" if form == "github" else "DIRECTORY"
    assert run_commands(repository, script, **{directory: "tf/web"}, ENVIRONMENT="staging") == (
        f"tf/web: init -backend-config=backend.hcl\ntf/web: workspace select -or-create staging\n{PLAN}"
    )
    assert run_commands(repository, script, **{directory: "tf/alone"}, ENVIRONMENT="default") == ALONE


@pytest.mark.parametrize("backend", ["http", "gitlab"])
def test_a_backend_without_workspaces_is_refused(backend: str, command: Run, repository: pathlib.Path) -> None:
    done = command("migrate", "heat", "tf", "--backend", backend, "--environments", "workspaces")
    assert done.status == 2
    assert f"the backend {backend} has no workspaces: use --environments files" in done.err
    assert not (repository / "tf").exists()


def test_states_on_this_machine_are_not_planned_by_jobs(command: Run, repository: pathlib.Path) -> None:
    """The backend that environments have without --backend is no place that jobs share."""
    done = command("migrate", "heat", "tf", "--ci", "gitlab")
    assert "warning HOT462: The pipeline checks alone and 1 more, and does not plan or apply it" in done.err
    assert not {"plan", "apply"} & read_jobs("tf/.gitlab-ci.yml").keys()
    assert repository


@pytest.mark.parametrize(
    ("options", "init"),
    [
        ((), " -reconfigure -backend-config=environments/staging.backend.hcl"),
        (S3, " -reconfigure -backend-config=environments/staging.backend.hcl"),
    ],
)
def test_a_call_of_heat_becomes_one_for_its_environment(
    options: tuple[str, ...], init: str, command: Run, repository: pathlib.Path
) -> None:
    done = command("migrate", "heat", "tf", *options, "--calls", "--patch", "calls.patch")
    assert done.status == 0, done.err
    subprocess.run(["git", "apply", "calls.patch"], cwd=repository, check=True)
    asked = run_commands(repository, "sh deploy.sh")
    here = f"{repository}: "
    apply = f"{here}-chdir=tf/web apply -input=false -auto-approve -var-file=environments/staging.tfvars\n"
    chosen = f"{here}-chdir=tf/web init{init} -input=false\n"
    assert asked == f"{chosen}{apply}{chosen}{here}-chdir=tf/web output -raw id\n"


def test_a_state_on_this_machine_is_to_be_moved_first(command: Run, repository: pathlib.Path) -> None:
    """With a backend, the init of an environment would begin with an empty state."""
    assert command("migrate", "heat", "tf").status == 0
    state = repository / "tf/web/environments/staging.tfstate"
    state.write_text("{}", encoding="utf-8")
    done = command("migrate", "heat", "tf", *S3)
    assert done.status == 0, done.err
    assert done.err.count("HOT947") == 2  # as a finding, and in the list of tasks
    assert "web: the state of staging is in environments/staging.tfstate, and not in the backend s3." in done.err
    assert "terraform state push environments/staging.tfstate" in done.err
    assert state.read_text(encoding="utf-8") == "{}"
    assert "HOT947" not in command("migrate", "heat", "tf", "--backend", "local").err
