"""Writes node templates of TOSCA 2.0, with `count` for conditions and group sizes.

Conditions are written out where they are used, including the conditions that they refer to.
"""

from __future__ import annotations

from typing import Any

from emitters.tosca import hotjson
from emitters.tosca.model import PlannedNode
from emitters.tosca.references import ValueOwner
from emitters.tosca.v1_3.nodes import NodeWriter
from emitters.tosca.v2_0.functions import ValueTranslation20, escape_dollar
from emitters.tosca.v2_0.types import FILE
from transpile.model import heat_types, ir
from transpile.report import ResourceReport

COUNTS = {
    heat_types.RESOURCE_GROUP: ("count",),
    heat_types.AUTO_SCALING_GROUP: ("desired_capacity", "min_size"),
}


class NodeWriter20(NodeWriter):
    """The node templates, with `count` for conditions and group sizes."""

    CONDITION = "count"
    functions: ValueTranslation20

    def write_conditions(self) -> None:
        """Adds nothing: conditions are written where they are used."""

    def add_special_edges(self, node: PlannedNode, owner: ValueOwner) -> None:
        for name in node.resource.depends_on if not node.member_of else ():
            if name.name in self.model.node_names:
                owner.edges[f"dependency {self.model.node_names[name.name]}"] = "dependency"
        if node.member is not None:
            owner.add_edge(node.member.name, "member")
        self.software.add_host_edge(node, owner)

    def finish_node(
        self,
        node: PlannedNode,
        out: dict[str, Any],
        owner: ValueOwner,
        properties: dict[str, Any],
        extra: dict[str, Any],
    ) -> None:
        if node.resource.is_conditional and not node.member_of:
            if isinstance(node.resource.condition, ir.ConditionRef):
                out.setdefault("metadata", {})["hot.condition"] = node.resource.condition.name
            condition = self.functions.translate_argument(node.resource.condition, owner)
            out["count"] = self.functions.call_declared_function("hot_if", condition, 1, 0)
        if node.member_of:
            group = next(n for n in self.model.nodes.values() if n.name == node.member_of)
            out["count"] = self.member_count(group, owner)
        if "interfaces" in extra:
            operations = {
                k: v for interface in extra.pop("interfaces").values() for k, v in interface["operations"].items()
            }
            extra["interfaces"] = {"Heat": {"operations": operations}}
        super().finish_node(node, out, owner, properties, extra)
        for artifact in self.templates[node.name].get("artifacts", {}).values():
            artifact["type"] = FILE

    def build_node_filter(self, external: Any, owner: ValueOwner) -> dict[str, Any]:
        return {"$equal": [{"$get_property": ["SELF", "external_id"]}, external]}

    def member_count(self, group: PlannedNode, owner: ValueOwner) -> Any:
        """The number of members in a group."""
        for key in COUNTS.get(group.type.aliased_type.kind, ()):
            for entry in group.properties:
                if entry.key == key:
                    count = self.functions.translate_argument(entry.value, owner)
                    if not isinstance(count, str):
                        return count
                    return (
                        int(count) if count.isdecimal() else self.functions.call_declared_function("hot_value", count)
                    )
        return 1

    def write_member_node(self, group: PlannedNode, member: PlannedNode, report: ResourceReport) -> None:
        if group.type.aliased_type.kind == heat_types.RESOURCE_GROUP:
            index_variable = next((e.value for e in group.properties if e.key == "index_var"), None)
            self.functions.index = str(index_variable.value) if isinstance(index_variable, ir.Lit) else "%index%"
        super().write_member_node(group, member, report)
        self.functions.index = ""

    def write_metadata(self, value: ir.Expr, owner: ValueOwner) -> Any:
        if ir.is_plain_data(value):
            return escape_dollar(hotjson.expression_json(value))
        return self.functions.call_declared_function("hot_json", self.functions.translate_argument(value, owner))
