"""Shell scripts that do what Heat's agent does with a configuration. `AGENTS` has a function for each hook.

Invariant: a script does what the hook of heat-agents does, with the same inputs, but it reports nothing to Heat. Like
the hook, it fails if the tool is missing or fails.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import signals
from emitters.hcl.hooks.shell import WORD, Shell, quoted, word
from emitters.hcl.namespace import snake
from emitters.hcl.plan import configurations
from emitters.hcl.plan.configurations import OUTPUTS, SERVER_ID, STACK_ID
from emitters.hcl.tree.nodes import Expr, Fn, Object, Text
from emitters.hcl.tree.types import COLLECTIONS, STRING, Value
from transpile.diagnostics import codes
from transpile.model import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering, Part
    from emitters.hcl.plan.configurations import Job
    from transpile.resolve.lifecycle import Input

FOLDER = "/var/lib/hot2tf"  # on the server, for root only
INSTANCE = "/var/lib/cloud/data/instance-id"  # cloud-init writes the server's ID there
SH, SHELL = "#!/bin/sh\n", re.compile(r"#!\s*/\S*/(env\s+)?(ba|da|k|z)?sh\b")
STRUCTURED = ("Json", "CommaDelimitedList")  # types of inputs that may be lists and maps
HIERA, HIERA_CONFIG = "/etc/puppet/hieradata", "/etc/puppet/hiera.yaml"
LOCAL_DATA = "/var/lib/os-collect-config/local-data"  # os-collect-config merges these files into its metadata


@final
class Task:
    """A job that is being written as shell commands."""

    def __init__(self, emission: Emission, job: Job) -> None:
        self.emission, self.job, self.shell = emission, job, Shell()
        self.deployment = emission.unit.template.resources[job.deployment]
        self.config = emission.unit.template.resources[job.config]
        self.lowering: Lowering = emission.lowering.owned(snake(job.deployment), resource=job.deployment)
        self.body = signals.quiet(emission, self.config, job.body)
        self.name = snake(job.deployment)  # of its files

    # values

    def text(self) -> Expr:
        """The configuration as a text: a literal if the text is known, else an expression."""
        known = configurations.known_text(self.emission.unit.stack, self.body)
        return known if known is not None else self.lowering.changed(in_text=True).value(self.body, STRING).expr

    def mentions(self, word: str) -> bool:
        """Whether the configuration contains a word, such as the name of a variable."""
        return configurations.mentions(self.emission.unit.stack, self.job.body, word)

    def variable(self, given: Input) -> Expr:
        """The value of an input as the agent's hooks get it in the environment."""
        return self.lowering.lift(self.text_of(given), given.name)

    def text_of(self, given: Input) -> Expr:
        """The value of an input as a text. Raises CannotSay for a list or map that the agent writes as Python does."""
        value, text = self.lowering.value(given.value), self.lowering.value(given.value, STRING)
        if value.expr is None:
            return "None" if given.type == "String" else ""  # what Python makes of it
        if value.type.kind in COLLECTIONS and given.type in STRUCTURED:
            return self.lowering.as_json(value)
        if value.type.kind in COLLECTIONS:
            why = f"only Heat's agent writes the list or map {given.name} of {self.job.deployment} as Python does"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, given.value, self.job.deployment)
        if value.type.kind == "any":
            self.lowering.untyped(given.value, value.type)
            return self.lowering.as_text(value)
        return text.expr

    def data(self, given: Input) -> Expr:
        """The value of an input for a tool that reads JSON."""
        return self.lowering.expr(given.value) if given.type in STRUCTURED else self.variable(given)

    def derived(self) -> Iterator[tuple[str, Expr]]:
        """The variables that Heat and its agent add to the inputs, as far as the configuration uses them."""
        for one in configurations.derived(self.job.deployment):
            if self.mentions(one.name):
                yield one.name, self.lowering.expr(one.value, STRING)
        if any(STACK_ID in text for text in configurations.texts(self.emission.unit.stack, self.job.body)):
            symbols = self.emission.symbols
            yield STACK_ID, Text((symbols.stack_name(), "/", symbols.stack_id(self.deployment_ref())))
        if self.mentions(OUTPUTS):
            yield OUTPUTS, f"{FOLDER}/{self.name}.out"

    def deployment_ref(self) -> ir.ParamRef:
        """A place for diagnostics about values that the deployment gets without asking."""
        return ir.ParamRef("OS::stack_id", (), "get_param", self.deployment.type_span)

    def option(self, name: str) -> Expr | None:
        value = self.job.options.get(name)
        if value is None or value in (ir.NULL, ir.Lit(""), ir.Lit(False)):
            return None
        return self.lowering.expr(value, STRING)

    def switch(self, name: str, default: bool = False) -> bool:
        value = self.job.options.get(name)
        if value is not None and not isinstance(value, ir.Lit):
            why = f"the option {name} of {self.job.config} is known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, value, self.job.deployment)
        return default if value is None or value.value is None else bool(value.value)

    # commands

    def export(self, prefix: str = "") -> list[Part]:
        """Exports the inputs. Those whose names no shell variable can have are passed to the command instead: returns
        the words before it, such as `env 'my-input'='value'`.
        """
        passed: list[Part] = []
        for name, value in (*((one.name, self.variable(one)) for one in self.job.inputs), *self.derived()):
            if WORD.fullmatch(prefix + name):
                self.shell.export(prefix + name, value)
            else:
                passed += [*quoted(prefix + name), "=", *quoted(value), " "]
        if self.mentions(SERVER_ID):
            self.shell.line(f"{prefix}{SERVER_ID}=$(cat {INSTANCE})")
            self.shell.line(f"export {prefix}{SERVER_ID}")
        return ["env ", *passed] if passed else []

    def json(self, value: Expr, what: str) -> Expr:
        """Writes a local with a value as JSON, and returns a reference to it."""
        return self.emission.blocks.local(f"{self.name}_{what}", Fn("jsonencode", (value,)))

    def folder(self, path: str) -> None:
        """Writes a command that makes the folder of a file if it is missing, as the agent does."""
        if (folder := posixpath.dirname(path)) not in ("", ".", "/"):
            self.shell.line("[ -d ", *word(folder), " ] || install -d -m 700 ", *word(folder))

    def fields(self, what: ir.Expr | None = None) -> list[tuple[str, ir.Expr]]:
        """The entries of the configuration, or of a map in it. Raises CannotSay if they are known only at run time."""
        found = self.body if what is None else what
        if not isinstance(found, ir.Map):
            why = f"the configuration of {self.job.deployment} is known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, found, self.job.deployment)
        return [(entry.key, entry.value) for entry in found.entries]


# the hooks


def script(task: Task) -> None:
    text = task.text()
    passed = task.export()
    task.shell.file(task.name, text)
    task.shell.command("chmod", "700", task.name)
    task.shell.line(*passed, f"./{task.name}")
    if isinstance(text, str) and not text.startswith("#!"):
        message = (
            f"The script of {task.job.deployment} has no #! line: Heat's agent cannot run it. Here, /bin/sh runs it."
        )
        task.lowering.differs(codes.SCRIPT_WITHOUT_INTERPRETER, message, task.deployment.type_span)


def ansible(task: Task) -> None:
    values = [(one.name, task.data(one)) for one in task.job.inputs] + list(task.derived())
    playbook, variables = f"{task.name}.yaml", f"{task.name}.json"
    task.shell.file(playbook, task.text())
    task.shell.file(variables, task.json(Object(tuple(values)), "variables"))
    if (plugins := task.option("callback_plugins")) is not None:
        task.shell.export("ANSIBLE_CALLBACK_PLUGINS", plugins)
    words: list[Expr] = ["ansible-playbook", "-i", "localhost,"]
    for name, flag in (("modulepath", "--module-path"), ("skip_tags", "--skip-tags"), ("tags", "--tags")):
        if (value := task.option(name)) is not None:
            words += [flag, value]
    task.shell.command(*words, playbook, "--extra-vars", f"@{variables}")
    if task.mentions(SERVER_ID):
        task.shell.parts.pop()  # the end of the line. The ID is not quoted as the other words are: the shell reads it.
        task.shell.line(f' --extra-vars {SERVER_ID}="$(cat {INSTANCE})"')


def puppet(task: Task) -> None:
    passed: list[Part] = []
    if task.switch("enable_facter", default=True):
        passed = task.export("FACTER_")
    elif task.mentions(OUTPUTS):
        task.shell.export(f"FACTER_{OUTPUTS}", f"{FOLDER}/{task.name}.out")
    task.shell.line("FACTER_fqdn=$(hostname -f) && export FACTER_fqdn")
    manifest = f"{task.name}.pp"
    task.shell.file(manifest, task.text())
    words: list[Expr] = ["puppet", "apply", "--color", "false", "--detailed-exitcodes", "--logdest", "console"]
    for name in ("modulepath", "tags"):
        if (value := task.option(name)) is not None:
            words += [f"--{name}", value]
    for name in ("debug", "verbose"):
        if task.switch(f"enable_{name}"):
            words += [f"--{name}", "--logdest", f"/var/log/puppet/heat-{name}.log"]
    task.shell.parts += passed
    task.shell.command(*words, manifest)
    task.shell.parts.pop()  # the end of the line
    task.shell.line(" || [ $? -eq 2 ]")  # 2: it changed something


def docker_compose(task: Task) -> None:
    given = task.deployment.properties.get("name") if task.deployment.properties is not None else None
    project = str(given.value) if isinstance(given, ir.Lit) and given.value else task.job.deployment
    folder = f"docker-compose/{project}"
    task.shell.command("install", "-d", "-m", "700", folder)
    task.shell.command("cd", folder)
    text = task.text()
    if isinstance(task.body, ir.Map):
        services = Fn("yamlencode", (task.lowering.expr(task.body),))
        text = task.emission.blocks.local(f"{task.name}_services", services)
    task.shell.file("docker-compose.yml", text)
    files = next((one.value for one in task.job.inputs if one.name == "env_files"), ir.Seq(()))
    for item in files.items if isinstance(files, ir.Seq) else (files,):
        name, content = (item.get("file_name"), item.get("content")) if isinstance(item, ir.Map) else (None, None)
        if not isinstance(name, ir.Lit) or content is None:
            why = f"the environment files of {task.job.deployment} are known only at run time"
            raise CannotSay(codes.ONLY_AT_RUN_TIME, why, item, task.job.deployment)
        path = str(name.value)
        task.folder(path)
        task.shell.file(path, task.lowering.expr(content, STRING))
    task.shell.command("docker-compose", "up", "-d", "--no-build")


def json_file(task: Task) -> None:
    for path, value in task.fields():
        task.folder(path)
        task.shell.file(path, task.json(task.lowering.expr(value), snake(posixpath.basename(path))))


def hiera(task: Task) -> None:
    task.folder(f"{HIERA}/")
    for key, value in task.fields():
        if key == "hierarchy":
            listed = value.items if isinstance(value, ir.Seq) else ()
            lines: list[Part] = [f"---\n:backends:\n  - json\n:json:\n  :datadir: {HIERA}\n:hierarchy:\n"]
            for item in listed:
                lines += ["  - ", *task.lowering.text(item), "\n"]
            task.shell.file(HIERA_CONFIG, task.lowering.compose(lines).expr)
            task.shell.command("chmod", "600", HIERA_CONFIG)
        elif key == "datafiles":
            for name, data in task.fields(value):
                task.shell.file(f"{HIERA}/{name}.json", task.json(task.lowering.expr(data), snake(name)))
                task.shell.command("chmod", "600", f"{HIERA}/{name}.json")


def os_apply_config(task: Task) -> None:
    """The agent has no hook for it: os-collect-config merges the configuration into the metadata of os-apply-config."""
    path = f"{LOCAL_DATA}/{task.name}.json"
    task.folder(path)
    task.shell.file(path, task.json(task.lowering.expr(task.body), "metadata"))


def apply_config(task: Task) -> None:
    task.shell.command("os-apply-config")


AGENTS: Mapping[str, Callable[[Task], None]] = {
    "script": script,
    "ansible": ansible,
    "puppet": puppet,
    "docker-compose": docker_compose,
    "json-file": json_file,
    "hiera": hiera,
    "os-apply-config": os_apply_config,
    "apply-config": apply_config,
}


# scripts


def alone(emission: Emission, job: Job) -> Expr:
    """A script that runs one job. A shell script of the template gets its variables below its first line."""
    task = Task(emission, job)
    text = task.text() if job.tool == "script" else None
    names = [one.name for one in job.inputs]
    if isinstance(text, str) and SHELL.match(text) and all(WORD.fullmatch(name) for name in names):
        first, newline, rest = text.partition("\n")
        if task.mentions(OUTPUTS):
            task.shell.command("install", "-d", "-m", "700", FOLDER)
        task.export()
        return task.lowering.compose([first, newline or "\n", *task.shell.parts, rest]).expr
    return task.lowering.compose([SH, *head(), *commands(task)]).expr


def commands(task: Task) -> list[Part]:
    """The commands of a job. If they cannot be written, its deployment stays with Heat."""
    try:
        AGENTS[task.job.tool](task)
    except CannotSay as e:
        if e.blame is None and e.ref is None and e.existing is None:
            e.blame = task.job.deployment
        raise
    return task.shell.parts


def head() -> list[Part]:
    """The commands before those of the jobs: an error ends the script, and only root can read its files."""
    shell = Shell()
    shell.line("set -e")
    shell.command("install", "-d", "-m", "700", FOLDER)
    shell.command("cd", FOLDER)
    return shell.parts


def together(emission: Emission, jobs: list[Job]) -> Expr:
    """A script that runs several jobs one after the other; the commands of each are a local. It stops at the first that
    fails, as Heat does if it waits for the result.
    """
    parts: list[Part] = [SH, *head()]
    for job in jobs:
        task = Task(emission, job)
        text, owner = task.lowering.compose(commands(task)).expr, task.deployment
        inner = emission.blocks.local(f"{task.name}_commands", text, owner.span)
        end = ")" if job.noticed else ") || true"
        parts += [f"\n# {job.deployment}\n(\n", Value(inner, STRING), f"{end}\n"]
    return emission.lowering.compose(parts).expr
