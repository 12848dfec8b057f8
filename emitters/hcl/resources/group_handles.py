"""Handles of groups: how references to a group, its members and their attributes are lowered.

The handle of a group wraps that of a member. It applies the member's selectors to all instances, for a list
(`[for member in web : member.access_ip_v4]`) or a map, or to one of them (`web[2].access_ip_v4`).
"""

from __future__ import annotations

from typing import Protocol, final

from emitters.hcl.emission import Emission
from emitters.hcl.errors import CannotSay, computed_attribute
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.lowering import HclLowering
from emitters.hcl.resources.handles import Selector, is_traversal, reference_to_instance
from emitters.hcl.tables.mapping import TypeMapping
from emitters.hcl.tree.nodes import Cond, Expr, Fn, ForObject, ForTuple, Index, Op, Splat, Traversal
from emitters.hcl.tree.types import NULL, NUMBER, OBJECT, STRING, STRINGS, TUPLE, TypedValue
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.attribute_paths import (
    Addresses,
    AttributeList,
    AttributeMap,
    Computed,
    Everything,
    GroupMember,
    MemberCount,
    ReferenceList,
    ReferenceMap,
    Selection,
    parse_attribute_path,
)
from transpile.report import ResourceReport, attribute_path

ITEM = Traversal(("member",))  # the variable of a `for` over the members of a group


class MemberHandle(Protocol):
    """A handle that a `GroupHandle` can wrap: it selects from one instance, whichever that is."""

    emission: Emission
    address: tuple[str, str]
    resource: ir.Resource
    kind: TypeMapping

    @property
    def report(self) -> ResourceReport: ...
    def attribute_selector(self, lowering: HclLowering, ref: ir.AttrRef, path: tuple[ir.Expr, ...]) -> Selector: ...


@final
class GroupHandle:
    """A resource group: one resource or module call with `count` or `for_each`.

    native: the handle of a member. members: the list of keys if it is `for_each`, None if it is `count`. least: for a
    scaling group, how many members it surely has; None for other groups. Scaling groups have attributes of their own.
    """

    def __init__(self, native: MemberHandle, members: Expr | None, least: int | None = None) -> None:
        self.native, self.members, self.least = native, members, least
        self.name = native.resource.name

    def select_all(self, choose: Selector) -> Expr:
        """A list of the values that `choose` selects from the members, in the order of Heat."""
        base = Traversal(self.native.address)
        if self.members is not None:  # for_each sorts instances by key, so the order comes from `members`
            value = choose(Index(base, Traversal(("name",))))
            return ForTuple(("name",), self.members, value.expr)
        value = choose(Splat(base))
        return value.expr if is_traversal(value.expr) else ForTuple(("member",), base, choose(ITEM).expr)

    def reference_to_member(self, base: Expr) -> TypedValue:
        """The value of a reference to a member."""
        return reference_to_instance(self.native.kind, base)

    def lower_reference(self, lowering: HclLowering, ref: ir.Expr) -> TypedValue:
        raise CannotSay(
            codes.GROUP_WITHOUT_ID, f"the ID of the group {self.name} is that of a nested stack", ref, self.name
        )

    def lower_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        """An attribute of a group. `[group, networks, 0]` is item 0 of the list of all members' networks in templates
        before 2014-10-16. Later it is the list of item 0 of each member's networks.
        """
        path = ref.path
        if self.least is not None:
            return self.lower_scaling_attribute(lowering, ref)
        if len(path) > 1 and not lowering.template.version.is_hot_since("2014-10-16"):
            return self.lower_indexed(lowering, ref)
        native = self.native
        selection = self.selection_at(path)
        if isinstance(selection, (Everything, Computed)):
            raise computed_attribute(self.name, ref)
        reference = self.reference_to_member
        if not native.kind.reference:
            self.refuse_references(selection, ref)
        else:
            native.report.reference = native.emission.log.reported_text(self.select_all(reference))
        match selection:
            case ReferenceList(()):
                return TypedValue(self.select_all(reference), TUPLE)
            case ReferenceList(inner):
                return self.select_at_index(lowering, inner[0], reference)
            case ReferenceMap():
                return TypedValue(self.select_map(reference), OBJECT)
            case AttributeMap(inner):
                return TypedValue(self.select_map(native.attribute_selector(lowering, ref, inner)), OBJECT)
            case GroupMember(_, _, None):  # valid only in outputs
                return TypedValue(None, NULL, True)
            case GroupMember(name, inner, int(number)):
                value = self.lower_member(lowering, ref, selection)
                label = ".".join(["resource", name, *([attribute_path(inner)] if inner else [])])
                native.report.attributes.setdefault(label, native.emission.log.reported_text(value.expr))
                return self.null_if_missing(lowering, number, value)
        choose = native.attribute_selector(lowering, ref, path)
        listed = self.select_all(choose)
        native.report.attributes.setdefault(attribute_path(path), native.emission.log.reported_text(listed))
        return TypedValue(listed, TUPLE)

    def lower_scaling_attribute(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        """An attribute of a scaling group. Its members have numbers, where Heat gives them random names and lists them
        by age.
        """
        native, selection, path = self.native, self.selection_at(ref.path), attribute_path(ref.path)
        if not native.kind.reference:
            self.refuse_references(selection, ref)
        match selection:
            case MemberCount(()):
                value = TypedValue(Fn("length", (Traversal(native.address),)), NUMBER)
            case AttributeMap((_, *_) as inner):
                value = TypedValue(self.select_map(native.attribute_selector(lowering, ref, inner)), OBJECT)
            case AttributeList((_, *_) as inner):
                value = TypedValue(self.select_all(native.attribute_selector(lowering, ref, inner)), TUPLE)
            case ReferenceList():
                value = TypedValue(self.select_all(self.reference_to_member), TUPLE)
            case ReferenceMap():
                value = TypedValue(self.select_map(self.reference_to_member), OBJECT)
            case Addresses(()):
                value = self.instance_addresses(lowering, ref)
            case GroupMember(_, _, int(number)) if number >= 0:  # Heat counts negative ones from the end
                value = self.null_if_missing(lowering, number, self.lower_member(lowering, ref, selection))
            case GroupMember(name):
                why = f"{self.name} has no member {name}: the members of a scaling group are found by number"
                raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.name)
            case _:
                raise CannotSay(
                    codes.NOT_POSSIBLE_IN_HCL, f"Terraform has no equivalent of {path} of {self.name}", ref, self.name
                )
        native.report.attributes.setdefault(path, native.emission.log.reported_text(value.expr))
        return value

    def instance_addresses(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        """The addresses of all instances, with commas; null if there are none."""
        choose = self.native.attribute_selector(lowering, ref, (ir.Lit("PublicIp"),))
        addresses = Fn("join", (",", self.select_all(choose)))
        if self.surely_has_member(0):
            return TypedValue(addresses, STRING)
        return TypedValue(
            Cond(Op(">", Fn("length", (Traversal(self.native.address),)), 0), addresses, None), STRING, True
        )

    def selection_at(self, path: tuple[ir.Expr, ...]) -> Selection:
        """The selection that a path makes in this type of group: one member, all references, one attribute of all …"""
        return parse_attribute_path(self.native.emission.unit.stack.types[self.name], path)

    def refuse_references(self, selection: Selection, ref: ir.AttrRef) -> None:
        """Raises CannotSay if a path selects the members' IDs and these exist only in Heat."""
        if isinstance(selection, (ReferenceList, ReferenceMap)) or (
            isinstance(selection, GroupMember) and not selection.path
        ):
            raise CannotSay(
                codes.GROUP_WITHOUT_ID, f"members of {self.name} have IDs that Heat generates", ref, self.name
            )

    def lower_member(self, lowering: HclLowering, ref: ir.AttrRef, member: GroupMember) -> TypedValue:
        """A reference to a member, or an attribute of it: `[g, resource.0.name]` -> `g[0].name`."""
        choose = self.native.attribute_selector(lowering, ref, member.path) if member.path else self.reference_to_member
        return choose(Index(Traversal(self.native.address), member.number if self.members is None else member.name))

    def null_if_missing(self, lowering: HclLowering, number: int, value: TypedValue) -> TypedValue:
        """The value of a member. In an output, it is null if there may be no such member; elsewhere Heat fails for a
        missing one, and so does Terraform.
        """
        if lowering.scope.in_output and not self.surely_has_member(number):
            return TypedValue(Fn("try", (value.expr, None)), value.type, True)
        return value

    def lower_indexed(self, lowering: HclLowering, ref: ir.AttrRef) -> TypedValue:
        """The item at an index in the list that an attribute of the group gives, and the value at the rest of the path.
        Only templates before 2014-10-16 mean this.
        """
        (_, index, *rest), native = ref.path, self.native
        choose: Selector
        match self.selection_at(ref.path[:1]):
            case ReferenceList():
                choose = self.reference_to_member
            case GroupMember() | Computed():
                raise CannotSay(
                    codes.NOT_POSSIBLE_IN_HCL, f"{self.name} has no list {attribute_path(ref.path)}", ref, self.name
                )
            case _:
                choose = native.attribute_selector(lowering, ref, ref.path[:1])
        value = self.select_at_index(lowering, index, choose)
        return paths.lower_attribute_path(lowering, value, rest) if rest else value

    def select_map(self, choose: Selector) -> Expr:
        """A map of the values that `choose` selects from the members, by name or number."""
        if self.members is not None:
            return ForObject(
                ("name", "member"), Traversal(self.native.address), Traversal(("name",)), choose(ITEM).expr
            )
        return ForObject(("index", "member"), Traversal(self.native.address), Traversal(("index",)), choose(ITEM).expr)

    def select_at_index(self, lowering: HclLowering, index: ir.Expr, choose: Selector) -> TypedValue:
        """The value for the member at an index; null if there is none, as in Heat."""
        if self.members is not None:
            return paths.lower_attribute_path(lowering, TypedValue(self.select_all(choose), STRINGS), (index,))
        ways, _ = paths.select_path(
            lowering, TypedValue(Traversal(self.native.address), TUPLE), (index,), [], strict=True
        )
        return TypedValue(Fn("try", (*(choose(way).expr for way in ways), None)) if ways else None, STRING, True)

    def surely_has_member(self, number: int) -> bool:
        """Whether the group has a member with this number for all values of the parameters."""
        if self.least is not None:
            return number < self.least
        count = self.native.resource.find_property("count")
        least = 1 if count is None else count.value if isinstance(count, ir.Lit) else 0
        return self.members is None and isinstance(least, int) and number < least
