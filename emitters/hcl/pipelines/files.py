"""The files of a pipeline for what a migration wrote, by path below the destination."""

from __future__ import annotations

from emitters.hcl.pipelines import checks, github, gitlab
from transpile.targets import PipelineRequest


def write_pipeline(request: PipelineRequest) -> dict[str, str]:
    """The job, and the checks for whoever commits."""
    files = {checks.TFLINT: checks.write_tflint_file(request), checks.HOOKS: checks.write_hooks(request)}
    if request.kind == "gitlab":
        files[gitlab.FILE] = gitlab.write_gitlab_pipeline(request)
    else:
        files[github.FILE] = github.write_github_pipeline(request)
    return files
