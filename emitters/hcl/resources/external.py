"""Converts existing resources (`external_id`).

Invariant: an existing resource is only read. It becomes a data source if one searches by ID, and otherwise a local with
the ID; resources that need more than the ID then stay with Heat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.namespace import snake
from emitters.hcl.resources.keys import keys_of
from emitters.hcl.tree.nodes import Attr, Block, Expr, Index, Name, one_if
from emitters.hcl.tree.printer import flat
from emitters.hcl.tree.types import STRING, Value
from transpile.report import attribute_path, fate

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.tables.mapping import Lookup
    from transpile.model import ir


def lookup_of(emission: Emission, resource: ir.Resource) -> Lookup | None:
    kind = emission.unit.stack.types[resource.name]
    return next(
        (found for found in emission.unit.tables.lookups.values() if kind in found.of and found.id is not None), None
    )


@final
class External:
    """The handle of an existing resource: a data source, or only its ID."""

    def __init__(self, emission: Emission, resource: ir.Resource, base: Expr, lookup: Lookup | None) -> None:
        self.emission, self.resource, self.base, self.lookup = emission, resource, base, lookup

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        found = Attr(self.base, "id") if self.lookup is not None else self.base
        self.emission.log.resource_report(self.resource).reference = flat(found)
        return Value(found, STRING)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        kind = self.emission.unit.plan.kinds[self.resource.name]
        word = attribute_path(ref.path)
        row = (kind.attributes or {}).get(word) if kind is not None else None
        if self.lookup is None or row is None or not row.to:
            raise CannotSay(
                "HOT550",
                f"Terraform does not read the attribute {word} of {self.resource.name}",
                ref.at,
                ref.end,
                self.resource.name,
            )
        found = Attr(self.base, row.to)
        self.emission.log.resource_report(self.resource).attributes[word] = flat(found)
        return Value(found, row.type)


def prepare_external(emission: Emission, resource: ir.Resource) -> External:
    lookup = lookup_of(emission, resource)
    if lookup is None:
        label = emission.names.locals.take(f"{snake(resource.name)}_id")
        return External(emission, resource, Name(("local", label)), None)
    address = emission.names.data_source(lookup.data, snake(resource.name))
    name = Name(("data", *address))
    return External(emission, resource, Index(name, 0) if emission.unit.counted(resource) else name, lookup)


def write_external(emission: Emission, resource: ir.Resource) -> None:
    """Writes the data source or the local for an existing resource. Like Heat, it ignores properties."""
    handle = emission.handles[resource.name]
    assert isinstance(handle, External)
    assert resource.external_id is not None
    report = emission.log.resource_report(resource)
    value = emission.lowering.owned(snake(resource.name), resource=resource.name).expr(resource.external_id, STRING)
    if handle.lookup is not None and handle.lookup.id is not None:
        base = handle.base.of if isinstance(handle.base, Index) else handle.base
        assert isinstance(base, Name)
        block = Block("data", base.parts[1:], at=resource.at, end=resource.end)
        if emission.unit.counted(resource) and resource.condition is not None:
            block.set("count", one_if(emission.lowering.condition(resource.condition)))
        block.set(handle.lookup.id, value)
        emission.blocks.data.append(block)
        report.treatment, report.addresses = "data", [".".join(base.parts)]
        blocks = [block]
    else:
        assert isinstance(handle.base, Name)
        emission.blocks.add_local(handle.base.parts[1], value, resource.at, resource.end)
        report.treatment, report.addresses, blocks = "folded", [".".join(handle.base.parts)], []
    for entry in resource.properties.entries if resource.properties is not None else ():
        report.properties[entry.key] = fate(
            "implied", report.addresses[0], why="Heat ignores the properties of an existing resource"
        )
    for word in resource.keys:
        if emission.unit.template.version.dialect.resource.get(word) == "deletion_policy":
            report.keys[word] = fate("implied", why="a resource that is only read is never deleted")
    keys_of(emission, resource, blocks)
