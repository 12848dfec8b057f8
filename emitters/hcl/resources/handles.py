"""Handles: how references to a resource and its attributes are lowered, for each kind of result.

Every resource has one handle, made before anything is written, because references may precede the definition. The
handle of a native resource answers in two steps. It first makes a selector, a function from one instance to a value
(`web` -> `web.access_ip_v4`). Then it applies the selector to the instances that there are: one, one if a condition
holds (`web[0]`), or all members of a group (`[for member in web : member.access_ip_v4]`).

Invariant: a resource with `count` is referenced as element 0 if its condition is known to hold, and otherwise by
`one(…)` or a conditional that gives null. The report's `reference` and `attributes` are recorded with the expression.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.lowering import paths, told
from emitters.hcl.resources import joined
from emitters.hcl.resources.registry import Registry
from emitters.hcl.tables import imports
from emitters.hcl.tables.mapping import ArgumentRule, TextRule
from emitters.hcl.tree.nodes import Attr, Cond, Expr, Fn, ForObject, ForTuple, Index, Name, Op, Splat, walk
from emitters.hcl.tree.types import NULL, NUMBER, OBJECT, STRING, STRINGS, TUPLE, Value
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.attribute_paths import (
    Addresses,
    AttributeList,
    AttributeMap,
    Computed,
    Everything,
    Member,
    MemberCount,
    ReferenceMap,
    References,
    Selection,
    select,
)
from transpile.report import attribute_path

if TYPE_CHECKING:
    from emitters.hcl.emission import Emission
    from emitters.hcl.lowering.lowering import Lowering
    from emitters.hcl.tables.mapping import Attribute, Joined, Kind
    from transpile.report import ResourceReport

Select: TypeAlias = Callable[[Expr], Value]  # from the expression of one instance to the value that is read from it
ATTRIBUTES: Registry[Callable[..., Select]] = Registry()
ITEM = Name(("member",))  # the variable of a `for` over the members of a group
PROBE = Name(("probe",))  # stands for an instance when a selector is applied only to see which attributes it reads
# arguments that an import reads, although in another form than the configuration has it
READ = (("openstack_compute_instance_v2", "network"), ("openstack_compute_instance_v2", "image_id"))
EMPTY = (ir.NULL, ir.Lit(""), ir.Seq(()))  # values with which an argument is not written


def referred(kind: Kind, base: Expr) -> Value:
    """The value of a reference to an instance: its ID or name. Some IDs are parts of a longer one: `part` 1 of `a/b` is
    b.
    """
    found: Expr = Attr(base, kind.reference)
    return Value(found if kind.part is None else Fn("element", (Fn("split", ("/", found)), kind.part)), STRING)


def chain(expr: Expr) -> bool:
    """Whether an expression is a traversal, so that a splat in it applies to each element."""
    while isinstance(expr, (Attr, Index)):
        expr = expr.of
    return isinstance(expr, (Name, Splat))


class Instance:
    """A handle with an address in Terraform. counted: the resource has `count`, because of its condition."""

    def __init__(
        self, emission: Emission, resource: ir.Resource, address: tuple[str, str], *, counted: bool = False
    ) -> None:
        self.emission, self.resource = emission, resource
        self.address, self.counted = address, counted

    @property
    def report(self) -> ResourceReport:
        return self.emission.log.report.resources[self.resource.name]

    def select(self, lowering: Lowering, ref: ir.Expr, choose: Select, note: str) -> Value:
        """The value that `choose` selects from the instance, with regard to `count`. note: the attribute under which
        the report records the expression; "" for a reference to the resource itself.

        Where the condition may be false and null is allowed, a traversal becomes `one(web[*].name)`, which is shorter
        than a conditional. In any other expression a splat would apply to a part only, so that gets the conditional.
        """
        name = Name(self.address)
        if not self.counted:
            found = choose(name)
            self.record(note, found.expr)
            return found
        first = choose(Index(name, 0))
        self.record(note, first.expr)
        condition = self.resource.condition
        assert condition is not None
        if lowering.holds(condition):
            return first
        if lowering.scope.nullable:
            if chain(first.expr):
                return Value(Fn("one", (choose(Splat(name)).expr,)), first.type, True)
            return Value(Cond(lowering.condition(condition), first.expr, None), first.type, True)
        self.emission.log.say(
            codes.RESOURCE_MAY_NOT_EXIST,
            f"The condition of {self.resource.name} may be false here; then Terraform fails, as Heat does.",
            ref,
        )
        return first

    def record(self, note: str, expr: Expr) -> None:
        """Records the expression in the report: that of an attribute, or of the reference if `note` is empty."""
        if note:
            self.report.attributes.setdefault(note, self.emission.log.shown(expr))
        else:
            self.report.reference = self.emission.log.shown(expr)


class Referred(Protocol):
    """A handle that a `GroupHandle` can wrap: it selects from one instance, whichever that is."""

    emission: Emission
    address: tuple[str, str]
    resource: ir.Resource
    kind: Kind

    @property
    def report(self) -> ResourceReport: ...
    def chooser(self, lowering: Lowering, ref: ir.AttrRef, path: tuple[ir.Expr, ...]) -> Select: ...


@final
class Native(Instance):
    """A Terraform resource."""

    def __init__(
        self,
        emission: Emission,
        resource: ir.Resource,
        kind: Kind,
        address: tuple[str, str],
        *,
        counted: bool = False,
    ) -> None:
        super().__init__(emission, resource, address, counted=counted)
        self.kind = kind

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        """The value of `get_resource`: usually the ID, for some types a name or a text of several properties. Raises
        CannotSay if Heat generates the ID.
        """
        name, condition = self.resource.name, self.resource.condition
        there = not self.counted or lowering.scope.nullable or (condition is not None and lowering.holds(condition))
        if self.kind.text and there:  # Heat fails for a reference to a missing resource, a plain text would not
            found = Value(name if self.kind.text == "name" else self.generated(ref), STRING)
            return self.select(lowering, ref, lambda _: found, "")
        if self.kind.joined is not None and there:
            found = self.made_of_parts(self.kind.joined, lowering)
            return self.select(lowering, ref, lambda _: found, "")
        if not self.kind.reference:
            why = f"a reference to {name} ({self.kind.name}) is an ID that Heat generates"
            raise CannotSay(codes.GROUP_WITHOUT_ID, why, ref, name)
        return self.select(lowering, ref, lambda base: referred(self.kind, base), "")

    def made_of_parts(self, parts: Joined, lowering: Lowering) -> Value:
        """A reference that is made of several properties."""
        facts = self.emission.unit.stack.catalog.find(self.kind.name) or {}
        schema = facts.get("properties", {})
        entries = self.resource.properties.entries if self.resource.properties is not None else ()
        given = {schema.get(one.key, {}).get("alias", one.key): one for one in entries}
        # The properties are those of another resource: placeholders of a loop around the reference mean nothing there.
        plain = lowering.changed(bound=(), fixed=True)
        return joined.text(plain, parts, given, schema, self.resource, "the reference")

    def generated(self, ref: ir.Expr) -> Expr:
        """A generated name (`<stack>-<resource>`), in place of the one that Heat would generate."""
        name = self.resource.name
        message = f"A reference to {name} is a name that Heat generates; here it begins with var.stack_name."
        hint = "Heat's name ends in random characters that differ in each stack, so nothing should rely on it."
        self.emission.log.say(codes.GENERATED_NAME, message, ref, hint, once=name)
        return self.emission.symbols.generated_name(name)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        """The value of `get_attr`. With `--prefer native`, an attribute that the provider does not read becomes a
        variable. Otherwise it keeps the resource in Heat, or a reader looks it up there.
        """
        try:
            choose = self.chooser(lowering, ref, ref.path)
        except CannotSay as e:
            mine = e.blame == self.resource.name  # and not that of a resource in the path
            if mine and (value := told.attribute(lowering, ref, e, exists=False)) is not None:
                self.record(attribute_path(ref.path), value.expr)
                return value
            e.ref = ref if mine else None  # tells plan/readers.py which attribute to read with Heat
            raise
        return self.select(lowering, ref, choose, attribute_path(ref.path))

    def chooser(self, lowering: Lowering, ref: ir.AttrRef, path: tuple[ir.Expr, ...]) -> Select:
        """A selector of the attribute that a path begins with, and of what is at the rest of the path."""
        name = self.resource.name
        if not path:
            raise CannotSay(codes.ALL_ATTRIBUTES_READ, f"all attributes of {name} are read at once", ref, name)
        first, *rest = path
        if not isinstance(first, ir.Lit):
            raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"the attribute of {name} is known only at run time", ref, name)
        word = str(first.value)
        if word == "show":
            found = self.shown(lowering, ref, rest)
        else:
            found = self.converted(lowering, ref, word, (self.kind.attributes or {}).get(word), rest)
        if self.emission.unit.live is not None:
            self.imported(found, ref)
        return found

    def imported(self, choose: Select, ref: ir.AttrRef) -> None:
        """Raises CannotSay if an attribute is read from an argument that has no value after an import."""
        name, row = self.resource.name, imports.find(self.kind.resource)
        for expr in walk(choose(PROBE).expr):
            argument = expr.name if isinstance(expr, Attr) and expr.of == PROBE else ""
            if row is not None and argument in row.unread and (self.kind.resource, argument) not in READ:
                why = f"{attribute_path(ref.path)} of {name} is {argument}, which the provider does not import"
                raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, name)

    def converted(
        self, lowering: Lowering, ref: ir.AttrRef, word: str, row: Attribute | None, rest: list[ir.Expr]
    ) -> Select:
        """A selector of an attribute as its table row says: by a hook, or from the Terraform attribute `to`. rest: the
        path inside the attribute. Raises CannotSay if Terraform has no equivalent.
        """
        name = self.resource.name
        if row is not None and row.hook:
            found: Select = ATTRIBUTES[row.hook](lowering, self, ref, tuple(rest))
            return found
        if row is None or not row.to:
            why = f": {row.why}" if row is not None and row.why else ""
            raise CannotSay(
                codes.NOT_POSSIBLE_IN_HCL,
                f"Terraform has no equivalent of the attribute {word} of {name}{why}",
                ref,
                name,
            )
        to, kind = row.to, row.type
        if not rest:
            null = self.unset(to)
            return lambda base: Value(Attr(base, to), kind, null)

        def inner(base: Expr) -> Value:
            whole: Expr = Attr(base, to)
            listed = Fn("tolist", (whole,)) if kind.kind == "set" else whole  # a set has no indexes
            return paths.attribute(lowering, Value(listed, kind), rest)

        return inner

    def unset(self, to: str) -> bool:
        """Whether an argument is null: the template does not set it, and the provider does not compute it."""
        facts = self.emission.unit.tables.providers.argument(self.kind.resource, to)
        if facts is None or facts.get("computed") or to in self.kind.named:
            return False
        rules = {name: rule for name, rule in self.kind.properties.items() if rule.to == to}
        if any(isinstance(r, TextRule) or (isinstance(r, ArgumentRule) and r.generated) for r in rules.values()):
            return False
        schema = (self.emission.unit.stack.catalog.find(self.kind.name) or {}).get("properties", {})
        entries = self.resource.properties.entries if self.resource.properties is not None else ()
        return not any(schema.get(entry.key, {}).get("alias", entry.key) in rules for entry in entries)

    def sets(self, to: str) -> bool:
        """Whether the template sets a property that becomes the argument `to`."""
        properties = self.resource.properties
        given = [e for e in properties.entries if e.value not in EMPTY] if properties is not None else []
        rules = [self.kind.properties.get(e.key) for e in given]
        return any(rule is not None and rule.to == to for rule in rules)

    def shown(self, lowering: Lowering, ref: ir.AttrRef, rest: list[ir.Expr]) -> Select:
        """A selector of a field of `show`, the service's API object: `[server, show, flavor, id]`. Terraform has no
        such object, so each field needs a row in the table; `id` and `name` need none.
        """
        word = str(rest[0].value) if rest and isinstance(rest[0], ir.Lit) else ""
        row = (self.kind.show or {}).get(word)
        if row is not None and (not row.given or self.sets(row.to)):
            return self.converted(lowering, ref, word, row, rest[1:])
        if len(rest) == 1 and word in ("id", "name"):
            if word == "id" and self.kind.part is not None:
                return lambda base: referred(self.kind, base)
            if word == "id" or self.emission.unit.tables.providers.argument(self.kind.resource, word) is not None:
                return lambda base: Value(Attr(base, word), STRING)
        name, what = self.resource.name, f"the field {word} of the API object of" if word else "the API object of"
        raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, f"Terraform does not have {what} {name}", ref, name)


@final
class Group:
    """A resource group: one resource or module call with `count` or `for_each`.

    native: the handle of a member. members: the list of keys if it is `for_each`, None if it is `count`. least: for a
    scaling group, how many members it surely has; None for other groups. Scaling groups have attributes of their own.
    """

    def __init__(
        self, native: Referred, members: Expr | None, condition: ir.Expr | None, least: int | None = None
    ) -> None:
        self.native, self.members, self.condition, self.least = native, members, condition, least
        self.name = native.resource.name

    def all(self, choose: Select) -> Expr:
        """A list of the values that `choose` selects from the members, in the order of Heat."""
        base = Name(self.native.address)
        if self.members is not None:  # for_each sorts instances by key, so the order comes from `members`
            found = choose(Index(base, Name(("name",))))
            return ForTuple(("name",), self.members, found.expr)
        found = choose(Splat(base))
        return found.expr if chain(found.expr) else ForTuple(("member",), base, choose(ITEM).expr)

    def referred(self, base: Expr) -> Value:
        """The value of a reference to a member."""
        return referred(self.native.kind, base)

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        raise CannotSay(
            codes.GROUP_WITHOUT_ID, f"the ID of the group {self.name} is that of a nested stack", ref, self.name
        )

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        """An attribute of a group. `[group, networks, 0]` is item 0 of the list of all members' networks in templates
        before 2014-10-16. Later it is the list of item 0 of each member's networks.
        """
        path = ref.path
        if self.least is not None:
            return self.scaled(lowering, ref)
        if len(path) > 1 and not lowering.template.version.since("2014-10-16"):
            return self.selected(lowering, ref)
        native = self.native
        selection = self.selection(path)
        if isinstance(selection, (Everything, Computed)):
            raise CannotSay(
                codes.NOT_POSSIBLE_IN_HCL, f"the attribute of {self.name} is known only at run time", ref, self.name
            )
        reference = self.referred
        if not native.kind.reference:
            self.refuse_references(selection, ref)
        else:
            native.report.reference = native.emission.log.shown(self.all(reference))
        match selection:
            case References(()):
                return Value(self.all(reference), TUPLE)
            case References(inner):
                return self.one(lowering, inner[0], reference)
            case ReferenceMap():
                return Value(self.mapped(reference), OBJECT)
            case AttributeMap(inner):
                return Value(self.mapped(native.chooser(lowering, ref, inner)), OBJECT)
            case Member(_, _, None):  # valid only in outputs
                return Value(None, NULL, True)
            case Member(name, inner, int(number)):
                value = self.of_member(lowering, ref, selection)
                label = ".".join(["resource", name, *([attribute_path(inner)] if inner else [])])
                native.report.attributes.setdefault(label, native.emission.log.shown(value.expr))
                return self.or_null(lowering, number, value)
        choose = native.chooser(lowering, ref, path)
        listed = self.all(choose)
        native.report.attributes.setdefault(attribute_path(path), native.emission.log.shown(listed))
        return Value(listed, TUPLE)

    def scaled(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        """An attribute of a scaling group. Its members have numbers, where Heat gives them random names and lists them
        by age.
        """
        native, selection, path = self.native, self.selection(ref.path), attribute_path(ref.path)
        if not native.kind.reference:
            self.refuse_references(selection, ref)
        match selection:
            case MemberCount(()):
                value = Value(Fn("length", (Name(native.address),)), NUMBER)
            case AttributeMap((_, *_) as inner):
                value = Value(self.mapped(native.chooser(lowering, ref, inner)), OBJECT)
            case AttributeList((_, *_) as inner):
                value = Value(self.all(native.chooser(lowering, ref, inner)), TUPLE)
            case References():
                value = Value(self.all(self.referred), TUPLE)
            case ReferenceMap():
                value = Value(self.mapped(self.referred), OBJECT)
            case Addresses(()):
                value = self.addresses(lowering, ref)
            case Member(_, _, int(number)) if number >= 0:  # Heat counts negative ones from the end
                value = self.or_null(lowering, number, self.of_member(lowering, ref, selection))
            case Member(name):
                why = f"{self.name} has no member {name}: the members of a scaling group are found by number"
                raise CannotSay(codes.NOT_POSSIBLE_IN_HCL, why, ref, self.name)
            case _:
                raise CannotSay(
                    codes.NOT_POSSIBLE_IN_HCL, f"Terraform has no equivalent of {path} of {self.name}", ref, self.name
                )
        native.report.attributes.setdefault(path, native.emission.log.shown(value.expr))
        return value

    def addresses(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        """The addresses of all instances, with commas; null if there are none."""
        choose = self.native.chooser(lowering, ref, (ir.Lit("PublicIp"),))
        found = Fn("join", (",", self.all(choose)))
        if self.surely(0):
            return Value(found, STRING)
        return Value(Cond(Op(">", Fn("length", (Name(self.native.address),)), 0), found, None), STRING, True)

    def selection(self, path: tuple[ir.Expr, ...]) -> Selection:
        """What a path means for this type of group: one member, all references, one attribute of all …"""
        return select(self.native.emission.unit.stack.types[self.name], path)

    def refuse_references(self, selection: Selection, ref: ir.AttrRef) -> None:
        """Raises CannotSay if a path selects the members' IDs and these exist only in Heat."""
        if isinstance(selection, (References, ReferenceMap)) or (isinstance(selection, Member) and not selection.path):
            raise CannotSay(
                codes.GROUP_WITHOUT_ID, f"members of {self.name} have IDs that Heat generates", ref, self.name
            )

    def of_member(self, lowering: Lowering, ref: ir.AttrRef, member: Member) -> Value:
        """A reference to a member, or an attribute of it: `[g, resource.0.name]` -> `g[0].name`."""
        choose = self.native.chooser(lowering, ref, member.path) if member.path else self.referred
        return choose(Index(Name(self.native.address), member.number if self.members is None else member.name))

    def or_null(self, lowering: Lowering, number: int, value: Value) -> Value:
        """The value of a member. In an output, it is null if there may be no such member; elsewhere Heat fails for a
        missing one, and so does Terraform.
        """
        if lowering.scope.in_output and not self.surely(number):
            return Value(Fn("try", (value.expr, None)), value.type, True)
        return value

    def selected(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        """The item at an index in the list that an attribute of the group gives, and what is at the rest of the path.
        Only templates before 2014-10-16 mean this.
        """
        (_, index, *rest), native = ref.path, self.native
        choose: Select
        match self.selection(ref.path[:1]):
            case References():
                choose = self.referred
            case Member() | Computed():
                raise CannotSay(
                    codes.NOT_POSSIBLE_IN_HCL, f"{self.name} has no list {attribute_path(ref.path)}", ref, self.name
                )
            case _:
                choose = native.chooser(lowering, ref, ref.path[:1])
        found = self.one(lowering, index, choose)
        return paths.attribute(lowering, found, rest) if rest else found

    def mapped(self, choose: Select) -> Expr:
        """A map of the values that `choose` selects from the members, by name or number."""
        if self.members is not None:
            return ForObject(("name", "member"), Name(self.native.address), Name(("name",)), choose(ITEM).expr)
        return ForObject(("index", "member"), Name(self.native.address), Name(("index",)), choose(ITEM).expr)

    def one(self, lowering: Lowering, index: ir.Expr, choose: Select) -> Value:
        """The value for the member at an index; null if there is none, as in Heat."""
        if self.members is not None:
            return paths.attribute(lowering, Value(self.all(choose), STRINGS), (index,))
        ways, _ = paths.select(lowering, Value(Name(self.native.address), TUPLE), (index,), [], strict=True)
        return Value(Fn("try", (*(choose(way).expr for way in ways), None)) if ways else None, STRING, True)

    def surely(self, number: int) -> bool:
        """Whether the group has a member with this number, whatever the values of the parameters are."""
        if self.least is not None:
            return number < self.least
        properties = self.native.resource.properties
        count = properties.get("count") if properties is not None else None
        least = 1 if count is None else count.value if isinstance(count, ir.Lit) else 0
        return self.members is None and isinstance(least, int) and number < least


def generated_id(resource: ir.Resource, ref: ir.Expr) -> CannotSay:
    """The error for a reference to a resource that has no ID in Terraform."""
    why = f"a reference to {resource.name} is an ID that Heat generates"
    return CannotSay(codes.GROUP_WITHOUT_ID, why, ref, resource.name)


@final
class Local:
    """A folded resource: an OS::Heat::Value, or a stored text. It exists only as an expression, often a local.

    attributes: those that give the value. value: lowers the resource where it is used. text: a reference to it means
    its text, as Heat has it in user data, and not an ID.
    """

    def __init__(
        self,
        emission: Emission,
        resource: ir.Resource,
        attributes: tuple[str, ...],
        value: Callable[[Lowering], Value],
        *,
        text: bool,
    ) -> None:
        self.emission, self.resource, self.attributes, self.get, self.text = (
            emission,
            resource,
            attributes,
            value,
            text,
        )

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        if not self.text or not lowering.scope.in_text:
            raise generated_id(self.resource, ref)
        value = self.get(lowering)
        self.emission.log.report.resources[self.resource.name].reference = self.emission.log.shown(value.expr)
        return value

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        word = str(ref.path[0].value) if ref.path and isinstance(ref.path[0], ir.Lit) else ""
        if word not in self.attributes:
            raise CannotSay(
                codes.NOT_POSSIBLE_IN_HCL,
                f"Terraform has no equivalent of the attribute {word or 'map'} of {self.resource.name}",
                ref,
                self.resource.name,
            )
        value = self.get(lowering)
        known = paths.held(lowering, ref.name) if self.attributes == ("value",) else []
        found = value if len(ref.path) == 1 else paths.attribute(lowering, value, ref.path[1:], known)
        self.emission.log.report.resources[self.resource.name].attributes.setdefault(
            attribute_path(ref.path), self.emission.log.shown(found.expr)
        )
        return found


@final
class Nothing:
    """OS::Heat::None, whose attributes are all null."""

    def __init__(self, resource: ir.Resource) -> None:
        self.resource = resource

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        raise generated_id(self.resource, ref)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        return Value(None, NULL, True)


class GivenUp:
    """A resource that is left out or merged into another one. Outputs that read it are null; any other reader keeps it
    in Heat. code, message: of the diagnostic for such outputs.
    """

    def __init__(self, resource: ir.Resource, code: str, message: str = "") -> None:
        self.resource, self.code = resource, code
        self.message = message or f"{resource.name} exists only in Heat and is left out; this is null."

    def null_in_outputs(self) -> bool:
        """Whether an output that reads it is null."""
        return True

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        name = self.resource.name
        if lowering.scope.in_output:
            lowering.differs(self.code, self.message, ref)
            return Value(None, NULL, True)
        raise CannotSay(codes.GROUP_WITHOUT_ID, f"the template reads {name}", ref, name)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        return self.reference(lowering, ref)


@final
class Disabled:
    """A resource whose condition is never true. Heat fails if something other than an output refers to it."""

    def __init__(self, resource: ir.Resource) -> None:
        self.resource = resource

    def reference(self, lowering: Lowering, ref: ir.Expr) -> Value:
        if lowering.scope.in_output:
            return Value(None, NULL, True)
        raise CannotSay(codes.RESOURCE_MAY_NOT_EXIST, f"{self.resource.name} is never created", ref)

    def attribute(self, lowering: Lowering, ref: ir.AttrRef) -> Value:
        return self.reference(lowering, ref)
