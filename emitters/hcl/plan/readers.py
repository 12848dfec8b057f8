"""Adds readers: resources in read-only Heat stacks that look up attributes which the Terraform provider does not have.

A reader is an ordinary IR resource with `external_id`, which Heat only reads, so embedding treats it like any other.
For example, an output needs `[port, dns_assignment]`. The stack gets a resource `port_attributes`, whose `external_id`
is the ID of the native port, and the output reads the attribute of that one. So the port itself can be native.

Invariant: a reader does not appear in the report. Its attributes are reported at the resource that it reads.

No value is followed here, so this is no analysis of the value flow: a reader takes the place of references in one
template.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast, final

from emitters.hcl.errors import CannotSay, Existing
from emitters.hcl.namespace import UniqueNames, snake_case
from emitters.hcl.plan.planner import ConversionPlan, PlannedReaders
from emitters.hcl.tables.mapping import TypeMapping
from transpile.diagnostics import codes
from transpile.model import heat_types, ir
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.report import attribute_path
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
        self.original = self.stack = stack
        self.attributes: dict[str, list[ir.AttrRef]] = {}  # attributes to read, by resource
        self.reasons: dict[str, CannotSay] = {}
        self.refused: set[str] = set()
        self.existing_reasons: dict[Existing, CannotSay] = {}  # existing resources to read, and why
        self.attribute_readers: dict[str, str] = {}  # names of readers, by resource
        self.existing_readers: dict[Existing, str] = {}  # names of readers, by existing resource

    def planned_readers(self) -> PlannedReaders:
        """The readers in the form that the plan takes."""
        existing = self.existing_readers.values()
        targets = {reader: name for name, reader in self.attribute_readers.items()} | dict.fromkeys(existing, "")
        reasons = [
            (reader, self.existing_reasons[existing_resource], self.existing_reasons[existing_resource].why)
            for existing_resource, reader in self.existing_readers.items()
        ]
        for name, reader in self.attribute_readers.items():
            words = dict.fromkeys(
                attribute_path(ref.path[:1]) or "an attribute known only at run time" for ref in self.attributes[name]
            )
            why = f"the provider does not read {', '.join(words)} of {name}"
            reasons.append((reader, self.reasons[name], why))
        return PlannedReaders(targets, self.existing_readers, reasons)

    def add_readers(self, failures: Sequence[tuple[str, CannotSay]], plan: ConversionPlan) -> bool:
        """Adds readers for attributes whose absence alone would keep a resource in Heat. Returns whether any were
        added.
        """
        added = [self.add_attribute(name, reason, plan) or self.add_existing(reason, plan) for name, reason in failures]
        if any(added):
            self.rebuild_stack()
        return any(added)

    def add_attribute(self, name: str, reason: CannotSay, plan: ConversionPlan) -> bool:
        """Adds one attribute. Returns False if Heat cannot read it by the ID, or if its value depends on when it is
        read.
        """
        ref = reason.ref
        if ref is None or reason.code != codes.NOT_POSSIBLE_IN_HCL or name in self.refused or not plan.is_native(name):
            return False
        if not same_id(plan.kinds[name]) or plan.retirement_release(name):
            return False
        if name in plan.subnets_by_network:  # the list of subnets changes over time
            return False
        if self.original.types[name] == heat_types.NOVA_SERVER and attribute_path(ref.path[:1]) in OF_OWN_SERVERS:
            return False
        if any(isinstance(e, (ir.ResourceRef, ir.AttrRef)) for part in ref.path for e in ir.walk(part)):
            return False
        if any(other.path == ref.path for other in self.attributes.get(name, ())):
            return False
        self.attributes.setdefault(name, []).append(ref)
        self.reasons.setdefault(name, reason)
        return True

    def add_existing(self, reason: CannotSay, plan: ConversionPlan) -> bool:
        """Adds an existing resource. Returns False if its ID depends on other resources, or may not be a string."""
        existing = reason.existing
        if (
            existing is None
            or existing in self.existing_reasons
            or existing.owner in self.refused
            or not plan.is_native(existing.owner)
        ):
            return False
        if self.external_id_of(existing.id) is None:
            return False
        self.existing_reasons[existing] = reason
        return True

    def external_id_of(self, expr: ir.Expr) -> ir.Expr | None:
        """An ID as an `external_id`; None if it may be another value than a string, which Heat would refuse."""
        if any(isinstance(e, (ir.ResourceRef, ir.AttrRef, ir.If)) for e in ir.walk(expr)):
            return None
        if isinstance(expr, ir.Lit):
            number = type(expr.value) is int
            return ir.Lit(str(expr.value), expr.span) if number or isinstance(expr.value, str) else None
        if isinstance(expr, ir.ParamRef):
            kind = "string" if not expr.path else "comma_delimited_list"
            return expr if self.original.template.type_of_parameter(expr.name) == kind and len(expr.path) < 2 else None
        return expr if isinstance(expr, ir.Call) and expr.fn in TEXTS else None

    def remove_readers(self, names: set[str]) -> bool:
        """Removes the readers of resources that are now kept in Heat. Returns whether any were removed."""
        unneeded = [existing for existing in self.existing_reasons if existing.owner in names]
        for existing in unneeded:
            del self.existing_reasons[existing]
            self.refused.add(existing.owner)
        lost = names & set(self.attributes)
        for name in lost:
            del self.attributes[name]
            self.refused.add(name)
        if lost or unneeded:
            self.rebuild_stack()
        return bool(lost or unneeded)

    def rebuild_stack(self) -> None:
        """Rebuilds the stack from the original one, with the readers added and references redirected to them."""
        template, taken = self.original.template, UniqueNames(self.original.template.resources)
        self.attribute_readers = {}
        for name in self.attributes:
            self.attribute_readers[name] = taken.reserve_name(f"{name}_attributes")

        def redirect(expr: ir.Expr) -> ir.Expr:
            if isinstance(expr, ir.AttrRef) and any(
                attribute.path == expr.path for attribute in self.attributes.get(expr.name, ())
            ):
                expr = replace(expr, name=self.attribute_readers[expr.name])
            return ir.rebuilt(expr, redirect)

        resources = {
            name: replace(ir.rebuilt_resource(resource, redirect), refs=redirect_references(resource.refs, redirect))
            for name, resource in template.resources.items()
        }
        outputs = {
            name: replace(output, value=redirect(output.value), refs=redirect_references(output.refs, redirect))
            for name, output in template.outputs.items()
        }
        needs = {name: list(names) for name, names in self.original.needs.items()}
        for resource in resources.values():
            needs[resource.name] = [
                *needs.get(resource.name, []),
                *dict.fromkeys(r.name for r in resource.refs if r.name in self.attribute_readers.values()),
            ]
        types = dict(self.original.types)
        self.existing_readers = {}
        for existing in self.existing_reasons:
            owner = template.resources[existing.owner]
            reader = self.existing_readers[existing] = taken.reserve_name(
                f"{owner.name}_{snake_case(existing.type.rpartition('::')[2])}"
            )
            resources[reader] = ir.Resource(
                reader,
                existing.type,
                external_id=self.external_id_of(existing.id),
                condition=owner.condition,
                span=Span(owner.at, owner.at),  # sorts before its owner
                type_at=owner.at,
                kind=existing.type,
            )
            types[reader], needs[reader] = existing.type, []
            needs[owner.name] = [*needs.get(owner.name, []), reader]
        for name, reader in self.attribute_readers.items():
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
            self.original,
            template=replace(template, resources=resources, outputs=outputs),
            types=types,
            needs=needs,
        )


def same_id(kind: TypeMapping) -> bool:
    """Whether Terraform and Heat use the same ID for a resource."""
    if kind.name in NAMED and kind.reference == "name":
        return True
    if kind.reference != "id" or kind.part is not None or kind.hook in ("module", "stack"):
        return False
    return kind.name in CFN if kind.name.startswith("AWS::") else not kind.name.startswith("OS::Heat::")


def redirect_references(refs: tuple[ir.Ref, ...], redirect: Callable[[ir.Expr], ir.Expr]) -> tuple[ir.Ref, ...]:
    """The references after redirection."""
    return tuple(cast("ir.Ref", redirect(ref)) for ref in refs)
