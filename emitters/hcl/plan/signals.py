"""Decides which receivers of signals (wait conditions, their handles, scaling policies) can do without Heat, with
`--prefer native` and `--prefer provisioners`.

A handle, the conditions that wait for it and the resources that carry it to a script belong together. So do a policy
and the resources that carry its URL. Invariant: none of them is converted while another one stays with Heat, and
none if a resource needs the data of a signal. Outputs do not count: they are null without it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterator
from typing import final

from emitters.hcl.plan import referrals
from emitters.hcl.plan.configurations import ReasonToKeep
from emitters.hcl.plan.modules import Modules
from emitters.hcl.plan.scaling import GROUPS, LAUNCHED, POLICIES, instance_of_group
from emitters.hcl.tables.mapping import TypeMapping
from transpile.model import heat_types, ir
from transpile.resolve import graph
from transpile.resolve.stack import Stack
from transpile.text.source import UnreadableFile

HANDLES = (
    heat_types.WAIT_CONDITION_HANDLE,
    heat_types.UPDATE_WAIT_CONDITION_HANDLE,
    heat_types.SWIFT_SIGNAL_HANDLE,
    heat_types.AWS_WAIT_CONDITION_HANDLE,
)
RECEIVERS = (*HANDLES, *POLICIES)
CONDITIONS = (heat_types.WAIT_CONDITION, heat_types.SWIFT_SIGNAL, heat_types.AWS_WAIT_CONDITION)
SERVERS = (heat_types.NOVA_SERVER, heat_types.AWS_INSTANCE)
TEXTS = (  # resources that only pass a value on to those that refer to them
    heat_types.SOFTWARE_CONFIG,
    heat_types.STRUCTURED_CONFIG,
    heat_types.CLOUD_CONFIG,
    heat_types.MULTIPART_MIME,
    heat_types.VALUE,
    LAUNCHED,
)
HOLDERS = (heat_types.TEST_RESOURCE, heat_types.VALUE)  # they only hold values
OVER_SSH = TypeMapping("wait condition", "native", hook="wait_over_ssh", why="Terraform waits for cloud-init over SSH")
UNHEARD = "unheard"  # the hook of a handle without Heat
REPLACE, JOIN = ("str_replace", "str_replace_strict", "str_replace_vstrict"), ("list_join", "Fn::Join")
INPUT, STATUS, CODE = "input", "status", "code"
# carriers of all handles together, each an edge of the graph: conditions with more of them stay with Heat
MOST = 10_000
MARK, NOTHING = "\0", ir.Lit("")  # in place of a value; before the first and after the last piece of a text


@final
class Signals:
    """The handles and conditions of one stack, with their senders and readers."""

    def __init__(self, stack: Stack, is_output_needed: Callable[[str], bool] = lambda name: False) -> None:
        self.stack, self.template = stack, stack.template
        self.is_output_needed = is_output_needed  # by a resource of a template that calls this one
        self.carriers_by_handle: dict[str, set[str]] = {}

    @functools.cached_property
    def has_any(self) -> bool:
        """Whether the stack has any handle, condition, policy or access key."""
        return any(kind in (*RECEIVERS, *CONDITIONS, heat_types.AWS_ACCESS_KEY) for kind in self.stack.types.values())

    @functools.cached_property
    def referring_resources(self) -> dict[str, list[str]]:
        """The resources that refer to a resource, by its name."""
        return graph.reverse_edges(self.stack.needs)

    @functools.cached_property
    def template_dependencies(self) -> graph.Edges:
        """The edges from each resource to those it waits for, by references and `depends_on` of the template."""
        return graph.merge_edges(self.stack.needs, graph.explicit_edges(self.template))

    def select_unread(self) -> set[str]:
        """The handles and conditions that need no Heat: no resource needs the data of their signals."""
        types, resources = self.stack.types, self.template.resources
        handles = (need for name in resources if types[name] in CONDITIONS for need in self.stack.needs.get(name, ()))
        if sum(len(self.carriers_of(handle)) for handle in handles if types[handle] in HANDLES) > MOST:
            return set()
        names = {n for n, r in resources.items() if types[n] in (*HANDLES, *CONDITIONS) and not r.is_existing}
        lost = names & {name for name, _ in self.data_readers()}
        return names - lost - graph.reachable_nodes(self.link_treatments(names), lost, names.__contains__)

    def data_readers(self) -> Iterator[tuple[str, str]]:
        """The conditions whose data a resource needs, each with its reader. Only Heat receives this data. Outputs, and
        resources that only hold it for outputs, do not need it.
        """
        for name, reader in self.data_references():
            if self.needs_value(reader):
                yield name, reader.name

    def data_references(self) -> Iterator[tuple[str, ir.Resource | ir.Output]]:
        """The conditions whose data is read, each with its reader."""
        owners: list[ir.Resource | ir.Output] = [*self.template.resources.values(), *self.template.outputs.values()]
        for owner in owners:
            for ref in owner.refs:
                if isinstance(ref, ir.AttrRef) and self.stack.types.get(ref.name) in CONDITIONS:
                    yield ref.name, owner

    def needs_value(self, reader: ir.Resource | ir.Output) -> bool:
        """Whether a value reaches a resource that does something with it, through a reader."""
        types = self.stack.types
        if isinstance(reader, ir.Output):
            return self.is_output_needed(reader.name)
        holders, others = {reader.name}, set[str]()
        if types[reader.name] in HOLDERS:
            reached = graph.reachable_nodes(self.referring_resources, holders, lambda name: types[name] in HOLDERS)
            others = {name for name in reached if types[name] not in HOLDERS}
            holders |= reached - others
        outputs = self.template.outputs.values()
        return (
            bool(others)
            or types[reader.name] not in HOLDERS
            or any(self.needs_value(output) for output in outputs if referrals.referred_names(output) & holders)
        )

    @functools.cached_property
    def conditions_read_by_holders(self) -> set[str]:
        """The conditions whose data a resource only holds for outputs, such as OS::Heat::Value."""
        return {
            name
            for name, reader in self.data_references()
            if isinstance(reader, ir.Resource) and reader.kind in HOLDERS
        }

    @functools.cached_property
    def reasons_to_keep(self) -> dict[str, ReasonToKeep]:
        """The reasons, by name, why Heat must wait for a condition, and receive signals to its handle, under every
        preference.
        """
        reasons: dict[str, ReasonToKeep] = {}
        for name, reader in self.data_readers():
            reason = ReasonToKeep(
                f"{reader} reads the data of the signals, which only Heat receives",
                f"have {reader} get the value in another way, such as a parameter",
            )
            handles = [need for need in self.stack.needs.get(name, ()) if self.stack.types[need] in HANDLES]
            reasons |= dict.fromkeys((name, *handles), reason)
        return reasons

    def link_treatments(self, free: Collection[str]) -> dict[str, set[str]]:
        """The resources that must change treatment together, in both directions: a handle or a policy with its
        conditions and all its carriers, a condition with the senders of its signals, a key with the servers that get
        it.
        """
        partners: dict[str, set[str]] = {}
        for name in self.template.resources:
            kind = self.stack.types[name]
            if name not in free or kind not in (*RECEIVERS, *CONDITIONS, heat_types.AWS_ACCESS_KEY):
                continue
            conditions = {
                user for user in self.referring_resources.get(name, ()) if self.stack.types[user] in CONDITIONS
            }
            for other in self.senders_of(name) if kind in CONDITIONS else conditions | self.carriers_of(name):
                partners.setdefault(name, set()).add(other)
                partners.setdefault(other, set()).add(name)
        return partners

    def carriers_of(self, handle: str) -> set[str]:
        """The resources that get the URL or the command of a handle or policy, directly or in a text."""
        if handle not in self.carriers_by_handle:
            types = self.stack.types
            reached = graph.reachable_nodes(self.referring_resources, [handle], lambda name: types[name] in TEXTS)
            carriers = {name for name in reached if types[name] not in (*TEXTS, *CONDITIONS, *HANDLES)}
            self.carriers_by_handle[handle] = carriers
        return self.carriers_by_handle[handle]

    def resources_behind(self, name: str) -> set[str]:
        """The resources that a resource refers to, directly or through texts."""
        return graph.reachable_nodes(
            self.stack.needs, [name], lambda resource_name: self.stack.types[resource_name] in TEXTS
        )

    def senders_of(self, condition: str) -> list[str]:
        """The resources whose scripts send the signals that a condition waits for, in the order of the template."""
        return self.senders_by_condition.get(condition, [])

    @functools.cached_property
    def senders_by_condition(self) -> dict[str, list[str]]:
        """For each condition all that carry its handle; if none does, the servers that it depends on. Never those that
        wait for the condition themselves.
        """
        place = {name: index for index, name in enumerate(self.template.resources)}
        conditions = [name for name in place if self.stack.types[name] in CONDITIONS]
        senders = {name: sorted(self.find_senders(name), key=place.__getitem__) for name in conditions}
        circles = graph.strong_components(graph.merge_edges(self.template_dependencies, senders))
        circle = {name: number for number, names in enumerate(circles) for name in names}
        return {name: [sender for sender in many if circle[sender] != circle[name]] for name, many in senders.items()}

    def find_senders(self, condition: str) -> set[str]:
        """The senders of a condition's signals, in no order."""
        types, resource = self.stack.types, self.template.resources[condition]
        near = list(self.stack.needs.get(condition, ()))
        carriers = {carrier for name in near if types[name] in HANDLES for carrier in self.carriers_of(name)} - {
            condition
        }
        near += [dependency.name for dependency in resource.depends_on]
        return carriers or {name for name in near if types.get(name) in (*SERVERS, heat_types.RESOURCE_GROUP, *GROUPS)}

    def select_over_ssh(self, free: Collection[str]) -> set[str]:
        """The conditions that Terraform can wait for by itself: only servers of this template send their signals."""
        return {
            name
            for name in free
            if self.stack.types[name] in CONDITIONS
            and (senders := self.senders_of(name))
            and all(self.is_server(sender) for sender in senders)
        }

    def is_server(self, name: str) -> bool:
        """Whether a resource is a server that the stack creates, or a group of them."""
        resource, kind = self.template.resources[name], self.stack.types[name]
        word = "resource_def" if kind == heat_types.RESOURCE_GROUP else GROUPS[kind].members if kind in GROUPS else ""
        definition = resource.find_property(word)
        member = definition.get("type") if isinstance(definition, ir.Map) else None
        of_servers = isinstance(member, ir.Lit) and self.stack.canonical_type(str(member.value)) in SERVERS
        of_servers |= instance_of_group(self.stack, resource) is not None
        return (kind in SERVERS or of_servers) and not resource.is_existing

    @functools.cached_property
    def command_uses(self) -> dict[int, str]:
        """The uses of handles' commands in scripts, by the offset of the reference: they pipe a text to the command,
        which it must read (INPUT), or read its output (STATUS, CODE). Those that only run it have no entry.
        """
        handles = {name for name, kind in self.stack.types.items() if kind in HANDLES}
        uses: dict[int, str] = {}
        for resource in self.template.resources.values() if handles else ():
            names = {ref.name for ref in resource.refs if isinstance(ref, ir.AttrRef)}
            for expr in ir.walk(resource.properties) if names & handles else ():
                if isinstance(expr, ir.Call) and expr.fn in REPLACE and isinstance(expr.arg, ir.Map):
                    uses.update(uses_in_replacement(self.stack, expr.arg))
                elif isinstance(expr, ir.Call) and expr.fn in JOIN and isinstance(expr.arg, ir.Seq):
                    uses.update(uses_in_join(expr.arg))
        return {at: use for at, use in uses.items() if use}


def receivers_need_no_heat(modules: Modules, stack: Stack) -> bool:
    """Whether no receiver of signals in a nested template, or in one below it, needs Heat. As for deployments, the
    report of the written module has the answer.
    """
    receivers = {name for name, kind in stack.types.items() if kind in RECEIVERS}
    interface = modules.module_of_stack(stack).interface
    if interface is None:
        return not receivers
    rows = interface.report.resources
    return not any(name in rows and rows[name].treatment == "embedded" for name in receivers) and all(
        receivers_need_no_heat(modules, nested.stack) for nested in stack.nested.values()
    )


def uses_in_replacement(stack: Stack, arg: ir.Map) -> Iterator[tuple[int, str]]:
    """The use of each attribute that a str_replace inserts into its text, by the offset of the reference."""
    text, params = text_if_known(stack, arg.get("template")), arg.get("params")
    for entry in params.entries if isinstance(params, ir.Map) else ():
        if isinstance(entry.value, ir.AttrRef):
            yield entry.value.at, classify_use(text, re.escape(entry.key))


def uses_in_join(arg: ir.Seq) -> Iterator[tuple[int, str]]:
    """The use of each attribute between the pieces of a text. Only the two neighbours of a reference count."""
    items = arg.items[1] if len(arg.items) > 1 else None
    listed = items.items if isinstance(items, ir.Seq) else ()
    space = text_if_known(None, arg.items[0])
    for before, item, after in zip((NOTHING, *listed), listed, (*listed[1:], NOTHING), strict=False):
        if isinstance(item, ir.AttrRef):
            text = f"{text_if_known(None, before)}{space}{MARK}{space}{text_if_known(None, after)}"
            yield item.at, classify_use(text, MARK)


def classify_use(text: str, key: str) -> str:
    """The use of a command, given as a pattern, in a script."""
    if re.search(rf"{key}[^\n]*http_code", text):
        return CODE
    if re.search(rf"{key}[^\n|]*\|(?!\|)", text):
        return STATUS
    return INPUT if re.search(rf"(?<!\|)\|\s*{key}|{key}[^\n]*@-", text) else ""


def text_if_known(stack: Stack | None, expr: ir.Expr | None) -> str:
    """A text that is known: a literal, or a file of the stack; "" for any other."""
    if stack is not None and isinstance(expr, ir.FileRef):
        try:
            return stack.root.read_file(expr.name).decode_text()
        except UnreadableFile:
            return ""
    return expr.value if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else ""
