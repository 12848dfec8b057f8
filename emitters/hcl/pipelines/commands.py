"""The common part of the pipelines of all services: their stacks, and the commands and settings for them.

Invariant: a path is a variable for a shell, and never a part of its text.
"""

from __future__ import annotations

import posixpath
import shlex

from emitters.hcl import backends
from transpile.targets import PipelineRequest, PipelineStack

PLAN = "plan.tfplan"
BUCKET = "TF_STATE_BUCKET"  # a variable of the pipeline
LOCK = ".terraform.lock.hcl"
VERSIONS = {"terraform": "1.11.4", "tofu": "1.10.6"}  # which have all that hot2tf writes, such as use_lockfile
NO_ENVIRONMENT = "default"  # the name of the environment of a stack that has none


def path_of_stack(request: PipelineRequest, directory: str) -> str:
    """The path of a stack's directory from the top of the repository."""
    return posixpath.normpath(posixpath.join(request.prefix, directory))


def format_check(request: PipelineRequest) -> str:
    """The command that fails if a file is not in canonical form."""
    return shlex.join([request.tool, "fmt", "-check", "-diff", "-recursive", posixpath.normpath(request.prefix)])


def list_rows(request: PipelineRequest) -> list[PipelineStack]:
    """The stacks, each with its environment. A directory whose environments cannot be planned is there once."""
    rows: dict[tuple[str, str], PipelineStack] = {}
    for stack in request.stacks:
        rows.setdefault((stack.directory, stack.environment if stack.shares_state else ""), stack)
    return list(rows.values())


def has_environments(request: PipelineRequest) -> bool:
    """Whether a directory that is planned has several environments."""
    return any(stack.environment and stack.shares_state for stack in request.stacks)


def init_commands(request: PipelineRequest) -> list[str]:
    """The commands in the directory of a stack that find its state."""
    option = f' -backend-config="bucket=${BUCKET}"' if needs_bucket(request) else ""
    workspaces = any(stack.is_workspace for stack in request.stacks)
    if not any(stack.settings for stack in request.stacks):
        commands = [f"{request.tool} init{option}"]
    elif has_environments(request) and not workspaces:
        settings = f"environments/$ENVIRONMENT.{backends.SETTINGS}"
        commands = [
            f'SETTINGS={backends.SETTINGS}; if [ -f "{settings}" ]; then SETTINGS="{settings}"; fi',
            f'{request.tool} init -backend-config="$SETTINGS"{option}',
        ]
    else:
        commands = [f"{request.tool} init -backend-config={backends.SETTINGS}{option}"]
    if workspaces:
        select = f'{request.tool} workspace select -or-create "$ENVIRONMENT"'
        commands.append(f'if [ -f "environments/$ENVIRONMENT.tfvars" ]; then {select}; fi')
    return commands


def plan_commands(request: PipelineRequest) -> list[str]:
    """The commands that save a plan, with the values of the environment if it has any."""
    plan = f"{request.tool} plan -out={PLAN}"
    if not has_environments(request):
        return [plan]
    values = "environments/$ENVIRONMENT.tfvars"
    return [f'if [ -f "{values}" ]; then {plan} "-var-file={values}"; else {plan}; fi']


def needs_bucket(request: PipelineRequest) -> bool:
    """Whether a variable of the pipeline must name the bucket of the states."""
    return any(stack.unset == "bucket" for stack in request.stacks)


def name_credentials(request: PipelineRequest) -> list[str]:
    """The variables with the credentials of the backends."""
    return sorted({name for stack in request.stacks for name in stack.credentials})


def describe_needs(request: PipelineRequest) -> list[str]:
    """The comments about settings that the user must make, and about stacks that no job can plan."""
    bucket = [f"The variable {BUCKET} names the bucket of the states."] * needs_bucket(request)
    number = sum(not stack.shares_state for stack in request.stacks)
    return bucket + [
        f"Not planned, for their state would be lost with the job: {number}. --backend says where it is."
    ] * bool(number)
