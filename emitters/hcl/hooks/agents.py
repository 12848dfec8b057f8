"""Shell scripts that do what Heat's agent does with a configuration. `AGENTS` has a function for each hook.

Invariant: a script does what the hook of heat-agents does, with the same inputs, but it reports nothing to Heat. Like
the hook, it fails if the tool is missing or fails.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import signals
from emitters.hcl.hooks.shell import WORD, Shell, quote_value, shell_word
from emitters.hcl.lowering.lowering import HclLowering, Part
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan import configurations
from emitters.hcl.plan.configurations import OUTPUTS, SERVER_ID, STACK_ID, DeploymentJob
from emitters.hcl.tree.nodes import Expr, Fn, Object, StringTemplate
from emitters.hcl.tree.types import COLLECTIONS, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.resolve.lifecycle import Input

FOLDER = "/var/lib/hot2tf"  # on the server, for root only
INSTANCE = "/var/lib/cloud/data/instance-id"  # cloud-init writes the server's ID there
SH, SHELL = "#!/bin/sh\n", re.compile(r"#!\s*/\S*/(env\s+)?(ba|da|k|z)?sh\b")
STRUCTURED = ("Json", "CommaDelimitedList")  # types of inputs that may be lists and maps
HIERA, HIERA_CONFIG = "/etc/puppet/hieradata", "/etc/puppet/hiera.yaml"
LOCAL_DATA = "/var/lib/os-collect-config/local-data"  # os-collect-config merges these files into its metadata


@final
class JobScript:
    """A job that is being written as shell commands."""

    def __init__(self, emission: Emission, job: DeploymentJob) -> None:
        self.emission, self.job, self.shell = emission, job, Shell()
        self.deployment = emission.unit.template.resources[job.deployment]
        self.config = emission.unit.template.resources[job.config]
        self.lowering: HclLowering = emission.lowering.with_owner(snake_case(job.deployment), resource=job.deployment)
        self.body = signals.silence_signals(emission, self.config, job.body)
        self.name = snake_case(job.deployment)  # of its files

    # values

    def configuration_text(self) -> Expr:
        """The configuration as a text: a literal if the text is known, else an expression."""
        text = configurations.read_known_text(self.emission.unit.stack, self.body)
        return (
            text if text is not None else self.lowering.with_changes(in_text=True).lower_value(self.body, STRING).expr
        )

    def mentions_word(self, word: str) -> bool:
        """Whether the configuration contains a word, such as the name of a variable."""
        return configurations.mentions_word(self.emission.unit.stack, self.job.body, word)

    def environment_value(self, job_input: Input) -> Expr:
        """The value of an input as the agent's hooks get it in the environment."""
        return self.lowering.lift_to_local(self.input_text(job_input), job_input.name)

    def input_text(self, job_input: Input) -> Expr:
        """The value of an input as a text. Raises CannotSay for a list or map that the agent writes as Python does."""
        value, text = self.lowering.lower_value(job_input.value), self.lowering.lower_value(job_input.value, STRING)
        if value.expr is None:
            return "None" if job_input.type == "String" else ""  # what Python makes of it
        if value.type.kind in COLLECTIONS and job_input.type in STRUCTURED:
            return self.lowering.json_of_value(value)
        if value.type.kind in COLLECTIONS:
            why = f"only Heat's agent writes the list or map {job_input.name} of {self.job.deployment} as Python does"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, job_input.value, self.job.deployment)
        if value.type.kind == "any":
            self.lowering.report_untyped(job_input.value, value.type)
            return self.lowering.text_of_value(value)
        return text.expr

    def json_value(self, job_input: Input) -> Expr:
        """The value of an input for a tool that reads JSON."""
        return (
            self.lowering.lower_expression(job_input.value)
            if job_input.type in STRUCTURED
            else self.environment_value(job_input)
        )

    def derived_variables(self) -> Iterator[tuple[str, Expr]]:
        """The variables that Heat and its agent add to the inputs, as far as the configuration uses them."""
        for variable in configurations.inputs_added_by_heat(self.job.deployment):
            if self.mentions_word(variable.name):
                yield variable.name, self.lowering.lower_expression(variable.value, STRING)
        if any(STACK_ID in text for text in configurations.literal_texts(self.emission.unit.stack, self.job.body)):
            symbols = self.emission.symbols
            yield (
                STACK_ID,
                StringTemplate((symbols.stack_name_variable(), "/", symbols.stack_id(self.deployment_ref()))),
            )
        if self.mentions_word(OUTPUTS):
            yield OUTPUTS, f"{FOLDER}/{self.name}.out"

    def deployment_ref(self) -> ir.ParamRef:
        """A place for diagnostics about values that the deployment gets without asking."""
        return ir.ParamRef("OS::stack_id", (), "get_param", self.deployment.type_span)

    def lower_option(self, name: str) -> Expr | None:
        value = self.job.options.get(name)
        if value is None or value in (ir.NULL, ir.Lit(""), ir.Lit(False)):
            return None
        return self.lowering.lower_expression(value, STRING)

    def read_switch_option(self, name: str, default: bool = False) -> bool:
        value = self.job.options.get(name)
        if value is not None and not isinstance(value, ir.Lit):
            why = f"the option {name} of {self.job.config} is known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, value, self.job.deployment)
        return default if value is None or value.value is None else bool(value.value)

    # commands

    def export_inputs(self, prefix: str = "") -> list[Part]:
        """Exports the inputs. Those whose names no shell variable can have are passed to the command instead: returns
        the words before it, such as `env 'my-input'='value'`.
        """
        passed: list[Part] = []
        for name, value in (
            *((job_input.name, self.environment_value(job_input)) for job_input in self.job.inputs),
            *self.derived_variables(),
        ):
            if WORD.fullmatch(prefix + name):
                self.shell.write_export(prefix + name, value)
            else:
                passed += [*quote_value(prefix + name), "=", *quote_value(value), " "]
        if self.mentions_word(SERVER_ID):
            self.shell.write_line(f"{prefix}{SERVER_ID}=$(cat {INSTANCE})")
            self.shell.write_line(f"export {prefix}{SERVER_ID}")
        return ["env ", *passed] if passed else []

    def write_json_local(self, value: Expr, what: str) -> Expr:
        """Writes a local with a value as JSON, and returns a reference to it."""
        return self.emission.blocks.share_local(f"{self.name}_{what}", Fn("jsonencode", (value,)))

    def make_folder(self, path: str) -> None:
        """Writes a command that makes the folder of a file if it is missing, as the agent does."""
        if (folder := posixpath.dirname(path)) not in ("", ".", "/"):
            self.shell.write_line("[ -d ", *shell_word(folder), " ] || install -d -m 700 ", *shell_word(folder))

    def map_entries(self, expression: ir.Expr | None = None) -> list[tuple[str, ir.Expr]]:
        """The entries of the configuration, or of a map in it. Raises CannotSay if they are known only at run time."""
        configuration = self.body if expression is None else expression
        if not isinstance(configuration, ir.Map):
            why = f"the configuration of {self.job.deployment} is known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, configuration, self.job.deployment)
        return [(entry.key, entry.value) for entry in configuration.entries]


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
    words: list[Expr] = ["ansible-playbook", "-i", "localhost,"]
    for name, flag in (("modulepath", "--module-path"), ("skip_tags", "--skip-tags"), ("tags", "--tags")):
        if (value := task.lower_option(name)) is not None:
            words += [flag, value]
    task.shell.write_command(*words, playbook, "--extra-vars", f"@{variables}")
    if task.mentions_word(SERVER_ID):
        task.shell.parts.pop()  # the end of the line. The ID is not quoted as the other words are: the shell reads it.
        task.shell.write_line(f' --extra-vars {SERVER_ID}="$(cat {INSTANCE})"')


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
    task.shell.write_command(*words, manifest)
    task.shell.parts.pop()  # the end of the line
    task.shell.write_line(" || [ $? -eq 2 ]")  # 2: it changed something


def write_docker_compose(task: JobScript) -> None:
    deployment_name = task.deployment.properties.get("name") if task.deployment.properties is not None else None
    project = (
        str(deployment_name.value)
        if isinstance(deployment_name, ir.Lit) and deployment_name.value
        else task.job.deployment
    )
    folder = f"docker-compose/{project}"
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
            why = f"the environment files of {task.job.deployment} are known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, item, task.job.deployment)
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


def write_hiera(task: JobScript) -> None:
    task.make_folder(f"{HIERA}/")
    for key, value in task.map_entries():
        if key == "hierarchy":
            levels = value.items if isinstance(value, ir.Seq) else ()
            lines: list[Part] = [f"---\n:backends:\n  - json\n:json:\n  :datadir: {HIERA}\n:hierarchy:\n"]
            for item in levels:
                lines += ["  - ", *task.lowering.lower_text_parts(item), "\n"]
            task.shell.write_file(HIERA_CONFIG, task.lowering.compose_text(lines).expr)
            task.shell.write_command("chmod", "600", HIERA_CONFIG)
        elif key == "datafiles":
            for name, data in task.map_entries(value):
                task.shell.write_file(
                    f"{HIERA}/{name}.json",
                    task.write_json_local(task.lowering.lower_expression(data), snake_case(name)),
                )
                task.shell.write_command("chmod", "600", f"{HIERA}/{name}.json")


def write_os_apply_config(task: JobScript) -> None:
    """The agent has no hook for it: os-collect-config merges the configuration into the metadata of os-apply-config."""
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
    "json-file": write_json_files,
    "hiera": write_hiera,
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
    """The commands of a job. If they cannot be written, its deployment stays with Heat."""
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
        end = ")" if job.noticed else ") || true"
        parts += [f"\n# {job.deployment}\n(\n", TypedValue(inner, STRING), f"{end}\n"]
    return emission.lowering.compose_text(parts).expr
