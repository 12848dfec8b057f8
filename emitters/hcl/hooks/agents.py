"""Shell scripts that do the work of Heat's agent with a configuration. `AGENTS` has a function for each hook.

Invariant: a script does the same as the hook of heat-agents, with the same inputs, but it reports nothing to Heat. Like
the hook, it fails if the tool is missing or fails.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks.configuration_agents import write_cfn_init, write_chef, write_kubelet, write_salt
from emitters.hcl.hooks.job_script import FOLDER, INSTANCE, JobScript
from emitters.hcl.hooks.shell import WORD, Shell
from emitters.hcl.lowering.lowering import Part
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.configurations import OUTPUTS, SERVER_ID, DeploymentJob
from emitters.hcl.tree.nodes import Expr, Fn, Object, StringTemplate
from emitters.hcl.tree.types import STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.lazy_patterns import compile_lazily

SH, SHELL = "#!/bin/sh\n", compile_lazily(r"#!\s*/\S*/(env\s+)?(ba|da|k|z)?sh\b")
LOCAL_DATA = "/var/lib/os-collect-config/local-data"  # os-collect-config merges these files into its metadata
ANSIBLE = "/var/lib/heat-config/heat-config-ansible"  # where the agent's hook works


# the hooks


def write_script(task: JobScript) -> None:
    text = task.configuration_text()
    passed = task.export_inputs()
    task.shell.write_file(task.name, text)
    task.shell.write_command("chmod", "700", task.name)
    task.shell.write_line(*passed, f"./{task.name}")
    if isinstance(text, str) and not text.startswith("#!"):
        message = (
            f"The script of {task.job.deployment} has no #! line: Heat's agent cannot run it. Here, /bin/sh runs it."
        )
        task.lowering.differs(codes.SCRIPT_WITHOUT_INTERPRETER, message, task.deployment.type_span)


def write_ansible(task: JobScript) -> None:
    values = [(job_input.name, task.json_value(job_input)) for job_input in task.job.inputs] + list(
        task.derived_variables()
    )
    playbook, variables = f"{task.name}.yaml", f"{task.name}.json"
    task.shell.write_file(playbook, task.configuration_text())
    task.shell.write_file(variables, task.write_json_local(Object(tuple(values)), "variables"))
    if (plugins := task.lower_option("callback_plugins")) is not None:
        task.shell.write_export("ANSIBLE_CALLBACK_PLUGINS", plugins)
    inventory = task.lower_option("inventory")
    if inventory is not None and not isinstance(inventory, str):
        inventory = StringTemplate((f"{ANSIBLE}/", inventory))
    inventory = posixpath.join(ANSIBLE, inventory) if isinstance(inventory, str) else inventory or "localhost,"
    words: list[Expr] = ["ansible-playbook", "-i", inventory]
    for name, flag in (("modulepath", "--module-path"), ("skip_tags", "--skip-tags"), ("tags", "--tags")):
        if (value := task.lower_option(name)) is not None:
            words += [flag, value]
    end = f' --extra-vars {SERVER_ID}="$(cat {INSTANCE})"' if task.mentions_word(SERVER_ID) else ""
    task.shell.write_command(*words, playbook, "--extra-vars", f"@{variables}", end=end)


def write_puppet(task: JobScript) -> None:
    passed: list[Part] = []
    if task.read_switch_option("enable_facter", default=True):
        passed = task.export_inputs("FACTER_")
    elif task.mentions_word(OUTPUTS):
        task.shell.write_export(f"FACTER_{OUTPUTS}", f"{FOLDER}/{task.name}.out")
    task.shell.write_line("FACTER_fqdn=$(hostname -f) && export FACTER_fqdn")
    manifest = f"{task.name}.pp"
    task.shell.write_file(manifest, task.configuration_text())
    words: list[Expr] = ["puppet", "apply", "--color", "false", "--detailed-exitcodes", "--logdest", "console"]
    for name in ("modulepath", "tags"):
        if (value := task.lower_option(name)) is not None:
            words += [f"--{name}", value]
    for name in ("debug", "verbose"):
        if task.read_switch_option(f"enable_{name}"):
            words += [f"--{name}", "--logdest", f"/var/log/puppet/heat-{name}.log"]
    task.shell.parts += passed
    task.shell.write_command(*words, manifest, end=" || [ $? -eq 2 ]")  # 2: it changed something


def write_docker_compose(task: JobScript) -> None:
    folder = f"docker-compose/{task.project}"
    task.shell.write_command("install", "-d", "-m", "700", folder)
    task.shell.write_command("cd", folder)
    text = task.configuration_text()
    if isinstance(task.body, ir.Map):
        services = Fn("yamlencode", (task.lowering.lower_expression(task.body),))
        text = task.emission.blocks.share_local(f"{task.name}_services", services)
    task.shell.write_file("docker-compose.yml", text)
    files = next((job_input.value for job_input in task.job.inputs if job_input.name == "env_files"), ir.Seq(()))
    for item in files.items if isinstance(files, ir.Seq) else (files,):
        name, content = (item.get("file_name"), item.get("content")) if isinstance(item, ir.Map) else (None, None)
        if not isinstance(name, ir.Lit) or content is None:
            raise only_at_run_time(f"the environment files of {task.job.deployment} are", item, task.job.deployment)
        path = str(name.value)
        task.make_folder(path)
        task.shell.write_file(path, task.lowering.lower_expression(content, STRING))
    task.shell.write_command("docker-compose", "up", "-d", "--no-build")


def write_json_files(task: JobScript) -> None:
    for path, value in task.map_entries():
        task.make_folder(path)
        task.shell.write_file(
            path, task.write_json_local(task.lowering.lower_expression(value), snake_case(posixpath.basename(path)))
        )


def write_os_apply_config(task: JobScript) -> None:
    """Writes the file that os-collect-config merges into the metadata of os-apply-config: the agent has no hook for
    it.
    """
    path = f"{LOCAL_DATA}/{task.name}.json"
    task.make_folder(path)
    task.shell.write_file(path, task.write_json_local(task.lowering.lower_expression(task.body), "metadata"))


def run_os_apply_config(task: JobScript) -> None:
    task.shell.write_command("os-apply-config")


AGENTS: Mapping[str, Callable[[JobScript], None]] = {
    "script": write_script,
    "ansible": write_ansible,
    "puppet": write_puppet,
    "docker-compose": write_docker_compose,
    "kubelet": write_kubelet,
    "chef": write_chef,
    "salt": write_salt,
    "cfn-init": write_cfn_init,
    "json-file": write_json_files,
    "os-apply-config": write_os_apply_config,
    "apply-config": run_os_apply_config,
}


# scripts


def compose_script(emission: Emission, job: DeploymentJob) -> Expr:
    """A script that runs one job. A shell script of the template gets its variables below its first line."""
    task = JobScript(emission, job)
    text = task.configuration_text() if job.tool == "script" else None
    names = [job_input.name for job_input in job.inputs]
    if isinstance(text, str) and SHELL.match(text) and all(WORD.fullmatch(name) for name in names):
        first, newline, rest = text.partition("\n")
        if task.mentions_word(OUTPUTS):
            task.shell.write_command("install", "-d", "-m", "700", FOLDER)
        task.export_inputs()
        return task.lowering.compose_text([first, newline or "\n", *task.shell.parts, rest]).expr
    return task.lowering.compose_text([SH, *script_head(), *write_job_commands(task)]).expr


def write_job_commands(task: JobScript) -> list[Part]:
    """Writes the commands of a job. If they cannot be written, its deployment stays with Heat."""
    try:
        AGENTS[task.job.tool](task)
    except CannotSay as e:
        if e.blame is None and e.ref is None and e.existing is None:
            e.blame = task.job.deployment
        raise
    return task.shell.parts


def script_head() -> list[Part]:
    """The commands before those of the jobs: an error ends the script, and only root can read its files."""
    shell = Shell()
    shell.write_line("set -e")
    shell.write_command("install", "-d", "-m", "700", FOLDER)
    shell.write_command("cd", FOLDER)
    return shell.parts


def compose_joint_script(emission: Emission, jobs: list[DeploymentJob]) -> Expr:
    """A script that runs several jobs one after the other; the commands of each are a local. It stops at the first that
    fails, as Heat does if it waits for the result.
    """
    parts: list[Part] = [SH, *script_head()]
    for job in jobs:
        task = JobScript(emission, job)
        text, owner = task.lowering.compose_text(write_job_commands(task)).expr, task.deployment
        inner = emission.blocks.share_local(f"{task.name}_commands", text, owner.span)
        # In the background, since `set -e` has no effect in a command before `||`.
        end = ")" if job.noticed else ') &\nwait "$!" || true'
        parts += [f"\n# {job.deployment}\n(\n", TypedValue(inner, STRING), f"{end}\n"]
    return emission.lowering.compose_text(parts).expr
