"""Prints the jobs for CI that docs/pipelines.md describes.

Invariant: a job installs nothing that the user did not name, because the package index does not have hot2tf. Paths are
quoted for the shell, and then for YAML.
"""

from __future__ import annotations

import os
import pathlib
import re
import shlex
from collections.abc import Mapping
from typing import final

from transpile.model.records import node
from transpile.text import output, places
from transpile.text.page_templates import fill_template
from transpile.text.source import UnreadableFile, read_bytes

UNSET = "${HOT2TF_REQUIREMENT:?set it to a package for pip, such as the address of a wheel}"
LEVEL = "--level create"  # a pipeline also refuses errors of the stack's creation
NONE = "none"
ANY_PIPELINE_HAS = ".pre"  # the stage of GitLab that every file has; alone it does not run
EXPRESSION = "${{"  # the runners of GitHub replace this in the text of a step
LIMIT = 1 << 20  # the largest file of a pipeline that is read, in bytes


@final
@node
class PipelineForm:
    """`file`: its path in the repository. `shared`: the file may have other jobs, so it is never replaced; the user
    gets the lines to add.
    """

    file: str
    shared: bool
    template: str

    def print_file(self, path: str, requirement: str) -> str:
        """The whole file. `path`: of the templates, relative to the repository; `requirement`: the package for pip,
        empty if the user did not name it.
        """
        return self.fill(path, requirement, whole=True, stage="test")

    def print_job(self, path: str, requirement: str, *, stage: str) -> str:
        """The lines to add. stage: one that the pipeline has."""
        return self.fill(path, requirement, whole=False, stage=stage)

    def fill(self, path: str, requirement: str, **variables: str | bool) -> str:
        common = {
            "path": shlex.quote(path),
            "below": "" if path == "." else f"^{re.escape(path)}/.*",
            "requirement": requirement,
            "unset": UNSET,
            "level": LEVEL,
        }
        return fill_template(__package__, self.template, {**common, **variables})


FORMS: Mapping[str, PipelineForm] = {
    "github": PipelineForm(".github/workflows/hot2tf.yml", False, "github.yml.j2"),
    "gitlab": PipelineForm(".gitlab-ci.yml", True, "gitlab.yml.j2"),
    "pre-commit": PipelineForm(".pre-commit-config.yaml", True, "pre-commit.yaml.j2"),
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
