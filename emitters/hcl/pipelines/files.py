"""The files of a pipeline for a migration's output, by path below the destination."""

from __future__ import annotations

from emitters.hcl.pipelines import github, gitlab
from emitters.hcl.tree.nodes import Block, Note
from emitters.hcl.tree.printer import Item, print_hcl
from transpile.targets import PipelineRequest
from transpile.text.page_templates import fill_template

TFLINT, HOOKS = ".tflint.hcl", ".pre-commit-config.yaml"
# Rules of tflint that the names of Heat, and a directory for each stack, do not follow.
HEAT_NAMES = "terraform_naming_convention"
STRUCTURE = "terraform_standard_module_structure"


def write_pipeline(request: PipelineRequest) -> dict[str, str]:
    """Writes the job, and the checks for whoever commits."""
    hooks = fill_template(__package__, "pre-commit.yml.j2", {"first": request.first, "tool": request.tool})
    files = {TFLINT: write_tflint_file(request), HOOKS: hooks}
    if request.kind == "gitlab":
        files[gitlab.FILE] = gitlab.write_gitlab_pipeline(request)
    else:
        files[github.FILE] = github.write_github_pipeline(request)
    return files


def write_tflint_file(request: PipelineRequest) -> str:
    """Writes the configuration: all rules of Terraform's own rule set, without those that the options of the run
    exclude.
    """
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
