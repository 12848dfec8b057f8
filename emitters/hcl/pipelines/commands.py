"""The commands by which a pipeline checks, plans and applies the directories of a migration.

Invariant: a path is quoted for the shell, and then by the printer of YAML.
"""

from __future__ import annotations

import posixpath
import shlex

from transpile.targets import PipelineRequest

PLAN = "plan.tfplan"
BUCKET = "TF_STATE_BUCKET"  # a variable of the pipeline
LOCK = ".terraform.lock.hcl"
VERSIONS = {"terraform": "1.11.4", "tofu": "1.10.6"}  # which have all that hot2tf writes, such as use_lockfile
SETTINGS = {"TF_IN_AUTOMATION": "true", "TF_INPUT": "false"}


def path_of_stack(request: PipelineRequest, directory: str) -> str:
    """The path of a stack's directory from the top of the repository."""
    return posixpath.normpath(posixpath.join(request.prefix, directory))


def format_check(request: PipelineRequest) -> str:
    """The command that fails if a file is not in canonical form."""
    return shlex.join([request.tool, "fmt", "-check", "-diff", "-recursive", posixpath.normpath(request.prefix)])


def check_commands(request: PipelineRequest, where: str, *, tests: bool) -> list[str]:
    """The commands that need no cloud and no state. where: the directory, quoted for the shell."""
    program = f"{request.tool} -chdir={where}"
    commands = [f"{program} init -backend=false", f"{program} validate"]
    return [*commands, f"{program} test"] if tests else commands


def init_command(request: PipelineRequest, where: str) -> str:
    settings = next((stack.settings for stack in request.stacks if stack.settings), "")
    option = f" -backend-config={shlex.quote(settings)}" if settings else ""
    if needs_bucket(request):
        option += f' -backend-config="bucket=${BUCKET}"'
    return f"{request.tool} -chdir={where} init{option}"


def plan_commands(request: PipelineRequest, where: str) -> list[str]:
    return [init_command(request, where), f"{request.tool} -chdir={where} plan -out={PLAN}"]


def apply_commands(request: PipelineRequest, where: str) -> list[str]:
    """The commands that apply the saved plan, and nothing else."""
    return [init_command(request, where), f"{request.tool} -chdir={where} apply {PLAN}"]


def needs_bucket(request: PipelineRequest) -> bool:
    """Whether a variable of the pipeline must name the bucket of the states."""
    return any(stack.unset == "bucket" for stack in request.stacks)


def name_credentials(request: PipelineRequest) -> list[str]:
    """The variables with the credentials of the backends."""
    return sorted({name for stack in request.stacks for name in stack.credentials})


def describe_needs(request: PipelineRequest) -> list[str]:
    """The comments about what the user must set, and about stacks that no job can plan."""
    bucket = [f"The variable {BUCKET} names the bucket of the states."] * needs_bucket(request)
    number = sum(not stack.shares_state for stack in request.stacks)
    return bucket + [
        f"Not planned, for their state would be lost with the job: {number}. --backend says where it is."
    ] * bool(number)
