"""The commands by which a pipeline checks, plans and applies the directories of a migration.

Invariant: a path is quoted for the shell, and then by the printer of YAML.
"""

from __future__ import annotations

import posixpath
import shlex
from typing import final

from emitters.hcl import backends
from transpile.model.records import node
from transpile.targets import PipelineRequest

PLAN = "plan.tfplan"
BUCKET = "TF_STATE_BUCKET"  # a variable of the pipeline
LOCK = ".terraform.lock.hcl"
VERSIONS = {"terraform": "1.11.4", "tofu": "1.10.6"}  # which have all that hot2tf writes, such as use_lockfile
ENVIRONMENT = "ENVIRONMENT"  # a variable of a job
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


@final
@node
class JobEnvironment:
    """The environment that a job works for. name: what it is called; empty in a directory that is for one stack.
    in_variable: the variable ENVIRONMENT of the job has the name in place of this, and may be empty. is_workspace:
    whether environments are workspaces of one backend.
    """

    name: str = ""
    in_variable: bool = False
    is_workspace: bool = False

    def settings_option(self) -> str:
        """The option with the file of the backend's settings."""
        if self.in_variable and not self.is_workspace:
            return f' "-backend-config=${{{ENVIRONMENT}:+environments/${ENVIRONMENT}.}}{backends.SETTINGS}"'
        if self.name and not self.is_workspace:
            return f" -backend-config={backends.name_settings(self.name)}"
        return f" -backend-config={backends.SETTINGS}"

    def values_option(self) -> str:
        """The option with the file of values."""
        if self.in_variable:
            return f' ${{{ENVIRONMENT}:+"-var-file=environments/${ENVIRONMENT}.tfvars"}}'
        return f" -var-file=environments/{self.name}.tfvars" if self.name else ""

    def select_workspace(self, program: str) -> list[str]:
        """The command that chooses the workspace, if there are any."""
        select = f"{program} workspace select -or-create"
        if self.is_workspace and self.in_variable:
            return [f'[ -z "${ENVIRONMENT}" ] || {select} "${ENVIRONMENT}"']
        return [f"{select} {self.name}"] if self.is_workspace and self.name else []


def init_commands(request: PipelineRequest, where: str, environment: JobEnvironment) -> list[str]:
    """The commands that find the state."""
    program = f"{request.tool} -chdir={where}"
    option = environment.settings_option() if any(stack.settings for stack in request.stacks) else ""
    if needs_bucket(request):
        option += f' -backend-config="bucket=${BUCKET}"'
    return [f"{program} init{option}", *environment.select_workspace(program)]


def plan_commands(request: PipelineRequest, where: str, environment: JobEnvironment) -> list[str]:
    values = environment.values_option()
    return [
        *init_commands(request, where, environment),
        f"{request.tool} -chdir={where} plan -out={PLAN}{values}",
    ]


def apply_commands(request: PipelineRequest, where: str, environment: JobEnvironment) -> list[str]:
    """The commands that apply the saved plan, and nothing else."""
    return [*init_commands(request, where, environment), f"{request.tool} -chdir={where} apply {PLAN}"]


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
