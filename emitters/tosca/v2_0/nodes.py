"""Node templates of TOSCA 2.0, with `count` for conditions and group sizes.

Conditions are written out where they are used, including the conditions that they refer to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from emitters.tosca import hotjson
from emitters.tosca.v1_3.nodes import Nodes
from emitters.tosca.v2_0.functions import Functions20, escaped
from emitters.tosca.v2_0.types import FILE
from transpile.model import heat_types, ir

if TYPE_CHECKING:
    from emitters.tosca.model import Node
    from emitters.tosca.references import Owner
    from transpile.report import ResourceReport

COUNTS = {
    heat_types.RESOURCE_GROUP: ("count",),
    heat_types.AUTO_SCALING_GROUP: ("desired_capacity", "min_size"),
}


class Nodes20(Nodes):
    """The node templates, with `count` for conditions and group sizes."""

    CONDITION = "count"
    functions: Functions20

    def conditions(self) -> None:
        """Adds nothing: conditions are written where they are used."""

    def before(self, node: Node, owner: Owner) -> None:
        for name in node.resource.depends_on if not node.member_of else ():
            if name.name in self.model.own:
                owner.edges[f"dependency {self.model.own[name.name]}"] = "dependency"
        if node.member is not None:
            owner.edge(node.member.name, "member")
        self.software.host(node, owner)

    def finish(
        self, node: Node, out: dict[str, Any], owner: Owner, properties: dict[str, Any], extra: dict[str, Any]
    ) -> None:
        if node.resource.condition is not None and not node.member_of:
            if isinstance(node.resource.condition, ir.ConditionRef):
                out.setdefault("metadata", {})["hot.condition"] = node.resource.condition.name
            found = self.functions.plain(node.resource.condition, owner)
            out["count"] = self.functions.own("hot_if", found, 1, 0)
        if node.member_of:
            group = next(n for n in self.model.nodes.values() if n.name == node.member_of)
            out["count"] = self.size(group, owner)
        if "interfaces" in extra:
            operations = {k: v for one in extra.pop("interfaces").values() for k, v in one["operations"].items()}
            extra["interfaces"] = {"Heat": {"operations": operations}}
        super().finish(node, out, owner, properties, extra)
        for one in self.templates[node.name].get("artifacts", {}).values():
            one["type"] = FILE

    def node_filter(self, external: Any, owner: Owner) -> dict[str, Any]:
        return {"$equal": [{"$get_property": ["SELF", "external_id"]}, external]}

    def size(self, group: Node, owner: Owner) -> Any:
        """The number of members in a group."""
        for key in COUNTS.get(group.type.real.kind, ()):
            for entry in group.properties:
                if entry.key == key:
                    found = self.functions.plain(entry.value, owner)
                    if not isinstance(found, str):
                        return found
                    return int(found) if found.isdecimal() else self.functions.own("hot_value", found)
        return 1

    def write_member(self, group: Node, member: Node, report: ResourceReport) -> None:
        if group.type.real.kind == heat_types.RESOURCE_GROUP:
            named = next((e.value for e in group.properties if e.key == "index_var"), None)
            self.functions.index = str(named.value) if isinstance(named, ir.Lit) else "%index%"
        super().write_member(group, member, report)
        self.functions.index = ""

    def metadata(self, value: ir.Expr, owner: Owner) -> Any:
        if ir.is_plain_data(value):
            return escaped(hotjson.text(value))
        return self.functions.own("hot_json", self.functions.plain(value, owner))
