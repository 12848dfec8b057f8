"""`hot2tf migrate --ci`: the jobs for a migration's output.

Every command of every job is run by a shell, with a program in place of Terraform that writes down its arguments,
and the commands that need no cloud are run with real terraform, too. actionlint and the schemas of GitLab and GitHub
(check-jsonschema) judge the files, where they are on PATH.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import stat
import subprocess
from typing import Any

import hcl2
import pytest
import yaml

from emitters.hcl.pipelines import github, gitlab
from emitters.hcl.pipelines.files import write_pipeline
from tests.conftest import Run
from tests.support import oracles
from tests.support.repositories import ALONE, make, put, tree
from transpile.targets import PipelineRequest, PipelineStack

STACKS = ["copy/alone", "db/db", "net/alone", "waits", "web/web"]
LINTER = os.environ.get("HOT2TF_ACTIONLINT") or shutil.which("actionlint") or ""
SCHEMAS = os.environ.get("HOT2TF_CHECK_JSONSCHEMA") or shutil.which("check-jsonschema") or ""
TFLINT = os.environ.get("HOT2TF_TFLINT") or shutil.which("tflint") or ""
# In place of terraform: it writes its arguments and the address of the state down, and keeps a plan as terraform does.
STUB = """\
#!/bin/sh
printf '%s\\n' "${PWD#"$TOP"/}: $* ${TF_HTTP_LOCK_ADDRESS:-}" >> "$LOG"
for word in "$@"; do
  case $word in
    -backend-config=*=*) ;;
    -backend-config=*) [ -f "${word#-backend-config=}" ] || exit 8;;
    -out=*) echo plan > "${word#-out=}";;
    *.tfplan) [ -f "$word" ] || exit 7;;
  esac
done
"""


@pytest.fixture
def repository(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A repository of git with templates, in which commands run."""
    (tmp_path / ".git").mkdir()
    make(tmp_path / "src")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_script(where: pathlib.Path, commands: list[str], tools: pathlib.Path, **environment: str) -> str:
    """Runs the commands of a job at the top of the repository. Returns the calls of the stub."""
    log = where / "asked.log"
    log.unlink(missing_ok=True)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-e", "-u", "-c", "\n".join(commands)],
        cwd=where,
        env={"PATH": path, "LOG": str(log), "TOP": str(where), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, (commands, done.stdout, done.stderr)
    return log.read_text(encoding="utf-8") if log.exists() else ""


@pytest.fixture
def tools(tmp_path: pathlib.Path) -> pathlib.Path:
    """A directory with a program in place of terraform and tofu."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("terraform", "tofu"):
        (folder / name).write_text(STUB, encoding="utf-8")
        (folder / name).chmod(stat.S_IRWXU)
    return folder


def read_yaml(path: str) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))
    return data


def test_gitlab_checks_plans_and_applies_each_stack(
    command: Run, repository: pathlib.Path, tools: pathlib.Path
) -> None:
    """The jobs run in this order, with the saved plan; the apply is started by hand."""
    done = command("migrate", "src", "out", "--backend", "gitlab", "--ci", "gitlab")
    assert done.status == 0, done.err
    jobs = read_yaml("out/.gitlab-ci.yml")
    assert [name for name in jobs if name.startswith("stack ")] == [f"stack {stack}" for stack in STACKS]
    predefined = {"CI_API_V4_URL": "https://g.example.org/api/v4", "CI_PROJECT_ID": "42", "CI_JOB_TOKEN": "t"}
    assert run_script(repository, jobs["format"]["script"], tools).endswith(": fmt -check -diff -recursive out \n")
    states = set()
    for stack in STACKS:
        check, plan, apply = (jobs[name] for name in ("check", "plan", "apply"))
        where, variables = f"out/{stack}:", jobs[f"stack {stack}"]["variables"]
        asked = run_script(repository, check["script"], tools, **variables)
        assert asked == f"{where} init -backend=false \n{where} validate \n"
        asked = run_script(repository, plan["script"], tools, **predefined, **variables)
        lock = asked.split()[-1]
        init = f"{where} init -backend-config=backend.hcl"
        assert asked == f"{init} {lock}\n{where} plan -out=plan.tfplan {lock}\n"
        assert lock.startswith("https://g.example.org/api/v4/projects/42/terraform/state/")
        states.add(lock)
        assert plan["artifacts"]["paths"][0] == "$DIRECTORY/plan.tfplan"
        assert (repository / "out" / stack / "plan.tfplan").exists()
        asked = run_script(repository, apply["script"], tools, **predefined, **variables)
        assert asked == f"{init} {lock}\n{where} apply plan.tfplan {lock}\n"
        assert apply["needs"] == ["plan"]
        assert (plan["environment"]["name"], apply["environment"]) == ("$ENVIRONMENT", {"name": "$ENVIRONMENT"})
        assert [rule["when"] for rule in apply["rules"]] == ["manual"]
        assert plan["resource_group"] == apply["resource_group"]
    assert len(states) == len(STACKS)


def test_github_plans_every_stack_and_applies_a_chosen_one(
    command: Run, repository: pathlib.Path, tools: pathlib.Path
) -> None:
    done = command("migrate", "src", "out", "--backend", "s3", "--ci", "github", "--ci-tool", "tofu", "--tests")
    assert done.status == 0, done.err
    workflow = read_yaml("out/.github/workflows/terraform.yml")
    jobs, rows = workflow["jobs"], workflow["jobs"]["stacks-1"]["strategy"]["matrix"]["include"]
    assert rows == [{"stack": f"out/{stack}", "environment": "default"} for stack in STACKS]
    assert jobs["stacks-1"]["environment"] == "${{ matrix.environment }}"
    assert jobs["apply"]["environment"] == "${{ inputs.environment }}-apply"
    assert jobs["apply"]["needs"] == "plan"

    def run(job: str, step_name: str) -> str:
        commands = [step["run"] for step in jobs[job]["steps"] if step.get("name") == step_name]
        variables = {"STACK": tested, "TF_STATE_BUCKET": "states", "ENVIRONMENT": "default"}
        return run_script(repository, commands, tools, **variables)

    tested = "out/web/web"
    init = f"{tested}: init -backend-config=backend.hcl -backend-config=bucket=states"
    assert run("stacks-1", "Check").splitlines()[-1].strip() == f"{tested}: test"
    for name in ("stacks-1", "plan"):
        (repository / tested / "plan.tfplan").unlink(missing_ok=True)
        assert run(name, "Plan") == f"{init} \n{tested}: plan -out=plan.tfplan \n"
    assert run("apply", "Apply") == f"{init} \n{tested}: apply plan.tfplan \n"
    words = ("TF_STATE_BUCKET", "AWS_SECRET_ACCESS_KEY", "OS_APPLICATION_CREDENTIAL_SECRET")
    for name in ("plan", "apply"):
        assert all(word in jobs[name]["env"] for word in words)
    (check, plan) = jobs["stacks-1"]["steps"][2:]
    assert all(word in plan["env"] for word in words)
    assert "secrets." not in f"{check} {jobs['stacks-1']['env']}", "what a check runs has no credentials"


@pytest.mark.parametrize(
    ("options", "planned"),
    [
        (["--ci", "gitlab"], []),
        (["--ci", "gitlab", "--backend", "local"], []),
        (["--ci", "github", "--backend", "gitlab"], []),
        (["--ci", "gitlab", "--backend", "pg"], STACKS),
        (["--ci", "github", "--backend", "gitlab", "--backend-config", "address=https://g.example.org/s"], STACKS),
    ],
)
def test_no_state_is_lost_with_a_job(
    options: list[str], planned: list[str], command: Run, repository: pathlib.Path
) -> None:
    """Without a state that all jobs share, a stack is only checked, and a warning says so."""
    done = command("migrate", "src", "out", *options)
    assert done.status == 0, done.err
    assert ("HOT462" in done.err) == (not planned)
    if options[1] == "gitlab":
        jobs = read_yaml("out/.gitlab-ci.yml")
        rows = {name[6:]: jobs[name]["variables"] for name in jobs if name.startswith("stack ")}
        assert [name for name, variables in rows.items() if variables.get("PLAN") != "no"] == planned
        assert list(rows) == STACKS
        assert ("plan" in jobs) == ("apply" in jobs) == bool(planned)
    else:
        workflow = read_yaml("out/.github/workflows/terraform.yml")
        assert ("workflow_dispatch" in workflow["on"]) == ("apply" in workflow["jobs"]) == bool(planned)
        assert "stacks-1" in workflow["jobs"]


def test_an_own_backend_is_enough(command: Run, repository: pathlib.Path) -> None:
    """A directory with a backend in the user's own file gets all jobs."""
    assert command("migrate", "src", "out").status == 0
    put(repository, "out/waits/state.tf", 'terraform {\n  backend "azurerm" {}\n}\n')
    done = command("migrate", "src", "out", "--ci", "gitlab")
    assert "HOT462" in done.err
    jobs = read_yaml("out/.gitlab-ci.yml")
    rows = {name: jobs[name]["variables"] for name in jobs if name.startswith("stack ")}
    assert [name for name, variables in rows.items() if variables.get("PLAN") != "no"] == ["stack waits"]
    assert jobs["plan"]["script"][:2] == ['cd -- "$DIRECTORY"', "terraform init"]


def test_edited_files_stay_and_the_others_go_without_ci(command: Run, repository: pathlib.Path) -> None:
    """An edited file is left and listed. Without --ci, files that nobody edited are removed."""
    arguments = ("migrate", "src", "out", "--backend", "pg")
    assert command(*arguments, "--ci", "github").status == 0
    before = tree(repository / "out")
    assert command(*arguments, "--ci", "github").status == 0
    assert tree(repository / "out") == before
    hooks = repository / "out/.pre-commit-config.yaml"
    hooks.write_text("repos: []\n", encoding="utf-8")
    done = command(*arguments)
    assert done.status == 0
    assert "out/.github" not in [str(path) for path in (repository / "out").iterdir()]
    assert not (repository / "out/.github").exists()
    assert not (repository / "out/.tflint.hcl").exists()
    assert hooks.read_text(encoding="utf-8") == "repos: []\n"
    assert ".pre-commit-config.yaml" in done.err
    foreign = repository / "new/.gitlab-ci.yml"
    put(repository, "new/.gitlab-ci.yml", "mine: {script: [true]}\n")
    put(repository, "new/README.md", "Mine.\n")
    done = command("migrate", "src", "new", "--backend", "pg", "--ci", "gitlab")
    assert foreign.read_text(encoding="utf-8") == "mine: {script: [true]}\n"
    assert ".gitlab-ci.yml" in done.err


def test_nothing_is_written_through_a_link(command: Run, repository: pathlib.Path) -> None:
    outside = repository / "outside"
    outside.mkdir()
    (repository / "out").mkdir()
    (repository / "out" / ".github").symlink_to(outside)
    command("migrate", "src", "out", "--ci", "github")
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("arguments", [["--to", "tosca", "--ci", "gitlab"], ["--ci", "jenkins"]])
def test_wrong_usage(arguments: list[str], command: Run, repository: pathlib.Path) -> None:
    done = command("migrate", "src", "out", *arguments)
    assert done.status == 2
    assert not (repository / "out").exists()


NASTY = ["a b", "$(touch pwned)", "${{ secrets.X }}", "it's", "-chdir=x", "ä", "a*", 'q"q', "on", "1"]


@pytest.mark.parametrize("kind", ["gitlab", "github"])
def test_no_path_is_code(kind: str, tmp_path: pathlib.Path, tools: pathlib.Path) -> None:
    """A shell gets every path as it is, and GitHub replaces nothing in it."""
    stacks = tuple(PipelineStack(name, True, "backend.hcl") for name in NASTY)
    files = write_pipeline(PipelineRequest(kind, "terraform", "top dir", "Made by hot2tf", stacks))
    for name in NASTY:
        put(tmp_path, f"top dir/{name}/backend.hcl", "")
    if kind == "gitlab":
        jobs = yaml.safe_load(files[gitlab.FILE])
        for name in NASTY:
            variables = {key: value.replace("$$", "$") for key, value in jobs[f"stack {name}"]["variables"].items()}
            asked = run_script(tmp_path, jobs["plan"]["script"], tools, **variables)
            assert asked.startswith(f"top dir/{name}: init ")
        assert "changes" not in jobs[".stack"]["rules"][0], "a path could be taken for a pattern"
        assert jobs["plan"]["resource_group"] == "$STATE"
    else:
        job = yaml.safe_load(files[github.FILE])["jobs"]["stacks-1"]
        rows = job["strategy"]["matrix"]["include"]
        given_names = [row["stack"].replace("${{ '${{' }}", "${{") for row in rows]
        assert given_names == [f"top dir/{name}" for name in NASTY]
        assert "${{ secrets.X" not in files[github.FILE].partition("jobs:")[2]
        for name in NASTY:
            asked = run_script(tmp_path, [job["steps"][-1]["run"]], tools, STACK=f"top dir/{name}", ENVIRONMENT="x")
            assert asked.startswith(f"top dir/{name}: init ")
    assert not (tmp_path / "pwned").exists()


def test_more_stacks_than_a_matrix_has() -> None:
    """GitHub allows 256 jobs in a matrix."""
    stacks = tuple(PipelineStack(f"s{number:03}", True) for number in range(600))
    files = write_pipeline(PipelineRequest("github", "terraform", ".", "Made by hot2tf", stacks))
    workflow = yaml.safe_load(files[github.FILE])
    parts = [workflow["jobs"][f"stacks-{n}"]["strategy"]["matrix"]["include"] for n in (1, 2, 3)]
    assert [row["stack"] for part in parts for row in part] == [stack.directory for stack in stacks]
    assert max(map(len, parts)) == 256


@pytest.mark.parametrize("kind", ["gitlab", "github"])
def test_a_stack_more_is_a_line_more(kind: str) -> None:
    def count_lines(number: int) -> int:
        stacks = tuple(PipelineStack(f"s{at:03}", True, "backend.hcl", tests=True) for at in range(number))
        files = write_pipeline(PipelineRequest(kind, "terraform", ".", "Made by hot2tf", stacks))
        return len(files[gitlab.FILE if kind == "gitlab" else github.FILE].splitlines())

    assert count_lines(38) - count_lines(8) == 30
    assert count_lines(38) <= 170


def test_the_configuration_of_tflint(command: Run, repository: pathlib.Path) -> None:
    """All rules, without those that the names and files of the output do not follow."""
    assert command("migrate", "src", "out", "--ci", "gitlab").status == 0
    settings = hcl2.loads((repository / "out/.tflint.hcl").read_text(encoding="utf-8"))
    assert settings["plugin"][0]['"terraform"']["preset"] == '"all"'
    assert [part["enabled"] for rule in settings["rule"] for part in rule.values()] == [False, False]
    names = ("--names", "snake", "--option", "structure=standard")
    assert command("migrate", "src", "out", "--ci", "gitlab", *names).status == 0
    assert "rule" not in hcl2.loads((repository / "out/.tflint.hcl").read_text(encoding="utf-8"))
    assert (repository / "out/waits/outputs.tf").exists()


@pytest.mark.skipif(not TFLINT, reason="HOT2TF_TFLINT and PATH have no tflint")
def test_tflint_finds_nothing(command: Run, repository: pathlib.Path) -> None:
    """tflint runs with the written configuration, and with the command of the hook."""
    put(repository, "src/documented.yaml", ALONE)
    assert command("migrate", "src", "out", "--ci", "gitlab", "--backend", "pg").status == 0
    (hook,) = [h for h in read_yaml("out/.pre-commit-config.yaml")["repos"][0]["hooks"] if h["id"] == "tflint"]
    folder = repository / "linters"
    folder.mkdir()
    (folder / "tflint").symlink_to(TFLINT)
    environment = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "HOME": str(repository)}
    done = subprocess.run(
        hook["entry"], shell=True, cwd=repository / "out", env=environment, capture_output=True, text=True, check=False
    )
    findings = [line for line in done.stdout.splitlines() if "(terraform_" in line]
    assert [line for line in findings if "terraform_documented" not in line] == []  # the template has no descriptions
    assert done.returncode in (0, 2)


@oracles.needs_providers
def test_terraform_passes_the_checks(command: Run, repository: pathlib.Path) -> None:
    """The commands of the checks, with real terraform."""
    assert command("migrate", "src", "out", "--backend", "s3", "--ci", "gitlab", "--tests").status == 0
    jobs = read_yaml("out/.gitlab-ci.yml")
    environment = {key: value for key, value in os.environ.items() if key.startswith(("TF_", "HOME"))}
    nothing = repository / "nothing"
    nothing.mkdir()
    for name in ("format", "check"):
        run_script(repository, jobs[name]["script"], nothing, **environment, **jobs["stack web/web"]["variables"])
    assert any("test" in line for line in jobs["check"]["script"])


@pytest.mark.skipif(not LINTER, reason="HOT2TF_ACTIONLINT and PATH have no actionlint")
@pytest.mark.parametrize("backend", ["s3", "local"])
def test_actionlint_finds_nothing(backend: str, command: Run, repository: pathlib.Path) -> None:
    command("migrate", "src", "out", "--backend", backend, "--ci", "github", "--tests")
    done = subprocess.run([LINTER, "out/.github/workflows/terraform.yml"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(not SCHEMAS, reason="HOT2TF_CHECK_JSONSCHEMA and PATH have no check-jsonschema")
@pytest.mark.parametrize(
    ("kind", "schema", "file"),
    [
        ("gitlab", "vendor.gitlab-ci", "out/.gitlab-ci.yml"),
        ("github", "vendor.github-workflows", "out/.github/workflows/terraform.yml"),
    ],
)
def test_the_schemas_accept_the_files(
    kind: str, schema: str, file: str, command: Run, repository: pathlib.Path
) -> None:
    command("migrate", "src", "out", "--backend", "pg", "--ci", kind, "--tests")
    done = subprocess.run([SCHEMAS, "--builtin-schema", schema, file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
