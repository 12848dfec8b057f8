"""Reads the metadata of cfn-init: configs with packages, sources, groups, users, files, commands and services.

Invariant: the shape is known, or `Unclear` says what is not. Values may be expressions; names, modes and switches are
not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, final

from transpile.model import ir
from transpile.model.records import node
from transpile.model.span import NOWHERE, Located, Placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KEY, SETS, ONLY = "AWS::CloudFormation::Init", "configSets", "config"
MANAGERS = ("dpkg", "rpm", "apt", "yum", "dnf")  # in the order of heat-cfntools; others follow by name
KNOWN = (*MANAGERS, "python", "rubygems", "zypper")
ONE_VERSION = ("yum", "dnf", "zypper")
NO_VERSION = ("apt", "python")
LINK, KIND_OF_FILE = 0o120000, 0o170000  # the bits of a mode that make a file a symbolic link
OCTAL = re.compile(r"(?:0o)?([0-7]{1,7})")
TAG = re.compile(r"\{\{(\{)?\s*([\w-]+)\s*(?(1)\}\}\}|\}\})")
# keys of a service: it is restarted when a file or package among them has changed
BEYOND = ("services", "sources", "packages", "commands", "files")
DEEP, MOST = 20, 200  # of config sets in each other, of configs in one


@final
class Unclear(Placed, Exception):
    """The metadata cannot be read before the server runs. why: a clause with the reason."""

    def __init__(self, why: str, where: Located = NOWHERE) -> None:
        super().__init__(why)
        self.why, self.span = why, where.span


@final
@node
class Package:
    manager: str
    name: str
    version: ir.Expr | None  # of rpm and dpkg the URL


@final
@node
class File:
    """A file to write. mode: octal digits, "" if the metadata sets none. link: it is a symbolic link to `content`."""

    path: str
    content: ir.Expr | None
    source: ir.Expr | None
    mode: str
    owner: ir.Expr | None
    group: ir.Expr | None
    base64: bool
    context: ir.Map | None
    link: bool


@final
@node
class Command:
    """command: a text for the shell, or a list of arguments."""

    name: str
    command: ir.Expr
    env: tuple[ir.Entry, ...] | None
    cwd: ir.Expr | None
    test: ir.Expr | None
    may_fail: bool


@final
@node
class Service:
    """enabled, running: None to leave it as it is. restart: whether it is restarted after the files that it reads."""

    name: str
    enabled: bool | None
    running: bool | None
    restart: bool


@final
@node
class Account:
    """A group or a user. options: in the order of the commands."""

    name: str
    options: tuple[tuple[str, ir.Expr], ...]


@final
@node
class Config:
    name: str
    packages: Sequence[Package]
    sources: Sequence[ir.Entry]
    groups: Sequence[Account]
    users: Sequence[Account]
    files: Sequence[File]
    commands: Sequence[Command]
    services: Sequence[Service]


@final
@node
class Init:
    """The metadata of cfn-init. configs: those that run, by name. sets: the configs of each set; None if there are no
    sets. beyond: clauses that say where the output does more than Heat's tools do, as AWS's cfn-init does.
    """

    configs: dict[str, Config]
    sets: dict[str, list[str]] | None
    beyond: tuple[str, ...]


def read(metadata: ir.Expr | None) -> Init:
    """The configs in the metadata of a resource. Raises Unclear."""
    given = metadata.get(KEY) if isinstance(metadata, ir.Map) else None
    sections = {entry.key: entry.value for entry in entries(given, KEY)}
    beyond: dict[str, None] = {}
    sets = None
    if sections.get(SETS, ir.NULL) != ir.NULL:
        listed = {entry.key: entry.value for entry in entries(sections[SETS], SETS)}
        sets = {name: expanded(listed, name, ()) for name in listed}
    wanted = dict.fromkeys(name for names in sets.values() for name in names) if sets is not None else {ONLY: None}
    found = {name: config(name, sections[name], beyond) for name in wanted if name in sections}
    return Init(found, sets, tuple(beyond))


def entries(expr: ir.Expr | None, what: str) -> tuple[ir.Entry, ...]:
    """The entries of a map; none if there is no map. what: names the map in the error. Raises Unclear."""
    if expr is None or expr == ir.NULL:
        return ()
    if not isinstance(expr, ir.Map):
        raise Unclear(f"{what} in its metadata is known only at run time", expr)
    return expr.entries


def expanded(sets: dict[str, ir.Expr], name: str, inside: tuple[str, ...]) -> list[str]:
    """The names of the configs of a set, with those of the sets that it names. inside: the sets around it."""
    expr = sets.get(name)
    if name in inside or not isinstance(expr, ir.Seq):
        why = "names itself" if name in inside else "is known only at run time"
        raise Unclear(f"the config set {name} {why}")
    if len(inside) > DEEP:
        raise Unclear(f"the config set {inside[0]} names too many others")
    found: list[str] = []
    for item in expr.items:
        other = item.get("ConfigSet") if isinstance(item, ir.Map) else None
        if isinstance(item, ir.Lit) and isinstance(item.value, str):
            found.append(item.value)
        elif isinstance(other, ir.Lit):
            found += expanded(sets, str(other.value), (*inside, name))
            if len(found) > MOST:
                raise Unclear(f"the config set {name} has too many configs")
        else:
            raise Unclear(f"the config set {name} is known only at run time", item)
    return found


def config(name: str, expr: ir.Expr, beyond: dict[str, None]) -> Config:
    given = {entry.key: entry.value for entry in entries(expr, name)}
    return Config(
        name,
        packages(given.get("packages"), beyond),
        entries(given.get("sources"), "sources"),
        [account(entry, GROUP) for entry in entries(given.get("groups"), "groups")],
        [account(entry, USER) for entry in entries(given.get("users"), "users")],
        [file(entry, beyond) for entry in entries(given.get("files"), "files")],
        [command(entry) for entry in sorted(entries(given.get("commands"), "commands"), key=lambda one: one.key)],
        [one for entry in entries(given.get("services"), "services") for one in services(entry, beyond)],
    )


def packages(expr: ir.Expr | None, beyond: dict[str, None]) -> list[Package]:
    found: list[Package] = []
    place = {manager: index for index, manager in enumerate(MANAGERS)}
    by_place = sorted(entries(expr, "packages"), key=lambda one: (place.get(one.key, len(place)), one.key.lower()))
    for manager in by_place:
        listed = entries(manager.value, manager.key)
        if manager.key not in KNOWN:
            beyond[f"packages of {manager.key} are left out, as by heat-cfntools"] = None
            continue
        if manager.key in ("rpm", "dpkg") and listed:
            beyond[f"packages of {manager.key} are installed, which heat-cfntools leaves out"] = None
        for entry in listed:
            found.append(Package(manager.key, entry.key, version(manager.key, entry)))
            if manager.key in NO_VERSION and found[-1].version is not None:
                beyond[f"{manager.key} ignores versions, as with heat-cfntools"] = None
    return found


def version(manager: str, entry: ir.Entry) -> ir.Expr | None:
    expr = entry.value
    if isinstance(expr, ir.Seq):
        if len(expr.items) > 1 and manager in ONE_VERSION:
            raise Unclear(f"cfn-init chooses among several versions of {entry.key}", expr)
        expr = expr.items[0] if expr.items else ir.NULL
    if isinstance(expr, ir.Map):
        raise Unclear(f"the version of {entry.key} is not a text", expr)
    if expr in (ir.NULL, ir.Lit("")):
        if manager in ("rpm", "dpkg"):
            raise Unclear(f"the package {entry.key} has no URL", entry)
        return None
    return expr


GROUP = (("gid", "--gid"),)
USER = (("uid", "--uid"), ("homeDir", "--home"), ("groups", "--groups"))


def account(entry: ir.Entry, words: Iterable[tuple[str, str]]) -> Account:
    given = {one.key: one.value for one in entries(entry.value, entry.key)}
    found = [(option, given[word]) for word, option in words if given.get(word, ir.NULL) != ir.NULL]
    for option, expr in found:
        if isinstance(expr, ir.Map) or (option != "--groups" and isinstance(expr, ir.Seq)):
            raise Unclear(f"{option[2:]} of {entry.key} is not a text", expr)
        if option == "--groups" and not isinstance(expr, ir.Seq):
            raise Unclear(f"the groups of {entry.key} are known only at run time", expr)
    return Account(entry.key, tuple(found))


def file(entry: ir.Entry, beyond: dict[str, None]) -> File:
    path, given = entry.key, {one.key: one.value for one in entries(entry.value, entry.key)}
    content, source = given.get("content"), given.get("source")
    if not path.startswith("/") or "\n" in path:
        raise Unclear(f"{path!r} is not the path of a file", entry)
    if content is None and source is None:
        raise Unclear(f"{path} has neither content nor source", entry)
    mode, link = permissions(path, given.get("mode"))
    base64, context = given.get("encoding") == ir.Lit("base64"), given.get("context")
    if given.get("encoding", ir.NULL) not in (ir.NULL, ir.Lit("plain"), ir.Lit("base64")):
        raise Unclear(f"the encoding of {path} is known only at run time", entry)
    if context is not None:
        templated(path, content, context, base64=base64)
        beyond["{{…}} in files are filled in, which heat-cfntools leaves as they are"] = None
    if base64:
        beyond["files in base64 are decoded, which heat-cfntools leaves as they are"] = None
    if isinstance(content, (ir.Map, ir.Seq)):
        beyond["a map as content becomes JSON, at which heat-cfntools fails"] = None
    if link:
        beyond["modes of symbolic links make links, where heat-cfntools writes files"] = None
    if "authentication" in given:
        beyond["authentication is left out, as by heat-cfntools"] = None
    return File(
        path,
        content,
        source if content is None else None,
        mode,
        named(given.get("owner")),
        named(given.get("group")),
        base64,
        context if isinstance(context, ir.Map) else None,
        link,
    )


def named(expr: ir.Expr | None) -> ir.Expr | None:
    if isinstance(expr, (ir.Map, ir.Seq)):
        raise Unclear("an owner of a file is not a text", expr)
    return None if expr in (ir.NULL, ir.Lit("")) else expr


def permissions(path: str, expr: ir.Expr | None) -> tuple[str, bool]:
    """The mode as chmod takes it, and whether it is that of a symbolic link."""
    if expr is None:
        return "", False
    found = OCTAL.fullmatch(expr.value) if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else None
    if found is None:
        raise Unclear(f"the mode of {path} is not a text of octal digits", expr)
    bits = int(found[1], 8)
    return f"{bits & 0o7777:04o}", bits & KIND_OF_FILE == LINK


def templated(path: str, content: ir.Expr | None, context: ir.Expr, *, base64: bool) -> None:
    """Raises Unclear if the text of a file has more than plain placeholders."""
    values = entries(context, f"the context of {path}")
    texts = [e.value for e in ir.walk(content) if isinstance(e, ir.Lit)] if content is not None else []
    odd = any("{{" in TAG.sub("", text) for text in texts if isinstance(text, str))
    if content is None or base64 or odd or any(isinstance(one.value, (ir.Map, ir.Seq)) for one in values):
        raise Unclear(f"the context of {path} is for more than plain placeholders", context)


def command(entry: ir.Entry) -> Command:
    given = {one.key: one.value for one in entries(entry.value, entry.key)}
    run, env = given.get("command"), given.get("env")
    if run is None or isinstance(run, ir.Map) or run in (ir.NULL, ir.Seq(())):
        raise Unclear(f"the command {entry.key} has nothing to run", entry)
    if isinstance(given.get("test"), (ir.Map, ir.Seq)):
        raise Unclear(f"the test of the command {entry.key} is not a text", entry)
    variables = None if env is None or env == ir.NULL else entries(env, f"env of {entry.key}")
    for one in variables or ():
        if not re.fullmatch(r"[A-Za-z_]\w*", one.key, re.ASCII) or isinstance(one.value, (ir.Map, ir.Seq)):
            raise Unclear(f"the variable {one.key} of the command {entry.key} is not one", one)
    test = given.get("test")
    may_fail = switch(given.get("ignoreErrors"), f"ignoreErrors of {entry.key}") or False
    return Command(entry.key, run, variables, given.get("cwd"), None if test == ir.NULL else test, may_fail)


def switch(expr: ir.Expr | None, what: str) -> bool | None:
    """A value as the boolean that heat-cfntools takes it for; None if there is no value."""
    if expr is None:
        return None
    if not isinstance(expr, ir.Lit):
        raise Unclear(f"{what} is known only at run time", expr)
    value = expr.value.lower().strip() if isinstance(expr.value, str) else expr.value
    return value in (True, "true", "yes", "1")


def services(manager: ir.Entry, beyond: dict[str, None]) -> list[Service]:
    if manager.key not in ("sysvinit", "systemd"):
        beyond[f"services of {manager.key} are left out, as by heat-cfntools"] = None
        return []
    found = []
    for entry in entries(manager.value, manager.key):
        given = {one.key: one.value for one in entries(entry.value, entry.key)}
        enabled = switch(given.get("enabled"), f"enabled of {entry.key}")
        running = switch(given.get("ensureRunning"), f"ensureRunning of {entry.key}")
        restart = bool(running) and any(
            given.get(word, ir.NULL) not in (ir.NULL, ir.Seq(()), ir.Map(())) for word in BEYOND
        )
        if restart:
            beyond["services are restarted after the files that they read, which heat-cfntools does not do"] = None
        found.append(Service(entry.key, enabled, running, restart))
    return found
