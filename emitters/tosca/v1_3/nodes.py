"""Writes resources as node templates: properties, requirements, artifacts and policies.

Explicit and implicit dependencies are different requirements. A node has only one requirement for each target. The code
that writes a node also records the diagnostics and fates of its resource.
"""

from __future__ import annotations

from typing import Any

from emitters.tosca import hotjson
from emitters.tosca.model import NET, PORT, NodeModel, PlannedNode
from emitters.tosca.references import CONDITION, ValueOwner, file_artifact
from emitters.tosca.shapes import TEXT
from emitters.tosca.software import SoftwareOperations
from emitters.tosca.v1_3.functions import ValueTranslation
from transpile.model import ir
from transpile.model.records import replace
from transpile.report import ResourceReport, leaf_paths, make_fate


class NodeWriter:
    """The node templates of one template, and the policies and groups that come from its resources."""

    CONDITION = "requirements.condition"  # the place of a resource's condition in the output, for the report

    def __init__(self, model: NodeModel, functions: ValueTranslation, software: SoftwareOperations) -> None:
        self.model, self.functions, self.software = model, functions, software
        self.templates: dict[str, dict[str, Any]] = {}
        self.policies: dict[str, dict[str, Any]] = {}
        self.groups: dict[str, dict[str, Any]] = {}
        self.reports: dict[str, ResourceReport] = {}

    def flush_expression_nodes(self) -> None:
        """Adds the expression nodes that were created since the last call."""
        self.templates |= self.functions.lifted
        self.functions.lifted.clear()

    def write_conditions(self) -> None:
        """Adds the conditions, in the order of the template."""
        for name, condition in self.model.stack.template.conditions.items():
            node = self.model.conditions[name]
            metadata = {"hot.condition": name}
            self.templates[node] = self.functions.build_expression_node(node, condition.value, CONDITION, metadata)

    def write_resources(self) -> None:
        for node in self.model.nodes.values():
            report = self.begin_report(node)
            self.write_node(node, report)
            if node.member is not None:
                self.write_member_node(node, node.member, report)

    def begin_report(self, node: PlannedNode) -> ResourceReport:
        source = self.model.stack.template.source
        line, _ = source.line_and_column(max(node.resource.at, 0))
        report = self.reports[node.resource.name] = ResourceReport(node.resource.type, line)
        report.addresses = [node.name]
        report.reference = f"{{get_attribute: [{node.name}, id]}}"
        return report

    def write_node(self, node: PlannedNode, report: ResourceReport) -> None:
        """Writes one resource."""
        resource, owner = node.resource, ValueOwner(node.name, path="properties.")
        self.add_special_edges(node, owner)
        out: dict[str, Any] = {"type": node.type.name}
        if resource.description:
            out["description"] = resource.description
        if node.name != resource.name:
            out["metadata"] = {"hot.name": resource.name}
        properties = self.write_properties(node, owner)
        if resource.metadata is not None:
            properties["resource_metadata"] = self.write_metadata(resource.metadata, owner)
            self.record_key_fate(report, "metadata", node.name, "properties.resource_metadata")
        extra: dict[str, Any] = {}
        if resource.external_id is not None:
            value = self.functions.translate_value(resource.external_id, TEXT, owner, ("external_id",))
            owner.fates.pop("external_id", None)
            properties = {"external_id": value} | properties
            out["directives"] = ["select"]
            extra["attributes"] = {"id": value}
            extra["external_id"] = value
            self.record_key_fate(report, "external_id", node.name, "properties.external_id")
        self.write_deletion_policy(node, owner, report)
        self.write_update_policy(node, owner, report)
        if interfaces := self.software.write_interfaces(node, owner):
            extra["interfaces"] = interfaces
            out["type"] = node.type.name
        self.finish_node(node, out, owner, properties, extra)
        report.properties |= owner.fates
        for word in resource.keys:
            meaning = self.model.stack.template.version.dialect.resource.get(word, word)
            if meaning == "depends_on":
                report.keys[word] = make_fate("value", node.name, "requirements.dependency")
            elif meaning == "condition":
                report.keys[word] = make_fate("value", node.name, self.CONDITION)
            elif meaning == "description":
                report.keys[word] = make_fate("value", node.name, "description")

    def add_special_edges(self, node: PlannedNode, owner: ValueOwner) -> None:
        """Adds the edges that are not plain references."""
        resource, model = node.resource, self.model
        if node.member_of:
            return
        for name in resource.depends_on:
            if name.name in model.node_names:
                owner.edges[f"dependency {model.node_names[name.name]}"] = "dependency"
        if resource.is_conditional:
            owner.edges[f"condition {self.condition_node(resource.condition, node.name)}"] = "condition"
        if node.member is not None:
            owner.add_edge(node.member.name, "member")
        self.software.add_host_edge(node, owner)

    def condition_node(self, condition: ir.Expr, owner: str) -> str:
        """The name of the node for a resource's condition."""
        if isinstance(condition, ir.ConditionRef) and condition.name in self.model.conditions:
            return self.model.conditions[condition.name]
        name = self.model.names.reserve_tosca_name(f"{owner}_condition")
        node = self.functions.build_expression_node(name, condition, CONDITION, {"hot.condition": name})
        self.functions.lifted[name] = node
        return name

    def write_properties(self, node: PlannedNode, owner: ValueOwner) -> dict[str, Any]:
        real = node.type.aliased_type
        out: dict[str, Any] = {}
        for entry in node.properties:
            if entry.key == node.skipped:
                continue
            if real.kind == PORT and entry.key in ("network", "network_id"):
                self.link_port(entry.value, owner, real)
            out[entry.key] = self.functions.translate_value(entry.value, real.shapes[entry.key], owner, (entry.key,))
        return out

    def link_port(self, value: ir.Expr, owner: ValueOwner, real: Any) -> None:
        """Links a port to its network."""
        if isinstance(value, ir.ResourceRef) and value.name in self.model.nodes:
            network = self.model.nodes[value.name]
            if network.type.aliased_type.kind == NET:
                owner.add_edge(network.name, "link")
                real.links = True

    def write_metadata(self, value: ir.Expr, owner: ValueOwner) -> Any:
        if ir.is_plain_data(value):
            return hotjson.expression_json(value)
        return self.functions.lift_expression(value, replace(owner, fates={}), ("resource_metadata",))

    def finish_node(
        self,
        node: PlannedNode,
        out: dict[str, Any],
        owner: ValueOwner,
        properties: dict[str, Any],
        extra: dict[str, Any],
    ) -> None:
        if owner.artifacts:
            out["artifacts"] = {name: file_artifact(file) for name, file in owner.artifacts.items()}
        if properties:
            out["properties"] = properties
        if "attributes" in extra:
            out["attributes"] = extra.pop("attributes")
        if owner.edges:
            out["requirements"] = [{how: to.rpartition(" ")[2]} for to, how in order_edges(owner.edges)]
        external = extra.pop("external_id", None)
        out |= extra
        if external is not None and (node_filter := self.build_node_filter(external, owner)):
            out["node_filter"] = node_filter
        self.flush_expression_nodes()
        self.templates[node.name] = out

    def build_node_filter(self, external: Any, owner: ValueOwner) -> dict[str, Any]:
        """Returns the filter that selects an existing node.

        A node with requirements gets no filter, because puccini sometimes applies it to the targets of requirements.
        """
        return {} if owner.edges else {"properties": [{"external_id": {"equal": external}}]}

    def write_member_node(self, group: PlannedNode, member: PlannedNode, report: ResourceReport) -> None:
        """Writes the node for a group's member."""
        owner = ValueOwner(member.name, path="properties.")
        out: dict[str, Any] = {"type": member.type.name, "metadata": {"hot.member_of": group.name}}
        properties = self.write_properties(member, owner)
        if member.resource.metadata is not None:
            properties["resource_metadata"] = self.write_metadata(member.resource.metadata, owner)
            for path in leaf_paths(member.resource.metadata, f"{group.skipped}.metadata"):
                report.properties[path] = make_fate("value", member.name, "properties.resource_metadata")
        self.finish_node(member, out, owner, properties, {})
        report.addresses.append(member.name)
        report.properties[f"{group.skipped}.type"] = make_fate("value", member.name, "type")
        report.properties |= {f"{member.path}{path}": property_fate for path, property_fate in owner.fates.items()}
        if not member.properties and member.resource.has_properties:
            report.properties[f"{group.skipped}.properties"] = make_fate("value", member.name, "properties")
        self.groups[self.model.names.reserve_tosca_name(f"{group.name}_members")] = {
            "type": "hot.groups.Members",
            "members": [member.name],
        }

    # policies

    def record_key_fate(self, report: ResourceReport, meaning: str, to: str, argument: str) -> None:
        """Records the fate of a resource key, under the word that the template uses for it."""
        words = self.model.stack.template.version.dialect.resource
        word = next((w for w, m in words.items() if m == meaning), meaning)
        report.keys[word] = make_fate("value", to, argument)

    def write_deletion_policy(self, node: PlannedNode, owner: ValueOwner, report: ResourceReport) -> None:
        policy = node.resource.deletion_policy
        if policy is None:
            return
        name = self.model.names.reserve_tosca_name(f"{node.name}_deletion")
        aside = replace(owner, fates={}, is_node=False)
        value = self.functions.translate_value(policy, TEXT, aside, ("deletion_policy",))
        self.policies[name] = {"type": "hot.policies.Deletion", "properties": {"policy": value}, "targets": [node.name]}
        self.record_key_fate(report, "deletion_policy", name, "properties.policy")

    def write_update_policy(self, node: PlannedNode, owner: ValueOwner, report: ResourceReport) -> None:
        policy = node.resource.update_policy
        if policy is None:
            return
        name = self.model.names.reserve_tosca_name(f"{node.name}_update")
        aside = replace(owner, fates={}, is_node=False)
        shapes = self.model.update_shapes
        entries = policy.entries if isinstance(policy, ir.Map) else (ir.Entry("update_policy", policy),)
        values = {
            e.key: self.functions.translate_value(e.value, shapes[e.key], aside, ("update_policy", e.key))
            for e in entries
        }
        self.policies[name] = {"type": "hot.policies.Update", "properties": values, "targets": [node.name]}
        if not values:
            del self.policies[name]["properties"]
        self.record_key_fate(report, "update_policy", name, "properties")


def order_edges(edges: dict[str, str]) -> list[tuple[str, str]]:
    """The edges with explicit dependencies first."""
    first = [(to, how) for to, how in edges.items() if how == "dependency"]
    return first + [(to, how) for to, how in edges.items() if how != "dependency"]
