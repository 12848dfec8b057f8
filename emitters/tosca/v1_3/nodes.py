"""Resources as node templates: properties, requirements, artifacts and policies.

Explicit and implicit dependencies are different requirements, with each target once. A resource's diagnostics and fates
are recorded where its node is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.tosca import hotjson
from emitters.tosca.model import NET, PORT, Node
from emitters.tosca.references import CONDITION, Owner, artifact
from emitters.tosca.shapes import TEXT
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.report import ResourceReport, leaf_paths, make_fate

if TYPE_CHECKING:
    from emitters.tosca.model import Model
    from emitters.tosca.software import Software
    from emitters.tosca.v1_3.functions import Functions


class Nodes:
    """The node templates of one template, and the policies and groups that come from its resources."""

    CONDITION = "requirements.condition"  # where the report says that a resource's condition went

    def __init__(self, model: Model, functions: Functions, software: Software) -> None:
        self.model, self.functions, self.software = model, functions, software
        self.templates: dict[str, dict[str, Any]] = {}
        self.policies: dict[str, dict[str, Any]] = {}
        self.groups: dict[str, dict[str, Any]] = {}
        self.reports: dict[str, ResourceReport] = {}

    def flush(self) -> None:
        """Adds the expression nodes that were created since the last call."""
        self.templates |= self.functions.lifted
        self.functions.lifted.clear()

    def conditions(self) -> None:
        """Adds the conditions, in the order of the template."""
        for name, condition in self.model.stack.template.conditions.items():
            node = self.model.conditions[name]
            metadata = {"hot.condition": name}
            self.templates[node] = self.functions.expression_node(node, condition.value, CONDITION, metadata)

    def resources(self) -> None:
        for node in self.model.nodes.values():
            report = self.begin(node)
            self.write(node, report)
            if node.member is not None:
                self.write_member(node, node.member, report)

    def begin(self, node: Node) -> ResourceReport:
        source = self.model.stack.template.source
        line, _ = source.line_and_column(max(node.resource.at, 0))
        report = self.reports[node.resource.name] = ResourceReport(node.resource.type, line)
        report.addresses = [node.name]
        report.reference = f"{{get_attribute: [{node.name}, id]}}"
        return report

    def write(self, node: Node, report: ResourceReport) -> None:
        """Writes one resource."""
        resource, owner = node.resource, Owner(node.name, path="properties.")
        self.before(node, owner)
        out: dict[str, Any] = {"type": node.type.name}
        if resource.description:
            out["description"] = resource.description
        if node.name != resource.name:
            out["metadata"] = {"hot.name": resource.name}
        properties = self.properties(node, owner)
        if resource.metadata is not None:
            properties["resource_metadata"] = self.metadata(resource.metadata, owner)
            self.key(report, "metadata", node.name, "properties.resource_metadata")
        extra: dict[str, Any] = {}
        if resource.external_id is not None:
            value = self.functions.value(resource.external_id, TEXT, owner, ("external_id",))
            owner.fates.pop("external_id", None)
            properties = {"external_id": value} | properties
            out["directives"] = ["select"]
            extra["attributes"] = {"id": value}
            extra["external_id"] = value
            self.key(report, "external_id", node.name, "properties.external_id")
        self.deletion(node, owner, report)
        self.update(node, owner, report)
        if node.type.real.kind == heat_types.SOFTWARE_DEPLOYMENT and (found := self.software.interfaces(node, owner)):
            extra["interfaces"] = found
            out["type"] = node.type.name
        self.finish(node, out, owner, properties, extra)
        report.properties |= owner.fates
        for word in resource.keys:
            meaning = self.model.stack.template.version.dialect.resource.get(word, word)
            if meaning == "depends_on":
                report.keys[word] = make_fate("value", node.name, "requirements.dependency")
            elif meaning == "condition":
                report.keys[word] = make_fate("value", node.name, self.CONDITION)
            elif meaning == "description":
                report.keys[word] = make_fate("value", node.name, "description")

    def before(self, node: Node, owner: Owner) -> None:
        """Adds the edges that are not plain references."""
        resource, model = node.resource, self.model
        if node.member_of:
            return
        for name in resource.depends_on:
            if name.name in model.own:
                owner.edges[f"dependency {model.own[name.name]}"] = "dependency"
        if resource.condition is not None:
            owner.edges[f"condition {self.condition(resource.condition, node.name)}"] = "condition"
        if node.member is not None:
            owner.edge(node.member.name, "member")
        self.software.host(node, owner)

    def condition(self, condition: ir.Expr, owner: str) -> str:
        """The name of the node for a resource's condition."""
        if isinstance(condition, ir.ConditionRef) and condition.name in self.model.conditions:
            return self.model.conditions[condition.name]
        wanted = self.model.names.take(f"{owner}_condition")
        node = self.functions.expression_node(wanted, condition, CONDITION, {"hot.condition": wanted})
        self.functions.lifted[wanted] = node
        return wanted

    def properties(self, node: Node, owner: Owner) -> dict[str, Any]:
        real = node.type.real
        out: dict[str, Any] = {}
        for entry in node.properties:
            if entry.key == node.skipped:
                continue
            if real.kind == PORT and entry.key in ("network", "network_id"):
                self.link(entry.value, owner, real)
            out[entry.key] = self.functions.value(entry.value, real.shapes[entry.key], owner, (entry.key,))
        return out

    def link(self, value: ir.Expr, owner: Owner, real: Any) -> None:
        """Links a port to its network."""
        if isinstance(value, ir.ResourceRef) and value.name in self.model.nodes:
            network = self.model.nodes[value.name]
            if network.type.real.kind == NET:
                owner.edge(network.name, "link")
                real.links = True

    def metadata(self, value: ir.Expr, owner: Owner) -> Any:
        if ir.is_plain_data(value):
            return hotjson.text(value)
        return self.functions.lift(value, replace(owner, fates={}), ("resource_metadata",))

    def finish(
        self, node: Node, out: dict[str, Any], owner: Owner, properties: dict[str, Any], extra: dict[str, Any]
    ) -> None:
        if owner.artifacts:
            out["artifacts"] = {name: artifact(file) for name, file in owner.artifacts.items()}
        if properties:
            out["properties"] = properties
        if "attributes" in extra:
            out["attributes"] = extra.pop("attributes")
        if owner.edges:
            out["requirements"] = [{how: to.rpartition(" ")[2]} for to, how in ordered(owner.edges)]
        external = extra.pop("external_id", None)
        out |= extra
        if external is not None and (found := self.node_filter(external, owner)):
            out["node_filter"] = found
        self.flush()
        self.templates[node.name] = out

    def node_filter(self, external: Any, owner: Owner) -> dict[str, Any]:
        """The filter that selects an existing node. There is none if the node has requirements, because puccini would
        sometimes apply the filter to the target nodes of those.
        """
        return {} if owner.edges else {"properties": [{"external_id": {"equal": external}}]}

    def write_member(self, group: Node, member: Node, report: ResourceReport) -> None:
        """Writes the node for a group's member."""
        owner = Owner(member.name, path="properties.")
        out: dict[str, Any] = {"type": member.type.name, "metadata": {"hot.member_of": group.name}}
        properties = self.properties(member, owner)
        if member.resource.metadata is not None:
            properties["resource_metadata"] = self.metadata(member.resource.metadata, owner)
            for path in leaf_paths(member.resource.metadata, f"{group.skipped}.metadata"):
                report.properties[path] = make_fate("value", member.name, "properties.resource_metadata")
        self.finish(member, out, owner, properties, {})
        report.addresses.append(member.name)
        report.properties[f"{group.skipped}.type"] = make_fate("value", member.name, "type")
        report.properties |= {f"{member.path}{path}": found for path, found in owner.fates.items()}
        if not member.properties and member.resource.properties is not None:
            report.properties[f"{group.skipped}.properties"] = make_fate("value", member.name, "properties")
        self.groups[self.model.names.take(f"{group.name}_members")] = {
            "type": "hot.groups.Members",
            "members": [member.name],
        }

    # policies

    def key(self, report: ResourceReport, meaning: str, to: str, argument: str) -> None:
        """Records the fate of a resource key, under the word that the template uses for it."""
        words = self.model.stack.template.version.dialect.resource
        word = next((w for w, m in words.items() if m == meaning), meaning)
        report.keys[word] = make_fate("value", to, argument)

    def deletion(self, node: Node, owner: Owner, report: ResourceReport) -> None:
        policy = node.resource.deletion_policy
        if policy is None:
            return
        name = self.model.names.take(f"{node.name}_deletion")
        aside = replace(owner, fates={}, is_node=False)
        value = self.functions.value(policy, TEXT, aside, ("deletion_policy",))
        self.policies[name] = {"type": "hot.policies.Deletion", "properties": {"policy": value}, "targets": [node.name]}
        self.key(report, "deletion_policy", name, "properties.policy")

    def update(self, node: Node, owner: Owner, report: ResourceReport) -> None:
        policy = node.resource.update_policy
        if policy is None:
            return
        name = self.model.names.take(f"{node.name}_update")
        aside = replace(owner, fates={}, is_node=False)
        shapes = self.model.update_shapes
        entries = policy.entries if isinstance(policy, ir.Map) else (ir.Entry("update_policy", policy),)
        values = {e.key: self.functions.value(e.value, shapes[e.key], aside, ("update_policy", e.key)) for e in entries}
        self.policies[name] = {"type": "hot.policies.Update", "properties": values, "targets": [node.name]}
        if not values:
            del self.policies[name]["properties"]
        self.key(report, "update_policy", name, "properties")


def ordered(edges: dict[str, str]) -> list[tuple[str, str]]:
    """The edges with explicit dependencies first."""
    first = [(to, how) for to, how in edges.items() if how == "dependency"]
    return first + [(to, how) for to, how in edges.items() if how != "dependency"]
