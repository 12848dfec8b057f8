"""Hooks of security groups: one rule resource for each rule.

Invariant: as in Heat, `remote_group_id` counts only with `remote_mode: remote_group_id`. This mode without an ID means
the group itself. The default egress rules are deleted only if the template has egress rules. Ports come in pairs, and
only with a protocol. Rules are written as Neutron stores them: in another form, each plan would replace them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, final

from emitters.hcl.errors import CannotSay, only_at_run_time
from emitters.hcl.hooks import finish_hook, property_hook, stored_rules, zero_ports
from emitters.hcl.hooks.zero_ports import Port
from emitters.hcl.lowering.paths import select_literal_step
from emitters.hcl.lowering.rewrites import negate_expression
from emitters.hcl.namespace import snake_case
from emitters.hcl.resources import stored_forms
from emitters.hcl.resources.arguments import check_sent, how_written
from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import NOTHING, PathFate, Written, join_written
from emitters.hcl.tables.provider import find_refusal
from emitters.hcl.tree.nodes import (
    Argument,
    Block,
    Cond,
    Expr,
    Fn,
    ForObject,
    ForTuple,
    Index,
    Object,
    Op,
    StringTemplate,
    Traversal,
    Tuple,
    condition_of_count,
    count_if,
    make_conditional,
)
from emitters.hcl.tree.types import NUMBER, STRING, STRINGS, is_scalar_literal
from transpile.diagnostics import codes
from transpile.model import ir
from transpile.model.span import Span
from transpile.report import NO_VALUE, make_fate

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


class Rules(NamedTuple):
    """The output for the rules of a group. egress: whether any rule is for egress: a bool if that is known, else a test
    for Terraform.
    """

    written: Written = Written()
    egress: Expr = False

    def with_fate(self, path: str, why: str) -> Rules:
        """The same rules with one fate for all of them."""
        return Rules(self.written.without_fates() + Written.fate(path, "", "derived", why), self.egress)

    def guarded(self, guard: Guard) -> Rules:
        """The same rules, which exist only if a condition holds."""
        part = self.egress
        return self._replace(
            egress=part if part is False else Op("&&", guard.test, part) if part is not True else guard.test
        )


NO_RULES = Rules()


def join_rules(several: Iterable[Rules]) -> Rules:
    listed = list(several)
    nowhere: Expr = False
    egress = functools.reduce(lower_disjunction, (rules.egress for rules in listed), nowhere)
    return Rules(join_written(rules.written for rules in listed), egress)


@property_hook("security_group_rules")
def write_security_group_rules(writer: Writer, entry: ir.Entry) -> Written:
    # Neutron gives each new group two egress rules. Heat deletes these only if the template has egress rules.
    written, egress = write_rule_list(writer, entry.key, entry.value, ())
    return written if egress is False else written + Written.argument("delete_default_rules", egress)


def write_rule_list(writer: Writer, path: str, expr: ir.Expr, guards: tuple[Guard, ...]) -> Rules:
    """Writes the rules of a list."""
    if isinstance(expr, ir.Seq):
        return join_rules(write_rule_item(writer, f"{path}.{i}", item, guards) for i, item in enumerate(expr.items))
    if (
        isinstance(expr, ir.Call)
        and expr.fn in ("list_concat", "list_concat_unique")
        and isinstance(expr.arg, ir.Seq)
        and all(isinstance(i, (ir.Seq, ir.Repeat, ir.ParamRef, ir.Call)) for i in expr.arg.items)
    ):
        parts = enumerate(expr.arg.items)
        rules = join_rules(write_rule_list(writer, f"{path}.{i}", part, guards) for i, part in parts)
        # `rules.0` is the first list here, not the first rule, so the whole property gets one fate.
        return rules.with_fate(path, "one rule resource for each rule in the lists")
    if isinstance(expr, ir.If):
        return write_rule_item(writer, path, expr, guards)
    return write_runtime_rules(writer, path, expr, guards)


def lower_disjunction(left: Expr, right: Expr) -> Expr:
    """`left || right`, without operands that are known."""
    if left is False or right is True:
        return right
    return left if right is False or left is True else Op("||", left, right)


def write_rule_item(writer: Writer, path: str, item: ir.Expr, guards: tuple[Guard, ...]) -> Rules:
    """Writes an item of a list: a rule, or a rule for each branch of a condition."""
    if isinstance(item, ir.If) and (item := writer.lowering.settle_branches(item)) == ir.NULL:
        return NO_RULES
    if isinstance(item, ir.If):
        test, several = writer.lowering.lower_condition(item.condition), list[Rules]()
        opposite = Guard(negate_expression(test), ir.Call("not", item.condition))
        for branch, guard in zip(item.branches, (Guard(test, item.condition), opposite), strict=False):
            if branch != ir.NULL:
                write_branch = write_rule_item if isinstance(branch, (ir.Map, ir.If)) else write_rule_list
                several.append(
                    write_branch(writer.with_fact(guard.fact), path, branch, (*guards, guard)).guarded(guard)
                )
        # Both branches have the same path, so each would overwrite the fates of the other.
        return join_rules(several).with_fate(path, "one rule for each branch, created only if the condition selects it")
    if not isinstance(item, ir.Map):  # a rule from a parameter, say: a list of one
        return write_runtime_rules(writer, path, ir.Seq((item,), item.span), guards)
    return write_literal_rule(writer, path, item, guards)


def rule_label(writer: Writer, item: ir.Map) -> str:
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
    return snake_case("_".join(w for w in words if w)) if len(parts) > 1 else f"{parts[0]}_any"


def write_rule_count(writer: Writer, block: Block, guards: tuple[Guard, ...]) -> None:
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
        once = condition_of_count(outer)
        if writer.lowering.scope.bound or once is None:
            raise CannotSay(
                codes.ONLY_AT_RUN_TIME,
                "the group is repeated, and a rule depends on a condition",
                writer.resource,
            )
        test = Op("&&", once, test)
        block.body.pop(0)  # the `count` of the group, copied from its block
    block.body.insert(0, Argument("count", count_if(test)))


def write_literal_rule(
    writer: Writer,
    path: str,
    item: ir.Map,
    guards: tuple[Guard, ...],
    items: Mapping[str, ir.Expr] = stored_rules.NOTHING,
) -> Rules:
    """Writes a literal rule.

    items: for a rule in `repeat`, the list for each placeholder, as evidence of the values that the fields may have.
    """
    for entry in item.entries:
        if entry.key not in FIELDS:
            end = entry.at + len(entry.key)
            raise CannotSay(
                codes.UNKNOWN_PROPERTY, f"a rule has no {entry.key}", Span(entry.at, end), writer.resource.name
            )
    block = writer.new_block(KIND, rule_label(writer, item), item)
    write_rule_count(writer, block, guards)
    block.add_argument("security_group_id", writer.self_reference("id"))
    return RuleBlock(writer, block, path, {e.key: e for e in item.entries}, items).write_all_fields()


@final
class RuleBlock:
    """The block of one literal rule, and the fate of each of its fields."""

    def __init__(
        self, writer: Writer, block: Block, path: str, fields: dict[str, ir.Entry], items: Mapping[str, ir.Expr]
    ) -> None:
        self.writer, self.block, self.path, self.fields, self.items = writer, block, path, fields, items
        self.lowering = writer.lowering
        self.fates: list[PathFate] = []

    def write_field(self, name: str, value: Expr, how: str = "", why: str = "") -> None:
        """Writes the argument of the same name as a field, and the fate of the field."""
        entry = self.fields[name]
        self.block.add_argument(name, value, entry)
        self.add_fate(name, how or how_written(entry.value), name, why)

    def add_fate(self, name: str, how: str, argument: str = "", why: str = "") -> None:
        self.fates.append(PathFate(f"{self.path}.{name}", how, argument, why))

    def record_implied(self, name: str, why: str) -> None:
        self.add_fate(name, "implied", why=why)

    def record_ignored(self, name: str, why: str) -> None:
        self.fates += report_ignored_field(self.writer, self.path, self.fields[name], why).fates

    def record_if_absent(self, name: str) -> bool:
        """Whether a field is missing, null or empty. Records the fate of a null or empty one."""
        if name in self.fields and self.fields[name].value in (ir.NULL, ir.Lit("")):
            self.record_implied(name, NO_VALUE)
            return True
        return name not in self.fields

    def lower_text_field(self, name: str) -> Expr:
        return self.lowering.lower_expression(self.fields[name].value, STRING)

    def write_all_fields(self) -> Rules:
        """Writes all fields."""
        direction: Expr = "ingress"  # Neutron's default. The provider requires this argument, and `ethertype`.
        if self.record_if_absent("direction"):
            self.block.add_argument("direction", "ingress")
        else:
            direction = self.lower_text_field("direction")
            self.write_field("direction", direction)
        if self.record_if_absent("ethertype"):
            self.block.add_argument("ethertype", "IPv4")
        else:
            ethertype = self.lower_text_field("ethertype")
            if isinstance(ethertype, str):  # case matters to the provider, not to Neutron
                ethertype = {"ipv4": "IPv4", "ipv6": "IPv6"}.get(ethertype.lower(), ethertype)
            self.write_field("ethertype", ethertype)
        self.write_protocol()
        for name in PORTS:
            self.record_if_absent(name)
        for name, port in zero_ports.lower_ports(self.writer, self.fields).items():
            self.write_port(name, port)
        self.write_remote()
        # Only now: the stored form of a field depends on others, such as the protocol on the IP version.
        for name, why in stored_rules.rewrite_rule(self.lowering, self.block, self.fields, self.items):
            if self.block.has_argument(name):
                self.add_fate(name, "derived", name, why)
            else:  # the argument was removed: that is how Neutron stores this value
                self.record_implied(name, why)
        if not self.record_if_absent("description"):
            self.write_field("description", self.lower_text_field("description"))
        check_rule_block(self.writer, self.block)
        egress = direction == "egress" if is_scalar_literal(direction) else Op("==", direction, "egress")
        return Rules(Written(fates=tuple(self.fates)).in_resource(self.block), egress)

    def write_protocol(self) -> None:
        if self.record_if_absent("protocol"):
            return
        value = self.lower_text_field("protocol")
        if isinstance(value, str):
            value = value.lower()  # case matters to the provider, not to Neutron
            if value in SPELLED:
                spelled = SPELLED[value]
                if spelled is None:
                    self.record_implied("protocol", "any protocol is the default")
                else:
                    self.write_field("protocol", spelled, "derived", f"the provider's name for {value}")
                return
        self.write_field("protocol", value)

    def write_port(self, name: str, port: Port) -> None:
        if name not in self.fields:
            self.block.add_argument(name, port.value, self.block)
        elif port.value is None:
            self.fates.append(zero_ports.fate_of_port(f"{self.path}.{name}", port))
        else:
            self.write_field(name, port.value, "derived" if port.why else "", port.why)

    def write_remote(self) -> None:
        """Writes the remote end: a prefix, a group, or the rule's own group."""
        mode = "remote_ip_prefix"
        if not self.record_if_absent("remote_mode"):
            value = self.fields["remote_mode"].value
            if not isinstance(value, ir.Lit):
                raise only_at_run_time("the remote_mode of a rule is", value)
            mode = str(value.value)
        group, prefix = not self.record_if_absent("remote_group_id"), not self.record_if_absent("remote_ip_prefix")
        if mode == "remote_group_id":
            if prefix:
                self.record_ignored("remote_ip_prefix", "remote_mode selects a group")
            self.write_remote_group(group)
            return
        if "remote_mode" in self.fields and self.fields["remote_mode"].value != ir.NULL:
            self.record_implied("remote_mode", "it selects the prefix, which is the default")
        if group:  # Heat sends the group only in the other mode, so the template means less than it seems to
            why = "remote_mode is not remote_group_id, so the rule applies to all addresses"
            self.record_ignored("remote_group_id", why)
        if prefix:
            self.write_field("remote_ip_prefix", self.lower_text_field("remote_ip_prefix"))

    def write_remote_group(self, named: bool) -> None:
        """Writes the remote group. named: whether the template has an ID or a name for it."""
        if named:
            expr, kind = self.fields["remote_group_id"].value, self.writer.lookups["security_group"]
            group_id, how = self.writer.emission.data.resolve_name(self.lowering, expr, kind, "id", "security_group")
            self.write_field("remote_group_id", group_id.expr, how)
        else:
            self.block.add_argument("remote_group_id", self.writer.self_reference("id"))
        why = "it selects the remote group" if named else "it means the group itself"
        self.add_fate("remote_mode", "derived", "remote_group_id", why)


@property_hook("rule_port")
def write_rule_port(writer: Writer, entry: ir.Entry) -> Written:
    """Writes both ports of a rule at the first of them, since they depend on each other."""
    written = NOTHING if zero_ports.has_value(entry) else Written.default(entry.key)
    if entry.key != next(name for name in writer.entries if name in PORTS):
        return written
    for name, port in zero_ports.lower_ports(writer, writer.entries).items():
        own = writer.entries.get(name)
        if port.value is not None:
            written += Written.argument(name, port.value, own or entry)
        if own is not None and port.value is None:
            written += Written(fates=(zero_ports.fate_of_port(name, port),))
        elif own is not None:
            written += Written.fate(name, name, "derived" if port.why else how_written(own.value), port.why)
    return written


@finish_hook("security_group_rule")
def finish_security_group_rule(writer: Writer) -> None:
    """Rewrites a rule that is a resource of its own in the form in which Neutron stores it."""
    for name, why in stored_rules.rewrite_rule(writer.lowering, writer.block, writer.entries):
        path = writer.entries[name].key
        if writer.block.has_argument(name):
            writer.record_value(path, name, "derived", why=why)
        else:
            writer.record_fate(path, make_fate("implied", why=why))


def report_ignored_field(writer: Writer, path: str, entry: ir.Entry, why: str) -> Written:
    """Reports a field of a rule that Heat ignores."""
    writer.emission.log.add_diagnostic(
        codes.PROPERTY_IGNORED_BY_HEAT,
        f"Heat ignores {entry.key} of this rule: {why}.",
        entry,
        note=f"Heat ignores {entry.key} here: {why}.",
    )
    return Written.implied(f"{path}.{entry.key}", f"Heat ignores it: {why}")


def check_rule_block(writer: Writer, block: Block) -> None:
    """Raises CannotSay for values that the provider would reject in a rule."""
    arguments = {a.name: a.value for a in block.body if isinstance(a, Argument)}
    for name, value in arguments.items():
        facts = writer.emission.unit.tables.providers.find_argument(KIND, name)
        if is_scalar_literal(value) and value is not None and (why := find_refusal(facts, value)):
            raise CannotSay(
                codes.VALUE_REJECTED_BY_PROVIDER,
                f"the provider rejects {value!r} for {name} of a rule: {why}",
                block,
                writer.resource.name,
            )


def write_runtime_rules(writer: Writer, path: str, expr: ir.Expr, guards: tuple[Guard, ...]) -> Rules:
    """Writes rules for a list known only at run time: one resource with `for_each`.

    Terraform has to do for each item the same as `RuleBlock` for a literal rule. `try(each.value.protocol, null)` is
    for items that lack a key.
    """
    outer = writer.lowering.scope.repeated
    once = condition_of_count(outer)
    if outer is not None and (writer.lowering.scope.bound or guards or once is None):
        raise only_at_run_time("the group is repeated, and its rules are", expr)
    if (
        isinstance(expr, ir.Repeat)
        and (len(expr.for_each) == 1 or (len(expr.for_each) > 1 and has_independent_lists(expr)))
        and isinstance(expr.template, ir.Map)
        and not writer.is_repeated
        and not any(
            writer.emission.unit.is_unknown_before_apply(e.value) for e in expr.for_each
        )  # keys must be known before the apply
    ):
        return write_repeated_rules(writer, path, expr, guards)
    lowering = writer.lowering
    zeros = zero_ports.summarize_zeros(writer, expr)
    over = lowering.lower_items(expr)
    if outer is not None:
        over = make_conditional(once, over, Tuple(()))
    for guard in guards:
        over = Cond(guard.test, over, Tuple(()))
    group = writer.self_reference("id")
    block = writer.new_block(KIND, writer.block.labels[1], expr)
    if writer.is_repeated:
        block.body.pop(0)  # the `count` of the group: a block cannot have `count` and `for_each`
    rule = Traversal(("rule",))
    # By index, not by value: values may be known only after the apply, and keys of `for_each` must be known before.
    block.add_argument("for_each", ForObject(("index", "rule"), over, Traversal(("index",)), rule))
    block.add_argument("security_group_id", group)
    each = Traversal(("each", "value"))

    def try_field(name: str, default: Expr) -> Expr:
        return Fn("try", (select_literal_step(each, name), default))

    block.add_argument("description", try_field("description", None))
    block.add_argument("direction", try_field("direction", "ingress"))
    block.add_argument("ethertype", try_field("ethertype", "IPv4"))
    # The tests for stored forms make the output long, so each is written only if some rule may need it.
    may_be = stored_rules.summarize_rules(lowering, expr)
    spelled = Fn("lower", (select_literal_step(each, "protocol"),))
    names: Expr = Object((("icmpv6", "ipv6-icmp"), ("any", "")))
    if may_be.icmp:
        six = Op("==", try_field("ethertype", "IPv4"), "IPv6")
        names = Fn("merge", (names, Cond(six, Object(tuple(stored_rules.IPV6.items())), Object(()))))
    block.add_argument("protocol", Fn("try", (Fn("lookup", (names, spelled, spelled)), None)))
    low, high = (try_field(name, None) for name in PORTS)
    if may_be.all_ports:
        # As a text, since a port may be a number or a string. Without ports, the text fails and `try` gives "".
        ports = StringTemplate((select_literal_step(each, PORTS[0]), "-", select_literal_step(each, PORTS[1])))
        every = Op("==", Fn("try", (ports, "")), "-".join(str(end) for end in stored_rules.PORTS.values()))
        low, high = Cond(every, None, low), Cond(every, None, high)
    if zeros.begins_at_zero or zeros.lacks_code:
        icmp = Fn("contains", (Tuple(zero_ports.ICMP), Fn("try", (spelled, ""))))
        low, high = zeros.rewrite_ports(icmp, low, high)
    block.add_argument("port_range_min", low)
    block.add_argument("port_range_max", high)
    by_group = Op("==", try_field("remote_mode", "remote_ip_prefix"), "remote_group_id")
    prefix = select_literal_step(each, "remote_ip_prefix")
    if may_be.prefixes:
        prefix = stored_forms.with_prefix(expr, prefix, may_be.prefixes, None)
    block.add_argument("remote_ip_prefix", Cond(by_group, None, Fn("try", (prefix, None))))
    ids = Fn("try", (select_literal_step(each, "remote_group_id"), None))
    block.add_argument("remote_group_id", Cond(by_group, Fn("coalesce", (ids, group)), None))
    why = "one rule for each item of the list, with the same values"
    direction = Fn("try", (select_literal_step(rule, "direction"), "ingress"))
    egress = Fn("anytrue", (ForTuple(("rule",), over, Op("==", direction, "egress")),))
    return Rules(Written.fate(path, "for_each", "derived", why).in_resource(block), egress)


def has_independent_lists(expr: ir.Repeat) -> bool:
    """Whether a loop over several lists visits all combinations, and no value contains a placeholder.

    Heat replaces placeholders one after the other, so it would also replace one inside a value. Terraform would not.
    """
    keys = [entry.key for entry in expr.for_each]
    texts = [
        str(expression.value)
        for entry in expr.for_each
        for expression in ir.walk(entry.value)
        if isinstance(expression, ir.Lit)
    ]
    return expr.permutations in (None, ir.Lit(True)) and not any(key in text for key in keys for text in texts)


def write_combination_key(expr: ir.Repeat, pair: Expr) -> Expr:
    """Writes the key of a combination of values, different for each: the values joined with hyphens, `80-10.0.0.0`,
    unless two of them may have hyphens of their own. Then `["a-b", "c"]` and `["a", "b-c"]` would have one key.
    """
    hyphenated = [entry for entry in expr.for_each if may_have_hyphens(entry.value)]
    return Fn("jsonencode", (pair,)) if len(hyphenated) > 1 else Fn("join", ("-", pair))


def may_have_hyphens(values: ir.Expr) -> bool:
    """Whether one of the values in a list may have a hyphen; of a literal list this is known."""
    return not isinstance(values, ir.Seq) or not all(
        isinstance(item, ir.Lit) and "-" not in str(item.value) for item in values.items
    )


def write_repeated_rules(writer: Writer, path: str, expr: ir.Repeat, guards: tuple[Guard, ...]) -> Rules:
    """Writes `repeat` as `for_each` over the values of one list, or over the combinations of several."""
    lists: list[Expr] = []
    for entry in expr.for_each:
        value = writer.lowering.lower_value(entry.value, STRINGS)
        # Heat repeats over the keys of a map.
        values = Fn("keys", (value.expr,)) if value.type.kind in ("map", "object") else value.expr
        lists.append(
            writer.emission.symbols.expose_for_each_keys(entry.value, values)
            if isinstance(entry.value, ir.ParamRef)
            else values
        )
    each, pair = Traversal(("each", "value")), Traversal(("p",))
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
        over = ForObject(("p",), product, write_combination_key(expr, pair), pair, None if test is True else test)
        bound = [(entry.key, Index(each, i)) for i, entry in enumerate(expr.for_each)]
    template = expr.template
    assert isinstance(template, ir.Map)
    for name in PORTS:
        for entry in expr.for_each:
            for item in entry.value.items if isinstance(entry.value, ir.Seq) else (entry.value,):
                if template.get(name) == ir.Lit(entry.key):  # the port is the placeholder of this list
                    check_sent(writer, name, item, 0, NUMBER)
    loop = Argument("for_each", over)
    inner = writer.lowering.with_changes(loop=loop).with_bindings(*bound)
    items = {entry.key: entry.value for entry in expr.for_each}
    written, egress = write_literal_rule(writer.with_lowering(inner), path, template, (), items)
    (block,) = written.resources
    block.body.insert(0, Argument("for_each", over))
    block.span = expr.span
    why = "one rule for each value of the list" if len(lists) == 1 else "one rule for each combination of values"
    return Rules(written.without_fates() + Written.fate(path, "for_each", "derived", why, block.address), egress)
