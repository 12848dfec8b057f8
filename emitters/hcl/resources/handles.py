"""Handles: how references to a resource and its attributes are lowered, for each kind of result.

Every resource has one handle, made before anything is written, because references may precede the definition. The
handle of a native resource answers in two steps. It first makes a selector, a function from one instance to a value
(`web` -> `web.access_ip_v4`). Then it applies the selector to the instances that there are: one, one if a condition
holds (`web[0]`), or all members of a group, which has a handle of its own (`group_handles.py`).

Invariant: a resource with `count` is referenced as element 0 if its condition is known to hold, and otherwise by
`one(…)` or a conditional that gives null. The report's `reference` and `attributes` are recorded with the expression.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, computed_attribute
from emitters.hcl.lowering import lookup_variables, paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.provider_requirements import why_attribute_lacking
from emitters.hcl.resources import joined
from emitters.hcl.resources.registry import HookRegistry
from emitters.hcl.tables.mapping import NO_ATTRIBUTE, ArgumentRule, AttributeRule, JoinedText, TextRule, TypeMapping
from emitters.hcl.tree.nodes import (
    Attr,
    Cond,
    Expr,
    Fn,
    Index,
    Splat,
    Traversal,
    walk_expression,
)
from emitters.hcl.tree.types import NULL, STRING, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.records import node
from transpile.report import ResourceReport, attribute_path

Selector: TypeAlias = Callable[
    [Expr], TypedValue
]  # from the expression of one instance to the value that is read from it


@final
@node
class AttributeRead:
    """A reference to an attribute that a hook reads. native: the handle of its resource. rest: the path inside it."""

    lowering: HclLowering
    native: NativeHandle
    ref: ir.AttrRef
    rest: tuple[ir.Expr, ...]

    @property
    def resource(self) -> ir.Resource:
        return self.native.resource

    @property
    def emission(self) -> Emission:
        return self.native.emission

    def inside(self, whole: TypedValue) -> TypedValue:
        """The part of the attribute's value to which the path leads; all of it without a path."""
        return paths.lower_attribute_path(self.lowering, whole, self.rest) if self.rest else whole

    def impossible(self, why: str, *, avoidable: bool = False) -> CannotSay:
        """The error for an attribute that Terraform does not have."""
        return CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, self.ref, self.resource.name, avoidable=avoidable)


ATTRIBUTES: HookRegistry[Callable[[AttributeRead], Selector]] = HookRegistry()
PROBE = Traversal(("probe",))  # stands for an instance when a selector is applied only to see which attributes it reads
# arguments that an import reads, although in another form than the configuration has it
READ = (("openstack_compute_instance_v2", "network"), ("openstack_compute_instance_v2", "image_id"))


def reference_to_instance(kind: TypeMapping, base: Expr) -> TypedValue:
    """The value of a reference to an instance: its ID or name. Some IDs are parts of a longer one: `part` 1 of `a/b` is
    b.
    """
    reference: Expr = Attr(base, kind.reference)
    return TypedValue(
        reference if kind.part is None else Fn("element", (Fn("split", ("/", reference)), kind.part)), STRING
    )


def is_traversal(expr: Expr) -> bool:
    """Whether an expression is a traversal, so that a splat in it applies to each element."""
    while isinstance(expr, (Attr, Index)):
        expr = expr.of
    return isinstance(expr, (Traversal, Splat))


class AddressHandle:
    """A handle with an address in Terraform. counted: the resource has `count`, because of its condition."""

    def __init__(
        self, emission: Emission, resource: ir.Resource, address: tuple[str, str], *, counted: bool = False
    ) -> None:
        self.emission, self.resource = emission, resource
        self.address, self.counted = address, counted

    @property
    def report(self) -> ResourceReport:
        return self.emission.log.report.resources[self.resource.name]

    def select_from_instance(self, lowering: HclLowering, ref: ir.Expr, choose: Selector, note: str) -> TypedValue:
        """The value that `choose` selects from the instance, with regard to `count`. note: the attribute under which
        the report records the expression; "" for a reference to the resource itself.

        Where the condition may be false and null is allowed, a traversal becomes `one(web[*].name)`, which is shorter
        than a conditional. In any other expression a splat would apply to a part only, so that gets the conditional.
        """
        name = Traversal(self.address)
        if not self.counted:
            value = choose(name)
            self.record_expression(note, value.expr)
            return value
        first = choose(Index(name, 0))
        self.record_expression(note, first.expr)
        condition = self.resource.condition
        guarded = lowering.scope.in_output and isinstance(ref, ir.ResourceRef)  # its writer tests that it exists
        if lowering.is_assumed(condition) or (guarded and not lowering.scope.nullable):
            return first
        if lowering.scope.nullable:
            if is_traversal(first.expr):
                return TypedValue(Fn("one", (choose(Splat(name)).expr,)), first.type, True)
            return TypedValue(Cond(lowering.lower_condition(condition), first.expr, None), first.type, True)
        self.emission.log.add_diagnostic(
            codes.RESOURCE_MAY_NOT_EXIST,
            f"The condition of {self.resource.name} may be false here; then Terraform fails, as Heat does.",
            ref,
        )
        return first

    def record_expression(self, note: str, expr: Expr) -> None:
        """Records the expression in the report: that of an attribute, or of the reference if `note` is empty."""
        if note:
            self.report.attributes.setdefault(note, self.emission.log.reported_text(expr))
        else:
            self.report.reference = self.emission.log.reported_text(expr)


@final
class NativeHandle(AddressHandle):
    """A Terraform resource."""

    def __init__(
        self,
        emission: Emission,
        resource: ir.Resource,
        kind: TypeMapping,
        address: tuple[str, str],
        *,
        counted: bool = False,
    ) -> None:
        super().__init__(emission, resource, address, counted=counted)
        self.kind = kind

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        """The value of `get_resource`: usually the ID, for some types a name or a text of several properties. Raises
        CannotSay if Heat generates the ID.
        """
        name = self.resource.name
        there = not self.counted or lowering.scope.nullable or lowering.is_assumed(self.resource.condition)
        if self.kind.text and there:  # Heat fails for a reference to a missing resource, a plain text would not
            value = TypedValue(name if self.kind.text == "name" else self.generated_name(ref), STRING)
            return self.select_from_instance(lowering, ref, lambda _: value, "")
        if self.kind.joined is not None and there:
            parts = self.kind.joined
            return self.select_from_instance(
                lowering, ref, lambda base: self.reference_from_parts(parts, lowering, base, ref), ""
            )
        if not self.kind.reference:
            why = f"a reference to {name} ({self.kind.name}) is an ID that Heat generates"
            raise CannotSay(codes.GROUP_WITHOUT_ID, why, ref, name)
        return self.select_from_instance(lowering, ref, lambda base: reference_to_instance(self.kind, base), "")

    def reference_from_parts(self, parts: JoinedText, lowering: HclLowering, base: Expr, ref: ir.Expr) -> TypedValue:
        """A reference that is made of several properties. base: the instance, which has IDs where the template may have
        names.
        """
        schema = self.emission.unit.stack.catalog.find_type(self.kind.name).get("properties", {})
        entries = self.resource.entries
        entries_by_name = {schema.get(entry.key, {}).get("alias", entry.key): entry for entry in entries}
        # The properties are those of another resource: placeholders of a loop around the reference mean nothing there.
        plain = lowering.with_changes(bound=(), fixed=True)
        ids = {
            name: Attr(base, rule.to)
            for name, rule in self.kind.properties.items()
            if isinstance(rule, ArgumentRule) and rule.lookup is not None and rule.result == "id"
        }
        try:
            return joined.lower_joined_text(plain, parts, entries_by_name, schema, self.resource, "the reference", ids)
        except CannotSay as reason:  # it is the reference that keeps the resource with Heat
            raise CannotSay(reason.code, reason.why, ref, self.resource.name) from None

    def generated_name(self, ref: ir.Expr) -> Expr:
        """A generated name (`<stack>-<resource>`), in place of the one that Heat would generate."""
        name = self.resource.name
        message = f"A reference to {name} is a name that Heat generates; here it begins with var.stack_name."
        hint = "Heat's name ends in random characters that differ in each stack, so nothing should rely on it."
        self.emission.log.add_diagnostic(codes.GENERATED_NAME, message, ref, hint, once=name)
        return self.emission.symbols.generated_name(name)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        """The value of `get_attr`. With `--prefer native`, an attribute that the provider does not read becomes a
        variable. Otherwise it keeps the resource in Heat, or a reader looks it up there.
        """
        try:
            choose = self.attribute_selector(lowering, ref, ref.path)
        except CannotSay as e:
            mine = e.blame == self.resource.name  # and not that of a resource in the path
            if mine and (value := lookup_variables.variable_for_attribute(lowering, ref, e, exists=False)) is not None:
                self.record_expression(attribute_path(ref.path), value.expr)
                return value
            e.ref = ref if mine else None  # tells plan/readers.py which attribute to read with Heat
            raise
        return self.select_from_instance(lowering, ref, choose, attribute_path(ref.path))

    def attribute_selector(self, lowering: HclLowering, ref: ir.AttrRef, path: tuple[ir.Expr, ...]) -> Selector:
        """A selector of the attribute that a path begins with, and of the value at the rest of the path."""
        name = self.resource.name
        if not path:
            raise CannotSay(codes.ALL_ATTRIBUTES_READ, f"all attributes of {name} are read at once", ref, name)
        first, *rest = path
        if self.kind.hook == "none":
            return null_selector
        if not isinstance(first, ir.Lit):
            raise computed_attribute(name, ref)
        word = str(first.value)
        try:
            if word == "show":
                selector = self.selector_of_show(lowering, ref, rest)
            else:
                selector = self.selector_by_row(lowering, ref, word, self.kind.attributes.get(word, NO_ATTRIBUTE), rest)
        except CannotSay as reason:
            if reason.code != codes.NOT_POSSIBLE_IN_HCL or not self.is_retired_in_heat(ref):
                raise
            selector = null_selector
        if self.emission.unit.running.exists:
            self.check_imported(selector, ref)
        return selector

    def is_retired_in_heat(self, ref: ir.AttrRef) -> bool:
        """Whether Heat does nothing for the type any more, so that all its attributes are null there. Reports it:
        older releases have a value.
        """
        name = self.resource.name
        release = self.emission.unit.plan.retirement_release(name)
        if not release:
            return False
        attribute = attribute_path(ref.path)
        message = f"{attribute} of {name} is null: after Heat {release}, Heat does nothing for {self.kind.name}."
        self.emission.log.report_difference(codes.TYPE_WITHOUT_EFFECT, message, ref)
        return True

    def check_imported(self, choose: Selector, ref: ir.AttrRef) -> None:
        """Raises CannotSay if an attribute is read from an argument that has no value after an import."""
        from emitters.hcl.tables import imports  # only running resources are imported

        name, row = self.resource.name, imports.find_row(self.kind.resource)
        for expr in walk_expression(choose(PROBE).expr):
            argument = expr.name if isinstance(expr, Attr) and expr.of == PROBE else ""
            if argument in row.unread and (self.kind.resource, argument) not in READ:
                why = f"{attribute_path(ref.path)} of {name} is {argument}, which the provider does not import"
                raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, name)

    def selector_by_row(
        self, lowering: HclLowering, ref: ir.AttrRef, word: str, row: AttributeRule, rest: list[ir.Expr]
    ) -> Selector:
        """A selector of an attribute as its table row says: by a hook, or from the Terraform attribute `to`. rest: the
        path inside the attribute. Raises CannotSay if Terraform has no equivalent.
        """
        name = self.resource.name
        if row.hook:
            return ATTRIBUTES[row.hook](AttributeRead(lowering, self, ref, tuple(rest)))
        if not row.to:
            why = f"Terraform has no equivalent of the attribute {word} of {name}{': ' if row.why else ''}{row.why}"
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, name)
        to, kind = row.to, row.type
        if why := why_attribute_lacking(f"{self.kind.resource}.{to}", self.emission.unit.tables):
            raise CannotSay(codes.NEWER_THAN_PROVIDER, why, ref, name)
        if not rest:
            null = self.is_null_argument(to)
            return lambda base: TypedValue(Attr(base, to), kind, null)

        def select_inside(base: Expr) -> TypedValue:
            whole: Expr = Attr(base, to)
            listed = Fn("tolist", (whole,)) if kind.kind == "set" else whole  # a set has no indexes
            return paths.lower_attribute_path(lowering, TypedValue(listed, kind), rest)

        return select_inside

    def is_null_argument(self, to: str) -> bool:
        """Whether an argument is null: the template does not set it, and the provider does not compute it."""
        facts = self.emission.unit.tables.providers.find_argument(self.kind.resource, to)
        if not facts or facts.get("computed") or to in self.kind.named:
            return False
        rules = {name: rule for name, rule in self.kind.properties.items() if rule.to == to}
        if any(isinstance(r, TextRule) or (isinstance(r, ArgumentRule) and r.generated) for r in rules.values()):
            return False
        schema = self.emission.unit.stack.catalog.find_type(self.kind.name).get("properties", {})
        entries = self.resource.entries
        return not any(schema.get(entry.key, {}).get("alias", entry.key) in rules for entry in entries)

    def sets_argument(self, to: str) -> bool:
        """Whether the template sets a property that becomes the argument `to`."""
        names = {entry.key for entry in self.resource.entries if entry.value not in ir.UNSET}
        return any(rule.to == to and name in names for name, rule in self.kind.properties.items())

    def selector_of_show(self, lowering: HclLowering, ref: ir.AttrRef, rest: list[ir.Expr]) -> Selector:
        """A selector of a field of `show`, the service's API object: `[server, show, flavor, id]`. Terraform has no
        such object, so each field needs a row in the table; `id` and `name` need none.
        """
        word = str(rest[0].value) if rest and isinstance(rest[0], ir.Lit) else ""
        row = self.kind.show.get(word, NO_ATTRIBUTE)
        if word in self.kind.show and (not row.only_if_set or self.sets_argument(row.to)):
            return self.selector_by_row(lowering, ref, word, row, rest[1:])
        if len(rest) == 1 and word in ("id", "name"):
            if word == "id" and self.kind.part is not None:
                return lambda base: reference_to_instance(self.kind, base)
            if word == "id" or self.emission.unit.tables.providers.find_argument(self.kind.resource, word):
                return lambda base: TypedValue(Attr(base, word), STRING)
        name, part = self.resource.name, f"the field {word} of the API object of" if word else "the API object of"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"Terraform does not have {part} {name}", ref, name)


def null_selector(base: Expr) -> TypedValue:
    """The selector of an attribute that is always null."""
    return TypedValue(None, NULL, True)


def no_id_in_terraform(resource: ir.Resource, ref: ir.Expr) -> CannotSay:
    """The error for a reference to a resource that has no ID in Terraform."""
    why = f"a reference to {resource.name} is an ID that Heat generates"
    return CannotSay(codes.GROUP_WITHOUT_ID, why, ref, resource.name)


@final
class LocalHandle:
    """A folded resource: an OS::Heat::Value, or a stored text. It exists only as an expression, often a local.

    attributes: those that give the value. value: lowers the resource where it is used. text: a reference to it means
    its text, as Heat has it in user data, and not an ID.
    """

    def __init__(
        self,
        emission: Emission,
        resource: ir.Resource,
        attributes: tuple[str, ...],
        value: Callable[[HclLowering], TypedValue],
        *,
        text: bool,
    ) -> None:
        self.emission, self.resource, self.attributes, self.lower_resource, self.text = (
            emission,
            resource,
            attributes,
            value,
            text,
        )

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        if not self.text or not lowering.scope.in_text:
            raise no_id_in_terraform(self.resource, ref)
        value = self.lower_resource(lowering)
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.reported_text(value.expr)
        return value

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        word = str(ref.path[0].value) if ref.path and isinstance(ref.path[0], ir.Lit) else ""
        if word not in self.attributes:
            raise CannotSay(
                codes.NOT_POSSIBLE_IN_HCL,
                f"Terraform has no equivalent of the attribute {word or 'map'} of {self.resource.name}",
                ref,
                self.resource.name,
            )
        value = self.lower_resource(lowering)
        values = paths.values_of_heat_value(lowering, ref.name) if self.attributes == ("value",) else []
        result = value if len(ref.path) == 1 else paths.lower_attribute_path(lowering, value, ref.path[1:], values)
        self.emission.log.report.resources[self.resource.name].attributes.setdefault(
            attribute_path(ref.path), self.emission.log.reported_text(result.expr)
        )
        return result


@final
class NoneHandle:
    """A resource that does nothing in Heat, such as an internet gateway. Its attributes are all null."""

    def __init__(self, resource: ir.Resource) -> None:
        self.resource = resource

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        raise no_id_in_terraform(self.resource, ref)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        return TypedValue(None, NULL, True)


class LeftOutHandle:
    """A resource that is left out or merged into another one. Outputs that read it are null; any other reader keeps it
    in Heat. code, message: of the diagnostic for such outputs.
    """

    def __init__(self, resource: ir.Resource, code: str, message: str = "") -> None:
        self.resource, self.code = resource, code
        self.message = message or f"{resource.name} exists only in Heat and is left out; this is null."

    def is_null_in_outputs(self, ref: ir.Expr) -> bool:
        """Whether an output that reads it by this reference is null."""
        return True

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        name = self.resource.name
        if lowering.scope.in_output:
            lowering.differs(self.code, self.message, ref)
            return TypedValue(None, NULL, True)
        raise CannotSay(codes.GROUP_WITHOUT_ID, f"the template reads {name}", ref, name)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        return self.lower_reference(lowering, ref)


@final
class DisabledHandle:
    """A resource whose condition is never true. Heat fails if something other than an output refers to it."""

    def __init__(self, resource: ir.Resource) -> None:
        self.resource = resource

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        if lowering.scope.in_output:
            return TypedValue(None, NULL, True)
        raise CannotSay(codes.RESOURCE_MAY_NOT_EXIST, f"{self.resource.name} is never created", ref)

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        return self.lower_reference(lowering, ref)
