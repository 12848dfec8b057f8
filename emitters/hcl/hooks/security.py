"""Hooks of security groups: one rule resource for each rule.

Invariant: as in Heat, `remote_group_id` counts only with `remote_mode: remote_group_id`. This mode without an ID means
the group itself. The default egress rules are deleted only if the template has egress rules. Ports come in pairs, and
only with a protocol. Rules are written as Neutron stores them: in another form, each plan would replace them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import finish_hook, property_hook, stored_rules
from emitters.hcl.lowering import paths
from emitters.hcl.lowering.paths import selected
from emitters.hcl.lowering.rewrites import is_not
from emitters.hcl.namespace import snake
from emitters.hcl.resources import stored_forms
from emitters.hcl.resources.arguments import check_sent, how_written
from emitters.hcl.tables.provider import refuses
from emitters.hcl.tree.nodes import (
    Argument,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Name,
    Object,
    Op,
    Text,
    Tuple,
    choose,
    condition_of,
    one_if,
)
from emitters.hcl.tree.types import NUMBER, STRING, STRINGS, literal
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import Span
from transpile.report import NO_VALUE, fate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emitters.hcl.resources.writer import Writer
    from emitters.hcl.tables.mapping import Rule

KIND = "openstack_networking_secgroup_rule_v2"
FIELDS = (
    "description",
    "direction",
    "ethertype",
    "protocol",
    "port_range_min",
    "port_range_max",
    "remote_ip_prefix",
    "remote_group_id",
    "remote_mode",
)
PORTS = ("port_range_min", "port_range_max")
SPELLED = {"icmpv6": "ipv6-icmp", "any": None, "": None}


class Guard(NamedTuple):
    """A condition for a rule. test: in Terraform. fact: the same in the template, true where the rule exists."""

    test: Expr
    fact: ir.Expr


@property_hook("security_group_rules")
def rules(writer: Writer, rule: Rule, entry: ir.Entry) -> None:
    if entry.value in (ir.NULL, ir.Seq(())):
        writer.fate(entry.key, fate("implied", why="without rules, the group has the default rules"))
        return
    # Neutron gives each new group two egress rules. Heat deletes these only if the template has egress rules.
    egress = write(writer, entry.key, entry.value, ())
    if egress is not False:
        writer.block.set("delete_default_rules", egress)


def write(writer: Writer, path: str, expr: ir.Expr, guards: tuple[Guard, ...]) -> Expr:
    """Writes the rules of a list. Returns an expression that tells whether any of them is an egress rule: a bool if
    that is known, else a test for Terraform.
    """
    if isinstance(expr, ir.Seq):
        found: Expr = False
        for i, item in enumerate(expr.items):
            found = either(found, one(writer, f"{path}.{i}", item, guards))
        return found
    if (
        isinstance(expr, ir.Call)
        and expr.fn in ("list_concat", "list_concat_unique")
        and isinstance(expr.arg, ir.Seq)
        and all(isinstance(i, (ir.Seq, ir.Repeat, ir.ParamRef, ir.Call)) for i in expr.arg.items)
    ):
        found = False
        # Silent: `rules.0` is the first list here, not the first rule, so the whole property gets one fate.
        for i, part in enumerate(expr.arg.items):
            found = either(found, write(writer.silent(), f"{path}.{i}", part, guards))
        writer.is_value(path, "", "derived", why="one rule resource for each rule in the lists")
        return found
    if isinstance(expr, ir.If):
        return one(writer, path, expr, guards)
    return at_run_time(writer, path, expr, guards)


def either(left: Expr, right: Expr) -> Expr:
    """`left || right`, without operands that are known."""
    if left is False or right is True:
        return right
    return left if right is False or left is True else Op("||", left, right)


def one(writer: Writer, path: str, item: ir.Expr, guards: tuple[Guard, ...]) -> Expr:
    """Writes one item of a list: a rule, or a rule for each branch of a condition. Returns whether it is for egress."""
    if isinstance(item, ir.If):
        known = writer.lowering.known(item.condition)
        if known is not None:
            branch = item.then if known else item.orelse
            return one(writer, path, branch, guards) if branch is not None and branch != ir.NULL else False
        test = writer.lowering.condition(item.condition)
        found: Expr = False
        for branch, guard in (
            (item.then, Guard(test, item.condition)),
            (item.orelse, Guard(is_not(test), ir.Call("not", item.condition))),
        ):
            if branch is not None and branch != ir.NULL:
                # Silent: both branches have the same path, so each would overwrite the fates of the other.
                inner = writer.silent().assuming(guard.fact)
                rules_of = one if isinstance(branch, (ir.Map, ir.If)) else write
                part = rules_of(inner, path, branch, (*guards, guard))
                found = either(
                    found, part if part is False else Op("&&", guard.test, part) if part is not True else guard.test
                )
        writer.is_value(path, "", "derived", why="one rule for each branch, created only if the condition selects it")
        return found
    if not isinstance(item, ir.Map):  # a rule from a parameter, say: a list of one
        return at_run_time(writer, path, ir.Seq((item,), item.span), guards)
    return literal_rule(writer, path, item, guards)


def label(writer: Writer, item: ir.Map) -> str:
    """`<group>_<direction if egress>_<protocol>_<port, or the parameter that gives it>`."""
    parts = [writer.block.labels[1]]
    for name in ("direction", "protocol", "port_range_min"):
        value = item.get(name)
        if (
            isinstance(value, ir.Lit)
            and value.value is not None
            and not (name == "direction" and value.value == "ingress")
        ):
            parts.append(str(value.value))
        elif isinstance(value, ir.ParamRef):
            parts.append(value.name)
    words = [re.sub(r"\W+", "_", p).strip("_") for p in parts]
    return snake("_".join(w for w in words if w)) if len(parts) > 1 else f"{parts[0]}_any"


def guarded(writer: Writer, block: Block, guards: tuple[Guard, ...]) -> None:
    """Writes `count` for a conditional rule."""
    if not guards:
        return
    test: Expr = guards[0].test
    for guard in guards[1:]:
        test = Op("&&", test, guard.test)
    outer = writer.lowering.scope.repeated
    if outer is not None:
        # A block has only one `count`. The condition of the group can be joined with that of the rule, but there is no
        # such `count` for the members of a resource group.
        once = condition_of(outer)
        if writer.lowering.scope.bound or once is None:
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME,
                "the group is repeated, and a rule depends on a condition",
                writer.resource,
            )
        test = Op("&&", once, test)
        block.body.pop(0)  # the `count` of the group, copied from its block
    block.body.insert(0, Argument("count", one_if(test)))


def literal_rule(
    writer: Writer,
    path: str,
    item: ir.Map,
    guards: tuple[Guard, ...],
    items: Mapping[str, ir.Expr] = stored_rules.NOTHING,
) -> Expr:
    """Writes a literal rule. Returns an expression that tells whether it is an egress rule.

    items: for a rule in `repeat`, the list for each placeholder, as evidence of what the fields may be.
    """
    for entry in item.entries:
        if entry.key not in FIELDS:
            end = entry.at + len(entry.key)
            raise CannotSay(
                codes.UNKNOWN_PROPERTY, f"a rule has no {entry.key}", Span(entry.at, end), writer.resource.name
            )
    block = writer.beside(KIND, label(writer, item), item)
    guarded(writer, block, guards)
    block.set("security_group_id", writer.self_reference("id"))
    return RuleBlock(writer, block, path, {e.key: e for e in item.entries}, items).write()


@final
class RuleBlock:
    """Writes one literal rule, and records the fate of each of its fields."""

    def __init__(
        self, writer: Writer, block: Block, path: str, given: dict[str, ir.Entry], items: Mapping[str, ir.Expr]
    ) -> None:
        self.writer, self.block, self.path, self.given, self.items = writer, block, path, given, items
        self.lowering = writer.lowering
        self.to = ".".join(block.labels)

    def put(self, name: str, value: Expr, how: str = "", why: str = "") -> None:
        """Writes the argument of the same name as a field, and the fate of the field."""
        entry = self.given[name]
        self.block.set(name, value, entry)
        how = how or (how_written(entry.value))
        self.writer.is_value(f"{self.path}.{name}", name, how, self.to, why)

    def fate(self, name: str, why: str) -> None:
        self.writer.fate(f"{self.path}.{name}", fate("implied", why=why))

    def absent(self, name: str) -> bool:
        """Whether a field is missing, null or empty. Records the fate of a null or empty one."""
        if name in self.given and self.given[name].value in (ir.NULL, ir.Lit("")):
            self.fate(name, NO_VALUE)
            return True
        return name not in self.given

    def text(self, name: str) -> Expr:
        return self.lowering.expr(self.given[name].value, STRING)

    def write(self) -> Expr:
        """Writes all fields. Returns an expression that tells whether the rule is an egress rule."""
        direction: Expr = "ingress"  # Neutron's default. The provider requires this argument, and `ethertype`.
        if self.absent("direction"):
            self.block.set("direction", "ingress")
        else:
            direction = self.text("direction")
            self.put("direction", direction)
        if self.absent("ethertype"):
            self.block.set("ethertype", "IPv4")
        else:
            ethertype = self.text("ethertype")
            if isinstance(ethertype, str):  # case matters to the provider, not to Neutron
                ethertype = {"ipv4": "IPv4", "ipv6": "IPv6"}.get(ethertype.lower(), ethertype)
            self.put("ethertype", ethertype)
        self.protocol()
        for name in PORTS:
            self.port(name)
        self.remote()
        # Only now: the stored form of a field depends on others, such as the protocol on the IP version.
        for name, why in stored_rules.rewrite(self.lowering, self.block, self.given, self.items):
            if self.block.argument(name) is not None:
                self.writer.is_value(f"{self.path}.{name}", name, "derived", self.to, why)
            else:  # the argument was removed: that is how Neutron stores this value
                self.fate(name, why)
        if not self.absent("description"):
            self.put("description", self.text("description"))
        check(self.writer, self.block)
        return direction == "egress" if literal(direction) else Op("==", direction, "egress")

    def protocol(self) -> None:
        if self.absent("protocol"):
            return
        value = self.text("protocol")
        if isinstance(value, str):
            value = value.lower()  # case matters to the provider, not to Neutron
            if value in SPELLED:
                spelled = SPELLED[value]
                if spelled is None:
                    self.fate("protocol", "any protocol is the default")
                else:
                    self.put("protocol", spelled, "derived", f"the provider's name for {value}")
                return
        self.put("protocol", value)

    def port(self, name: str) -> None:
        if self.absent(name):
            return
        expr = self.given[name].value
        # The provider takes 0 for a port that is not set, and does not send it: the rule would allow too much.
        check_sent(self.writer, name, expr, 0, NUMBER)
        self.put(name, self.lowering.expr(expr, NUMBER))

    def remote(self) -> None:
        """Writes the remote end: a prefix, a group, or the rule's own group."""
        mode = "remote_ip_prefix"
        if not self.absent("remote_mode"):
            value = self.given["remote_mode"].value
            if not isinstance(value, ir.Lit):
                raise CannotSay(codes.ONLY_AT_RUN_TIME, "the remote_mode of a rule is known only at run time", value)
            mode = str(value.value)
        group, prefix = not self.absent("remote_group_id"), not self.absent("remote_ip_prefix")
        if mode == "remote_group_id":
            if prefix:
                ignored(self.writer, self.path, self.given["remote_ip_prefix"], "remote_mode selects a group")
            self.remote_group(group)
            return
        if "remote_mode" in self.given and self.given["remote_mode"].value != ir.NULL:
            self.fate("remote_mode", "it selects the prefix, which is the default")
        if group:  # Heat sends the group only in the other mode, so the template means less than it seems to
            why = "remote_mode is not remote_group_id, so the rule applies to all addresses"
            ignored(self.writer, self.path, self.given["remote_group_id"], why)
        if prefix:
            self.put("remote_ip_prefix", self.text("remote_ip_prefix"))

    def remote_group(self, named: bool) -> None:
        """Writes the remote group. named: whether the template has an ID or a name for it."""
        if named:
            expr, kind = self.given["remote_group_id"].value, self.writer.lookups["security_group"]
            found, how = self.writer.emission.data.one(self.lowering, expr, kind, "id", "security_group")
            self.put("remote_group_id", found.expr, how)
        else:
            self.block.set("remote_group_id", self.writer.self_reference("id"))
        why = "it selects the remote group" if named else "it means the group itself"
        self.writer.is_value(f"{self.path}.remote_mode", "remote_group_id", "derived", self.to, why)


@finish_hook("security_group_rule")
def finish_rule(writer: Writer) -> None:
    """Rewrites a rule that is a resource of its own in the form in which Neutron stores it."""
    for name, why in stored_rules.rewrite(writer.lowering, writer.block, writer.given):
        path = writer.given[name].key
        if writer.block.argument(name) is not None:
            writer.is_value(path, name, "derived", why=why)
        else:
            writer.fate(path, fate("implied", why=why))


def ignored(writer: Writer, path: str, entry: ir.Entry, why: str) -> None:
    """Reports a field of a rule that Heat ignores."""
    writer.emission.log.say(
        codes.PROPERTY_IGNORED_BY_HEAT,
        f"Heat ignores {entry.key} of this rule: {why}.",
        entry,
        note=f"Heat ignores {entry.key} here: {why}.",
    )
    writer.fate(f"{path}.{entry.key}", fate("implied", why=f"Heat ignores it: {why}"))


def check(writer: Writer, block: Block) -> None:
    """Raises CannotSay for values that the provider would reject in a rule."""
    given = {a.name: a.value for a in block.body if isinstance(a, Argument)}
    for name, value in given.items():
        facts = writer.emission.unit.tables.providers.argument(KIND, name)
        if literal(value) and value is not None and facts is not None and (why := refuses(facts, value)):
            raise CannotSay(
                codes.VALUE_REJECTED_BY_PROVIDER,
                f"the provider rejects {value!r} for {name} of a rule: {why}",
                block,
                writer.resource.name,
            )


def at_run_time(writer: Writer, path: str, expr: ir.Expr, guards: tuple[Guard, ...]) -> Expr:
    """Writes rules for a list known only at run time: one resource with `for_each`. Returns whether any is for egress.

    Terraform has to do for each item what `RuleBlock` does for a literal rule. `try(each.value.protocol, null)` is for
    items that lack a key.
    """
    outer = writer.lowering.scope.repeated
    once = condition_of(outer)
    if outer is not None and (writer.lowering.scope.bound or guards or once is None):
        raise CannotSay(codes.ONLY_AT_RUN_TIME, "the group is repeated, and its rules are known only at run time", expr)
    if (
        isinstance(expr, ir.Repeat)
        and (len(expr.for_each) == 1 or (len(expr.for_each) > 1 and separate(expr)))
        and isinstance(expr.template, ir.Map)
        and writer.lowering.scope.repeated is None
        and not any(writer.emission.unit.unknown(e.value) for e in expr.for_each)  # keys must be known before the apply
    ):
        return repeated(writer, path, expr, guards)
    lowering = writer.lowering
    # The values of parameters are all that is known of the list. None may have a port that the provider never sends.
    for one in ir.walk(expr):
        for known in paths.known_values(lowering, one) if isinstance(one, ir.ParamRef) else ():
            for item in known if isinstance(known, list) else [known]:
                for name in PORTS if isinstance(item, dict) else ():
                    if isinstance(value := item.get(name), (int, str)):
                        check_sent(writer, name, ir.Lit(value, one.span), 0, NUMBER)
    over = lowering.value(expr).expr
    if outer is not None:
        over = choose(once, over, Tuple(()))
    for guard in guards:
        over = Cond(guard.test, over, Tuple(()))
    group = writer.self_reference("id")
    block = writer.beside(KIND, writer.block.labels[1], expr)
    if writer.lowering.scope.repeated is not None:
        block.body.pop(0)  # the `count` of the group: a block cannot have `count` and `for_each`
    rule = Name(("rule",))
    # By index, not by value: values may be known only after the apply, and keys of `for_each` must be known before.
    block.set("for_each", ForObject(("index", "rule"), over, Name(("index",)), rule))
    block.set("security_group_id", group)
    each = Name(("each", "value"))

    def field(name: str, default: Expr) -> Expr:
        return Fn("try", (selected(each, name), default))

    block.set("description", field("description", None))
    block.set("direction", field("direction", "ingress"))
    block.set("ethertype", field("ethertype", "IPv4"))
    # The tests for stored forms make the output long, so each is written only if some rule may need it.
    may_be = stored_rules.may_be(lowering, expr)
    spelled = Fn("lower", (selected(each, "protocol"),))
    names: Expr = Object((("icmpv6", "ipv6-icmp"), ("any", "")))
    if may_be.icmp:
        six = Op("==", field("ethertype", "IPv4"), "IPv6")
        names = Fn("merge", (names, Cond(six, Object(tuple(stored_rules.IPV6.items())), Object(()))))
    block.set("protocol", Fn("try", (Fn("lookup", (names, spelled, spelled)), None)))
    low, high = (field(name, None) for name in PORTS)
    if may_be.all_ports:
        # As a text, since a port may be a number or a string. Without ports, the text fails and `try` gives "".
        ports = Text((selected(each, PORTS[0]), "-", selected(each, PORTS[1])))
        every = Op("==", Fn("try", (ports, "")), "-".join(str(end) for end in stored_rules.PORTS.values()))
        low, high = Cond(every, None, low), Cond(every, None, high)
    block.set("port_range_min", low)
    block.set("port_range_max", high)
    by_group = Op("==", field("remote_mode", "remote_ip_prefix"), "remote_group_id")
    prefix = selected(each, "remote_ip_prefix")
    if may_be.addresses:
        prefix = stored_forms.with_prefix(expr, prefix, may_be.addresses, None)
    block.set("remote_ip_prefix", Cond(by_group, None, Fn("try", (prefix, None))))
    ids = Fn("try", (selected(each, "remote_group_id"), None))
    block.set("remote_group_id", Cond(by_group, Fn("coalesce", (ids, group)), None))
    writer.is_value(
        path, "for_each", "derived", ".".join(block.labels), "one rule for each item of the list, with the same values"
    )
    return Fn(
        "anytrue", (ForTuple(("rule",), over, Op("==", Fn("try", (selected(rule, "direction"), "ingress")), "egress")),)
    )


def separate(expr: ir.Repeat) -> bool:
    """Whether a loop over several lists visits all combinations, and no value contains a placeholder.

    Heat replaces placeholders one after the other, so it would also replace one inside a value. Terraform would not.
    """
    keys = [entry.key for entry in expr.for_each]
    texts = [str(one.value) for entry in expr.for_each for one in ir.walk(entry.value) if isinstance(one, ir.Lit)]
    return expr.permutations in (None, ir.Lit(True)) and not any(key in text for key in keys for text in texts)


def repeated(writer: Writer, path: str, expr: ir.Repeat, guards: tuple[Guard, ...]) -> Expr:
    """Writes `repeat` as `for_each` over the values of one list, or over the combinations of several. Returns whether
    the rules are for egress.
    """
    lists: list[Expr] = []
    for entry in expr.for_each:
        value = writer.lowering.value(entry.value, STRINGS)
        # Heat repeats over the keys of a map.
        one = Fn("keys", (value.expr,)) if value.type.kind in ("map", "object") else value.expr
        lists.append(writer.emission.symbols.shown(entry.value, one) if isinstance(entry.value, ir.ParamRef) else one)
    each, pair = Name(("each", "value")), Name(("p",))
    if len(lists) == 1:
        over: Expr = Fn("toset", (lists[0],))
        bound: list[tuple[str, Expr]] = [(expr.for_each[0].key, each)]
        for guard in guards:
            over = Cond(guard.test, over, Fn("toset", (Tuple(()),)))
    else:
        test: Expr = True
        # `for … if` rather than a conditional, whose two results would be objects of different types.
        for guard in guards:
            test = guard.test if test is True else Op("&&", test, guard.test)
        product = Fn("setproduct", tuple(lists))
        over = ForObject(("p",), product, Fn("join", ("-", pair)), pair, None if test is True else test)
        bound = [(entry.key, Index(each, i)) for i, entry in enumerate(expr.for_each)]
    template = expr.template
    assert isinstance(template, ir.Map)
    for name in PORTS:
        for entry in expr.for_each:
            for item in entry.value.items if isinstance(entry.value, ir.Seq) else (entry.value,):
                if template.get(name) == ir.Lit(entry.key):  # the port is the placeholder of this list
                    check_sent(writer, name, item, 0, NUMBER)
    known = len(writer.blocks)  # the index of the block that the rule adds: copies of a writer share its blocks
    loop = Argument("for_each", over)
    inner = writer.lowering.changed(loop=loop).binding(*bound)
    found = literal_rule(
        writer.silent().within(inner), path, template, (), {entry.key: entry.value for entry in expr.for_each}
    )
    block = writer.blocks[known]
    block.body.insert(0, Argument("for_each", over))
    block.span = expr.span
    why = "one rule for each value of the list" if len(lists) == 1 else "one rule for each combination of values"
    writer.is_value(path, "for_each", "derived", ".".join(block.labels), why)
    return found
