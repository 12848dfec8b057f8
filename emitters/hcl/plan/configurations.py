"""Reads the job of a deployment: its configuration with the inputs that Heat would give it, as template expressions.

Invariant: a `DeploymentJob` is complete. If only Heat knows a part, the result is an `OnlyHeat` with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias, final

from transpile.front.data_texts import read_data_text
from transpile.model import heat_types, ir
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import EMPTY as NOTHING
from transpile.model.records import node, replace
from transpile.model.span import Span
from transpile.resolve import lifecycle
from transpile.resolve.lifecycle import CREATE, EMPTY, GROUPS, UPDATE, Deployment, Input, Operation
from transpile.resolve.stack import Stack
from transpile.text.source import UnreadableFile

SOFTWARE, STRUCTURED = heat_types.SOFTWARE_DEPLOYMENT, heat_types.STRUCTURED_DEPLOYMENT
SUBSTITUTES = (STRUCTURED, *GROUPS[2:])  # deployments that replace get_input in the configuration
NO_HOOK = ("", "Heat::Ungrouped")  # groups that the agent skips

# groups that hot2tf knows, and the options that it knows for each
KNOWN: Mapping[str, tuple[str, ...]] = {
    "script": (),
    "ansible": ("tags", "skip_tags", "modulepath", "callback_plugins", "inventory"),
    "puppet": ("modulepath", "tags", "enable_debug", "enable_verbose", "enable_facter"),
    "docker-compose": (),
    "kubelet": ("images_timeout", "containers_timeout", "poll_period"),
    "chef": ("kitchen", "kitchen_path"),
    "salt": (),
    "cfn-init": (),
    "json-file": (),
    "os-apply-config": (),
    "apply-config": (),
}
MAPS = (  # groups whose configuration is a map
    "json-file",
    "os-apply-config",
    "kubelet",
    "cfn-init",
)
IN_TEMPLATE = "write the configuration into the template"
READ = "cfn-init"  # the group whose hook also takes the map as a text, which it reads
IDLE_ON_DELETE = "docker-compose"  # the group whose hook does nothing then
TEXTS = ("script", "ansible", "puppet")  # groups whose configuration is a text
ACTION, DELETE = "deploy_action", "DELETE"
SERVER_ID, STACK_ID, OUTPUTS = "deploy_server_id", "deploy_stack_id", "heat_outputs_path"
SECRET = compile_lazily(
    r"deploy_(?:signal_id|signal_verb|auth_url|username|user_id|password|project_id|queue_id|region_name)"
)


@final
@node
class DeploymentJob:
    """The job that a deployment runs on each of its servers. component: its configuration has a script for each action.
    tool: the group of its configuration. again: Heat runs the same on UPDATE. noticed: Heat waits for the result. lost:
    the actions for which user data runs nothing, each with its place. action: the action that runs this job. later: the
    jobs for UPDATE, if it differs, and for DELETE.
    """

    deployment: str
    config: str
    component: bool
    tool: str
    body: ir.Expr
    inputs: tuple[Input, ...]
    options: ir.Map
    again: bool
    noticed: bool
    lost: Mapping[str, Span]
    action: str = CREATE
    later: Mapping[str, DeploymentJob] = NOTHING

    @property
    def not_over_ssh(self) -> list[str]:
        """The actions for which Terraform runs nothing over SSH either."""
        return [action for action in self.lost if action not in self.later]


@final
@node
class IdleDeployment:
    """A deployment that runs nothing when its server is created. later: its jobs on UPDATE and DELETE, if Terraform
    can run it.
    """

    why: str
    later: DeploymentJob | None = None


class ReasonToKeep(NamedTuple):
    """The reason why a resource stays with Heat under every preference, and the change that would free it. span: the
    value that keeps it. reader: the resource whose reference does.
    """

    why: str
    free: str = ""
    span: Span | None = None
    reader: str = ""


@final
@node
class OnlyHeat:
    """A deployment that only Heat can run. free: the change that frees it, as a command."""

    why: str
    free: str = ""


Work: TypeAlias = "DeploymentJob | IdleDeployment | OnlyHeat"


def read_work(stack: Stack, name: str) -> Work:
    """Reads the job that a deployment runs on CREATE, or the reason why it runs none or only Heat can run it."""
    resource = stack.template.resources[name]
    if resource.is_existing or resource.is_conditional:
        return OnlyHeat("it exists already" if resource.is_existing else "it has a condition")
    deployment = lifecycle.read_deployment(stack, resource)
    if resource.properties.get("config") in EMPTY:
        return IdleDeployment("it has no configuration")
    if deployment.unknown:
        return OnlyHeat(deployment.unknown)
    operations = deployment.operations
    if CREATE not in operations:
        subject = "its component" if deployment.component else "it"
        why = f"{subject} runs only on {', '.join(operations)}" if operations else "it runs on no action"
        return IdleDeployment(why, read_later_job(stack, resource, deployment))
    if deployment.config is None:
        return OnlyHeat("its configuration is not in the template", IN_TEMPLATE)
    job = read_job(stack, resource, deployment.config, deployment, CREATE)
    return replace(job, later=read_later(stack, resource, deployment, job)) if isinstance(job, DeploymentJob) else job


def read_later_job(stack: Stack, resource: ir.Resource, deployment: Deployment) -> DeploymentJob | None:
    """The first later job of a deployment that runs nothing on CREATE; None if Terraform can run none of its jobs."""
    later = read_later(stack, resource, deployment)
    return replace(next(iter(later.values())), later=later) if later else None


def read_later(
    stack: Stack, resource: ir.Resource, deployment: Deployment, first: Work | None = None
) -> dict[str, DeploymentJob]:
    """The jobs of a deployment on DELETE, and on UPDATE if that differs from its job on CREATE. first: the latter."""
    operations, later = deployment.operations, dict[str, DeploymentJob]()
    for action in (UPDATE, DELETE):
        if action not in operations or deployment.config is None:
            continue
        job = read_job(stack, resource, deployment.config, deployment, action)
        if not isinstance(job, DeploymentJob) or (action == DELETE and job.tool == IDLE_ON_DELETE):
            continue
        if action == DELETE or operations[action] is not operations.get(CREATE) or depends_on_action(stack, job, first):
            later[action] = job
    return later


def depends_on_action(stack: Stack, job: DeploymentJob, first: Work | None) -> bool:
    """Whether a configuration does something else on UPDATE than on CREATE: it reads `deploy_action`. first: its job on
    CREATE.
    """
    if job.tool in MAPS:
        return isinstance(first, DeploymentJob) and job.body != first.body
    return mentions_word(stack, job.body, ACTION)


def read_job(stack: Stack, resource: ir.Resource, config: ir.Resource, deployment: Deployment, action: str) -> Work:
    """Reads the job that a deployment runs on an action, or the reason why it runs none or only Heat can run it."""
    properties, settings = resource.properties, config.properties
    operations, operation = deployment.operations, deployment.operations[action]
    group, body = operation.tool, ir.NULL if operation.script is None else operation.script
    if config.is_conditional or config.is_existing:
        return OnlyHeat("its configuration has a condition" if config.is_conditional else "its text is in Heat")
    if not (group in EMPTY or isinstance(group, ir.Lit)):
        return OnlyHeat("the group of its configuration is known only at run time")
    tool = str(group.value) if isinstance(group, ir.Lit) and group.value is not None else ""
    if tool in NO_HOOK:
        return IdleDeployment("Heat's agent has no hook for a configuration without a group")
    if body in EMPTY and tool != "apply-config":  # whose hook applies all metadata
        return IdleDeployment("its configuration is empty")
    if tool not in KNOWN:
        return OnlyHeat(f"hot2tf does not know what the hook {tool} does", "write a script that does the same")
    options = settings.get("options") or ir.Map(())
    if isinstance(options, ir.Lit):
        options = ir.Map(())
    if isinstance(options, ir.Map) and deployment.component:
        options = options_of_tool(options, tool)
    if not isinstance(options, ir.Map) or any(entry.key not in KNOWN[tool] for entry in options.entries):
        return OnlyHeat(f"hot2tf does not know what the hook {tool} does with these options", "remove the options")
    inputs = deployment.inputs
    if not deployment.inputs_known:
        return OnlyHeat("its inputs are known only at run time")
    if resource.kind in SUBSTITUTES:
        word = properties.get("input_key") or ir.Lit("get_input")
        if not isinstance(word, ir.Lit) or properties.get("input_values_validate") == ir.Lit("STRICT"):
            return OnlyHeat("Heat checks its inputs when it creates the deployment", "remove input_values_validate")
        values = {
            added_input.name: added_input.value
            for added_input in (*inputs, *inputs_added_by_heat(resource.name, action))
        }
        if any(
            name in (SERVER_ID, STACK_ID) or SECRET.fullmatch(name) for name in referenced_inputs(body, str(word.value))
        ):
            return OnlyHeat("its configuration has values that only Heat knows")
        body = substitute_inputs(body, str(word.value), values)
    if tool == READ and (text := read_known_text(stack, body)) is not None:
        body = read_data_text(text, body.span, stack.template.source.budget) or body
    if tool in MAPS and not isinstance(body, ir.Map):
        why = "is known only at run time" if read_known_text(stack, body) is None else f"is not a map, as {tool} needs"
        return OnlyHeat(f"its configuration {why}")
    if tool in TEXTS and isinstance(body, (ir.Map, ir.Seq)):
        return OnlyHeat(f"the hook {tool} takes no map")
    if any(SECRET.search(text) for text in literal_texts(stack, body)):
        return OnlyHeat("its configuration reads how to reach Heat", "remove the part that signals to Heat")
    noticed = properties.get("signal_transport") != ir.Lit("NO_SIGNAL")
    again = action == CREATE and operations.get(UPDATE) is operation
    lost = {
        word: place_of_action(resource, config, operations[word], word)
        for word in operations
        if word != CREATE and not (word == UPDATE and again) and not (word == DELETE and tool == IDLE_ON_DELETE)
    }
    return DeploymentJob(
        resource.name, config.name, deployment.component, tool, body, inputs, options, again, noticed, lost, action
    )


def options_of_tool(options: ir.Map, tool: str) -> ir.Map:
    """The options of a component without those of its other tools, which are maps: `{chef: {…}, tags: x}`."""
    return ir.Map(tuple(e for e in options.entries if e.key in (tool, *KNOWN[tool]) or not isinstance(e.value, ir.Map)))


def place_of_action(deployment: ir.Resource, config: ir.Resource, operation: Operation, action: str) -> Span:
    """The place in the template that names an action of a deployment: the word, or the part of a component."""
    properties = deployment.properties
    parts = config.find_property("configs")
    part = parts.items[operation.number] if isinstance(parts, ir.Seq) else None
    place = Span(deployment.type_at, deployment.type_at + len(deployment.type)) if part is None else part.span
    words = (part if isinstance(part, ir.Map) else properties).get("actions")
    for item in words.items if isinstance(words, ir.Seq) else ():
        if item == ir.Lit(action):
            return item.span
    return place


def inputs_added_by_heat(deployment: str, action: str) -> tuple[Input, ...]:
    """The inputs that Heat adds and that the template determines. They ask for no signal: nobody waits for one."""
    values = {ACTION: action, "deploy_resource_name": deployment, "deploy_signal_transport": "NO_SIGNAL"}
    return tuple(Input(name, "String", ir.NULL, ir.Lit(value)) for name, value in values.items())


def referenced_inputs(expr: ir.Expr, word: str) -> Iterator[str]:
    """The names of the inputs that a structured configuration refers to. word: its `input_key`, usually get_input."""
    for part in ir.walk(expr):
        if isinstance(part, ir.Map) and (name := input_name_of(part, word)):
            yield name


def input_name_of(expr: ir.Map, word: str) -> str:
    """The input that a map refers to: `{get_input: name}` -> name; empty if it is another map."""
    value = expr.entries[0].value if len(expr.entries) == 1 and expr.entries[0].key == word else None
    return value.value if isinstance(value, ir.Lit) and isinstance(value.value, str) else ""


def substitute_inputs(expr: ir.Expr, word: str, values: Mapping[str, ir.Expr]) -> ir.Expr:
    """A structured configuration with the values of its inputs. An input without a value is null, as in Heat."""
    if isinstance(expr, ir.Map) and (name := input_name_of(expr, word)):
        return values.get(name, ir.Lit(None, expr.span))
    if isinstance(expr, (ir.Map, ir.Seq)):
        return ir.rebuilt(expr, lambda part: substitute_inputs(part, word, values))
    return expr


def read_known_text(stack: Stack, expr: ir.Expr) -> str | None:
    """A text that is known before Terraform runs: a literal, or a file."""
    if isinstance(expr, ir.FileRef):
        try:
            return stack.root.read_file(expr.name).decode_text()
        except UnreadableFile:
            return None
    return expr.value if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else None


def literal_texts(stack: Stack, expr: ir.Expr) -> Iterator[str]:
    """The literal texts and files inside an expression."""
    for part in ir.walk(expr):
        if (text := read_known_text(stack, part)) is not None:
            yield text


def mentions_word(stack: Stack, body: ir.Expr, word: str) -> bool:
    """Whether a configuration mentions a word. True if no part of its text is known, because it might."""
    texts = list(literal_texts(stack, body))
    return any(word in text for text in texts) or not texts
