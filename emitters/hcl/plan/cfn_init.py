"""Servers with the cfn tools (cfn-init, cfn-hup) with `--prefer native`: which of them can do without Heat.

What a server needs is read from its user data and its metadata, whatever its type. Invariant: a server goes only if all
that its scripts ask Heat for is known, or does no harm if nobody answers; the keys of the tools go with their servers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from emitters.hcl.plan import cfn_metadata
from emitters.hcl.plan.cfn_metadata import Unclear
from emitters.hcl.plan.signals import KEY, SERVERS, TEXTS
from emitters.hcl.tables.mapping import Kind
from transpile.model import ir
from transpile.model.records import node
from transpile.resolve import graph
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from emitters.hcl.plan.signals import Signals
    from transpile.resolve.stack import Stack

TOOLS, CLOUD_CONFIG = "tools", "cloud-config"  # who reads the metadata: the tools of the image, or the user data
INIT, HUP, SIGNAL, GET, PUSH = "cfn-init", "cfn-hup", "cfn-signal", "cfn-get-metadata", "cfn-push-stats"
DEAF = (HUP, PUSH, SIGNAL)  # tools whose calls do no harm if they do nothing
DATA = "cfn-init-data"  # the file with the metadata, where Heat's own boot writes it
PLACE = f"/var/lib/heat-cfntools/{DATA}"
PLACES = ("/opt/aws/bin", "/usr/local/bin")
MENTION = re.compile(  # a tool, perhaps in a directory of programs, or the file
    r"(?<![\w./-])(?:(?P<place>(?:/[\w.+-]+)*/s?bin/)?(?P<tool>cfn-(?:init|hup|signal|get-metadata|push-stats))"
    r"|(?:/[\w.+-]+)+/(?P<data>cfn-init-data))(?![\w-]|\.\w)"
)
CALL = re.compile(  # what stands in a line before a command without a path
    r"""(?:^[ \t]*|[;&|({`!=\[*][ \t]*|-[ \t]+|["']|\b(?:then|else|do)[ \t]+"""
    r"""|\b(?:sudo|exec|env|nohup|nice|time|timeout|command|type|which|watch)\b[^\n;&|'"]*[ \t])$"""
)
ASKED = re.compile(r"(?:-r|--resource)[= \t]+['\"]?([\w.-]+)")
CREDENTIALS = ("--access-key", "--secret-key")
CARRIERS = (*SERVERS, "AWS::AutoScaling::LaunchConfiguration")
HOOK = "unused_key"
UNUSED = Kind(KEY, "folded", hook=HOOK, why="only the cfn tools use it, and they have nobody to talk to")
NOTHING = (None, ir.Lit(None), ir.Lit(""))
MESSAGE = "OS::Heat::MultipartMime"
CALLS = "its user data calls {}, which contacts Heat"


@final
@node
class Boot:
    """What Heat gives a server, or a member of a group, when it boots. form: of the user data."""

    name: str
    data: ir.Expr | None
    metadata: ir.Expr | None
    form: ir.Expr | None

    @property
    def init(self) -> bool:
        """Whether there is metadata for cfn-init."""
        return isinstance(self.metadata, ir.Map) and self.metadata.get(cfn_metadata.KEY) not in NOTHING


def boot_of(name: str, properties: ir.Map | None, metadata: ir.Expr | None) -> Boot:
    """The same, of the properties of a server or of a launch configuration."""
    given = properties if properties is not None else ir.Map(())
    data = given.get("user_data") or given.get("UserData")
    return Boot(name, None if data in NOTHING else data, metadata, given.get("user_data_format"))


@final
@node
class Tools:
    """What the user data needs in place of Heat. init: the metadata for cfn-init. paths: where its scripts
    expect the tools and the file with the metadata, by name; "" for a command without a path.
    """

    init: bool
    paths: dict[str, tuple[str, ...]]
    credentials: bool
    asked: tuple[str, ...]  # the resources that cfn-init names

    def where(self, tool: str) -> tuple[str, ...]:
        """The paths at which a tool is called."""
        return tuple(dict.fromkeys(path or f"{PLACES[1]}/{tool}" for path in self.paths.get(tool, ())))


def tools(stack: Stack, boot: Boot) -> Tools | None:
    """What needs to be in the user data of a server beside its text; None if nothing does."""
    init, cfntools = boot.init, boot.form in (None, ir.Lit(None), ir.Lit("HEAT_CFNTOOLS"))
    if boot.data is None or not (init or cfntools):
        return None
    paths: dict[str, dict[str, None]] = {}
    credentials = False
    asked: dict[str, None] = {}
    for text in texts(stack, boot.data, boot.metadata if init else None):
        credentials |= any(word in text for word in CREDENTIALS)
        asked.update(dict.fromkeys(ASKED.findall(text) if INIT in text else ()))
        for found in MENTION.finditer(text):
            line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
            placed = found["place"] or found["data"]
            if placed or CALL.search(line):
                paths.setdefault(found["tool"] or DATA, {})[found[0] if placed else ""] = None
    if init:
        paths.setdefault(INIT, dict.fromkeys(f"{place}/{INIT}" for place in PLACES))
    if not init and not paths.keys() & {INIT, HUP, GET, PUSH}:
        return None
    return Tools(init, {name: tuple(found) for name, found in paths.items()}, credentials, tuple(asked))


def texts(stack: Stack, data: ir.Expr, metadata: ir.Expr | None) -> Iterator[str]:
    """The texts that the scripts of a server consist of, as far as they are known."""
    template, types = stack.template, stack.types
    exprs: list[ir.Expr] = [expr for expr in (data, metadata) if expr is not None]
    stored = sorted({one.name for expr in exprs for one in ir.walk(expr) if isinstance(one, ir.ResourceRef)})
    behind = {*stored, *graph.reachable(stack.needs, stored, lambda one: types[one] in TEXTS)}
    for other, resource in template.resources.items():
        if other in behind and types[other] in TEXTS and resource.properties is not None:
            exprs.append(resource.properties)
    for expr in exprs:
        for one in ir.walk(expr):
            if isinstance(one, ir.Lit) and isinstance(one.value, str):
                yield one.value
            elif isinstance(one, ir.FileRef):
                try:
                    yield stack.root.read(one.name).text()
                except Unreadable:
                    continue


def asks_heat(stack: Stack, boot: Boot, how: str) -> str:
    """Why a server needs Heat at run time although Terraform is preferred; "" if it does not."""
    found, data = tools(stack, boot), boot.data
    if found is None:
        return ""
    if not found.init:
        called = next((tool for tool in (INIT, GET) if tool in found.paths), "")
        return CALLS.format(called) if called else ""
    if isinstance(data, ir.ResourceRef) and stack.types[data.name] == MESSAGE:
        return "its user data is a message of parts, to which hot2tf adds none for cfn-init"
    others = [name for name in found.asked if name != boot.name and name in stack.template.resources]
    if found.credentials and others:
        return f"cfn-init in the server reads the metadata of {others[0]} through Heat"
    if how == TOOLS:
        if found.credentials:
            return "its user data gives cfn-init a key, with which the tools of the image contact Heat"
        return ""
    if GET in found.paths:
        return CALLS.format(GET)
    try:
        cfn_metadata.read(boot.metadata)
    except Unclear as unclear:
        return f"only cfn-init can read its metadata: {unclear.why}"
    return ""


def unused_keys(stack: Stack, sent: Signals) -> set[str]:
    """The keys of stack users that reach nothing but the user data of servers and their metadata for cfn-init."""
    return {
        name
        for name, resource in stack.template.resources.items()
        if stack.types[name] == KEY and resource.external_id is None and only_for_tools(stack, name, sent)
    }


def only_for_tools(stack: Stack, key: str, sent: Signals) -> bool:
    carriers = sent.carriers(key)
    return bool(carriers) and all(
        stack.types[name] in CARRIERS and not outside(stack.template.resources[name], key) for name in carriers
    )


def outside(resource: ir.Resource, key: str) -> bool:
    """Whether a resource refers to a key elsewhere than in its user data and its metadata."""
    boot = boot_of(resource.name, resource.properties, resource.metadata)
    places = [one for one in (boot.data, boot.metadata) if one is not None]
    return count(resource.refs, key) > sum(count(ir.walk(place), key) for place in places)


def count(exprs: Collection[ir.Expr] | Iterator[ir.Expr], key: str) -> int:
    return sum(isinstance(one, (ir.ResourceRef, ir.AttrRef)) and one.name == key for one in exprs)
