"""Decides which servers with the cfn tools (cfn-init, cfn-hup) can do without Heat, with `--prefer native`.

The needs of a server of any type are read from its user data and its metadata. Invariant: a server leaves Heat only
if everything that its scripts ask Heat for is known, or if a script does no harm when nobody answers. The access keys
of the tools leave Heat with their servers.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Iterable, Iterator
from typing import final

from emitters.hcl.plan import cfn_metadata
from emitters.hcl.plan.cfn_metadata import Unclear
from emitters.hcl.plan.signals import JOIN, REPLACE, SERVERS, TEXTS, Signals, text_if_known
from emitters.hcl.tables.mapping import TypeMapping
from transpile.model import heat_types, ir
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.resolve import graph
from transpile.resolve.stack import Stack
from transpile.text.source import UnreadableFile

TOOLS, CLOUD_CONFIG = "tools", "cloud-config"  # who reads the metadata: the tools of the image, or the user data
INIT, HUP, SIGNAL, GET, PUSH = "cfn-init", "cfn-hup", "cfn-signal", "cfn-get-metadata", "cfn-push-stats"
DEAF = (HUP, PUSH, SIGNAL)  # tools that a script can call without harm although they do nothing
DATA = "cfn-init-data"  # the file with the metadata, where Heat's own boot writes it
PLACE = f"/var/lib/heat-cfntools/{DATA}"
PLACES = ("/opt/aws/bin", "/usr/local/bin")
MENTION = compile_lazily(  # a tool, perhaps in a directory of programs, or the file
    r"(?<![\w.+/-])(?:(?P<place>(?:/[\w.+-]+)*/s?bin/)?(?P<tool>cfn-(?:init|hup|signal|get-metadata|push-stats))"
    r"|(?:/[\w.+-]+)+/(?P<data>cfn-init-data))(?![\w-]|\.\w)"
)
CALL = compile_lazily(  # the words in a line before a command without a path
    r"""(?:^[ \t]*|[;&|({`!=\[*][ \t]*|-[ \t]+|["']|\b(?:then|else|do)[ \t]+"""
    r"""|\b(?:sudo|exec|env|nohup|nice|time|timeout|command|type|which|watch)\b[^\n;&|'"]*[ \t])$"""
)
ASKED = compile_lazily(r"(?:-r|--resource)[= \t]+['\"]?([\w.-]+)")
CREDENTIALS = ("--access-key", "--secret-key")
CARRIERS = (*SERVERS, heat_types.AWS_LAUNCH_CONFIGURATION)
HOOK = "unused_key"
UNUSED = TypeMapping(
    heat_types.AWS_ACCESS_KEY, "folded", hook=HOOK, why="only the cfn tools use it, and they no longer call Heat"
)
NOTHING = (None, ir.NULL, ir.Lit(""))
LOOK = 200  # characters before a word in which it may be called
CALLS = "its user data calls {}, which contacts Heat"


@final
@node
class Boot:
    """The user data and metadata with which a server, or a member of a group, boots. form: the user data's format."""

    name: str
    data: ir.Expr | None
    metadata: ir.Expr | None
    form: ir.Expr | None

    @property
    def has_init_metadata(self) -> bool:
        """Whether there is metadata for cfn-init."""
        return isinstance(self.metadata, ir.Map) and self.metadata.get(cfn_metadata.KEY) not in NOTHING


def read_boot(name: str, settings: ir.Map, metadata: ir.Expr | None) -> Boot:
    """Reads the boot data of a server from its properties, or from those of a launch configuration."""
    data = settings.get("user_data") or settings.get("UserData")
    return Boot(name, None if data in NOTHING else data, metadata, settings.get("user_data_format"))


@final
@node
class Tools:
    """The tools of Heat that the user data calls. init: whether cfn-init has metadata. paths: the paths at which
    scripts call the tools and read the metadata, by name; "" for a command without a path. credentials: whether a
    script passes an access key to the tools.
    """

    init: bool
    paths: dict[str, tuple[str, ...]]
    credentials: bool
    resource_names: tuple[str, ...]  # the names that may be that of the resource in a call of cfn-init

    def paths_of_tool(self, tool: str) -> tuple[str, ...]:
        """The paths at which a tool is called."""
        return tuple(dict.fromkeys(path or f"{PLACES[1]}/{tool}" for path in self.paths.get(tool, ())))


def find_tools(stack: Stack, boot: Boot) -> Tools | None:
    """The tools that the user data of a server must contain in addition to its own text; None if it needs none."""
    init, cfntools = boot.has_init_metadata, boot.form in (None, ir.NULL, ir.Lit("HEAT_CFNTOOLS"))
    if boot.data is None or not (init or cfntools):
        return None
    paths: dict[str, dict[str, None]] = {}
    resource_names: dict[str, None] = {}
    credentials = False
    for text in script_texts(stack, boot.data, boot.metadata if init else None):
        tools = scan_script(text)
        credentials |= tools.credentials
        resource_names.update(dict.fromkeys(tools.resource_names))
        for tool, places in tools.paths.items():
            paths.setdefault(tool, {}).update(dict.fromkeys(places))
    if init:
        paths.setdefault(INIT, dict.fromkeys(f"{place}/{INIT}" for place in PLACES))
    if not init and not paths.keys() & {INIT, HUP, GET, PUSH}:
        return None
    return Tools(init, {name: tuple(places) for name, places in paths.items()}, credentials, tuple(resource_names))


@functools.lru_cache(maxsize=256)  # many servers may have the same text
def scan_script(text: str) -> Tools:
    """The tools that one script mentions, and how. A word in a comment or a message is no call: a tool counts only with
    its path, or where a shell expects a command.
    """
    paths: dict[str, dict[str, None]] = {}
    for mention in MENTION.finditer(text):
        line = text[max(text.rfind("\n", 0, mention.start()) + 1, mention.start() - LOOK) : mention.start()]
        placed = mention["place"] or mention["data"]
        if placed or CALL.search(line):
            paths.setdefault(mention["tool"] or DATA, {})[mention[0] if placed else ""] = None
    return Tools(
        False,
        {name: tuple(places) for name, places in paths.items()},
        any(word in text for word in CREDENTIALS),
        tuple(dict.fromkeys(ASKED.findall(text))),
    )


def find_beginning_of_text(stack: Stack, expr: ir.Expr | None) -> str:
    """The literal text that an expression begins with, such as `#!/bin/sh`; "" if that is known only at run time."""
    while True:
        match expr:
            case ir.Call(fn="Fn::Base64"):
                expr = expr.arg
            case ir.Call(fn=fn, arg=ir.Map() as given) if fn in REPLACE:
                expr = given.get("template")
            case ir.Call(fn=fn, arg=ir.Seq(items=(_, ir.Seq(items=(first, *_))))) if fn in JOIN:
                expr = first
            case ir.ResourceRef(name=name) if stack.types[name] == heat_types.SOFTWARE_CONFIG:
                expr = stack.template.resources[name].find_property("config")
            case ir.ResourceRef(name=name) if stack.types[name] == heat_types.CLOUD_CONFIG:
                return "#cloud-config"
            case _:
                return text_if_known(stack, expr)


def script_texts(stack: Stack, data: ir.Expr, metadata: ir.Expr | None) -> Iterator[str]:
    """The known pieces of a server's scripts: literals and files in its user data, and in stored texts that it refers
    to.
    """
    types = stack.types
    exprs: list[ir.Expr] = [expr for expr in (data, metadata) if expr is not None]
    stored = sorted({part.name for expr in exprs for part in ir.walk(expr) if isinstance(part, ir.ResourceRef)})
    for name in sorted(
        {*stored, *graph.reachable_nodes(stack.needs, stored, lambda resource_name: types[resource_name] in TEXTS)}
    ):
        if types[name] in TEXTS:
            exprs.append(stack.template.resources[name].properties)
    for expr in exprs:
        for part in ir.walk(expr):
            if isinstance(part, ir.Lit) and isinstance(part.value, str):
                yield part.value
            elif isinstance(part, ir.FileRef):
                try:
                    yield stack.root.read_file(part.name).decode_text()
                except UnreadableFile:
                    continue


def why_boot_needs_heat(stack: Stack, boot: Boot, metadata_reader: str) -> str:
    """Why a server needs Heat at run time although the user prefers Terraform; "" if it does not. how: who reads the
    metadata, TOOLS or CLOUD_CONFIG.
    """
    tools, data = find_tools(stack, boot), boot.data
    if tools is None:
        return ""
    if not tools.init:
        called = next((tool for tool in (INIT, GET) if tool in tools.paths), "")
        return CALLS.format(called) if called else ""
    if isinstance(data, ir.ResourceRef) and stack.types[data.name] == heat_types.MULTIPART_MIME:
        return "its user data is a message of parts, to which hot2tf adds none for cfn-init"
    if tools.credentials and (other := find_other_metadata(stack, boot, tools)):
        return f"cfn-init in the server reads the metadata of {other} through Heat"
    if metadata_reader == TOOLS:
        if tools.credentials:
            return "its user data gives cfn-init a key, with which the tools of the image contact Heat"
        return ""
    if GET in tools.paths:
        return CALLS.format(GET)
    try:
        cfn_metadata.read_init_metadata(boot.metadata)
    except Unclear as unclear:
        return f"only cfn-init can read its metadata: {unclear.why}"
    return ""


def find_other_metadata(stack: Stack, boot: Boot, tools: Tools) -> str:
    """The resource whose metadata cfn-init asks Heat for; "" if it asks only for that of the server itself."""
    for name in tools.resource_names:
        resource = stack.template.resources.get(name)
        if resource is not None:
            other = read_boot(name, resource.properties, resource.metadata)
            if other.has_init_metadata and other.metadata != boot.metadata:
                return name
    return ""


def find_unused_keys(stack: Stack, signals: Signals) -> set[str]:
    """The access keys that only the user data of servers and their metadata for cfn-init use."""
    resources, types = stack.template.resources, stack.types
    keys = {
        name
        for name, resource in resources.items()
        if types[name] == heat_types.AWS_ACCESS_KEY and not resource.is_existing
    }
    elsewhere: set[str] = set()
    for name, resource in resources.items() if keys else ():
        if types[name] in CARRIERS:
            boot = read_boot(name, resource.properties, resource.metadata)
            places = [place for place in (boot.data, boot.metadata) if place is not None]
            elsewhere |= (
                count_references(resource.refs) - count_references(part for place in places for part in ir.walk(place))
            ).keys()
    return {
        name
        for name in keys - elsewhere
        if (carriers := signals.carriers_of(name)) and all(types[carrier] in CARRIERS for carrier in carriers)
    }


def count_references(exprs: Iterable[ir.Expr]) -> collections.Counter[str]:
    """The number of references to each resource."""
    return collections.Counter(expr.name for expr in exprs if isinstance(expr, (ir.ResourceRef, ir.AttrRef)))
