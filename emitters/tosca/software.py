"""Translates software deployments to lifecycle operations, with the script of a configuration, its host and its inputs.

CREATE and DELETE are operations of the Standard interface. The other actions are in a separate interface. `start` and
`stop` are never used, because orchestrators run them for every deployment. A configuration that is not literal has no
operation, and a diagnostic names it. A group of deployments has the operations of one, for each server.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

from emitters.tosca import names
from emitters.tosca.model import SERVER, NodeModel, NodeType, PlannedNode
from emitters.tosca.references import CannotBeNative, ValueOwner
from emitters.tosca.shapes import TEXT
from emitters.tosca.v1_3.functions import ValueTranslation
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.resolve import lifecycle
from transpile.resolve.lifecycle import Deployment, Input, Operation

GROUPS = (heat_types.SOFTWARE_DEPLOYMENT_GROUP, heat_types.SOFTWARE_DEPLOYMENTS)
OPERATIONS = {
    "CREATE": ("Standard", "create"),
    "DELETE": ("Standard", "delete"),
    "UPDATE": ("Heat", "update"),
    "SUSPEND": ("Heat", "suspend"),
    "RESUME": ("Heat", "resume"),
}
INTERFACES = {
    "Standard": "tosca.interfaces.node.lifecycle.Standard",
    "Heat": "openstack.interfaces.heat.Lifecycle",
}


@final
class SoftwareOperations:
    """The software deployments of one template.

    `make` adds a text to the archive and returns the path of its file: `make("deploy.sh", text)`.
    """

    def __init__(self, model: NodeModel, functions: ValueTranslation, make: Callable[[str, str], str]) -> None:
        self.model, self.functions, self.make = model, functions, make
        self.kinds: dict[str, NodeType] = {}
        self.scripts: dict[tuple[str, int], str | None] = {}
        self.diagnostics: list[Diagnostic] = []  # about scripts that no operation runs
        deployments = [n for n in model.nodes.values() if n.type.aliased_type.kind == heat_types.SOFTWARE_DEPLOYMENT]
        self.hosts = {n.name: host for n in deployments if (host := self.host_server(n)) is not None}
        for node in deployments:
            real = node.type.aliased_type
            real.hosted = len(self.hosts) == real.nodes  # all nodes of one type must have a host, or none

    def host_server(self, node: PlannedNode) -> str | None:
        """The name of the node that hosts a deployment."""
        ref = lifecycle.target_servers(self.model.stack, node.resource.properties).get("server")
        if isinstance(ref, ir.ResourceRef) and ref.name in self.model.nodes:
            server = self.model.nodes[ref.name]
            if server.type.aliased_type.kind == SERVER:
                return server.name
        return None

    def add_host_edge(self, node: PlannedNode, owner: ValueOwner) -> None:
        if (
            node.type.aliased_type.hosted
            and node.type.aliased_type.kind == heat_types.SOFTWARE_DEPLOYMENT
            and not node.member_of
        ):
            owner.add_edge(self.hosts[node.name], "host")

    def write_interfaces(self, node: PlannedNode, owner: ValueOwner) -> dict[str, Any]:
        """Writes the operations of a deployment. Also gives the node the type for its configuration."""
        if node.type.aliased_type.kind not in lifecycle.DEPLOYMENTS or node.member_of:
            return {}
        deployment = lifecycle.read_deployment(self.model.stack, node.resource)
        interfaces = self.write_operations(node, owner, deployment)
        if not interfaces:
            message = f"The configuration of {node.resource.name} is not a file, so no operation runs it."
            if deployment.unknown:
                message = f"No operation runs the configuration of {node.resource.name}: {deployment.unknown}."
            elif not deployment.operations.keys() & OPERATIONS.keys():
                message = (
                    f"No operation runs the configuration of {node.resource.name}: it runs on no action of Heat's."
                )
            self.report_idle(message, node.resource.name_span)
        return interfaces

    def report_idle(self, message: str, where: Span) -> None:
        """Reports a script that no operation runs."""
        source = self.model.stack.template.source
        self.diagnostics.append(Diagnostic(codes.DEPLOYMENT_WITHOUT_OPERATION, message, source, where))

    def write_operations(self, node: PlannedNode, owner: ValueOwner, deployment: Deployment) -> dict[str, Any]:
        if (
            deployment.config is None
            or node.type.aliased_type.kind not in (heat_types.SOFTWARE_DEPLOYMENT, *GROUPS)
            or deployment.config.kind not in (heat_types.SOFTWARE_CONFIG, heat_types.SOFTWARE_COMPONENT)
        ):
            return {}
        config = self.model.nodes[deployment.config.name]
        scripts = {
            action: self.script_path(deployment, operation) for action, operation in deployment.operations.items()
        }
        run = {action: script for action, script in scripts.items() if script is not None and action in OPERATIONS}
        if not run:
            return {}
        for action, operation in deployment.operations.items():
            if action in OPERATIONS and action not in run and operation.script not in lifecycle.EMPTY:
                message = f"The script of {deployment.config.name} for {action} is not a file, so no operation runs it."
                assert operation.script is not None
                self.report_idle(message, operation.script.span)
        self.set_deployment_type(node, config, deployment.inputs)
        node.type.actions |= dict.fromkeys(a for a in OPERATIONS if a in run)
        inputs = {}
        overrides = [(item.name, item.override) for item in deployment.inputs if item.override is not None]
        for name, override in sorted(overrides, key=lambda pair: pair[1].at):  # in the order of the template
            value = self.functions.translate_value(override, TEXT, replace(owner, fates={}), ("input_values", name))
            if value is not None:
                inputs[name] = value
        out: dict[str, Any] = {}
        for action, script in run.items():
            interface, word = OPERATIONS[action]
            call: dict[str, Any] = {"implementation": script}
            if inputs:
                call["inputs"] = inputs
            out.setdefault(interface, {"operations": {}})["operations"][word] = call
        return {name: out[name] for name in INTERFACES if name in out}

    def script_path(self, deployment: Deployment, operation: Operation) -> str | None:
        """The path of the file with the script of an operation; None if the script is computed."""
        assert deployment.config is not None
        name = deployment.config.name
        key = (name, operation.number)
        if key not in self.scripts:
            self.scripts[key] = self.store_script(
                operation.script, f"{name}_{key[1]}" if deployment.component else name
            )
        return self.scripts[key]

    def store_script(self, expr: ir.Expr | None, name: str) -> str | None:
        if isinstance(expr, ir.FileRef):
            try:
                return self.functions.add_readable_file(expr)
            except CannotBeNative:
                return None
        if isinstance(expr, ir.Lit) and isinstance(expr.value, str) and expr.value:
            return self.make(f"software/{names.name_part(name)}", expr.value)
        return None

    def set_deployment_type(self, node: PlannedNode, config: PlannedNode, declared: Sequence[Input]) -> None:
        """Sets the deployment's type, whose operations take the inputs of the configuration."""
        base = node.type
        key = f"{base.name} {config.name}"
        if key not in self.kinds:
            name = self.model.type_names.reserve_tosca_name(f"{base.name}.{names.name_part(config.name)}")
            deployment_type = self.kinds[key] = NodeType(
                name, base.aliased_type.kind, base.hot_type, base.name, alias_of=base.aliased_type
            )
            self.model.types[base.aliased_type.kind, key] = deployment_type
        node.type = self.kinds[key]
        inputs = node.type.inputs
        for item in declared:
            definition: dict[str, Any] = {"type": "string", "required": False}
            if isinstance(item.default, ir.Lit) and isinstance(item.default.value, str) and item.default.value:
                definition["default"] = item.default.value
            inputs.setdefault(item.name, definition)
        base.aliased_type.operated = True


def declare_interfaces(node_type: NodeType) -> dict[str, Any]:
    """The interfaces of a deployment type."""
    out: dict[str, Any] = {}
    for action in node_type.actions:
        interface, operation = OPERATIONS[action]
        body = {"inputs": node_type.inputs} if node_type.inputs else {}
        out.setdefault(interface, {"type": INTERFACES[interface], "operations": {}})["operations"][operation] = body
    return {name: out[name] for name in INTERFACES if name in out}
