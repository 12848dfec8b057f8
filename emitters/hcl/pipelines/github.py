"""Writes a workflow of GitHub: it checks and plans every stack, and applies one that a person chooses.

Invariant: a path reaches a shell only through an environment variable, and the job applies the plan that the job
before saved.
"""

from __future__ import annotations

from emitters.hcl.pipelines.commands import (
    BUCKET,
    LOCK,
    NO_ENVIRONMENT,
    PLAN,
    VERSIONS,
    describe_needs,
    format_check,
    init_commands,
    list_rows,
    name_credentials,
    needs_bucket,
    path_of_stack,
    plan_commands,
)
from transpile.targets import PipelineRequest
from transpile.text.page_templates import fill_template

FILE = ".github/workflows/terraform.yml"
CHECKOUT, UPLOAD, DOWNLOAD = "actions/checkout@v4", "actions/upload-artifact@v4", "actions/download-artifact@v4"
SETUPS = {
    "terraform": ("hashicorp/setup-terraform@v3", "terraform_version", {"terraform_wrapper": False}),
    "tofu": ("opentofu/setup-opentofu@v1", "tofu_version", {"tofu_wrapper": False}),
}
CLOUD = ("OS_AUTH_URL", "OS_APPLICATION_CREDENTIAL_ID", "OS_APPLICATION_CREDENTIAL_SECRET")
LARGEST_MATRIX = 256  # jobs, which GitHub allows


def write_github_pipeline(request: PipelineRequest) -> str:
    """Writes the text of the workflow."""
    rows = []
    for stack in list_rows(request):
        row = {"stack": path_of_stack(request, stack.directory), "environment": stack.environment or NO_ENVIRONMENT}
        row |= {} if stack.shares_state else {"plan": "no"}
        rows.append({key: escape_expressions(value) for key, value in row.items()})
    action, version, more = SETUPS[request.tool]
    secrets = [*CLOUD, *name_credentials(request)]
    cloud = {"OS_AUTH_TYPE": "v3applicationcredential", **{name: f"${{{{ secrets.{name} }}}}" for name in secrets}}
    find_state = init_commands(request)
    variables = {
        "first": request.first,
        "notes": describe_needs(request),
        "tool": request.tool,
        "planned": any(stack.shares_state for stack in request.stacks),
        "tests": any(stack.tests for stack in request.stacks),
        "none": NO_ENVIRONMENT,
        "checkout": CHECKOUT,
        "upload": UPLOAD,
        "download": DOWNLOAD,
        "setup": action,
        "setup_with": {version: VERSIONS[request.tool], **more},
        "format": escape_expressions(format_check(request)),
        "matrices": [rows[at : at + LARGEST_MATRIX] for at in range(0, len(rows), LARGEST_MATRIX)],
        "cloud": {**cloud, **({BUCKET: f"${{{{ vars.{BUCKET} }}}}"} if needs_bucket(request) else {})},
        "plan_commands": [*find_state, *plan_commands(request)],
        "by_hand": [
            ("plan", [*find_state, *plan_commands(request)]),
            ("apply", [*find_state, f"{request.tool} apply {PLAN}"]),
        ],
        "plan": PLAN,
        "lock": LOCK,
    }
    return fill_template(__package__, "github.yml.j2", variables)


def escape_expressions(text: str) -> str:
    """A text in which GitHub replaces nothing."""
    return text.replace("${{", "${{ '${{' }}")
