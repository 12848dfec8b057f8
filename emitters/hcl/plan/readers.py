"""Adds readers: resources in read-only Heat stacks that look up attributes which the Terraform provider does not have.

A reader is an ordinary IR resource with `external_id`, which Heat only reads, so embedding treats it like any other.
For example, an output needs `[port, dns_assignment]`. The stack gets a resource `port_attributes`, whose `external_id`
is the ID of the native port, and the output reads the attribute of that one. So the port itself can be native.

Invariant: a reader does not appear in the report. Its attributes are reported at the resource that it reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, final

from emitters.hcl.namespace import Names, snake
from emitters.hcl.plan.planner import Reading
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.report import attribute_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from emitters.hcl.errors import CannotSay, Existing
    from emitters.hcl.plan.planner import Plan
    from emitters.hcl.tables.mapping import Kind
    from transpile.resolve.stack import Stack

SINCE = "2016-10-14"  # the first version of HOT with external_id
CFN = (heat_types.AWS_INSTANCE, heat_types.AWS_VOLUME)  # AWS types whose references are IDs of the service
TEXTS = ("str_replace", "list_join", "Fn::Join")  # functions whose results are strings
# attributes that Heat reads only of servers that it made: it needs their metadata
OF_OWN_SERVERS = ("show", "os_collect_config")
NAMED = (heat_types.AWS_BUCKET, heat_types.SWIFT_CONTAINER)  # types whose names are their IDs


@final
class Readers:
    """The readers of one stack, and the stack with them."""

    def __init__(self, stack: Stack) -> None:
        self.bare = self.stack = stack
        self.asked: dict[str, list[ir.AttrRef]] = {}  # attributes to read, by resource
        self.reasons: dict[str, CannotSay] = {}
        self.refused: set[str] = set()
        self.wanted: dict[Existing, CannotSay] = {}  # existing resources to read, and why
        self.names: dict[str, str] = {}  # names of readers, by resource
        self.existing: dict[Existing, str] = {}  # names of readers, by existing resource

    def reading(self) -> Reading:
        """The readers in the form that the plan takes."""
        existing = self.existing.values()
        read = {reader: name for name, reader in self.names.items()} | dict.fromkeys(existing, "")
        reasons = [(reader, self.wanted[one], self.wanted[one].why) for one, reader in self.existing.items()]
        for name, reader in self.names.items():
            words = dict.fromkeys(
                attribute_path(ref.path[:1]) or "an attribute known only at run time" for ref in self.asked[name]
            )
            why = f"the provider does not read {', '.join(words)} of {name}"
            reasons.append((reader, self.reasons[name], why))
        return Reading(read, self.existing, reasons)

    def add(self, failures: Sequence[tuple[str, CannotSay]], plan: Plan) -> bool:
        """Adds readers for attributes whose absence alone would keep a resource in Heat. Returns whether any were
        added.
        """
        found = [self.attribute(name, reason, plan) or self.exists(reason, plan) for name, reason in failures]
        if any(found):
            self.build()
        return any(found)

    def attribute(self, name: str, reason: CannotSay, plan: Plan) -> bool:
        """Adds one attribute. Returns False if Heat cannot read it by the ID, or if its value depends on when it is
        read.
        """
        ref = reason.ref
        if ref is None or reason.code != codes.NOT_POSSIBLE_IN_HCL or name in self.refused or not plan.is_native(name):
            return False
        if not same_id(plan.kinds[name]) or plan.retired(name):
            return False
        if name in plan.listed:  # the list of subnets changes over time
            return False
        if self.bare.types[name] == heat_types.NOVA_SERVER and attribute_path(ref.path[:1]) in OF_OWN_SERVERS:
            return False
        if any(isinstance(e, (ir.ResourceRef, ir.AttrRef)) for part in ref.path for e in ir.walk(part)):
            return False
        if any(one.path == ref.path for one in self.asked.get(name, ())):
            return False
        self.asked.setdefault(name, []).append(ref)
        self.reasons.setdefault(name, reason)
        return True

    def exists(self, reason: CannotSay, plan: Plan) -> bool:
        """Adds an existing resource. Returns False if its ID depends on other resources, or may not be a string."""
        found = reason.existing
        if found is None or found in self.wanted or found.owner in self.refused or not plan.is_native(found.owner):
            return False
        if self.identity(found.id) is None:
            return False
        self.wanted[found] = reason
        return True

    def identity(self, expr: ir.Expr) -> ir.Expr | None:
        """An ID as an `external_id`; None if it may be another value than a string, which Heat would refuse."""
        if any(isinstance(e, (ir.ResourceRef, ir.AttrRef, ir.If)) for e in ir.walk(expr)):
            return None
        if isinstance(expr, ir.Lit):
            number = type(expr.value) is int
            return ir.Lit(str(expr.value), expr.span) if number or isinstance(expr.value, str) else None
        if isinstance(expr, ir.ParamRef):
            param = self.bare.template.parameters.get(expr.name)
            kind = "string" if not expr.path else "comma_delimited_list"
            return expr if param is not None and param.type == kind and len(expr.path) < 2 else None
        return expr if isinstance(expr, ir.Call) and expr.fn in TEXTS else None

    def refuse(self, names: set[str]) -> bool:
        """Removes the readers of resources that are now kept in Heat. Returns whether any were removed."""
        unneeded = [existing for existing in self.wanted if existing.owner in names]
        for existing in unneeded:
            del self.wanted[existing]
            self.refused.add(existing.owner)
        lost = names & set(self.asked)
        for name in lost:
            del self.asked[name]
            self.refused.add(name)
        if lost or unneeded:
            self.build()
        return bool(lost or unneeded)

    def build(self) -> None:
        """Rebuilds the stack from the original one, with the readers added and references redirected to them."""
        template, taken = self.bare.template, Names(self.bare.template.resources)
        self.names = {}
        for name in self.asked:
            self.names[name] = taken.take(f"{name}_attributes")

        def turned(expr: ir.Expr) -> ir.Expr:
            if isinstance(expr, ir.AttrRef) and any(one.path == expr.path for one in self.asked.get(expr.name, ())):
                expr = replace(expr, name=self.names[expr.name])
            return ir.rebuilt(expr, turned)

        def maybe(expr: ir.Expr | None) -> ir.Expr | None:
            return None if expr is None else turned(expr)

        resources = {}
        for name, resource in template.resources.items():
            properties = maybe(resource.properties)
            resources[name] = replace(
                resource,
                properties=properties if isinstance(properties, ir.Map) else None,
                metadata=maybe(resource.metadata),
                update_policy=maybe(resource.update_policy),
                refs=references(resource.refs, turned),
            )
        outputs = {
            name: replace(output, value=turned(output.value), refs=references(output.refs, turned))
            for name, output in template.outputs.items()
        }
        needs = {name: list(found) for name, found in self.bare.needs.items()}
        for resource in resources.values():
            needs[resource.name] = [
                *needs.get(resource.name, []),
                *dict.fromkeys(r.name for r in resource.refs if r.name in self.names.values()),
            ]
        types = dict(self.bare.types)
        self.existing = {}
        for existing in self.wanted:
            owner = template.resources[existing.owner]
            reader = self.existing[existing] = taken.take(f"{owner.name}_{snake(existing.type.rpartition('::')[2])}")
            resources[reader] = ir.Resource(
                reader,
                existing.type,
                external_id=self.identity(existing.id),
                condition=owner.condition,
                span=Span(owner.at, owner.at),  # sorts before its owner
                type_at=owner.at,
                kind=existing.type,
            )
            types[reader], needs[reader] = existing.type, []
            needs[owner.name] = [*needs.get(owner.name, []), reader]
        for name, reader in self.names.items():
            resource, ref = template.resources[name], ir.ResourceRef(name)
            resources[reader] = ir.Resource(
                reader,
                resource.type,
                external_id=ref,
                condition=resource.condition,
                refs=(ref,),
                span=Span(resource.end, resource.end),  # sorts after the resource; a reader has no source text
                type_at=resource.type_at,
                kind=resource.kind,
            )
            types[reader], needs[reader] = resource.kind, [name]
        self.stack = replace(
            self.bare,
            template=replace(template, resources=resources, outputs=outputs),
            types=types,
            needs=needs,
        )


def same_id(kind: Kind | None) -> bool:
    """Whether Terraform and Heat use the same ID for a resource."""
    if kind is not None and kind.name in NAMED and kind.reference == "name":
        return True
    if kind is None or kind.reference != "id" or kind.part is not None or kind.hook in ("module", "stack"):
        return False
    return kind.name in CFN if kind.name.startswith("AWS::") else not kind.name.startswith("OS::Heat::")


def references(refs: tuple[ir.Ref, ...], turned: Callable[[ir.Expr], ir.Expr]) -> tuple[ir.Ref, ...]:
    """The references after redirection."""
    return tuple(cast("ir.Ref", turned(ref)) for ref in refs)
