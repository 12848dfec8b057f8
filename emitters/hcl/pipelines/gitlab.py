"""Writes `.gitlab-ci.yml`: for each stack a job that checks, one that plans, and one that a person starts to apply.

Invariant: what is applied is the plan that the job before saved. Jobs use their own token for states that GitLab has.
"""

from __future__ import annotations

import re
import shlex
from typing import Any

from emitters.hcl.pipelines.commands import (
    LOCK,
    PLAN,
    SETTINGS,
    VERSIONS,
    JobEnvironment,
    apply_commands,
    check_commands,
    describe_needs,
    format_check,
    path_of_stack,
    plan_commands,
)
from transpile.targets import PipelineRequest, PipelineStack
from transpile.text.pipeline_yaml import print_pipeline

FILE = ".gitlab-ci.yml"
IMAGES = {"terraform": "hashicorp/terraform", "tofu": "ghcr.io/opentofu/opentofu"}
BASE = ".terraform"
CHECK, PLANNED, APPLIED = "check", "plan", "apply"
PLAIN_PATH = re.compile(r"[\w./ -]+", re.ASCII)  # which means itself as a pattern
ON_MAIN = "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"
IN_PIPELINES = ("$CI_PIPELINE_SOURCE == 'merge_request_event'", ON_MAIN)
ADDRESS = "${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/terraform/state/"
NOTES = [
    "The credentials of the cloud are masked and protected variables of the project: OS_AUTH_URL and",
    "OS_APPLICATION_CREDENTIAL_ID with _SECRET; so is TF_VAR_NAME for each secret variable of a stack.",
    "A plan contains secrets: only developers can download it, for a week.",
]


def write_gitlab_pipeline(request: PipelineRequest) -> str:
    """The text of the file."""
    data: dict[str, Any] = {
        "stages": [CHECK, PLANNED, APPLIED],
        BASE: {
            "image": {"name": f"{IMAGES[request.tool]}:{VERSIONS[request.tool]}", "entrypoint": [""]},
            "variables": dict(SETTINGS),
        },
        "format": {
            "extends": BASE,
            "stage": CHECK,
            "rules": [{"if": rule} for rule in IN_PIPELINES],
            "script": [format_check(request)],
        },
    }
    for stack in request.stacks:
        data |= write_check(request, stack)
        data |= write_jobs(request, stack) if stack.shares_state else {}
    return print_pipeline(request.first, [*NOTES, *describe_needs(request)], data)


def write_check(request: PipelineRequest, stack: PipelineStack) -> dict[str, Any]:
    """The job that checks a directory, once for all of its environments."""
    path = path_of_stack(request, stack.directory)
    changes = list_changes(request, path)
    return {
        f"{CHECK} {stack.directory}": {
            "extends": BASE,
            "stage": CHECK,
            "rules": [{"if": rule, **changes} for rule in IN_PIPELINES],
            "script": check_commands(request, shlex.quote(path), tests=stack.tests),
        }
    }


def write_jobs(request: PipelineRequest, stack: PipelineStack) -> dict[str, Any]:
    """The job that plans a stack, and the one that applies this plan."""
    path = path_of_stack(request, stack.directory)
    where = shlex.quote(path)
    changes = list_changes(request, path)
    rules = [{"if": rule, **changes} for rule in IN_PIPELINES]
    before = address_commands(stack)
    name = f"{stack.directory} {stack.environment}" if stack.environment else stack.directory
    group = re.sub(r"[^A-Za-z0-9_./-]", "-", name)
    environment = JobEnvironment(stack.environment, is_workspace=stack.is_workspace)
    return {
        f"{PLANNED} {name}": {
            "extends": BASE,
            "stage": PLANNED,
            "rules": rules,
            "script": [*before, *plan_commands(request, where, environment)],
            "resource_group": group,
            "artifacts": {
                "access": "developer",
                "expire_in": "7 days",
                "paths": [f"{path}/{PLAN}", f"{path}/{LOCK}"],
            },
        },
        f"{APPLIED} {name}": {
            "extends": BASE,
            "stage": APPLIED,
            "rules": [{"if": ON_MAIN, **changes, "when": "manual", "allow_failure": True}],
            "needs": [f"{PLANNED} {name}"],
            "script": [*before, *apply_commands(request, where, environment)],
            "resource_group": group,
        },
    }


def list_changes(request: PipelineRequest, path: str) -> dict[str, Any]:
    """The rule that a change of the stack or of a shared module starts its jobs; none for a path that GitLab could take
    for a pattern, whose jobs always run.
    """
    modules = path_of_stack(request, "modules")
    if not PLAIN_PATH.fullmatch(path) or not PLAIN_PATH.fullmatch(modules):
        return {}
    return {"changes": [f"{path}/**/*", f"{modules}/**/*"]}


def address_commands(stack: PipelineStack) -> list[str]:
    """The commands that tell Terraform where GitLab keeps the state, if the settings do not."""
    if not stack.gitlab_state:
        return []
    user = 'export TF_HTTP_USERNAME="${TF_HTTP_USERNAME:-gitlab-ci-token}"'
    commands = [user, 'export TF_HTTP_PASSWORD="${TF_HTTP_PASSWORD:-$CI_JOB_TOKEN}"']
    if stack.unset:
        address = f'export TF_HTTP_ADDRESS="{ADDRESS}{stack.gitlab_state}"'
        commands += [address, 'export TF_HTTP_LOCK_ADDRESS="$TF_HTTP_ADDRESS/lock"']
        commands.append('export TF_HTTP_UNLOCK_ADDRESS="$TF_HTTP_LOCK_ADDRESS"')
    return commands
