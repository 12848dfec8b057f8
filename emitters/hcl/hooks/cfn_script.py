"""The metadata of cfn-init as a shell script that does the same, for servers without Heat and without its tools.

Invariant: the script does what cfn-init of heat-cfntools does, in its order: packages, sources, groups, users, files,
commands, services. An error that cfn-init only logs is only printed; one that makes it fail ends the script.
"""

from __future__ import annotations

import itertools
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks.cfn_functions import CHOICE, FUNCTIONS, NEEDS
from emitters.hcl.hooks.shell import argument
from emitters.hcl.namespace import snake
from emitters.hcl.plan.cfn_metadata import TAG
from emitters.hcl.tree.nodes import Fn
from emitters.hcl.tree.types import COLLECTIONS, STRING
from transpile.diagnostics import codes
from transpile.model import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from emitters.hcl.lowering.lowering import Lowering, Part
    from emitters.hcl.plan.cfn_metadata import Account, Command, Config, File, Init, Package, Service
    from emitters.hcl.tree.nodes import Expr

STAGED = "/var/lib/cfn-init"  # where cloud-init puts files until the script needs them
HEAD = """\
#!/bin/sh
# Does what cfn-init does with the metadata of {}, without Heat.
set -e
"""
TARS = {(".tar.gz", ".tgz"): "-xzf", (".tar.bz2", ".tbz2"): "-xjf", (".tar",): "-xf"}
DONE = {"enable": "enabled", "disable": "disabled", "start": "started", "stop": "stopped", "restart": "restarted"}


@final
class Staged(NamedTuple):
    """A file that cloud-init writes for the script. base64: its content is encoded."""

    path: str
    content: Expr
    base64: bool


@final
class Assigned(NamedTuple):
    """A variable in the environment of a command."""

    name: str
    value: ir.Expr


Line: TypeAlias = "list[Part]"
Word: TypeAlias = "ir.Expr | str | Assigned"


@final
class Script:
    """The script for one resource, and the files that cloud-init has to write for it."""

    def __init__(self, lowering: Lowering, name: str, init: Init) -> None:
        self.lowering, self.init = lowering, init
        self.staged: list[Staged] = []
        self.called: set[str] = set()
        steps = self.sets(init.sets) if init.sets is not None else self.only()
        functions = [text for name, text in FUNCTIONS.items() if name in self.called]
        lines = [part for line in steps for part in (*line, "\n")]
        if any("say " in part for part in (*functions, *lines) if isinstance(part, str)):
            functions.insert(0, FUNCTIONS["say"])
        head = HEAD.replace("{}", re.sub(r"\s", " ", name))
        parts: list[Part] = [head, *functions, "\n", *lines]
        self.text = lowering.compose(parts, "cfn_init").expr

    def only(self) -> list[Line]:
        """The steps without config sets."""
        if not self.init.configs:
            return [["say 'the metadata has no config'"], ["exit 1"]]
        return [line for one in self.init.configs.values() for line in self.config(one, STAGED, "")]

    def sets(self, sets: dict[str, list[str]]) -> list[Line]:
        """A function for each config, and the choice of sets by the arguments."""
        lines: list[Line] = []
        functions: dict[str, str] = {}
        for number, (name, one) in enumerate(self.init.configs.items(), 1):
            functions[name] = f"config_{number}_{snake(name)}"
            body = self.config(one, f"{STAGED}/{snake(name)}_{number}", "  ")
            lines += [[f"{functions[name]}() {{"], *(body or [["  :"]]), ["}"], [""]]
        lines += [[CHOICE.rstrip("\n")], ["for name in $(echo \"$sets\" | tr ',' ' '); do"], ["  case $name in"]]
        for name, configs in sets.items():
            lines.append([f"    {shlex.quote(name)})"])
            for config in configs:
                lost = f"say {shlex.quote(f'there is no config {config}')}"
                lines += (
                    [[f"      {functions[config]}"]] if config in functions else [[f"      {lost}"], ["      exit 1"]]
                )
            lines += [["      ;;"]]
        lines += [["    *)"], ['      say "there is no config set $name"'], ["      exit 1"], ["      ;;"]]
        return [*lines, ["  esac"], ["done"]]

    def call(self, name: str) -> str:
        """Returns the name of a shell function, and adds the function to the script."""
        self.called |= {name, NEEDS.get(name, name)}
        return name

    def config(self, one: Config, staged: str, indent: str) -> list[Line]:
        """The steps of a config, each kind below its name."""
        kinds: list[tuple[str, list[Line]]] = [
            ("packages", list(self.packages(one.packages))),
            ("sources", [self.source(entry) for entry in one.sources]),
            ("groups", [self.account("groupadd", group, []) for group in one.groups]),
            ("users", [self.account("useradd", user, ["--shell", "/sbin/nologin"]) for user in one.users]),
            ("files", [line for file in one.files for line in self.file(file, staged)]),
            ("commands, in the order of their names", [line for step in one.commands for line in self.command(step)]),
            ("services", [line for service in one.services for line in self.service(service)]),
        ]
        if any(file.content is not None and not file.link for file in one.files):
            place = next(index for index, (name, _) in enumerate(kinds) if name == "files")
            kinds[place][1].insert(0, [f"staged={staged}"])
        found: list[Line] = []
        for name, lines in kinds:
            found += [[f"# {name}"], *lines] if lines else []
        return [[indent, *line] for line in found]

    def words(self, *exprs: ir.Expr | str | None) -> Line:
        """Words of a command, with a space between them."""
        found: list[Line] = []
        for expr in exprs:
            found.append([shlex.quote(expr or "")] if not expr or isinstance(expr, str) else self.word(expr))
        return [part for index, one in enumerate(found) for part in ([" ", *one] if index else one)]

    def word(self, expr: ir.Expr) -> Line:
        """One word. Raises CannotSay for a list or a map."""
        if not isinstance(expr, ir.Lit) and self.lowering.value(expr).type.kind in COLLECTIONS:
            raise CannotSay(codes.ONLY_AT_RUN_TIME, "cfn-init gets a list or a map where a text is expected", expr)
        return argument(self.lowering, expr)

    def packages(self, packages: Sequence[Package]) -> Iterator[Line]:
        for manager, of_one in itertools.groupby(packages, lambda one: one.manager):
            found = list(of_one)
            if manager == "apt":
                names = [one.name for one in found]
                install = self.words("apt-get", "-y", "install", *names)
                yield ["DEBIAN_FRONTEND=noninteractive ", *install, " || say 'apt-get failed'"]
            elif manager == "rpm":
                urls = [one.version for one in found]
                yield [*self.words("rpm", "-U", "--force", "--nosignature", *urls), " || say 'rpm failed'"]
            elif manager == "dpkg":
                yield from (self.words(self.call("with_dpkg"), one.version) for one in found)
            elif manager == "rubygems":
                for one in found:
                    version = ("--version", one.version) if one.version is not None else ()
                    install = self.words("gem", "install", *version, one.name)
                    yield [*install, f" || say {shlex.quote(f'{one.name} is not installed')}"]
            elif manager == "python":
                for one in found:
                    install = self.words(self.call("with_pip"), one.name)
                    yield [*install, f" || say {shlex.quote(f'{one.name} is not installed')}"]
            else:
                names_ = [one.name if one.version is None else versioned(one.name, one.version) for one in found]
                yield self.words(self.call(f"with_{manager}"), *names_)

    def source(self, entry: ir.Entry) -> Line:
        place, lost = shlex.quote(entry.key), f" || say {shlex.quote(f'{entry.key} is incomplete')}"
        url = str(entry.value.value) if isinstance(entry.value, ir.Lit) else ""
        option = next((option for endings, option in TARS.items() if url.endswith(endings)), "")
        if option:
            read = self.words("curl", "-sSL", url)
            return [f"{{ mkdir -p {place} && ", *read, f" | tar {option} - -C {place}; }}", lost]
        return [*self.words(self.call("unpack"), entry.value, entry.key), lost]

    def account(self, tool: str, one: Account, rest: list[str]) -> Line:
        """The command that adds a user or a group. rest: the words after its options."""
        options: list[ir.Expr | str] = []
        for option, expr in one.options:
            options += [option, listed(expr) if isinstance(expr, ir.Seq) else expr]
        return [*self.words(tool, one.name, *options, *rest), f" || say {shlex.quote(f'{one.name} is not added')}"]

    def file(self, file: File, staged: str) -> Iterator[Line]:
        if file.link and file.content is not None:
            yield self.words("mkdir", "-p", file.path.rpartition("/")[0] or "/")
            yield self.words("ln", "-sfn", file.content, file.path)
        elif file.content is not None:
            self.staged.append(Staged(f"{staged}{file.path}", self.content(file, file.content), file.base64))
            yield self.words(self.call("place"), file.path, file.mode, file.owner, file.group)
        else:
            yield self.words(self.call("fetch"), file.path, file.mode, file.owner, file.group, file.source)

    def content(self, file: File, content: ir.Expr) -> Expr:
        """The content of a file: a text, or JSON for a list or a map."""
        if file.context is not None:
            return self.filled(content, file.context)
        if isinstance(content, (ir.Map, ir.Seq)) or (
            not isinstance(content, ir.Lit) and self.lowering.value(content).type.kind in COLLECTIONS
        ):
            return Fn("jsonencode", (self.lowering.expr(content),))
        return self.lowering.expr(content, STRING)

    def filled(self, content: ir.Expr, context: ir.Map) -> Expr:
        """A text with its placeholders filled in."""
        parts: list[Part] = []
        for part in self.lowering.text(content):
            if not isinstance(part, str):
                parts.append(part)
                continue
            end = 0
            for found in TAG.finditer(part):
                value = context.get(found[2])
                parts += [part[end : found.start()], *(self.lowering.text(value) if value is not None else ())]
                end = found.end()
            parts.append(part[end:])
        return self.lowering.compose(parts).expr

    def command(self, step: Command) -> Iterator[Line]:
        """A command, in a subshell if it has a directory or a test."""
        env: list[Word] = []
        if step.env is not None:
            env = ["env", "-i", *(Assigned(one.key, one.value) for one in step.env)]
        shell: list[Word] = [*env, "/bin/sh", "-c"]
        items = step.command.items if isinstance(step.command, ir.Seq) else None
        run = self.assigned([*env, *items] if items is not None else [*shell, step.command])
        name = f"command {step.name}"
        end = [f" || say {shlex.quote(f'{name} failed, which it may')}"] if step.may_fail else []
        # A comment is one line. `chr(92)` is a backslash, which an f-string cannot contain before Python 3.12.
        yield [f"# {re.sub(chr(92) + 's', ' ', step.name)}"]
        if step.cwd is None and step.test is None:
            yield [*run, *end]
            return
        yield ["("]
        if step.cwd is not None:
            yield ["  cd ", *self.directory(step.cwd), " || exit 0"]
        if step.test is not None:
            yield ["  ", *self.assigned([*shell, step.test]), " || exit 0"]
        yield ["  ", *run]
        yield [")", *end]

    def assigned(self, words: Sequence[Word]) -> Line:
        """A command whose words may be assignments."""
        found: Line = []
        for one in words:
            found += [" "] if found else []
            found += [f"{one.name}=", *self.word(one.value)] if isinstance(one, Assigned) else self.words(one)
        return found

    def directory(self, expr: ir.Expr) -> Line:
        """A directory, in which the shell expands the home of a user."""
        if isinstance(expr, ir.Lit) and (home := re.match(r"~[\w.-]*(?=/|$)", str(expr.value))):
            rest = str(expr.value)[home.end() :]
            return [home[0] + (shlex.quote(rest) if rest else "")]
        return self.word(expr)

    def service(self, service: Service) -> Iterator[Line]:
        actions = []
        if service.enabled is not None:
            actions.append("enable" if service.enabled else "disable")
        if service.running is not None:
            actions.append("restart" if service.restart else "start" if service.running else "stop")
        for action in actions:
            run = self.words(self.call("systemctl"), action, f"{service.name}.service")
            yield [*run, f" || say {shlex.quote(f'{service.name} is not {DONE[action]}')}"]


def versioned(name: str, version: ir.Expr) -> ir.Expr:
    """`name-version`, as yum, dnf and zypper take it."""
    return ir.Call("list_join", ir.Seq((ir.Lit("-"), ir.Seq((ir.Lit(name), version)))), version.span)


def listed(items: ir.Seq) -> ir.Expr:
    """The items with commas between them, as the groups of `useradd`."""
    return ir.Call("list_join", ir.Seq((ir.Lit(","), items)), items.span)
