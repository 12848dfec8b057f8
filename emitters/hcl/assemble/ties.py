"""Says which property of a resource keeps it with Heat: the one with the value, or one that refers to a resource that
stays.

A resource that stays only with others has a tie to one of them: a reference in either direction, `depends_on`, or
resources that only pass values on.
"""

from __future__ import annotations

from collections.abc import Mapping

from emitters.hcl.plan.planner import ConversionPlan
from transpile.model import ir
from transpile.model.offsets import find_path_to

TYPE, OTHER = "type", "depends_on"


def find_property(resource: ir.Resource, at: int) -> str:
    """The path of the property whose value contains an offset: `rules.0.port_range_min`; "type" if none does."""
    path = find_path_to(resource.properties, at)
    return ".".join(path) or TYPE


def describe_tie(plan: ConversionPlan, name: str, others: Mapping[str, int]) -> str:
    """The tie of a resource to the first tied resource among `others`: `handle in its user_data` if it refers to that
    resource, `server of deployment` if that one refers to it; "" if the tie leads through further resources.
    `others`: resources with their order.
    """
    resources = plan.template.resources
    tied = [other for other in plan.neighbours.get(name, ()) if other in others and other != name]
    if not tied:
        return ""
    other = min(tied, key=others.__getitem__)
    if (word := find_reference(resources[name], other)) is not None:
        return f"{other} in its {word}"
    return f"{find_reference(resources[other], name)} of {other}"


def find_reference(resource: ir.Resource, target: str) -> str | None:
    """The property of a resource that refers to another one, or `depends_on`; None if nothing does."""
    for ref in resource.refs:
        if isinstance(ref, (ir.ResourceRef, ir.AttrRef)) and ref.name == target:
            return find_property(resource, ref.span.at).partition(".")[0].replace(TYPE, "metadata")
    return OTHER if any(dependency.name == target for dependency in resource.depends_on) else None
