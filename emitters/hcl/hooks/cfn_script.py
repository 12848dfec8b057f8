"""The metadata of cfn-init as a shell script that does the same, for servers without Heat and without its tools.

Invariant: the script does the same as cfn-init of heat-cfntools, in its order: packages, sources, groups, users, files,
commands, services. An error that cfn-init only logs is only printed; one that makes it fail ends the script.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks.cfn_functions import CHOICE, FUNCTIONS, NEEDS
from emitters.hcl.hooks.shell import quote_expression
from emitters.hcl.lowering.lowering import HclLowering, Part
from emitters.hcl.namespace import snake_case
from emitters.hcl.plan.cfn_metadata import (
    TAG,
    InitAccount,
    InitCommand,
    InitConfig,
    InitFile,
    InitMetadata,
    InitPackage,
    InitService,
)
from emitters.hcl.tree.nodes import Expr, Fn
from emitters.hcl.tree.types import COLLECTIONS, STRING
from transpile.diagnostics import codes
from transpile.model import ir

STAGED = "/var/lib/cfn-init"  # where cloud-init puts files until the script needs them
HEAD = """\
#!/bin/sh
# Does what cfn-init does with the metadata of {}, without Heat.
set -e
"""
TARS = {(".tar.gz", ".tgz"): "-xzf", (".tar.bz2", ".tbz2"): "-xjf", (".tar",): "-xf"}
DONE = {"enable": "enabled", "disable": "disabled", "start": "started", "stop": "stopped", "restart": "restarted"}


@final
class StagedFile(NamedTuple):
    """A file that cloud-init writes for the script. base64: its content is encoded."""

    path: str
    content: Expr
    base64: bool


@final
class EnvironmentVariable(NamedTuple):
    """A variable in the environment of a command."""

    name: str
    value: ir.Expr


Line: TypeAlias = "list[Part]"
Word: TypeAlias = "ir.Expr | str | EnvironmentVariable"


@final
class Script:
    """The script for one resource, and the files that have to be in a folder before it runs."""

    def __init__(self, lowering: HclLowering, name: str, init: InitMetadata, folder: str = STAGED) -> None:
        self.lowering, self.init, self.folder = lowering, init, folder
        self.staged: list[StagedFile] = []
        self.called: set[str] = set()
        steps = self.write_config_sets(init.sets) if init.sets is not None else self.write_all_configs()
        functions = [text for name, text in FUNCTIONS.items() if name in self.called]
        lines = [part for line in steps for part in (*line, "\n")]
        if any("say " in part for part in (*functions, *lines) if isinstance(part, str)):
            functions.insert(0, FUNCTIONS["say"])
        head = HEAD.replace("{}", re.sub(r"\s", " ", name))
        parts: list[Part] = [head, *functions, "\n", *lines]
        self.text = lowering.compose_text(parts, "cfn_init").expr

    def write_all_configs(self) -> list[Line]:
        """Writes the steps without config sets."""
        if not self.init.configs:
            return [["say 'the metadata has no config'"], ["exit 1"]]
        return [line for config in self.init.configs.values() for line in self.write_config(config, self.folder, "")]

    def write_config_sets(self, sets: dict[str, list[str]]) -> list[Line]:
        """Writes a function for each config, and the choice of sets by the arguments."""
        lines: list[Line] = []
        functions: dict[str, str] = {}
        for number, (name, config) in enumerate(self.init.configs.items(), 1):
            functions[name] = f"config_{number}_{snake_case(name)}"
            body = self.write_config(config, f"{self.folder}/{snake_case(name)}_{number}", "  ")
            lines += [[f"{functions[name]}() {{"], *(body or [["  :"]]), ["}"], [""]]
        lines += [[CHOICE.rstrip("\n")], ["for name in $(echo \"$sets\" | tr ',' ' '); do"], ["  case $name in"]]
        for name, configs in sets.items():
            lines.append([f"    {shlex.quote(name)})"])
            for config_name in configs:
                lost = f"say {shlex.quote(f'there is no config {config_name}')}"
                lines += (
                    [[f"      {functions[config_name]}"]]
                    if config_name in functions
                    else [[f"      {lost}"], ["      exit 1"]]
                )
            lines += [["      ;;"]]
        lines += [["    *)"], ['      say "there is no config set $name"'], ["      exit 1"], ["      ;;"]]
        return [*lines, ["  esac"], ["done"]]

    def require_function(self, name: str) -> str:
        """Returns the name of a shell function, and adds the function to the script."""
        self.called |= {name, NEEDS.get(name, name)}
        return name

    def write_config(self, config: InitConfig, staged: str, indent: str) -> list[Line]:
        """Writes the steps of a config, each kind below its name."""
        kinds: list[tuple[str, list[Line]]] = [
            ("packages", list(self.install_packages(config.packages))),
            ("sources", [self.unpack_source(entry) for entry in config.sources]),
            ("groups", [self.add_account("groupadd", group, []) for group in config.groups]),
            ("users", [self.add_account("useradd", user, ["--shell", "/sbin/nologin"]) for user in config.users]),
            ("files", [line for file in config.files for line in self.install_file(file, staged)]),
            (
                "commands, in the order of their names",
                [line for step in config.commands for line in self.run_command(step)],
            ),
            ("services", [line for service in config.services for line in self.manage_service(service)]),
        ]
        if any(file.content is not None and not file.link for file in config.files):
            place = next(index for index, (name, _) in enumerate(kinds) if name == "files")
            kinds[place][1].insert(0, [f"staged={staged}"])
        result: list[Line] = []
        for name, lines in kinds:
            result += [[f"# {name}"], *lines] if lines else []
        return [[indent, *line] for line in result]

    def quote_words(self, *exprs: ir.Expr | str | None) -> Line:
        """Words of a command, with a space between them."""
        words: list[Line] = []
        for expr in exprs:
            words.append([shlex.quote(expr or "")] if not expr or isinstance(expr, str) else self.quote_word(expr))
        return [part for index, word in enumerate(words) for part in ([" ", *word] if index else word)]

    def quote_word(self, expr: ir.Expr) -> Line:
        """A value as one word of the shell. Raises CannotSay for a list or a map."""
        if not isinstance(expr, ir.Lit) and self.lowering.lower_value(expr).type.kind in COLLECTIONS:
            raise CannotSay(codes.ONLY_AT_RUN_TIME, "cfn-init gets a list or a map where a text is expected", expr)
        return quote_expression(self.lowering, expr)

    def install_packages(self, packages: Sequence[InitPackage]) -> Iterator[Line]:
        for manager, group in itertools.groupby(packages, lambda package: package.manager):
            batch = list(group)
            if manager == "apt":
                names = [package.name for package in batch]
                install = self.quote_words("apt-get", "-y", "install", *names)
                yield ["DEBIAN_FRONTEND=noninteractive ", *install, " || say 'apt-get failed'"]
            elif manager == "rpm":
                urls = [package.version for package in batch]
                yield [*self.quote_words("rpm", "-U", "--force", "--nosignature", *urls), " || say 'rpm failed'"]
            elif manager == "dpkg":
                yield from (self.quote_words(self.require_function("with_dpkg"), package.version) for package in batch)
            elif manager == "rubygems":
                for package in batch:
                    version = ("--version", package.version) if package.version is not None else ()
                    install = self.quote_words("gem", "install", *version, package.name)
                    yield [*install, f" || say {shlex.quote(f'{package.name} is not installed')}"]
            elif manager == "python":
                for package in batch:
                    install = self.quote_words(self.require_function("with_pip"), package.name)
                    yield [*install, f" || say {shlex.quote(f'{package.name} is not installed')}"]
            else:
                names_ = [
                    package.name if package.version is None else join_version(package.name, package.version)
                    for package in batch
                ]
                yield self.quote_words(self.require_function(f"with_{manager}"), *names_)

    def unpack_source(self, entry: ir.Entry) -> Line:
        place, lost = shlex.quote(entry.key), f" || say {shlex.quote(f'{entry.key} is incomplete')}"
        url = str(entry.value.value) if isinstance(entry.value, ir.Lit) else ""
        option = next((option for endings, option in TARS.items() if url.endswith(endings)), "")
        if option:
            read = self.quote_words("curl", "-sSL", url)
            return [f"{{ mkdir -p {place} && ", *read, f" | tar {option} - -C {place}; }}", lost]
        return [*self.quote_words(self.require_function("unpack"), entry.value, entry.key), lost]

    def add_account(self, tool: str, account: InitAccount, rest: list[str]) -> Line:
        """The command that adds a user or a group. rest: the words after its options."""
        options: list[ir.Expr | str] = []
        for option, expr in account.options:
            options += [option, join_items(expr) if isinstance(expr, ir.Seq) else expr]
        return [
            *self.quote_words(tool, account.name, *options, *rest),
            f" || say {shlex.quote(f'{account.name} is not added')}",
        ]

    def install_file(self, file: InitFile, staged: str) -> Iterator[Line]:
        if file.link and file.content is not None:
            yield self.quote_words("mkdir", "-p", file.path.rpartition("/")[0] or "/")
            yield self.quote_words("ln", "-sfn", file.content, file.path)
        elif file.content is not None:
            self.staged.append(StagedFile(f"{staged}{file.path}", self.file_content(file, file.content), file.base64))
            yield self.quote_words(self.require_function("place"), file.path, file.mode, file.owner, file.group)
        else:
            yield self.quote_words(
                self.require_function("fetch"), file.path, file.mode, file.owner, file.group, file.source
            )

    def file_content(self, file: InitFile, content: ir.Expr) -> Expr:
        """The content of a file: a text, or JSON for a list or a map."""
        if file.context is not None:
            return self.fill_placeholders(content, file.context)
        if not isinstance(content, ir.Lit) and self.lowering.lower_value(content).type.kind in COLLECTIONS:
            return Fn("jsonencode", (self.lowering.lower_expression(content),))
        return self.lowering.lower_expression(content, STRING)

    def fill_placeholders(self, content: ir.Expr, context: ir.Map) -> Expr:
        """A text with its placeholders filled in."""
        parts: list[Part] = []
        for part in self.lowering.lower_text_parts(content):
            if not isinstance(part, str):
                parts.append(part)
                continue
            end = 0
            for match in TAG.finditer(part):
                value = context.get(match[2])
                parts += [
                    part[end : match.start()],
                    *(self.lowering.lower_text_parts(value) if value is not None else ()),
                ]
                end = match.end()
            parts.append(part[end:])
        return self.lowering.compose_text(parts).expr

    def run_command(self, step: InitCommand) -> Iterator[Line]:
        """A command, in a subshell if it has a directory or a test."""
        env: list[Word] = []
        if step.env is not None:
            env = ["env", "-i", *(EnvironmentVariable(variable.key, variable.value) for variable in step.env)]
        shell: list[Word] = [*env, "/bin/sh", "-c"]
        items = step.command.items if isinstance(step.command, ir.Seq) else None
        run = self.quote_assignments([*env, *items] if items is not None else [*shell, step.command])
        name = f"command {step.name}"
        end = [f" || say {shlex.quote(f'{name} failed, which it may')}"] if step.may_fail else []
        # A comment is one line. `chr(92)` is a backslash, which an f-string cannot contain before Python 3.12.
        yield [f"# {re.sub(chr(92) + 's', ' ', step.name)}"]
        if step.cwd is None and step.test is None:
            yield [*run, *end]
            return
        yield ["("]
        if step.cwd is not None:
            yield ["  cd ", *self.quote_directory(step.cwd), " || exit 0"]
        if step.test is not None:
            yield ["  ", *self.quote_assignments([*shell, step.test]), " || exit 0"]
        yield ["  ", *run]
        yield [")", *end]

    def quote_assignments(self, words: Sequence[Word]) -> Line:
        """A command whose words may be assignments."""
        line: Line = []
        for word in words:
            line += [" "] if line else []
            line += (
                [f"{word.name}=", *self.quote_word(word.value)]
                if isinstance(word, EnvironmentVariable)
                else self.quote_words(word)
            )
        return line

    def quote_directory(self, expr: ir.Expr) -> Line:
        """A directory, in which the shell expands the home of a user."""
        if isinstance(expr, ir.Lit) and (home := re.match(r"~[\w.-]*(?=/|$)", str(expr.value))):
            rest = str(expr.value)[home.end() :]
            return [home[0] + (shlex.quote(rest) if rest else "")]
        return self.quote_word(expr)

    def manage_service(self, service: InitService) -> Iterator[Line]:
        actions = []
        if service.enabled is not None:
            actions.append("enable" if service.enabled else "disable")
        if service.running is not None:
            actions.append("restart" if service.restart else "start" if service.running else "stop")
        for action in actions:
            run = self.quote_words(self.require_function("systemctl"), action, f"{service.name}.service")
            yield [*run, f" || say {shlex.quote(f'{service.name} is not {DONE[action]}')}"]


def join_version(name: str, version: ir.Expr) -> ir.Expr:
    """`name-version`, as yum, dnf and zypper take it."""
    return ir.Call("list_join", ir.Seq((ir.Lit("-"), ir.Seq((ir.Lit(name), version)))), version.span)


def join_items(items: ir.Seq) -> ir.Expr:
    """The items with commas between them, as the groups of `useradd`."""
    return ir.Call("list_join", ir.Seq((ir.Lit(","), items)), items.span)
