"""Writes `.gitlab-ci.yml`: it lists the stacks, one a line, and each has a child pipeline of the same file that checks,
plans and, when a person starts it, applies.

Invariant: a job applies the plan that the job before it saved. A path reaches a shell only in a variable. Jobs use
their own token for states that GitLab has.
"""

from __future__ import annotations

import re

from emitters.hcl.pipelines.commands import (
    LOCK,
    NO_ENVIRONMENT,
    PLAN,
    VERSIONS,
    describe_needs,
    format_check,
    init_commands,
    list_rows,
    name_credentials,
    path_of_stack,
    plan_commands,
)
from transpile.targets import PipelineRequest
from transpile.text.page_templates import fill_template

FILE = ".gitlab-ci.yml"
IMAGES = {"terraform": "hashicorp/terraform", "tofu": "ghcr.io/opentofu/opentofu"}
PLAIN_PATH = re.compile(r"[\w./ -]+", re.ASCII)  # which means itself as a pattern
GROUP = re.compile(r"[^A-Za-z0-9_./-]")  # characters that the name of a group of jobs may not have
IN_CHILD = "$CI_PIPELINE_SOURCE == 'parent_pipeline'"
RULES = (
    "$CI_PIPELINE_SOURCE == 'merge_request_event'",
    "$CI_PIPELINE_SOURCE != 'parent_pipeline' && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH",
)
ADDRESS = "${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/terraform/state/$STATE"


def write_gitlab_pipeline(request: PipelineRequest) -> str:
    """Writes the text of the file."""
    rows = list_rows(request)
    in_gitlab = any(stack.gitlab_state for stack in request.stacks)
    plain = all(PLAIN_PATH.fullmatch(path_of_stack(request, row.directory)) for row in rows)
    variables = []
    for row in rows:
        name = f"{row.directory} {row.environment}".rstrip()
        entry = {"DIRECTORY": path_of_stack(request, row.directory), "ENVIRONMENT": row.environment or NO_ENVIRONMENT}
        if in_gitlab or not plain:
            entry["STATE"] = row.gitlab_state or GROUP.sub("-", name)
        if not row.shares_state:
            entry["PLAN"] = "no"
        variables.append((name, {key: value.replace("$", "$$") for key, value in entry.items()}))
    credentials = name_credentials(request)
    page = {
        "first": request.first,
        "credentials": "".join(f", {name}" for name in credentials),
        "notes": describe_needs(request),
        "image": f"{IMAGES[request.tool]}:{VERSIONS[request.tool]}",
        "tool": request.tool,
        "rules": RULES,
        "child": IN_CHILD,
        "format": format_check(request),
        "tests": any(row.tests for row in rows),
        "jobs": ["plan", "apply"] if any(row.shares_state for row in rows) else [],
        "group": "$STATE" if in_gitlab or not plain else "$DIRECTORY/$ENVIRONMENT",
        "before": address_commands(request) if in_gitlab else [],
        "init": init_commands(request),
        "plan_commands": plan_commands(request),
        "apply": f"{request.tool} apply {PLAN}",
        "plan": PLAN,
        "lock": LOCK,
        "file": f"/{path_of_stack(request, FILE)}",
        "changes": ["$DIRECTORY/**/*", f"{path_of_stack(request, 'modules')}/**/*"] if plain else [],
        "rows": variables,
    }
    return fill_template(__package__, "gitlab.yml.j2", page)


def address_commands(request: PipelineRequest) -> list[str]:
    """The commands that tell Terraform where GitLab keeps the state, if the settings do not."""
    commands = [
        'export TF_HTTP_USERNAME="${TF_HTTP_USERNAME:-gitlab-ci-token}"',
        'export TF_HTTP_PASSWORD="${TF_HTTP_PASSWORD:-$CI_JOB_TOKEN}"',
    ]
    if any(stack.unset and stack.gitlab_state for stack in request.stacks):
        commands.append(f'export TF_HTTP_ADDRESS="{ADDRESS}" TF_HTTP_LOCK_ADDRESS="{ADDRESS}/lock"')
        commands.append('export TF_HTTP_UNLOCK_ADDRESS="$TF_HTTP_LOCK_ADDRESS"')
    return commands
