"""Reads the metadata of cfn-init: configs with packages, sources, groups, users, files, commands and services.

Invariant: the shape is known, or `Unclear` names the unknown part. Values may be expressions; names, modes and switches
are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import final

from transpile.model import ir
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.model.span import NOWHERE, Located, WithSpan

KEY, SETS, ONLY = "AWS::CloudFormation::Init", "configSets", "config"
MANAGERS = ("dpkg", "rpm", "apt", "yum", "dnf")  # in the order of heat-cfntools; others follow by name
KNOWN = (*MANAGERS, "python", "rubygems", "zypper")
ONE_VERSION = ("yum", "dnf", "zypper")
NO_VERSION = ("apt", "python")
LINK, KIND_OF_FILE = 0o120000, 0o170000  # the bits of a mode that make a file a symbolic link
OCTAL = compile_lazily(r"(?:0o)?([0-7]{1,7})")
TAG = compile_lazily(r"\{\{(\{)?\s*([\w-]+)\s*(?(1)\}\}\}|\}\})")
# keys of a service: it is restarted when a file or package among them has changed
BEYOND = ("services", "sources", "packages", "commands", "files")
DEEP, MOST = 20, 200  # of config sets in each other, of configs in one


@final
class Unclear(WithSpan, Exception):
    """The metadata cannot be read before the server runs. why: a clause with the reason."""

    def __init__(self, why: str, where: Located = NOWHERE) -> None:
        super().__init__(why)
        self.why, self.span = why, where.span


@final
@node
class InitPackage:
    manager: str
    name: str
    version: ir.Expr | None  # of rpm and dpkg the URL


@final
@node
class InitFile:
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
class InitCommand:
    """A command. command: a text for the shell, or a list of arguments."""

    name: str
    command: ir.Expr
    env: tuple[ir.Entry, ...] | None
    cwd: ir.Expr | None
    test: ir.Expr | None
    may_fail: bool


@final
@node
class InitService:
    """A service. enabled, running: None for no change. restart: after a change of the files that the service reads."""

    name: str
    enabled: bool | None
    running: bool | None
    restart: bool


@final
@node
class InitAccount:
    """A group or a user. options: in the order of the commands."""

    name: str
    options: tuple[tuple[str, ir.Expr], ...]


@final
@node
class InitConfig:
    name: str
    packages: Sequence[InitPackage]
    sources: Sequence[ir.Entry]
    groups: Sequence[InitAccount]
    users: Sequence[InitAccount]
    files: Sequence[InitFile]
    commands: Sequence[InitCommand]
    services: Sequence[InitService]


@final
@node
class InitMetadata:
    """The metadata of cfn-init. configs: those that run, by name. sets: the configs of each set; None if there are no
    sets. beyond: clauses that say where the output does more than Heat's tools do, as AWS's cfn-init does.
    """

    configs: dict[str, InitConfig]
    sets: dict[str, list[str]] | None
    beyond: tuple[str, ...]


def read_init_metadata(metadata: ir.Expr | None) -> InitMetadata:
    """The configs in the metadata of a resource. Raises Unclear."""
    init = metadata.get(KEY) if isinstance(metadata, ir.Map) else None
    sections = {entry.key: entry.value for entry in read_map_entries(init, KEY)}
    beyond: dict[str, None] = {}
    sets = None
    if sections.get(SETS, ir.NULL) != ir.NULL:
        listed = {entry.key: entry.value for entry in read_map_entries(sections[SETS], SETS)}
        sets = {name: expand_config_set(listed, name, ()) for name in listed}
    config_names = (
        dict.fromkeys(name for names in sets.values() for name in names) if sets is not None else {ONLY: None}
    )
    configs = {name: read_config(name, sections[name], beyond) for name in config_names if name in sections}
    return InitMetadata(configs, sets, tuple(beyond))


def read_map_entries(expr: ir.Expr | None, name: str) -> tuple[ir.Entry, ...]:
    """The entries of a map; none if there is no map. name: the name of the map in the error. Raises Unclear."""
    if expr is None or expr == ir.NULL:
        return ()
    if not isinstance(expr, ir.Map):
        raise Unclear(f"{name} in its metadata is known only at run time", expr)
    return expr.entries


def expand_config_set(sets: dict[str, ir.Expr], name: str, inside: tuple[str, ...]) -> list[str]:
    """The names of the configs of a set, with those of the sets that it names. inside: the sets around it."""
    expr = sets.get(name)
    if name in inside or not isinstance(expr, ir.Seq):
        why = "names itself" if name in inside else "is known only at run time"
        raise Unclear(f"the config set {name} {why}")
    if len(inside) > DEEP:
        raise Unclear(f"the config set {inside[0]} names too many others")
    config_names: list[str] = []
    for item in expr.items:
        other = item.get("ConfigSet") if isinstance(item, ir.Map) else None
        if isinstance(item, ir.Lit) and isinstance(item.value, str):
            config_names.append(item.value)
        elif isinstance(other, ir.Lit):
            config_names += expand_config_set(sets, str(other.value), (*inside, name))
            if len(config_names) > MOST:
                raise Unclear(f"the config set {name} has too many configs")
        else:
            raise Unclear(f"the config set {name} is known only at run time", item)
    return config_names


def read_config(name: str, expr: ir.Expr, beyond: dict[str, None]) -> InitConfig:
    sections = {entry.key: entry.value for entry in read_map_entries(expr, name)}
    return InitConfig(
        name,
        read_packages(sections.get("packages"), beyond),
        read_map_entries(sections.get("sources"), "sources"),
        [read_account(entry, GROUP) for entry in read_map_entries(sections.get("groups"), "groups")],
        [read_account(entry, USER) for entry in read_map_entries(sections.get("users"), "users")],
        [read_init_file(entry, beyond) for entry in read_map_entries(sections.get("files"), "files")],
        [
            read_init_command(entry)
            for entry in sorted(
                read_map_entries(sections.get("commands"), "commands"), key=lambda command_entry: command_entry.key
            )
        ],
        [
            service
            for entry in read_map_entries(sections.get("services"), "services")
            for service in read_services(entry, beyond)
        ],
    )


def read_packages(expr: ir.Expr | None, beyond: dict[str, None]) -> list[InitPackage]:
    packages: list[InitPackage] = []
    place = {manager: index for index, manager in enumerate(MANAGERS)}
    by_place = sorted(
        read_map_entries(expr, "packages"),
        key=lambda manager_entry: (place.get(manager_entry.key, len(place)), manager_entry.key.lower()),
    )
    for manager in by_place:
        listed = read_map_entries(manager.value, manager.key)
        if manager.key not in KNOWN:
            beyond[f"packages of {manager.key} are left out, as by heat-cfntools"] = None
            continue
        if manager.key in ("rpm", "dpkg") and listed:
            beyond[f"packages of {manager.key} are installed, which heat-cfntools leaves out"] = None
        for entry in listed:
            packages.append(InitPackage(manager.key, entry.key, read_package_version(manager.key, entry)))
            if manager.key in NO_VERSION and packages[-1].version is not None:
                beyond[f"{manager.key} ignores versions, as with heat-cfntools"] = None
    return packages


def read_package_version(manager: str, entry: ir.Entry) -> ir.Expr | None:
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


def read_account(entry: ir.Entry, words: Iterable[tuple[str, str]]) -> InitAccount:
    values = {item.key: item.value for item in read_map_entries(entry.value, entry.key)}
    options = [(option, values[word]) for word, option in words if values.get(word, ir.NULL) != ir.NULL]
    for option, expr in options:
        if isinstance(expr, ir.Map) or (option != "--groups" and isinstance(expr, ir.Seq)):
            raise Unclear(f"{option[2:]} of {entry.key} is not a text", expr)
        if option == "--groups" and not isinstance(expr, ir.Seq):
            raise Unclear(f"the groups of {entry.key} are known only at run time", expr)
    return InitAccount(entry.key, tuple(options))


def read_init_file(entry: ir.Entry, beyond: dict[str, None]) -> InitFile:
    path, values = entry.key, {item.key: item.value for item in read_map_entries(entry.value, entry.key)}
    content, source = values.get("content"), values.get("source")
    if not path.startswith("/") or "\n" in path:
        raise Unclear(f"{path!r} is not the path of a file", entry)
    if content is None and source is None:
        raise Unclear(f"{path} has neither content nor source", entry)
    mode, link = read_file_mode(path, values.get("mode"))
    base64, context = values.get("encoding") == ir.Lit("base64"), values.get("context")
    if values.get("encoding", ir.NULL) not in (ir.NULL, ir.Lit("plain"), ir.Lit("base64")):
        raise Unclear(f"the encoding of {path} is known only at run time", entry)
    if context is not None:
        check_placeholders(path, content, context, base64=base64)
        beyond["{{…}} in files are filled in, which heat-cfntools leaves as they are"] = None
    if base64:
        beyond["files in base64 are decoded, which heat-cfntools leaves as they are"] = None
    if isinstance(content, (ir.Map, ir.Seq)):
        beyond["a map as content becomes JSON, at which heat-cfntools fails"] = None
    if link:
        beyond["modes of symbolic links make links, where heat-cfntools writes files"] = None
    if "authentication" in values:
        beyond["authentication is left out, as by heat-cfntools"] = None
    return InitFile(
        path,
        content,
        source if content is None else None,
        mode,
        read_file_owner(values.get("owner")),
        read_file_owner(values.get("group")),
        base64,
        context if isinstance(context, ir.Map) else None,
        link,
    )


def read_file_owner(expr: ir.Expr | None) -> ir.Expr | None:
    if isinstance(expr, (ir.Map, ir.Seq)):
        raise Unclear("an owner of a file is not a text", expr)
    return None if expr in (ir.NULL, ir.Lit("")) else expr


def read_file_mode(path: str, expr: ir.Expr | None) -> tuple[str, bool]:
    """The mode as chmod takes it, and whether it is that of a symbolic link."""
    if expr is None:
        return "", False
    digits = OCTAL.fullmatch(expr.value) if isinstance(expr, ir.Lit) and isinstance(expr.value, str) else None
    if digits is None:
        raise Unclear(f"the mode of {path} is not a text of octal digits", expr)
    bits = int(digits[1], 8)
    return f"{bits & 0o7777:04o}", bits & KIND_OF_FILE == LINK


def check_placeholders(path: str, content: ir.Expr | None, context: ir.Expr, *, base64: bool) -> None:
    """Raises Unclear if the text of a file has more than plain placeholders."""
    values = read_map_entries(context, f"the context of {path}")
    texts = [e.value for e in ir.walk(content) if isinstance(e, ir.Lit)] if content is not None else []
    odd = any("{{" in TAG.sub("", text) for text in texts if isinstance(text, str))
    if content is None or base64 or odd or any(isinstance(item.value, (ir.Map, ir.Seq)) for item in values):
        raise Unclear(f"the context of {path} is for more than plain placeholders", context)


def read_init_command(entry: ir.Entry) -> InitCommand:
    values = {item.key: item.value for item in read_map_entries(entry.value, entry.key)}
    run, env = values.get("command"), values.get("env")
    if run is None or isinstance(run, ir.Map) or run in (ir.NULL, ir.Seq(())):
        raise Unclear(f"the command {entry.key} has nothing to run", entry)
    if isinstance(values.get("test"), (ir.Map, ir.Seq)):
        raise Unclear(f"the test of the command {entry.key} is not a text", entry)
    variables = None if env is None or env == ir.NULL else read_map_entries(env, f"env of {entry.key}")
    for variable in variables or ():
        if not re.fullmatch(r"[A-Za-z_]\w*", variable.key, re.ASCII) or isinstance(variable.value, (ir.Map, ir.Seq)):
            raise Unclear(f"the variable {variable.key} of the command {entry.key} is not one", variable)
    test = values.get("test")
    may_fail = read_switch(values.get("ignoreErrors"), f"ignoreErrors of {entry.key}") or False
    return InitCommand(entry.key, run, variables, values.get("cwd"), None if test == ir.NULL else test, may_fail)


def read_switch(expr: ir.Expr | None, name: str) -> bool | None:
    """A value as the boolean that heat-cfntools takes it for; None if there is no value."""
    if expr is None:
        return None
    if not isinstance(expr, ir.Lit):
        raise Unclear(f"{name} is known only at run time", expr)
    value = expr.value.lower().strip() if isinstance(expr.value, str) else expr.value
    return value in (True, "true", "yes", "1")


def read_services(manager: ir.Entry, beyond: dict[str, None]) -> list[InitService]:
    if manager.key not in ("sysvinit", "systemd"):
        beyond[f"services of {manager.key} are left out, as by heat-cfntools"] = None
        return []
    services = []
    for entry in read_map_entries(manager.value, manager.key):
        values = {item.key: item.value for item in read_map_entries(entry.value, entry.key)}
        enabled = read_switch(values.get("enabled"), f"enabled of {entry.key}")
        running = read_switch(values.get("ensureRunning"), f"ensureRunning of {entry.key}")
        restart = bool(running) and any(
            values.get(word, ir.NULL) not in (ir.NULL, ir.Seq(()), ir.Map(())) for word in BEYOND
        )
        if restart:
            beyond["services are restarted after the files that they read, which heat-cfntools does not do"] = None
        services.append(InitService(entry.key, enabled, running, restart))
    return services
