"""Access to real Heat, real terraform and the TOSCA tools, if a machine has them.

Invariant: a test without the tool that it needs is skipped and names the tool. It never passes without asking.
HOT2TF_SHARED names a folder with `terraform/`, `heat/` and `tools/`; HOT2TF_HEAT_PYTHON the Python of a virtual
environment with Heat; TF_CLI_CONFIG_FILE a terraform configuration that has the providers; TOSCA_ORACLE_* the
environments of the TOSCA tools.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from transpile import evaluate, stack_evaluation

TERRAFORM = os.environ.get("TERRAFORM", "terraform")
SHARED = pathlib.Path(os.environ.get("HOT2TF_SHARED", "/nowhere"))
SPECIFICATION = SHARED / "spec" / "1-hot-template-specification.txt"
HEAT_PYTHON = os.environ.get("HOT2TF_HEAT_PYTHON", "")
SECONDS = 300  # time limit for one terraform command

has_terraform = shutil.which(TERRAFORM) is not None
has_providers = has_terraform and pathlib.Path(os.environ.get("TF_CLI_CONFIG_FILE", "/nowhere")).is_file()
has_tools = (SHARED / "tools").is_dir()
has_heat = has_tools and pathlib.Path(HEAT_PYTHON).is_file()

needs_terraform = pytest.mark.skipif(not has_terraform, reason="there is no terraform on PATH")
needs_providers = pytest.mark.skipif(
    not has_providers, reason="TF_CLI_CONFIG_FILE names no configuration with the providers, or terraform is missing"
)
needs_heat = pytest.mark.skipif(not has_heat, reason="HOT2TF_HEAT_PYTHON or HOT2TF_SHARED does not lead to real Heat")
needs_corpus = pytest.mark.skipif(
    not (has_tools and (SHARED / "corpus" / "MANIFEST.jsonl").is_file()), reason="HOT2TF_SHARED leads to no corpus"
)
needs_probes = pytest.mark.skipif(
    not (SHARED / "heat" / "probes.json").is_file(), reason="HOT2TF_SHARED leads to no probes"
)
needs_specification = pytest.mark.skipif(
    not SPECIFICATION.is_file(), reason="HOT2TF_SHARED leads to no text of the HOT specification"
)
needs_both = pytest.mark.skipif(
    not (has_heat and has_providers), reason="real Heat and terraform with the providers are not both there"
)


def terraform(where: pathlib.Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", "NO_COLOR": "1"}
    return subprocess.run(
        [TERRAFORM, *arguments],
        cwd=where,
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def run(where: pathlib.Path, *arguments: str) -> str:
    """The output of a terraform command, which must succeed."""
    done = terraform(where, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def plan(where: pathlib.Path, *arguments: str) -> Any:
    """The plan of a directory as JSON. `terraform apply plan` carries it out."""
    run(where, "plan", "-input=false", "-out=plan", *arguments)
    return json.loads(run(where, "show", "-json", "plan"))


def list_changes(plan: Any) -> list[tuple[str, str]]:
    """The actions that a plan takes on managed resources, with their addresses; `import` is one."""
    return [
        (row["address"], action)
        for row in plan.get("resource_changes", ())
        for action in (*row["change"]["actions"], *(["import"] if row["change"].get("importing") else ()))
        if row["mode"] == "managed" and action != "no-op"
    ]


def unformatted(where: pathlib.Path, *folders: str) -> str:
    """The changes that `terraform fmt` would make in a directory, or in some folders of it."""
    done = terraform(where, "fmt", "-check", "-recursive", "-diff", *folders)
    return "" if done.returncode == 0 else done.stdout or done.stderr


def invalid(where: pathlib.Path) -> list[Any]:
    """The errors that `terraform init` and `validate` report for a directory."""
    done = terraform(where, "init", "-input=false", "-backend=false")
    if done.returncode:
        return [done.stdout + done.stderr]
    verdict = json.loads(terraform(where, "validate", "-json").stdout)
    return [] if verdict["valid"] else list(verdict["diagnostics"])


def outputs(where: pathlib.Path) -> dict[str, Any]:
    """The outputs of a directory without resources, which is really applied."""
    run(where, "init", "-input=false")
    run(where, "apply", "-auto-approve", "-input=false")
    return {name: o["value"] for name, o in json.loads(run(where, "output", "-json")).items()}


@functools.cache
def tool(name: str) -> Any:
    """A module of the shared tools, by name."""
    for folder in ("tools", "terraform"):
        if (path := str(SHARED / folder)) not in sys.path:
            sys.path.append(path)
    return importlib.import_module(name)


@functools.cache
def heat() -> Any:
    """The client of real Heat, `.ask(op=…, …)`. One process answers all questions."""
    return tool("heat_client").Heat(HEAT_PYTHON)


def make_attribute_lookup(attributes: Mapping[str, Any]) -> Callable[[str, tuple[Any, ...]], Any]:
    """The attributes that the oracle was given, by address; ABSENT for all others."""

    def attribute(address: str, path: tuple[Any, ...]) -> Any:
        values = attributes.get(address) or {}
        if not path:
            return dict(values) if values else evaluate.ABSENT
        return stack_evaluation.follow_path(values[path[0]], path[1:]) if path[0] in values else evaluate.ABSENT

    return attribute


def attribute_of(attributes: Mapping[str, Any]) -> Callable[[str, tuple[Any, ...]], Any]:
    """Attributes as the oracle answers for them: the given value, else the name of the attribute. Strings are not
    indexes.
    """
    look_up = make_attribute_lookup(attributes)

    def attribute(name: str, path: tuple[Any, ...]) -> Any:
        value = look_up(name, path)
        return ":".join(["attr", name, *map(str, path)]) if value is evaluate.ABSENT else value

    return attribute


def ask(**question: Any) -> Mapping[str, Any]:
    answer: Mapping[str, Any] = heat().ask(**question)
    return answer


# TOSCA

TOSCA_TOOLS = ("tosca-parser", "opera", "unfurl", "puccini")
_SHORT = {"tosca-parser": "TP", "opera": "OPERA", "unfurl": "UNFURL", "puccini": "PUCCINI", "heat-translator": "HT"}


def has_tosca(tool: str) -> bool:
    """Whether TOSCA_ORACLE_* names the environment of a tool."""
    return has_tools and pathlib.Path(os.environ.get(f"TOSCA_ORACLE_{_SHORT[tool]}", "/nowhere")).exists()


needs_tosca = pytest.mark.skipif(
    not all(map(has_tosca, TOSCA_TOOLS)), reason="TOSCA_ORACLE_* or HOT2TF_SHARED do not lead to the tools of TOSCA"
)
needs_translator = pytest.mark.skipif(
    not has_tosca("heat-translator"), reason="TOSCA_ORACLE_HT or HOT2TF_SHARED does not lead to heat-translator"
)
needs_tosca20 = pytest.mark.skipif(
    not (SHARED / "tosca" / "tosca20_check.py").is_file(), reason="HOT2TF_SHARED leads to no checker of TOSCA 2.0"
)


def ask_tosca(
    files: Sequence[pathlib.Path], tools: Sequence[str], where: pathlib.Path, *more: str
) -> dict[str, dict[str, Any]]:
    """The results of the tools for some files, by file and tool."""
    answer = where / "verdicts.json"
    command = [sys.executable, str(SHARED / "tosca" / "tosca_oracle.py"), "--tools", ",".join(tools), *more]
    command += ["--out", str(answer), "--batch", *map(str, files)]
    subprocess.run(command, capture_output=True, timeout=1800, stdin=subprocess.DEVNULL, check=False)
    verdicts: dict[str, dict[str, Any]] = json.loads(answer.read_text(encoding="utf-8"))["files"]
    return verdicts


@functools.cache
def tosca_module(name: str) -> Any:
    """A module next to the TOSCA oracle, by name."""
    if (path := str(SHARED / "tosca")) not in sys.path:
        sys.path.append(path)
    return importlib.import_module(name)
