"""Prints the jobs for CI that docs/pipelines.md describes.

Invariant: a job installs nothing that the user did not name, because the package index does not have hot2tf. Paths are
quoted for the shell, and then for YAML.
"""

from __future__ import annotations

import os
import pathlib
import re
import shlex
from collections.abc import Callable, Mapping
from typing import final

from transpile.model.records import node
from transpile.text import output, places
from transpile.text.source import UnreadableFile, read_bytes
from transpile.text.yaml_scalars import quote_if_needed, quote_with_escapes

HEAD = "# Made by hot2tf init; change it as you like. docs/pipelines.md of hot2tf says more.\n"
ADVICE = """\
{pad}# What pip installs: a fixed version of hot2tf, for example git+ADDRESS@v0.2.0 or the address of a wheel. Without
{pad}# it the job fails. Do not write hot2tf alone: the Python Package Index does not have it.
"""
UNSET = "${HOT2TF_REQUIREMENT:?set it to what pip installs, such as the address of a wheel}"
LEVEL = "--level create"  # a pipeline also refuses what Heat refuses when it creates the stack
NONE = "none"
ANY_PIPELINE_HAS = ".pre"  # the stage of GitLab that exists whatever a file declares; alone it does not run
EXPRESSION = "${{"  # the runners of GitHub replace this in the text of a step
LIMIT = 1 << 20  # the largest file of a pipeline that is read, in bytes


@final
@node
class PipelineForm:
    """`file`: its path in the repository. `shared`: the file may have jobs of others, so it is never replaced; the user
    gets the lines to add. `print_job`: prints the job from the path of the templates, the requirement and a stage.
    """

    file: str
    shared: bool
    head: str
    print_job: Callable[..., str]

    def print_file(self, path: str, requirement: str) -> str:
        """The whole file. `path`: of the templates, relative to the repository; `requirement`: what pip installs, empty
        if the user did not say.
        """
        return HEAD + self.head + self.print_job(path, requirement)


def print_github_job(path: str, requirement: str, *, stage: str = "") -> str:
    command = f'"$RUNNER_TEMP/hot2tf/bin/hot2tf" check --diagnostics github {LEVEL} {shlex.quote(path)}'
    lines = [
        "jobs:",
        "  hot2tf-check:",
        "    runs-on: ubuntu-latest",
        "    env:",
        *print_requirement(requirement, "      "),
        "    steps:",
        "      - uses: actions/checkout@v4",
        "      - uses: actions/setup-python@v5",
        '        with: {python-version: "3.13"}',
        "      - name: Install hot2tf",
        "        run: |",
        '          python3 -m venv "$RUNNER_TEMP/hot2tf"',
        f'          "$RUNNER_TEMP/hot2tf/bin/pip" install --quiet "{UNSET}"',
        "      - name: Check the templates",
        f"        run: {quote_if_needed(command)}",
    ]
    return "".join(f"{line}\n" for line in lines)


def print_gitlab_job(path: str, requirement: str, *, stage: str = "test") -> str:
    """The job. stage: one that the pipeline has."""
    program, where = ".hot2tf-venv/bin/hot2tf check", shlex.quote(path)
    script = [
        "python3 -m venv .hot2tf-venv",
        f'.hot2tf-venv/bin/pip install --quiet "{UNSET}"',
        f"{program} --diagnostics gitlab {LEVEL} {where} > gl-code-quality-report.json || true",
        f"{program} --diagnostics junit {LEVEL} {where} > hot2tf-junit.xml || true",
        f"{program} {LEVEL} {where}",
    ]
    lines = [
        "hot2tf-check:",
        f"  stage: {stage}",
        "  image: python:3.13-slim",
        "  variables:",
        *print_requirement(requirement.replace("$", "$$"), "    "),  # GitLab replaces variables in their values
        "  script:",
        *(f"    - {quote_if_needed(command)}" for command in script),
        "  artifacts:",
        "    when: always",
        "    expose_as: hot2tf",
        "    paths: [gl-code-quality-report.json, hot2tf-junit.xml]",
        "    reports:",
        "      codequality: gl-code-quality-report.json",
        "      junit: hot2tf-junit.xml",
    ]
    return "".join(f"{line}\n" for line in lines)


def print_requirement(requirement: str, pad: str) -> list[str]:
    """The variable with what pip installs, and advice if it is empty."""
    advice = [] if requirement else ADVICE.format(pad=pad).splitlines()
    return [*advice, f"{pad}HOT2TF_REQUIREMENT: {quote_with_escapes(requirement)}"]


def print_hooks(path: str, requirement: str, *, stage: str = "") -> str:
    """The hooks of `.pre-commit-hooks.yaml`, as hooks of the repository itself."""
    below = "" if path == "." else f"^{re.escape(path)}/.*"
    installed = (
        ["language: python", f"additional_dependencies: [{quote_with_escapes(requirement)}]"]
        if requirement
        else ["language: system  # the hot2tf of whoever commits; hot2tf init --requirement lets pre-commit install it"]
    )
    lines = ["  - repo: local", "    hooks:"]
    for hook, name, entry, suffixes in (
        ("hot2tf-fmt", "hot2tf fmt", "hot2tf fmt --quiet --force-exclude", "ya?ml|template|hot|env"),
        (
            "hot2tf-check",
            "hot2tf check",
            f"hot2tf check --quiet --skip-others --force-exclude {LEVEL}",
            "ya?ml|json|template|hot|env",
        ),
    ):
        pattern = rf"{below}\.({suffixes})$"
        keys = [
            f"name: {name}",
            f"entry: {entry}",
            *installed,
            "require_serial: true",
            f"files: {quote_if_needed(pattern)}",
            "types: [text]",
        ]
        lines += [f"      - id: {hook}", *(f"        {key}" for key in keys)]
    return "".join(f"{line}\n" for line in lines)


WORKFLOW_HEAD = """\
name: Heat templates
on: [push, pull_request]
permissions:
  contents: read
"""
FORMS: Mapping[str, PipelineForm] = {
    "github": PipelineForm(".github/workflows/hot2tf.yml", False, WORKFLOW_HEAD, print_github_job),
    "gitlab": PipelineForm(".gitlab-ci.yml", True, "", print_gitlab_job),
    "pre-commit": PipelineForm(".pre-commit-config.yaml", True, "repos:\n", print_hooks),
}
CHOICES = (*FORMS, NONE)
SIGNS = {"github": (".github",), "gitlab": (".gitlab-ci.yml", ".gitlab"), "pre-commit": (".pre-commit-config.yaml",)}


def detect_pipeline(repository: str) -> str:
    """The CI that a repository uses: first by a job of ours, then by the files that each CI has."""
    for name, form in FORMS.items():
        if mentions_hot2tf(pathlib.Path(repository, form.file)):
            return name
    for name, files in SIGNS.items():
        if any(os.path.lexists(pathlib.Path(repository, file)) for file in files):
            return name
    return NONE


def mentions_hot2tf(path: str | pathlib.Path) -> bool:
    """Whether a file of a pipeline runs hot2tf already."""
    return b"hot2tf" in read_pipeline_file(path)


def is_made_by_init(path: str) -> bool:
    """Whether a file begins as those that are made here."""
    return output.has_marker(path, read_pipeline_file(path))


def read_pipeline_file(path: str | pathlib.Path) -> bytes:
    """The bytes of a file; empty if there is none that can be read."""
    try:
        return read_bytes(path, LIMIT) if places.kind_at_path(path) == places.FILE else b""
    except (OSError, UnreadableFile):
        return b""


def find_path_problem(name: str, path: str) -> str:
    """Why a job cannot name a path; empty if it can."""
    if not path.isprintable():
        return "has characters that a job cannot have"
    if name == "github" and EXPRESSION in path:
        return f"has {EXPRESSION}, which GitHub replaces"
    return ""


def find_requirement_problem(requirement: str) -> str:
    """Why pip cannot get a requirement from a job; empty if it can."""
    if not requirement.strip() or not requirement.isprintable() or requirement != requirement.strip():
        return "is not a requirement of pip on one line"
    if requirement.startswith("-"):
        return "is an option of pip, not a requirement"
    return f"has {EXPRESSION}, which GitHub replaces" if EXPRESSION in requirement else ""
