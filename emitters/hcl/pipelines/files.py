"""The files of a pipeline for a migration's output, by path below the destination."""

from __future__ import annotations

from typing import Any

from emitters.hcl.pipelines import github, gitlab
from emitters.hcl.tree.nodes import Block, Note
from emitters.hcl.tree.printer import Item, print_hcl
from transpile.targets import PipelineRequest
from transpile.text.pipeline_yaml import print_pipeline

TFLINT, HOOKS = ".tflint.hcl", ".pre-commit-config.yaml"
# Rules of tflint that the names of Heat, and a directory for each stack, do not follow.
HEAT_NAMES = "terraform_naming_convention"
STRUCTURE = "terraform_standard_module_structure"
FILES = r"\.(tf|tfvars|tftest\.hcl)$"


def write_pipeline(request: PipelineRequest) -> dict[str, str]:
    """The job, and the checks for whoever commits."""
    files = {TFLINT: write_tflint_file(request), HOOKS: write_hooks(request)}
    if request.kind == "gitlab":
        files[gitlab.FILE] = gitlab.write_gitlab_pipeline(request)
    else:
        files[github.FILE] = github.write_github_pipeline(request)
    return files


def write_tflint_file(request: PipelineRequest) -> str:
    """The configuration: all rules of Terraform's own rule set, without those that the options of the run exclude."""
    plugin = Block("plugin", ("terraform",))
    plugin.add_argument("enabled", True)
    plugin.add_argument("preset", "all")
    items: list[Item] = [Note([f" {request.first}"]), plugin]
    for name, comment, kept in (
        (HEAT_NAMES, " Variables and outputs have Heat's names; --names snake writes others.", request.snake_names),
        (STRUCTURE, " Empty files are left out; --option structure=standard writes them.", request.standard_structure),
    ):
        if not kept:
            rule = Block("rule", (name,), comments=[comment])
            rule.add_argument("enabled", False)
            items.append(rule)
    return print_hcl(items)


def write_hooks(request: PipelineRequest) -> str:
    """The hooks, which use the programs of whoever commits."""
    hooks: list[dict[str, Any]] = [
        {
            "id": f"{request.tool}-fmt",
            "name": f"{request.tool} fmt",
            "entry": f"{request.tool} fmt",
            "language": "system",
            "files": FILES,
        },
        {
            "id": "tflint",
            "name": "tflint",
            "entry": "sh -c 'tflint --recursive --config \"$PWD/.tflint.hcl\"'",
            "language": "system",
            "files": FILES,
            "pass_filenames": False,
        },
    ]
    return print_pipeline(request.first, [], {"repos": [{"repo": "local", "hooks": hooks}]})
