"""The repository's parts for pipelines: the hooks, the action and the GitLab job do what docs/pipelines.md says.

The shell steps run here, with the command of this environment in place of one that they would install.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
from xml.etree import ElementTree

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

from tests.support.files import write_files

ROOT = pathlib.Path(__file__).parents[1]
ACTION = ROOT / ".github" / "actions" / "hot2tf"
GITLAB = ROOT / ".gitlab" / "hot2tf.gitlab-ci.yml"
WRONG = """heat_template_version: 2018-08-31
resources:
  net:
    type: OS::Neutron::Net
    properties: {nmae: x}
"""
RIGHT = WRONG.replace("nmae", "name")
COMMAND = f"""#!/bin/sh
exec "{sys.executable}" -m transpile "$@"
"""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


@pytest.fixture
def place(tmp_path: pathlib.Path) -> pathlib.Path:
    """A repository with a right template and a wrong one, and hot2tf where both pipelines put it."""
    for name, text in (("right/stack.yaml", RIGHT), ("wrong/my stack.yaml", WRONG)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    for name in ("runner/hot2tf/bin/hot2tf", ".hot2tf-venv/bin/hot2tf"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(COMMAND)
        (tmp_path / name).chmod(0o755)
    return tmp_path


def checked(place: pathlib.Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The step of the action that checks, with inputs; the others have their defaults."""
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    (step,) = [candidate for candidate in action["runs"]["steps"] if candidate.get("id") == "check"]
    input_values = {f"inputs.{name}": definition["default"] for name, definition in action["inputs"].items()}
    input_values |= {f"inputs.{name.replace('_', '-')}": text for name, text in inputs.items()}
    filled = {
        name: re.sub(r"\$\{\{ (\S+) \}\}", lambda match: input_values[match[1]], text)
        for name, text in step["env"].items()
    }
    runner = {
        "GITHUB_ACTION_PATH": str(ACTION),
        "GITHUB_OUTPUT": str(place / "output"),
        "RUNNER_TEMP": str(place / "runner"),
        "PYTHONPATH": str(ROOT),
        "PATH": os.environ["PATH"],
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=place, env={**runner, **filled}, capture_output=True, text=True, check=False)


def test_the_action_annotates_lines(place: pathlib.Path) -> None:
    done = checked(place)
    assert done.returncode == 1
    assert "::error file=wrong/my stack.yaml,line=5," in done.stdout


def test_the_action_succeeds_without_errors(place: pathlib.Path) -> None:
    done = checked(place, paths="right\n")
    assert (done.returncode, done.stdout) == (0, "")


def test_each_line_of_an_input_is_an_argument(place: pathlib.Path) -> None:
    """A path may have blanks, and nothing in it is read as shell."""
    write_files(place, {"$(touch broken)/a.yaml": WRONG})
    done = checked(place, paths="wrong/my stack.yaml\n$(touch broken)\n", arguments="--level=create\n--strict\n")
    assert done.returncode == 1
    assert "wrong/my stack.yaml" in done.stdout
    assert "$(touch broken)/a.yaml" in done.stdout
    assert not (place / "broken").exists()


def test_the_action_writes_sarif_and_says_where(place: pathlib.Path) -> None:
    done = checked(place, format="sarif", sarif_file="found.sarif")
    assert done.returncode == 1
    assert (place / "output").read_text() == "sarif-file=found.sarif\n"
    results = json.loads((place / "found.sarif").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["HOT301"]


def test_the_action_takes_two_formats(place: pathlib.Path) -> None:
    assert checked(place, format="text").returncode == 2


def test_the_action_passes_inputs_as_variables() -> None:
    """Text in a script would be run: a branch may have any name."""
    for step in yaml.safe_load((ACTION / "action.yml").read_text())["runs"]["steps"]:
        assert "${{" not in step["run"]


def job(place: pathlib.Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """The job of GitLab, without the commands that install hot2tf."""
    job_definition = yaml.safe_load(GITLAB.read_text())["hot2tf-check"]
    script = "\n".join(line for line in job_definition["script"] if "pip install" not in line and "-m venv" not in line)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **job_definition["variables"], **variables}
    command = ["bash", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)


def test_the_job_of_gitlab_writes_both_reports_and_fails(place: pathlib.Path) -> None:
    done = job(place)
    assert done.returncode == 1
    (row,) = json.loads((place / "gl-code-quality-report.json").read_text())
    assert (row["location"]["path"], row["check_name"]) == ("wrong/my stack.yaml", "HOT301")
    cases = ElementTree.parse(place / "hot2tf-junit.xml").getroot().iter("testcase")
    assert any(case.find("failure") is not None for case in cases)
    assert "HOT301" in done.stdout


def test_the_job_of_gitlab_succeeds_without_errors(place: pathlib.Path) -> None:
    done = job(place, HOT2TF_PATHS="right", HOT2TF_ARGUMENTS="--level create --strict")
    assert done.returncode == 0
    assert json.loads((place / "gl-code-quality-report.json").read_text()) == []


def test_the_job_of_gitlab_installs_nothing_that_nobody_named(tmp_path: pathlib.Path) -> None:
    job_definition = yaml.safe_load(GITLAB.read_text())["hot2tf-check"]
    (line,) = [line for line in job_definition["script"] if "pip install" in line]
    program = tmp_path / ".hot2tf-venv" / "bin" / "pip"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    for requirement, status in (("", 1), ("hot2tf==0.2.0", 0)):
        environment = {"PATH": os.environ["PATH"], **job_definition["variables"]}
        environment |= {"HOT2TF_REQUIREMENT": requirement} if requirement else {}
        command = ["bash", "-eo", "pipefail", "-c", line]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode != 0) == bool(status)
        assert done.stdout.strip() == ("" if status else f"install --quiet {requirement}")
        assert ("HOT2TF_REQUIREMENT" in done.stderr) == bool(status)


def locked_versions(name: str) -> dict[str, Version]:
    """The packages of a lock file of the container. Each has the hash of a file."""
    packages = {}
    text = (ROOT / ".ci" / name).read_text()
    for entry in re.split(r"\n(?=[a-z0-9])", re.sub(r"^#.*\n", "", text, flags=re.M)):
        package, version = re.match(r"([a-z0-9.-]+)==(\S+)", entry).groups()  # type: ignore[union-attr]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry)
        packages[package] = Version(version)
    return packages


def test_the_lock_files_of_the_container_have_the_requirements_of_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    needed = {
        "requirements.lock": project["project"]["dependencies"],
        "requirements-extras.lock": [
            *project["project"]["dependencies"],
            *(line for extra in ("cluster", "lsp", "openstack", "yaql") for line in extras[extra]),
        ],
        "build.lock": project["build-system"]["requires"],
    }
    containerfile = (ROOT / ".ci" / "Containerfile").read_text()
    assert "build.lock" in containerfile
    assert "requirements${EXTRAS:+-extras}.lock" in containerfile
    for line in containerfile.splitlines():
        assert "pip install" not in line or "--require-hashes" in line or "--no-index" in line
    for name, requirements in needed.items():
        versions = locked_versions(name)
        for requirement in map(Requirement, requirements):
            assert requirement.specifier.contains(versions[requirement.name.lower()]), (name, requirement)


def test_the_reports_that_gitlab_reads_are_those_that_are_written() -> None:
    job_definition = yaml.safe_load(GITLAB.read_text())["hot2tf-check"]
    for file in job_definition["artifacts"]["reports"].values():
        assert any(f"> {file}" in line for line in job_definition["script"])


def test_hooks_run_once_on_their_own_files(place: pathlib.Path) -> None:
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()):
        assert hook["require_serial"] is True
        program, *arguments = hook["entry"].split()
        assert program == "hot2tf"
        (place / "values.yaml").write_text("a: [1")  # a file of another program
        command = [sys.executable, "-m", "transpile", *arguments, "right/stack.yaml", "values.yaml"]
        done = subprocess.run(command, cwd=place, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
        assert done.returncode == 0
        assert (place / "values.yaml").read_text() == "a: [1"
        matching = re.compile(hook["files"])
        assert all(matching.search(name) for name in ("a.yaml", "b/c.yml", "d.template", "e.hot", "f.env"))
        assert not matching.search("main.tf")


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_has_nothing_to_say() -> None:
    scripts = [ACTION / "install.sh", ACTION / "check.sh", ROOT / ".ci" / "run", ROOT / ".ci" / "matrix"]
    done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


# the recipes of docs/pipelines.md, on repositories without mistakes

NESTED = """heat_template_version: 2018-08-31
parameters:
  size: {type: number}
  password: {type: string, hidden: true}
resources:
  secret: {type: OS::Heat::Value, properties: {value: [{get_param: size}, {get_param: password}]}}
"""
OUTER = NESTED + "  inner: {type: lib/inner.yaml, properties: {size: 1, password: {get_param: password}}}\n"


def recipes(language: str) -> list[object]:
    """The documents of docs/pipelines.md in a language of code blocks."""
    text = (ROOT / "docs" / "pipelines.md").read_text(encoding="utf-8")
    return [yaml.safe_load(block) for block in re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)]


@pytest.fixture(params=["example", "example repository", "nested templates and hidden parameters"])
def healthy(request: pytest.FixtureRequest, place: pathlib.Path) -> pathlib.Path:
    """A repository that a person would call right, and the programs that pipelines install."""
    for name in ("right", "wrong"):
        shutil.rmtree(place / name)
    if request.param == "example":
        shutil.copytree(ROOT / "docs" / "example", place / "templates")
    elif request.param == "example repository":
        shutil.copytree(ROOT / "docs" / "example-repository", place / "templates")
        shop = place / "templates" / "shop.yaml"
        shop.write_text(shop.read_text().replace("flavour:", "flavor:"))  # as the tutorial does
    else:
        write_files(place, {"templates/outer.yaml": OUTER, "templates/lib/inner.yaml": NESTED})
    return place


def test_the_recipe_for_pre_commit_passes_on_healthy_repositories(healthy: pathlib.Path) -> None:
    ((hooks_of_repository, *_), *_) = (block for block in recipes("yaml") if isinstance(block, list))
    arguments = {hook["id"]: hook.get("args", []) for hook in hooks_of_repository["hooks"]}
    (hook,) = [hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()) if "check" in hook["id"]]
    names = sorted(str(path) for path in (healthy / "templates").rglob("*.yaml"))
    command = [sys.executable, "-m", "transpile", *hook["entry"].split()[1:], *arguments[hook["id"]], *names]
    done = subprocess.run(
        command, cwd=healthy, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "error" in done.stdout) == (0, False), done.stdout


def test_the_recipe_for_github_passes_on_healthy_repositories(healthy: pathlib.Path) -> None:
    (workflow,) = [block for block in recipes("yaml") if isinstance(block, dict) and True in block]  # YAML reads on
    (step,) = [step for step in workflow["jobs"]["check"]["steps"] if "hot2tf" in step["uses"]]
    done = checked(healthy, **{name.replace("-", "_"): text for name, text in step["with"].items()})
    assert (done.returncode, "::error" in done.stdout) == (0, False), done.stdout


def test_the_recipe_for_gitlab_passes_on_healthy_repositories(healthy: pathlib.Path) -> None:
    (file,) = [block for block in recipes("yaml") if isinstance(block, dict) and "include" in block]
    done = job(healthy, **file["variables"])
    assert done.returncode == 0, done.stdout


def test_with_the_recipe_for_old_repositories_only_new_mistakes_fail(place: pathlib.Path) -> None:
    """The commands of the page: the baseline is written once, and the configuration names it."""
    page = (ROOT / "docs" / "pipelines.md").read_text(encoding="utf-8")
    (write,) = re.findall(r"^hot2tf check .*--write-baseline .*$", page, re.M)
    (setting,) = re.findall(r'^baseline = ".*"$', page, re.M)
    assert checked(place, arguments="--level=create").returncode == 1
    command = [sys.executable, "-m", "transpile", *write.split()[1:]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run(command, cwd=place, env=environment, check=False).returncode == 0
    (place / "hot2tf.toml").write_text(setting + "\n")
    assert checked(place, arguments="--level=create").returncode == 0
    assert job(place).returncode == 0
    (place / "right" / "new.yaml").write_text(WRONG)
    done = checked(place, arguments="--level=create")
    assert done.returncode == 1
    assert "file=right/new.yaml" in done.stdout
    assert "file=wrong" not in done.stdout
