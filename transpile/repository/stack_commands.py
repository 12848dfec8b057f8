"""Reads the words of a command of OpenStack's clients about a stack: its action, and the stack.

Invariant: an option that is not in the tables here is named as unknown, never skipped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import final

from transpile.model.records import node
from transpile.repository.shell_words import ASSIGNMENT, ShellWord

CREATE, UPDATE, DELETE, SHOW, LIST = "create", "update", "delete", "show", "list"
OUTPUT, OUTPUTS, RESOURCES, RESOURCE, EVENTS = "output", "outputs", "resources", "resource", "events"
ADOPT, ABANDON, PREVIEW, OTHER = "adopt", "abandon", "preview", "other"

OPENSTACK: Mapping[str, str] = {  # after `openstack … stack`, the longest first
    "output show": OUTPUT,
    "output list": OUTPUTS,
    "resource list": RESOURCES,
    "resource show": RESOURCE,
    "resource metadata": OTHER,
    "resource signal": OTHER,
    "resource mark": OTHER,
    "event list": EVENTS,
    "event show": EVENTS,
    "failures list": EVENTS,
    "template show": SHOW,
    "environment show": SHOW,
    "file list": SHOW,
    "hook poll": OTHER,
    "hook clear": OTHER,
    "snapshot create": OTHER,
    "snapshot list": OTHER,
    "snapshot show": OTHER,
    "snapshot delete": OTHER,
    "snapshot restore": OTHER,
    "create": CREATE,
    "update": UPDATE,
    "delete": DELETE,
    "show": SHOW,
    "list": LIST,
    "adopt": ADOPT,
    "abandon": ABANDON,
    "preview": PREVIEW,
    "export": ABANDON,
    "cancel": OTHER,
    "check": OTHER,
    "suspend": OTHER,
    "resume": OTHER,
}
HEAT: Mapping[str, str] = {
    "stack-create": CREATE,
    "stack-update": UPDATE,
    "stack-delete": DELETE,
    "stack-show": SHOW,
    "stack-list": LIST,
    "stack-adopt": ADOPT,
    "stack-abandon": ABANDON,
    "stack-preview": PREVIEW,
    "stack-cancel-update": OTHER,
    "output-show": OUTPUT,
    "output-list": OUTPUTS,
    "resource-list": RESOURCES,
    "resource-show": RESOURCE,
    "resource-metadata": OTHER,
    "resource-signal": OTHER,
    "resource-mark-unhealthy": OTHER,
    "event-list": EVENTS,
    "event-show": EVENTS,
    "event": EVENTS,
    "template-show": SHOW,
    "environment-show": SHOW,
    "action-check": OTHER,
    "action-suspend": OTHER,
    "action-resume": OTHER,
    "hook-poll": OTHER,
    "hook-clear": OTHER,
    "stack-snapshot": OTHER,
    "snapshot-list": OTHER,
}
TEMPLATE = ("-t", "-f", "--template", "--template-file")
ENVIRONMENT = ("-e", "--environment", "--environment-file", "--env-file")
PARAMETER = ("--parameter", "-P", "--parameters")
WITH_VALUE = {  # options of any of these commands that take a value, by their canonical names
    "--template": ("-t", "--template", "--template-file"),
    "--template-url": ("-u", "--template-url"),
    "--template-object": ("-o", "--template-object"),
    "--environment": ENVIRONMENT,
    "--parameter": PARAMETER,
    "--parameter-file": ("--parameter-file", "-Pf"),
    "--clear-parameter": ("--clear-parameter", "-R"),
    "--format": ("-f", "--format", "-F"),
    "--column": ("-c", "--column"),
    "--timeout": ("--timeout", "-T", "--create-timeout"),
    "--poll": ("--poll",),
    "--tags": ("--tags", "--tag"),
    "--pre-create": ("--pre-create",),
    "--pre-update": ("--pre-update",),
    "--pre-delete": ("--pre-delete",),
    "--adopt-file": ("--adopt-file",),
    "--output-file": ("--output-file",),
    "--files-container": ("-s", "--files-container"),
    "--nested-depth": ("-n", "--nested-depth"),
    "--filter": ("--filter", "--filters", "--property"),
    "--sort": ("--sort", "--sort-column", "--sort-keys", "--sort-dir"),
    "--limit": ("--limit", "-l"),
    "--marker": ("--marker", "-m"),
    "--resource": ("--resource", "-r"),
    "--print": ("--max-width", "--quote", "--prefix"),
}
FLAGS = {
    "--wait": ("--wait",),
    "--yes": ("--yes", "-y"),
    "--enable-rollback": ("--enable-rollback", "--create-rollback", "-r", "--rollback"),
    "--disable-rollback": ("--disable-rollback",),
    "--dry-run": ("--dry-run", "-y"),
    "--existing": ("--existing", "-x"),
    "--converge": ("--converge", "--observe"),
    "--all": ("--all", "-a", "--all-projects", "-g", "--global-tenant"),
    "--short": ("--short", "--long", "--nested", "--hidden", "--deleted", "--no-resolve-outputs", "--only-env"),
    "--follow": ("--follow",),
    "--with-detail": ("--with-detail", "-d", "--show-nested", "-n"),
    "--print-flag": ("--print-empty", "--fit-width", "--noindent", "--sort-ascending", "--sort-descending"),
}
GLOBAL_FLAGS = (
    "--insecure",
    "-k",
    "--debug",
    "-d",
    "-v",
    "--verbose",
    "-q",
    "--quiet",
    "--os-no-client-auth",
    "--timing",
)
GLOBAL_WITH_VALUE = (
    "--log-file",
    "--heat-url",
    "--heat-api-version",
    "--api-timeout",
    "--cert-file",
    "--key-file",
    "--ca-file",
)
GLOBAL = re.compile(r"--os-[a-z0-9-]+")
BY_WORD_VALUE = {word: name for name, words in WITH_VALUE.items() for word in words}
BY_WORD_FLAG = {word: name for name, words in FLAGS.items() for word in words}
WRAPPERS = ("sudo", "time", "env", "command", "nohup", "exec", "nice", "builtin")
DATA_COMMANDS = re.compile(  # commands whose arguments are texts
    r"(?i)(?:\[|test|echo|printf|cat|grep|egrep|fgrep|sed|awk|print\w*|log\w*|err\w*|warn\w*|info\w*|debug\w*|die|fail|"
    r"msg\w*|say\w*|usage|read|source|\.|which|type|hash|pip3?|apt|apt-get|yum|dnf|man|mkdir|touch|cd|rm|function|fatal|"
    r"notice|title|header|banner|section|step|abort|exit|return|local|export|case|for|select|alias|unset|assert\w*|trace)"
)
CLIENT = re.compile(r"(?:.*/)?(?:openstack(?:-?\d(?:\.\d+)?)?|python-openstackclient|osc)(?:\.exe)?")
HEAT_CLIENT = re.compile(r"(?:.*/)?(?:heat|python-heatclient)(?:\.exe)?")
VARIABLE = re.compile(r"\$\{\w+\}|\$\(\w+\)|\{\{[^{}]*\}\}")


@final
@node
class ClientOption:
    """An option by its canonical name, from `start` to `end`, with its value if it takes one."""

    name: str
    value: ShellWord | None
    start: int
    end: int


@final
@node
class StackCommand:
    """A command about a stack. `client`: the word that names the client; `prefix`: the words before it; `names`: the
    words that are no options: the stack, and for some the output or resource; `settings`: options of the client as a
    whole; `unknown`: an option that no table has, or empty. `is_heat`: by Heat's own, older client.
    """

    action: str
    client: ShellWord
    prefix: tuple[ShellWord, ...]
    names: tuple[ShellWord, ...]
    options: tuple[ClientOption, ...]
    settings: tuple[ClientOption, ...]
    unknown: str
    is_heat: bool
    start: int
    end: int

    def has(self, name: str) -> bool:
        return any(option.name == name for option in self.options)

    def values(self, name: str) -> list[ShellWord]:
        """The values of an option that may be repeated."""
        return [option.value for option in self.options if option.name == name and option.value is not None]


def parse_stack_command(words: Sequence[ShellWord]) -> StackCommand | None:
    """The command that words make, wherever the client stands in them; None if they are not about a stack."""
    for index, word in enumerate(words):
        if index and DATA_COMMANDS.fullmatch(words[0].value):
            return None
        is_variable = VARIABLE.fullmatch(word.value) is not None
        if is_variable or CLIENT.fullmatch(word.value) or HEAT_CLIENT.fullmatch(word.value):
            command = parse_client(words, index)
            if command is not None:
                return command
        elif index and word.value.startswith("-") and words[0].value not in WRAPPERS:
            continue
    return None


def parse_client(words: Sequence[ShellWord], index: int) -> StackCommand | None:
    """The command whose client is one of the words."""
    at, settings, unknown = read_settings(words, index + 1)
    if at >= len(words):
        return None
    is_heat_word = HEAT_CLIENT.fullmatch(words[index].value) is not None
    first = words[at].value
    if first in HEAT and (is_heat_word or first.startswith("stack-") or not CLIENT.fullmatch(words[index].value)):
        return read_rest(words, index, at + 1, HEAT[first], settings, unknown, is_heat=True)
    if first != "stack" or is_heat_word:
        return None
    verbs = [word.value for word in words[at + 1 : at + 3]]
    for length in (2, 1):
        action = OPENSTACK.get(" ".join(verbs[:length])) if len(verbs) >= length else None
        if action is not None:
            return read_rest(words, index, at + 1 + length, action, settings, unknown, is_heat=False)
    return None


def read_settings(words: Sequence[ShellWord], at: int) -> tuple[int, tuple[ClientOption, ...], str]:
    """The options between the client and its command, and where that begins."""
    settings, unknown = list[ClientOption](), ""
    while at < len(words) and (words[at].value.startswith("-") or holds_options(words, at)):
        word = words[at]
        name, equals, _ = word.value.partition("=")
        takes_value = GLOBAL.fullmatch(name) is not None or name in GLOBAL_WITH_VALUE
        if name in GLOBAL_FLAGS:
            settings.append(ClientOption(name, None, word.start, word.end))
        elif takes_value and equals:
            settings.append(ClientOption(name, value_after_equals(word), word.start, word.end))
        elif takes_value and at + 1 < len(words):
            at += 1
            settings.append(ClientOption(name, words[at], word.start, words[at].end))
        else:
            unknown = unknown or word.value
        at += 1
    return at, tuple(settings), unknown


def holds_options(words: Sequence[ShellWord], at: int) -> bool:
    """Whether a word behind the client is a variable with options: `openstack $OPTIONS stack list`."""
    following = words[at + 1].value if at + 1 < len(words) else ""
    is_last = following == "stack" or following in HEAT or following.startswith(("-", "${", "$(", "{{"))
    return VARIABLE.fullmatch(words[at].value) is not None and is_last


def value_after_equals(word: ShellWord) -> ShellWord:
    """The value of `--option=value` as a word. Its place is that of the value if the option is not quoted."""
    name, _, value = word.value.partition("=")
    return ShellWord(word.start + len(name) + 1, word.end, value, word.is_literal, word.is_quoted)


def read_rest(
    words: Sequence[ShellWord],
    index: int,
    at: int,
    action: str,
    settings: tuple[ClientOption, ...],
    unknown: str,
    *,
    is_heat: bool,
) -> StackCommand:
    """The command, from its options and names."""
    names, options = list[ShellWord](), list[ClientOption]()
    end = words[at - 1].end
    while at < len(words):
        word = words[at]
        end = max(end, word.end)
        text, equals, _ = word.value.partition("=")
        if not word.value.startswith("-") or word.value == "-":
            names.append(word)
            at += 1
            continue
        name, takes_value = canonical_option(text, action, is_heat=is_heat)
        if not name and not equals and len(text) > 2 and text[1] != "-":  # -Pname=value, -tfile
            name, takes_value = canonical_option(text[:2], action, is_heat=is_heat)
            if name and takes_value:
                glued = ShellWord(word.start + 2, word.end, word.value[2:], word.is_literal)
                options.append(ClientOption(name, glued, word.start, word.end))
                at += 1
                continue
            name = ""
        if not name:
            short, takes_value = canonical_option(text[:2], action, is_heat=is_heat)
            if equals and text[1:2] != "-" and short and takes_value:  # -Pname=value
                glued = ShellWord(word.start + 2, word.end, word.value[2:], word.is_literal)
                options.append(ClientOption(short, glued, word.start, word.end))
            else:
                unknown = unknown or word.value
        elif not takes_value:
            options.append(ClientOption(name, None, word.start, word.end))
        elif equals:
            options.append(ClientOption(name, value_after_equals(word), word.start, word.end))
        elif at + 1 < len(words):
            at += 1
            end = max(end, words[at].end)
            options.append(ClientOption(name, words[at], word.start, words[at].end))
        else:
            unknown = unknown or word.value
        at += 1
    first = words[index]
    return StackCommand(
        action,
        first,
        tuple(words[:index]),
        tuple(names),
        tuple(options),
        settings,
        unknown,
        is_heat,
        first.start,
        end,
    )


def canonical_option(word: str, action: str, *, is_heat: bool) -> tuple[str, bool]:
    """The canonical name of an option, and whether it takes a value; an empty name for one that is not known."""
    writes = action in (CREATE, UPDATE, PREVIEW, ADOPT)
    if is_heat and writes and word == "-f":
        return "--template", True
    if is_heat and writes and word == "-t":
        return "--timeout", True
    if word == "-y":
        return ("--dry-run", False) if is_heat and action == UPDATE else ("--yes", False)
    if word == "--rollback" and action == UPDATE:  # enabled, disabled or keep
        return "--enable-rollback", True
    if word == "-n" and action == UPDATE:
        return "--dry-run", False
    if word in ("-r", "-d", "-a") and word in BY_WORD_FLAG and action != EVENTS:
        return BY_WORD_FLAG[word], False
    if word in BY_WORD_VALUE and not (word == "-s" and not writes):
        return BY_WORD_VALUE[word], True
    if word in BY_WORD_FLAG:
        return BY_WORD_FLAG[word], False
    if word.startswith("--") and len(word) > 4:  # a beginning that only one option has, as argparse takes it
        names = {
            (name, takes)
            for table, takes in ((BY_WORD_VALUE, True), (BY_WORD_FLAG, False))
            for full, name in table.items()
            if full.startswith(word)
        }
        if len(names) == 1:
            return names.pop()
    return "", False


def is_wrapped(command: StackCommand) -> bool:
    """Whether something else than the shell runs the client: a word before it that is no assignment and no `sudo`."""
    rest = [word.value for word in command.prefix]
    while rest and (ASSIGNMENT.match(rest[0]) or rest[0] in WRAPPERS or rest[0] in ("-E", "-n", "-H", "-p")):
        rest.pop(0)
    return bool(rest)
