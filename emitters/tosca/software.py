"""Software deployments as lifecycle operations: the script of a configuration, its host and its inputs.

CREATE and DELETE are operations of the Standard interface. The other actions are in a separate interface. `start` and
`stop` are never used, because orchestrators run them for every deployment. A configuration that is not literal has no
operation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from emitters.tosca import names
from emitters.tosca.model import DEPLOYMENT, SERVER, NodeType
from emitters.tosca.references import CannotBeNative
from emitters.tosca.shapes import TEXT
from transpile.model import ir
from transpile.model.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from emitters.tosca.model import Model, Node
    from emitters.tosca.references import Owner
    from emitters.tosca.v1_3.functions import Functions

CONFIG, COMPONENT = "OS::Heat::SoftwareConfig", "OS::Heat::SoftwareComponent"
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
USUAL = ("CREATE", "UPDATE")


@final
class Software:
    """The deployments of one template. `make` puts text into a file of the archive and returns its path."""

    def __init__(self, model: Model, functions: Functions, make: Callable[[str, str], str]) -> None:
        self.model, self.functions, self.make = model, functions, make
        self.kinds: dict[str, NodeType] = {}
        self.scripts: dict[str, dict[str, str]] = {}
        self.idle: list[Node] = []  # deployments without operations
        deployments = [n for n in model.nodes.values() if n.type.real.kind == DEPLOYMENT]
        self.hosts = {n.name: host for n in deployments if (host := self.server(n)) is not None}
        for node in deployments:
            real = node.type.real
            real.hosted = len(self.hosts) == real.nodes  # all nodes of one type must have a host, or none

    def server(self, node: Node) -> str | None:
        """The name of the node that hosts a deployment."""
        ref = given(node.resource, "server")
        if isinstance(ref, ir.ResourceRef) and ref.name in self.model.nodes:
            found = self.model.nodes[ref.name]
            if found.type.real.kind == SERVER:
                return found.name
        return None

    def host(self, node: Node, owner: Owner) -> None:
        if node.type.real.hosted and node.type.real.kind == DEPLOYMENT and not node.member_of:
            owner.edge(self.hosts[node.name], "host")

    def interfaces(self, node: Node, owner: Owner) -> dict[str, Any]:
        """The operations of a deployment. Also gives the node the type for its configuration."""
        found = self.operations(node, owner)
        if not found:
            self.idle.append(node)
        return found

    def operations(self, node: Node, owner: Owner) -> dict[str, Any]:
        ref = given(node.resource, "config")
        if not isinstance(ref, ir.ResourceRef) or ref.name not in self.model.nodes:
            return {}
        config = self.model.nodes[ref.name]
        if config.type.real.kind not in (CONFIG, COMPONENT):
            return {}
        scripts = self.of_config(config)
        actions = texts(given(node.resource, "actions"))
        wanted = actions or (tuple(scripts) if config.type.real.kind == COMPONENT else USUAL)
        run = {a: scripts[a] for a in wanted if a in scripts and a in OPERATIONS}
        if not run:
            return {}
        declared = self.inputs_of(config)
        values = given(node.resource, "input_values")
        given_values = values.entries if isinstance(values, ir.Map) else ()
        known = dict.fromkeys([*declared, *(e.key for e in given_values)])
        self.kind(node, config, known, declared)
        node.type.actions |= dict.fromkeys(a for a in OPERATIONS if a in run)
        inputs = {}
        for entry in given_values:
            found = self.functions.value(entry.value, TEXT, aside(owner), ("input_values", entry.key))
            if found is not None:
                inputs[entry.key] = found
        out: dict[str, Any] = {}
        for action, script in run.items():
            interface, operation = OPERATIONS[action]
            call: dict[str, Any] = {"implementation": script}
            if inputs:
                call["inputs"] = inputs
            out.setdefault(interface, {"operations": {}})["operations"][operation] = call
        return {name: out[name] for name in INTERFACES if name in out}

    def of_config(self, config: Node) -> dict[str, str]:
        """The script file that a configuration runs, by action."""
        if config.name in self.scripts:
            return self.scripts[config.name]
        out: dict[str, str] = {}
        if config.type.real.kind == CONFIG:
            if (file := self.file(given(config.resource, "config"), config.name)) is not None:
                out = dict.fromkeys(OPERATIONS, file)
        else:
            listed = given(config.resource, "configs")
            for i, one in enumerate(listed.items if isinstance(listed, ir.Seq) else ()):
                if isinstance(one, ir.Map) and (file := self.file(one.get("config"), f"{config.name}_{i}")) is not None:
                    for action in texts(one.get("actions")) or USUAL:
                        out.setdefault(action, file)
        self.scripts[config.name] = out
        return out

    def file(self, expr: ir.Expr | None, name: str) -> str | None:
        if isinstance(expr, ir.FileRef):
            try:
                return self.functions.readable(expr)
            except CannotBeNative:
                return None
        if isinstance(expr, ir.Lit) and isinstance(expr.value, str) and expr.value:
            return self.make(f"software/{names.part(name)}", expr.value)
        return None

    def inputs_of(self, config: Node) -> dict[str, Any]:
        """The inputs that a configuration declares, with their defaults."""
        listed = given(config.resource, "inputs")
        out: dict[str, Any] = {}
        for one in listed.items if isinstance(listed, ir.Seq) else ():
            name = one.get("name") if isinstance(one, ir.Map) else None
            if isinstance(one, ir.Map) and isinstance(name, ir.Lit) and isinstance(name.value, str):
                default = one.get("default")
                out[name.value] = default.value if isinstance(default, ir.Lit) else None
        return out

    def kind(self, node: Node, config: Node, known: Mapping[str, None], declared: Mapping[str, Any]) -> None:
        """Sets the deployment's type, whose operations take the inputs of the configuration."""
        base = node.type
        key = f"{base.name} {config.name}"
        if key not in self.kinds:
            name = self.model.type_names.take(f"{base.name}.{names.part(config.name)}")
            made = self.kinds[key] = NodeType(name, DEPLOYMENT, base.hot_type, base.name, alias_of=base.real)
            self.model.types[DEPLOYMENT, key] = made
        node.type = self.kinds[key]
        inputs = node.type.inputs
        for one in known:
            definition: dict[str, Any] = {"type": "string", "required": False}
            if isinstance(declared.get(one), str) and declared[one]:
                definition["default"] = declared[one]
            inputs.setdefault(one, definition)
        base.real.operated = True


def interfaces_of(one: NodeType) -> dict[str, Any]:
    """The interfaces of a deployment type."""
    out: dict[str, Any] = {}
    for action in one.actions:
        interface, operation = OPERATIONS[action]
        body = {"inputs": one.inputs} if one.inputs else {}
        out.setdefault(interface, {"type": INTERFACES[interface], "operations": {}})["operations"][operation] = body
    return {name: out[name] for name in INTERFACES if name in out}


def given(resource: ir.Resource, name: str) -> ir.Expr | None:
    return None if resource.properties is None else resource.properties.get(name)


def texts(expr: ir.Expr | None) -> tuple[str, ...]:
    """The strings in a literal list."""
    if not isinstance(expr, ir.Seq):
        return ()
    return tuple(i.value for i in expr.items if isinstance(i, ir.Lit) and isinstance(i.value, str))


def aside(owner: Owner) -> Owner:
    """The same owner with separate fates, because its fates are recorded elsewhere."""
    return replace(owner, fates={})
