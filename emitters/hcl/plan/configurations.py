"""What a deployment runs: its configuration with the inputs that Heat would give it, as expressions of the template.

Invariant: a `Job` is complete. Whatever only Heat knows makes it an `OnlyHeat`, with the reason.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias, final

from emitters.hcl.plan import referrals
from transpile.model import ir
from transpile.model.records import node
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.resolve.stack import Stack

SOFTWARE, STRUCTURED = "OS::Heat::SoftwareDeployment", "OS::Heat::StructuredDeployment"
GROUPS = (
    "OS::Heat::SoftwareDeploymentGroup",
    "OS::Heat::SoftwareDeployments",
    "OS::Heat::StructuredDeploymentGroup",
    "OS::Heat::StructuredDeployments",
)
DEPLOYMENTS = (SOFTWARE, STRUCTURED, *GROUPS)
SUBSTITUTES = (STRUCTURED, *GROUPS[2:])  # deployments that replace get_input in the configuration
COMPONENT = "OS::Heat::SoftwareComponent"
CONFIGS = ("OS::Heat::SoftwareConfig", "OS::Heat::StructuredConfig")
CREATE, UPDATE = "CREATE", "UPDATE"
NO_HOOK = ("", "Heat::Ungrouped")  # groups that the agent skips

# groups that hot2tf knows, and the options that it knows for each
KNOWN: Mapping[str, tuple[str, ...]] = {
    "script": (),
    "ansible": ("tags", "skip_tags", "modulepath", "callback_plugins"),
    "puppet": ("modulepath", "tags", "enable_debug", "enable_verbose", "enable_facter"),
    "docker-compose": (),
    "json-file": (),
    "hiera": (),
    "os-apply-config": (),
    "apply-config": (),
}
MAPS = ("json-file", "hiera", "os-apply-config")  # those whose configuration is a map
TEXTS = ("script", "ansible", "puppet")  # and a text
SERVER_ID, STACK_ID, OUTPUTS = "deploy_server_id", "deploy_stack_id", "heat_outputs_path"
SECRET = re.compile(
    r"deploy_(?:signal_id|signal_verb|auth_url|username|user_id|password|project_id|queue_id|region_name)"
)


@final
@node
class Input:
    """An input with its declared type and its value."""

    name: str
    type: str
    value: ir.Expr


@final
@node
class Job:
    """What a deployment runs on each of its servers. tool: the group of its configuration. again: whether Heat runs the
    same on UPDATE. noticed: whether Heat waits for the result. lost: the actions for which Terraform runs nothing.
    """

    deployment: str
    config: str
    tool: str
    body: ir.Expr
    inputs: tuple[Input, ...]
    options: ir.Map
    again: bool
    noticed: bool
    lost: tuple[str, ...]


@final
@node
class Idle:
    """A deployment that runs nothing when its server is created."""

    why: str


@final
@node
class OnlyHeat:
    """A deployment that only Heat can run."""

    why: str


Work: TypeAlias = "Job | Idle | OnlyHeat"


def work(stack: Stack, name: str) -> Work:
    """What a deployment runs, if anything."""
    resource = stack.template.resources[name]
    if resource.external_id is not None or resource.condition is not None:
        return OnlyHeat("it exists already" if resource.external_id is not None else "it has a condition")
    properties = resource.properties or ir.Map(())
    given, written = properties.get("config"), properties.get("actions")
    if empty(given):
        return Idle("it has no configuration")
    if not (empty(written) or (isinstance(written, ir.Seq) and ir.literal(written))):
        return OnlyHeat("its actions are known only at run time")
    actions = (CREATE, UPDATE) if empty(written) or written is None else tuple(str(word) for word in ir.data(written))
    config = stack.template.resources.get(referrals.refers(stack, name, "config") or "")
    if config is not None and stack.types[config.name] == COMPONENT:
        return of_component(stack, resource, config)
    if CREATE not in actions:
        return Idle(f"it runs only on {', '.join(actions)}" if actions else "it runs on no action")
    if config is None or stack.types[config.name] not in CONFIGS:
        return OnlyHeat("its configuration is not in the template")
    held = config.properties or ir.Map(())
    lost = tuple(word for word in actions if word not in (CREATE, UPDATE))
    return job(stack, resource, config, held.get("group"), held.get("config"), UPDATE in actions, lost)


def of_component(stack: Stack, deployment: ir.Resource, config: ir.Resource) -> Work:
    """What a deployment runs of a component, which has a configuration for each action."""
    every = config.properties.get("configs") if config.properties is not None else None
    entries = [one for one in every.items if isinstance(one, ir.Map)] if isinstance(every, ir.Seq) else []
    if not isinstance(every, ir.Seq) or len(entries) < len(every.items):
        return OnlyHeat("its configurations are known only at run time")
    actions: dict[str, int] = {}
    for number, entry in enumerate(entries):
        words = entry.get("actions")
        if not isinstance(words, ir.Seq) or not ir.literal(words):
            return OnlyHeat("the actions of its configurations are known only at run time")
        for word in ir.data(words):
            actions.setdefault(str(word), number)
    if CREATE not in actions:
        return Idle(f"its component runs only on {', '.join(actions)}")
    chosen = entries[actions[CREATE]]
    again = actions.get(UPDATE) == actions[CREATE]
    lost = tuple(word for word in actions if word != CREATE and not (word == UPDATE and again))
    return job(stack, deployment, config, chosen.get("tool"), chosen.get("config"), again, lost)


def job(
    stack: Stack,
    deployment: ir.Resource,
    config: ir.Resource,
    group: ir.Expr | None,
    body: ir.Expr | None,
    again: bool,
    lost: tuple[str, ...],
) -> Work:
    properties, held = deployment.properties or ir.Map(()), config.properties or ir.Map(())
    if config.condition is not None or config.external_id is not None:
        return OnlyHeat("its configuration has a condition" if config.condition is not None else "its text is in Heat")
    if not (empty(group) or isinstance(group, ir.Lit)):
        return OnlyHeat("the group of its configuration is known only at run time")
    tool = str(group.value) if isinstance(group, ir.Lit) and group.value is not None else ""
    if tool in NO_HOOK:
        return Idle("Heat's agent has no hook for a configuration without a group")
    if empty(body):
        return Idle("its configuration is empty")
    if tool not in KNOWN:
        return OnlyHeat(f"hot2tf does not know what the hook {tool} does")
    options = held.get("options") or ir.Map(())
    if isinstance(options, ir.Lit):
        options = ir.Map(())
    if not isinstance(options, ir.Map) or any(entry.key not in KNOWN[tool] for entry in options.entries):
        return OnlyHeat(f"hot2tf does not know what the hook {tool} does with these options")
    given = inputs(properties, held)
    if given is None or body is None:
        return OnlyHeat("its inputs are known only at run time")
    if stack.types[deployment.name] in SUBSTITUTES:
        word = properties.get("input_key") or ir.Lit("get_input")
        if not isinstance(word, ir.Lit) or properties.get("input_values_validate") == ir.Lit("STRICT"):
            return OnlyHeat("Heat checks its inputs when it creates the deployment")
        values = {one.name: one.value for one in (*given, *derived(deployment.name))}
        if any(name in (SERVER_ID, STACK_ID) or SECRET.fullmatch(name) for name in asked(body, str(word.value))):
            return OnlyHeat("its configuration has values that only Heat knows")
        body = substituted(body, str(word.value), values)
    if tool in MAPS and not isinstance(body, ir.Map):
        return OnlyHeat("its configuration is known only at run time")
    if tool in TEXTS and isinstance(body, (ir.Map, ir.Seq)):
        return OnlyHeat(f"the hook {tool} takes no map")
    if any(SECRET.search(text) for text in texts(stack, body)):
        return OnlyHeat("its configuration reads how to reach Heat")
    noticed = properties.get("signal_transport") != ir.Lit("NO_SIGNAL")
    return Job(deployment.name, config.name, tool, body, given, options, again, noticed, lost)


def empty(expr: ir.Expr | None) -> bool:
    return expr is None or expr in (ir.Lit(None), ir.Lit(""), ir.Map(()), ir.Seq(()))


def inputs(properties: ir.Map, held: ir.Map) -> tuple[Input, ...] | None:
    """Declared inputs, overridden by the deployment's values, and then those that are not declared. None if they are
    known only at run time.
    """
    declared, values = held.get("inputs") or ir.Seq(()), properties.get("input_values") or ir.Map(())
    declared = ir.Seq(()) if declared == ir.Lit(None) else declared
    values = ir.Map(()) if values == ir.Lit(None) else values
    if not isinstance(declared, ir.Seq) or not isinstance(values, ir.Map):
        return None
    found: dict[str, Input] = {}
    for item in declared.items:
        name = item.get("name") if isinstance(item, ir.Map) else None
        if not isinstance(name, ir.Lit) or not isinstance(item, ir.Map):
            return None
        kind = item.get("type") or ir.Lit("String")
        if not isinstance(kind, ir.Lit):
            return None
        found[str(name.value)] = Input(str(name.value), str(kind.value), item.get("default") or ir.Lit(None))
    for entry in values.entries:
        kind_of = found[entry.key].type if entry.key in found else "String"
        found[entry.key] = Input(entry.key, kind_of, entry.value)
    return tuple(found.values())


def derived(deployment: str) -> tuple[Input, ...]:
    """The inputs that Heat adds, as far as the template tells. Nobody waits for a signal, so the transport is none."""
    known = {"deploy_action": CREATE, "deploy_resource_name": deployment, "deploy_signal_transport": "NO_SIGNAL"}
    return tuple(Input(name, "String", ir.Lit(value)) for name, value in known.items())


def asked(expr: ir.Expr, word: str) -> Iterator[str]:
    """The inputs that a structured configuration asks for."""
    for one in ir.walk(expr):
        if isinstance(one, ir.Map) and (name := input_of(one, word)) is not None:
            yield name


def input_of(expr: ir.Map, word: str) -> str | None:
    value = expr.entries[0].value if len(expr.entries) == 1 and expr.entries[0].key == word else None
    return value.value if isinstance(value, ir.Lit) and isinstance(value.value, str) else None


def substituted(expr: ir.Expr, word: str, values: Mapping[str, ir.Expr]) -> ir.Expr:
    """A structured configuration with the values of its inputs; null for those that nothing sets, as in Heat."""
    if isinstance(expr, ir.Map) and (name := input_of(expr, word)) is not None:
        return values.get(name, ir.Lit(None, expr.span))
    if isinstance(expr, (ir.Map, ir.Seq)):
        return ir.rebuilt(expr, lambda one: substituted(one, word, values))
    return expr


def known_text(stack: Stack, expr: ir.Expr) -> str | None:
    """A text that is known before Terraform runs: a literal, or a file."""
    if isinstance(expr, ir.FileRef):
        try:
            return stack.root.read(expr.name).text()
        except Unreadable:
            return None
    return expr.value if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else None


def texts(stack: Stack, expr: ir.Expr) -> Iterator[str]:
    """The literal texts and files inside an expression."""
    for one in ir.walk(expr):
        if (text := known_text(stack, one)) is not None:
            yield text


def mentions(stack: Stack, body: ir.Expr, word: str) -> bool:
    """Whether a configuration uses a variable, as far as its text is known; True if nothing of it is."""
    found = list(texts(stack, body))
    return any(word in text for text in found) or not found
