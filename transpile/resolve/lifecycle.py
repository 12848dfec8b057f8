"""The lifecycle of software configuration: which script Heat runs on which action, on which servers, with which inputs.

Invariant: this is Heat's behaviour, independent of targets. A value that only a running stack has is marked as unknown
and never guessed. Values are expressions of the template.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from transpile.model import heat_types, ir
from transpile.model.attribute_paths import ReferenceMap, parse_attribute_path
from transpile.model.records import node
from transpile.resolve.stack import Stack

GROUPS = (
    heat_types.SOFTWARE_DEPLOYMENT_GROUP,
    heat_types.SOFTWARE_DEPLOYMENTS,
    heat_types.STRUCTURED_DEPLOYMENT_GROUP,
    heat_types.STRUCTURED_DEPLOYMENTS,
)
DEPLOYMENTS = (heat_types.SOFTWARE_DEPLOYMENT, heat_types.STRUCTURED_DEPLOYMENT, *GROUPS)
CONFIGS = (heat_types.SOFTWARE_CONFIG, heat_types.STRUCTURED_CONFIG)
CREATE, UPDATE = "CREATE", "UPDATE"
ACTIONS = (CREATE, UPDATE, "DELETE", "SUSPEND", "RESUME")  # those on which Heat runs deployments
USUAL = (CREATE, UPDATE)  # the actions if a template names none
EMPTY = (None, ir.NULL, ir.Lit(""), ir.Map(()), ir.Seq(()))
UNKNOWN_ACTIONS = "its actions are known only at run time"
UNKNOWN_CONFIGS = "its configurations are known only at run time"
UNKNOWN_COMPONENT = "the actions of its configurations are known only at run time"
REFUSED_COMPONENT = "two configurations of its component run on {action}, which Heat refuses"


@final
@node
class Input:
    """An input of a configuration.

    `type`: as declared, for example Number. `default`: the declared default, null if there is none. `override`: the
    value in `input_values`, if the deployment has one.
    """

    name: str
    type: str
    default: ir.Expr
    override: ir.Expr | None = None

    @property
    def value(self) -> ir.Expr:
        """The value that the script gets."""
        return self.default if self.override is None else self.override


@final
@node
class Operation:
    """The operation on one action. `tool`: the hook of Heat's agent, as written: `group` of a configuration, `tool` of
    a part of a component. `script`: the text, or the map of a structured configuration. `number`: which part of a
    component it is, from 0.
    """

    tool: ir.Expr | None
    script: ir.Expr | None
    number: int = 0


@final
@node
class Deployment:
    """A deployment and the configuration that it runs.

    `config`: the configuration; None if it is not in the template. `component`: whether that has a script for each
    action. `servers`: by the keys of a deployment group; {"server": …} for one server, empty if they are unknown.
    `operations`: by action, in the order of the template, without words that are no action of Heat's; those of a
    configuration outside the template have no script. `unknown`: why there are no operations: only Heat knows them,
    or Heat refuses them. `inputs_known`: whether `inputs` are all.
    """

    name: str
    config: ir.Resource | None
    component: bool
    servers: Mapping[str, ir.Expr]
    operations: Mapping[str, Operation]
    inputs: tuple[Input, ...]
    inputs_known: bool = True
    unknown: str = ""


def find_deployments(stack: Stack) -> dict[str, Deployment]:
    """The deployments of a stack, by the names of their resources."""
    resources = stack.template.resources
    return {name: read_deployment(stack, resources[name]) for name in resources if stack.types[name] in DEPLOYMENTS}


def read_deployment(stack: Stack, resource: ir.Resource) -> Deployment:
    """Reads a deployment: its operations by action, its servers and its inputs."""
    properties = resource.properties
    config, component = referenced_config(stack, properties), False
    operations: dict[str, Operation] = {}
    unknown, actions = "", literal_actions(properties.get("actions"))
    if config is not None and is_component(stack, config):  # Heat ignores `actions` of its deployments
        component = True
        unknown, operations = component_operations(config)
    elif actions is None:
        unknown = UNKNOWN_ACTIONS
    elif properties.get("config") not in EMPTY:
        settings = config.properties if config is not None else ir.NO_PROPERTIES
        operations = dict.fromkeys(actions, Operation(settings.get("group"), settings.get("config")))
    operations = {action: operation for action, operation in operations.items() if action in ACTIONS}
    inputs, inputs_known = merge_inputs(properties, config)
    servers = target_servers(stack, properties)
    return Deployment(resource.name, config, component, servers, operations, inputs, inputs_known, unknown)


def referenced_config(stack: Stack, properties: ir.Map) -> ir.Resource | None:
    """The configuration of a deployment, if it is a resource of the template."""
    reference = properties.get("config")
    config = stack.template.resources.get(reference.name) if isinstance(reference, ir.ResourceRef) else None
    return (
        config if config is not None and stack.types[config.name] in (*CONFIGS, heat_types.SOFTWARE_COMPONENT) else None
    )


def is_component(stack: Stack, config: ir.Resource) -> bool:
    """Whether a configuration has a script for each action."""
    return stack.types[config.name] == heat_types.SOFTWARE_COMPONENT


def literal_actions(written: ir.Expr | None) -> tuple[str, ...] | None:
    """The actions in a property; None if they are known only at run time."""
    if written is None or written == ir.NULL:
        return USUAL
    return (
        tuple(str(word) for word in ir.to_data(written))
        if isinstance(written, ir.Seq) and ir.is_plain_data(written)
        else None
    )


def component_operations(config: ir.Resource) -> tuple[str, dict[str, Operation]]:
    """Why there are no operations of a component, and the operations. Heat refuses two parts for one action."""
    parts = config.find_property("configs")
    operations: dict[str, Operation] = {}
    if not isinstance(parts, ir.Seq):
        return UNKNOWN_CONFIGS, {}
    for number, part in enumerate(parts.items):
        if not isinstance(part, ir.Map):
            return UNKNOWN_CONFIGS, {}
        actions = literal_actions(part.get("actions"))
        if actions is None:
            return UNKNOWN_COMPONENT, {}
        if taken := [action for action in actions if action in operations]:
            return REFUSED_COMPONENT.format(action=taken[0]), {}
        operations |= dict.fromkeys(actions, Operation(part.get("tool"), part.get("config"), number))
    return "", operations


def merge_inputs(properties: ir.Map, config: ir.Resource | None) -> tuple[tuple[Input, ...], bool]:
    """The declared inputs with the values of the deployment, and then those that are not declared; and whether these
    are all.
    """
    settings = config.properties if config is not None else ir.NO_PROPERTIES
    declared, overrides = settings.get("inputs"), properties.get("input_values")
    complete = declared in EMPTY or isinstance(declared, ir.Seq)
    complete = complete and (overrides in EMPTY or isinstance(overrides, ir.Map))
    inputs: dict[str, Input] = {}
    for item in declared.items if isinstance(declared, ir.Seq) else ():
        name = item.get("name") if isinstance(item, ir.Map) else None
        type_ = item.get("type") if isinstance(item, ir.Map) else None
        if not isinstance(item, ir.Map) or not isinstance(name, ir.Lit) or not isinstance(type_, ir.Lit | None):
            complete = False
            continue
        word = str(type_.value) if type_ is not None else "String"
        inputs[str(name.value)] = Input(str(name.value), word, item.get("default") or ir.NULL)
    for entry in overrides.entries if isinstance(overrides, ir.Map) else ():
        before = inputs.get(entry.key, Input(entry.key, "String", ir.NULL))
        inputs[entry.key] = Input(entry.key, before.type, before.default, entry.value)
    return tuple(inputs.values()), complete


def target_servers(stack: Stack, properties: ir.Map) -> dict[str, ir.Expr]:
    """The servers of a deployment, by their keys. `{get_attr: [group, refs_map]}` is one target: the whole group."""
    server, servers = properties.get("server"), properties.get("servers")
    if server is not None and server != ir.NULL:
        return {"server": server}
    if (
        isinstance(servers, ir.AttrRef)
        and parse_attribute_path(stack.types.get(servers.name, ""), servers.path) == ReferenceMap()
    ):
        return {"servers": ir.ResourceRef(servers.name, span=servers.span)}
    return {entry.key: entry.value for entry in servers.entries} if isinstance(servers, ir.Map) else {}
