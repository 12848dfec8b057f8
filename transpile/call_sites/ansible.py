"""Reads tasks of Ansible that call Heat, and writes those that call Terraform in their place.

Invariant: only a task whose every argument has a counterpart is rewritten, and nothing else of the task changes.
"""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.call_sites.yaml_texts import StackTask
from transpile.repository.stack_commands import CREATE, DELETE, SHOW

DROPPED = ("wait", "timeout", "rollback", "tag", "tags", "api_timeout")
KNOWN = {"name", "template", "environment", "parameters", "state", "cloud", *DROPPED}


def arguments_of(task: StackTask) -> dict[str, Node]:
    """The arguments of a task by name."""
    if not isinstance(task.arguments, MappingNode):
        return {}
    return {key.value: value for key, value in task.arguments.value if isinstance(key, ScalarNode)}


def read_task_arguments(task: StackTask) -> tuple[str, str, str, tuple[str, ...]]:
    """Returns the action of a task, the name of its stack, its template, and its environments."""
    arguments = arguments_of(task)
    words = {name: value.value for name, value in arguments.items() if isinstance(value, ScalarNode)}
    environment = arguments.get("environment")
    paths: tuple[str, ...] = ()
    if isinstance(environment, SequenceNode):
        paths = tuple(each.value for each in environment.value if isinstance(each, ScalarNode))
    elif isinstance(environment, ScalarNode):
        paths = (environment.value,)
    action = SHOW if task.module.endswith("_info") else DELETE if words.get("state") == "absent" else CREATE
    return action, words.get("name", ""), words.get("template", ""), paths


def refuse_task(task: StackTask, text: str) -> str:
    """Why a task is not rewritten, as far as the task itself says; empty if nothing speaks against it."""
    if task.module.endswith("_info"):
        return "Terraform's outputs are read otherwise"
    if task.module not in ("os_stack", "openstack.cloud.stack", "openstack.cloud.os_stack"):
        return "the module is not Ansible's own"
    if not isinstance(task.arguments, MappingNode) or task.arguments.flow_style or task.task.flow_style:
        return "its arguments are not a block of lines"
    arguments = arguments_of(task)
    if unknown := sorted(arguments.keys() - KNOWN):
        return f"its argument {unknown[0]} has no counterpart"
    state = arguments.get("state")
    if state is not None and not (isinstance(state, ScalarNode) and state.value in ("present", "absent")):
        return "its state is only known when it runs"
    keys = {key.value: value for key, value in task.task.value if isinstance(key, ScalarNode)}
    registered = keys.get("register")
    if isinstance(registered, ScalarNode) and text.count(registered.value) > 1:
        return f"later tasks read its result, {registered.value}"
    if "cloud" in arguments and ("environment" in keys or not isinstance(arguments["cloud"], ScalarNode)):
        return "it has an environment already"
    if keys.keys() & {"loop", "with_items", "with_dict", "until", "async"}:
        return "it runs several times"
    return ""


def write_task(
    task: StackTask,
    text: str,
    path: str,
    variables: list[str],
    var_files: tuple[str, ...],
    backend: str,
    workspace: str,
) -> str:
    """The module and its arguments for Terraform, in the place of the key and the arguments. `path`: the directory,
    `variables`: lines of YAML below `variables`, `var_files` and `backend`: files of the environment;
    `workspace`: its workspace.
    """
    start = task.base + task.key.start_mark.index
    indent = " " * (start - (text.rfind("\n", 0, start) + 1))
    inner = indent + "  "
    arguments = arguments_of(task)
    words = {name: value.value for name, value in arguments.items() if isinstance(value, ScalarNode)}
    lines = ["community.general.terraform:", f"{inner}project_path: {path}", f"{inner}force_init: true"]
    if words.get("state") == "absent":
        lines.append(f"{inner}state: absent")
    if backend:
        lines += [f"{inner}init_reconfigure: true", f"{inner}backend_config_files:", f"{inner}  - {backend}"]
    if workspace:
        lines.append(f"{inner}workspace: {workspace}")
    if var_files:
        lines += [f"{inner}variables_files:", *(f"{inner}  - {name}" for name in var_files)]
    if variables:
        lines += [f"{inner}variables:", *variables]
    if "cloud" in arguments:
        cloud = arguments["cloud"]
        raw = text[task.base + cloud.start_mark.index : task.base + cloud.end_mark.index]
        lines += [f"{indent}environment:", f"{inner}OS_CLOUD: {raw}"]
    return "\n".join(lines)


def task_end(task: StackTask, text: str) -> int:
    """Returns the end of a task's arguments, without the blank lines behind them."""
    start, end = task.base + task.key.start_mark.index, task.base + task.arguments.end_mark.index
    return start + len(text[start:end].rstrip())
