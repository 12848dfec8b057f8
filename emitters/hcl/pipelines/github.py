"""Writes a workflow of GitHub: it checks and plans every stack, and applies one that a person chooses.

Invariant: a path reaches a shell only through an environment variable, and what is applied is the plan that the job
before saved.
"""

from __future__ import annotations

from typing import Any

from emitters.hcl.pipelines.commands import (
    BUCKET,
    ENVIRONMENT,
    LOCK,
    PLAN,
    SETTINGS,
    VERSIONS,
    JobEnvironment,
    apply_commands,
    check_commands,
    describe_needs,
    format_check,
    name_credentials,
    needs_bucket,
    path_of_stack,
    plan_commands,
)
from transpile.targets import PipelineRequest, PipelineStack
from transpile.text.pipeline_yaml import print_pipeline

FILE = ".github/workflows/terraform.yml"
CHECKOUT, UPLOAD, DOWNLOAD = "actions/checkout@v4", "actions/upload-artifact@v4", "actions/download-artifact@v4"
SETUPS = {
    "terraform": ("hashicorp/setup-terraform@v3", "terraform_version", {"terraform_wrapper": False}),
    "tofu": ("opentofu/setup-opentofu@v1", "tofu_version", {"tofu_wrapper": False}),
}
CLOUD = ("OS_AUTH_URL", "OS_APPLICATION_CREDENTIAL_ID", "OS_APPLICATION_CREDENTIAL_SECRET")
APPLICATION = {"OS_AUTH_TYPE": "v3applicationcredential"}
LARGEST_MATRIX = 256  # jobs, which GitHub allows
LARGEST_CHOICE = 100  # items of a list to choose from
BY_HAND = "github.event_name == 'workflow_dispatch'"
BY_CHANGE = "github.event_name != 'workflow_dispatch'"
PROTECTED, ARTIFACT = "terraform", "plan"
STACK = '"$STACK"'
NOTES = [
    "The credentials are secrets of the repository; add TF_VAR_NAME to env for each secret variable. The environment",
    "terraform decides who may apply: give it reviewers. A plan contains secrets, and whoever reads the repository can",
    "download it, so only a run by hand uploads one, for a day.",
]


def write_github_pipeline(request: PipelineRequest) -> str:
    """The text of the workflow."""
    paths = list(dict.fromkeys(path_of_stack(request, stack.directory) for stack in request.stacks))
    planned = [stack for stack in request.stacks if stack.shares_state]
    choices = list(dict.fromkeys(path_of_stack(request, stack.directory) for stack in planned))
    choice: dict[str, Any] = {"description": "The directory to apply", "required": True, "type": "string"}
    if len(choices) <= LARGEST_CHOICE:
        choice |= {"type": "choice", "options": choices}
    inputs = {"stack": choice}
    if has_environments(request):
        inputs["environment"] = {"description": "The environment, if the directory has several", "type": "string"}
    jobs: dict[str, Any] = {
        "format": {
            "if": BY_CHANGE,
            "runs-on": "ubuntu-latest",
            "steps": [*first_steps(request), run_step("Check the format", [format_check(request)])],
        }
    }
    for number in range(0, len(paths), LARGEST_MATRIX):
        jobs[f"check-{number // LARGEST_MATRIX + 1}"] = check_job(request, paths[number : number + LARGEST_MATRIX])
    for number in range(0, len(planned), LARGEST_MATRIX):
        jobs[f"plan-{number // LARGEST_MATRIX + 1}"] = plan_job(request, planned[number : number + LARGEST_MATRIX])
    if planned:
        jobs |= jobs_by_hand(request)
    events: dict[str, Any] = {"pull_request": None, "push": {"branches": ["main", "master"]}}
    if planned:
        events["workflow_dispatch"] = {"inputs": inputs}
    data = {
        "name": "Terraform",
        "on": events,
        "permissions": {"contents": "read"},
        "concurrency": {
            "group": f"terraform-${{{{ {'inputs.stack || ' * bool(planned)}github.ref }}}}",
            "cancel-in-progress": False,
        },
        "env": dict(SETTINGS),
        "jobs": jobs,
    }
    return print_pipeline(request.first, [*NOTES, *describe_needs(request)], data)


def jobs_by_hand(request: PipelineRequest) -> dict[str, Any]:
    """The job that plans the stack that a person chooses, and the one that applies this plan."""
    chosen = {ENVIRONMENT: "${{ inputs.environment }}"} if has_environments(request) else {}
    environment = environment_of_jobs(request)
    plan = {
        "if": BY_HAND,
        "runs-on": "ubuntu-latest",
        "env": {"STACK": "${{ inputs.stack }}", **chosen, **environment_of_steps(request)},
        "steps": [
            *first_steps(request),
            run_step("Plan", plan_commands(request, STACK, environment)),
            {
                "name": "Keep the plan",
                "uses": UPLOAD,
                "with": {
                    "name": ARTIFACT,
                    "path": f"${{{{ inputs.stack }}}}/{PLAN}\n${{{{ inputs.stack }}}}/{LOCK}\n",
                    "include-hidden-files": True,
                    "if-no-files-found": "error",
                    "retention-days": 1,
                },
            },
        ],
    }
    apply = {
        "if": BY_HAND,
        "needs": "plan",
        "runs-on": "ubuntu-latest",
        "environment": PROTECTED,
        "env": {"STACK": "${{ inputs.stack }}", **chosen, **environment_of_steps(request)},
        "steps": [
            *first_steps(request),
            {"uses": DOWNLOAD, "with": {"name": ARTIFACT, "path": "${{ inputs.stack }}"}},
            run_step("Apply", apply_commands(request, STACK, environment)),
        ],
    }
    return {"plan": plan, "apply": apply}


def check_job(request: PipelineRequest, paths: list[str]) -> dict[str, Any]:
    """The job that checks some stacks, without credentials."""
    checks = check_commands(request, STACK, tests=False)
    if any(stack.tests for stack in request.stacks):
        checks.append(f'if [ -d "$STACK/tests" ]; then {request.tool} -chdir={STACK} test; fi')
    matrix = {"stack": [escape_expressions(path) for path in paths]}
    return matrix_job(request, matrix, {}, [run_step("Check", checks)])


def plan_job(request: PipelineRequest, stacks: list[PipelineStack]) -> dict[str, Any]:
    """The job that plans some stacks, and shows the plans."""
    paths = [escape_expressions(path_of_stack(request, stack.directory)) for stack in stacks]
    matrix: dict[str, Any] = {"stack": paths}
    variables = environment_of_steps(request)
    if has_environments(request):
        names = [stack.environment for stack in stacks]
        rows = zip(paths, names, strict=True)
        matrix = {"include": [{"stack": path, "environment": name} for path, name in rows]}
        variables = {ENVIRONMENT: "${{ matrix.environment }}", **variables}
    return matrix_job(
        request, matrix, variables, [run_step("Plan", plan_commands(request, STACK, environment_of_jobs(request)))]
    )


def has_environments(request: PipelineRequest) -> bool:
    """Whether a directory that is planned has several environments."""
    return any(stack.environment and stack.shares_state for stack in request.stacks)


def environment_of_jobs(request: PipelineRequest) -> JobEnvironment:
    """The environment of a job that gets its name in a variable."""
    is_workspace = any(stack.is_workspace for stack in request.stacks)
    return JobEnvironment(in_variable=has_environments(request), is_workspace=is_workspace)


def matrix_job(
    request: PipelineRequest, matrix: dict[str, Any], environment: dict[str, str], steps: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "if": BY_CHANGE,
        "runs-on": "ubuntu-latest",
        "strategy": {"fail-fast": False, "matrix": matrix},
        "env": {"STACK": "${{ matrix.stack }}", **environment},
        "steps": [*first_steps(request), *steps],
    }


def first_steps(request: PipelineRequest) -> list[dict[str, Any]]:
    """The steps that get the files and the program."""
    action, version, more = SETUPS[request.tool]
    return [{"uses": CHECKOUT}, {"uses": action, "with": {version: VERSIONS[request.tool], **more}}]


def run_step(name: str, commands: list[str]) -> dict[str, Any]:
    return {"name": name, "run": escape_expressions("\n".join(commands))}


def environment_of_steps(request: PipelineRequest) -> dict[str, str]:
    """The credentials, which are secrets of the repository."""
    secrets = [*CLOUD, *name_credentials(request)]
    environment = {**APPLICATION, **{name: f"${{{{ secrets.{name} }}}}" for name in secrets}}
    return {**environment, BUCKET: f"${{{{ vars.{BUCKET} }}}}"} if needs_bucket(request) else environment


def escape_expressions(text: str) -> str:
    """A text in which GitHub replaces nothing."""
    return text.replace("${{", "${{ '${{' }}")
