"""Finds the calls of Heat in one file.

Invariant: the calls depend on the file's name and text alone. The cost is linear in the size of the text, with limits
for the number of calls and for the length of text that is read in detail.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import final

from transpile.call_sites import python_calls, texts
from transpile.call_sites.model import DOCUMENT, TOP, Fragment, HeatCall
from transpile.call_sites.yaml_texts import StackTask, YamlTexts
from transpile.front.kinds import mentions_version_key
from transpile.model.records import replace
from transpile.repository.scripts import read_variables
from transpile.repository.shell_syntax import ShellReader
from transpile.repository.shell_words import ASSIGNMENT, SHELL, ShellCommand, ShellWord, read_assignments
from transpile.repository.stack_commands import (
    DATA_COMMANDS,
    LIST,
    OTHER,
    StackCommand,
    is_wrapped,
    parse_stack_command,
)

MAKEFILE, SCRIPT, JENKINS, YAML, PYTHON, TEXT, LINES = "make", "shell", "jenkins", "yaml", "python", "document", "lines"
SCRIPTS = (".sh", ".bash", ".zsh", ".ksh")
DOCUMENTS = (".md", ".markdown", ".rst", ".txt", ".adoc", ".asciidoc", ".org")
OTHERS = (".ps1", ".bat", ".cmd", ".toml", ".ini", ".cfg", ".rb", ".pl", ".groovy", ".service", ".conf", ".dockerfile")
NAMED_DOCUMENTS = ("README", "INSTALL", "HOWTO", "USAGE", "HACKING", "CONTRIBUTING")
NAMED_OTHERS = ("Dockerfile", "Vagrantfile", "justfile", "Justfile", "Rakefile", "Procfile", "Containerfile")
MAKE_NAME = re.compile(r"(?i)(?:gnu)?makefile(?:\..*)?|.*[._-]makefile|.*\.mk|makefile[._-].*")
TARGET_VARIABLE = re.compile(
    r"(?m)^[^\s#:=][^#:=\n]{0,200}:[ \t]*(?:export[ ]+|override[ ]+)?([\w.-]+)[ \t]*[:?+]{0,3}="
)
SHEBANG = re.compile(
    rb"#!\s*\S*?(?:/env\s+(?:-S\s*)?)?(?:\S*/)?(?:(?P<shell>(?:ba|da|z|k)?sh)|(?P<python>python[\d.]*))\b"
)
HEAT_MARK = re.compile(
    rb"(?i)stack[\s\"',-]{1,8}(?:create|update|delete|show|list|adopt|preview|abandon|output|resource|event|failures|check|"
    rb"suspend|resume|cancel|export|template|environment|file|hook|snapshot)|(?:heat|output|resource|event|action)-?[\s\"',-]"
    rb"{0,4}(?:output|resource|event|action|show|list|check|suspend|resume|signal)|os_stack|cloud\.(?:os_)?stack|heat_stack|"
    rb"stacks?\s*\.\s*(?:create|update|delete|get|list|preview|output)|(?:create|update|delete|get|list|search|find)_stacks?\b|"
    rb"orchestration\w*\s*\.\s*stacks"
)
PLACEHOLDER = re.compile(r"<[A-Za-z][\w .-]{0,40}>")
NEARBY = 40  # calls in one word
MOST = 2000  # calls of one file
DEEPEST = 4  # texts within texts
RUNS_TEXT = re.compile(
    r"(?:.*/)?(?:ssh|bash|sh|dash|zsh|ksh|su|sudo|eval|docker|kubectl|podman|lxc|chroot|nohup|timeout|retry\w*|run\w*)"
)


def kind_of_file(path: str, data: bytes) -> str:
    """The kind of a file by its name; of one without an ending, by its first line. Empty for files that cannot have
    calls.
    """
    name = posixpath.basename(path).removesuffix(".j2").removesuffix(".in").removesuffix(".tmpl")
    if MAKE_NAME.fullmatch(name):
        return MAKEFILE
    if name.endswith(SCRIPTS):
        return SCRIPT
    if name.lower().startswith("jenkinsfile") or name.lower().endswith((".groovy", ".jenkinsfile")):
        return JENKINS
    if name.endswith((".yml", ".yaml")):
        return YAML
    if name.endswith(".py"):
        return PYTHON
    if name.endswith(DOCUMENTS) or name in NAMED_DOCUMENTS:
        return TEXT
    if name.endswith(OTHERS) or name in NAMED_OTHERS or name.startswith("Dockerfile"):
        return LINES
    if "." not in name.lstrip(".") and (match := SHEBANG.match(data)) is not None:
        return SCRIPT if match["shell"] else PYTHON
    return ""


def may_have_calls(name: str) -> str:
    """The kind of a file for the walk, by its name alone. One without an ending may be a script."""
    if name.startswith(".") and not name.endswith((".yml", ".yaml")):
        return ""
    return kind_of_file(name, b"") or ("script" if "." not in name else "")


@final
class FileCalls:
    """The calls of a file, and the known values of its variables. `calls`: in order; `assigned`: for each variable of
    the shell, of make or of CI its only value, or None if it has several or is computed; `directories`: the commands
    that change the directory, with their fragments.
    """

    def __init__(self, path: str, text: str, kind: str, data: bytes) -> None:
        self.path, self.text, self.kind = path, text, kind
        self.calls: list[HeatCall] = []
        self.assigned: dict[str, str | None] = {}
        self.loops = read_variables(text).loops if kind in (SCRIPT, MAKEFILE, YAML) else {}
        self.directories: list[tuple[Fragment, ShellCommand]] = []
        self.has_errexit = False
        self.tasks: list[tuple[HeatCall, StackTask]] = []
        self.masked = text
        if kind == YAML:
            self.read_yaml(mentions_version_key(data))
        elif kind == PYTHON:
            self.read_python()
        else:
            for fragment in self.list_fragments():
                self.read_fragment(fragment)
        self.calls.sort(key=lambda call: (call.start, call.end))
        if kind == MAKEFILE:
            self.read_make_variables()

    def list_fragments(self) -> Iterator[Fragment]:
        text = self.text
        if self.kind == MAKEFILE:
            return texts.make_fragments(text)
        if self.kind == SCRIPT:
            return texts.script_fragments(text, jinja=".j2" in self.path)
        if self.kind == JENKINS:
            return texts.groovy_fragments(text)
        if self.kind == TEXT:
            return texts.document_fragments(self.path, text)
        return texts.line_fragments(text, "files of this kind are not rewritten")

    # shell text

    def read_fragment(self, fragment: Fragment, depth: int = 0) -> None:
        """Adds the calls of a fragment, those in texts that it runs included."""
        masked = self.text
        if fragment.is_joined:  # the same offsets, on one line
            part = self.text[fragment.start : fragment.end]
            masked = (
                self.text[: fragment.start] + part.replace("\n", " ").replace("\r", " ") + self.text[fragment.end :]
            )
        if fragment.use == DOCUMENT:  # `<name>` stands for a word
            part = PLACEHOLDER.sub(hide_placeholder, masked[fragment.start : fragment.end])
            masked = masked[: fragment.start] + part + masked[fragment.end :]
        reader = ShellReader(masked, fragment.start, fragment.end, fragment.dialect)
        commands = reader.read_commands()
        if depth == 0:
            self.note_variables(fragment, commands)
        for command in commands:
            if len(self.calls) >= MOST:
                return
            self.read_command(fragment, command, depth)

    def note_variables(self, fragment: Fragment, commands: list[ShellCommand]) -> None:
        for name, word, command in read_assignments(commands):
            value = word.value.partition("=")[2] if "=" in word.value and word.is_literal else None
            if len(command.words) > 1 and command.words[0] is word:  # set for one command
                value = None
            self.assigned[name] = None if name in self.assigned and self.assigned[name] != value else value
        for command in commands:
            words = [word.value for word in command.words[:3]]
            if words[:1] in (["cd"], ["pushd"], ["popd"]):
                self.directories.append((fragment, command))
            if words[:1] == ["set"] and any(re.fullmatch(r"-[a-z]*e[a-z]*|errexit", word) for word in words[1:]):
                self.has_errexit = True

    def read_command(self, fragment: Fragment, command: ShellCommand, depth: int) -> None:
        stack_command = parse_stack_command(command.words)
        if stack_command is not None:
            self.add_call(fragment, command, stack_command, depth)
            return
        words = command.words
        first = words[0].value if words else ""
        if depth < DEEPEST and not DATA_COMMANDS.fullmatch(first):
            for word in words:
                inner = any(word.start <= call.start < word.end for call in self.calls[-NEARBY:])
                if word.is_quoted and " " in word.value and texts.MARK.search(word.value) and not inner:
                    assignment = ASSIGNMENT.match(word.value)
                    value = word.value[assignment.end() :] if assignment is not None else word.value
                    self.read_text(fragment, word.start, word.end, value, depth)
                    if len(self.calls) >= MOST:
                        return
        for start, end in command.texts if depth < DEEPEST else ():
            if any(RUNS_TEXT.fullmatch(word.value) for word in words) or (
                first == "cat" and len(command.redirections) > 1
            ):
                self.read_here_document(fragment, start, end, depth)

    def read_text(self, fragment: Fragment, start: int, end: int, value: str, depth: int) -> None:
        """Adds the calls in a quoted text that a command gets, or a variable, under the place of the text."""
        reader = ShellReader(value, dialect=SHELL if fragment.dialect == SHELL else fragment.dialect)
        for command in reader.read_commands():
            stack_command = parse_stack_command(command.words)
            if stack_command is not None and not is_wrapped(stack_command) and not starts_with_variable(stack_command):
                self.calls.append(
                    HeatCall(
                        self.path,
                        start,
                        end,
                        stack_command.action,
                        self.kind,
                        fragment,
                        name=stack_command.names[0].value if stack_command.names else "",
                        reason="it is in a text that runs elsewhere or later",
                    )
                )

    def read_here_document(self, fragment: Fragment, start: int, end: int, depth: int) -> None:
        inner = replace(fragment, start=start, end=end, reason="it is in a text that runs elsewhere or later")
        self.read_fragment(inner, depth + 1)

    def add_call(self, fragment: Fragment, command: ShellCommand, stack_command: StackCommand, depth: int) -> None:
        if starts_with_variable(stack_command) and not self.is_client(stack_command.client.value, fragment):
            return
        if fragment.use == DOCUMENT and is_sentence(stack_command, fragment, self.text):
            return
        reason = fragment.reason
        if not reason and is_wrapped(stack_command):
            reason = f"{stack_command.prefix[0].value} runs it"
        if not reason and not command.is_closed:
            reason = "the shell text around it cannot be read for sure"
        self.calls.append(
            HeatCall(
                self.path,
                stack_command.start,
                max(stack_command.end, command.end),
                stack_command.action,
                self.kind,
                fragment,
                stack_command,
                command,
                stack_command.names[0].value if stack_command.names else "",
                reason=reason,
            )
        )

    def is_client(self, value: str, fragment: Fragment) -> bool:
        """Whether a variable names a client, as far as this file says: its value does, or its name."""
        name = value.strip("${}()")
        known = self.assigned.get(name)
        return (known is not None and re.search(r"\b(?:openstack|heat)\b", known) is not None) or bool(
            re.search(r"(?i)openstack|heat|osc|^os_?(?:cli|cmd|client|bin)?$|cli|cmd", name)
        )

    def read_make_variables(self) -> None:
        """The variables of a makefile. One that a user may set (`?=`), or that is computed, has no value."""
        for match in re.finditer(
            r"(?m)^[ ]*(?:export[ ]+|override[ ]+)?([\w.-]+)[ \t]*(\?|:{1,3}|\+|!)?=[ \t]*([^\n#]*)", self.text
        ):
            value = match[3].strip()
            known = None if match[2] in ("?", "+", "!") or "$" in value or value.endswith("\\") else value
            name = match[1]
            self.assigned[name] = None if name in self.assigned and self.assigned[name] != known else known
        for match in TARGET_VARIABLE.finditer(self.text):  # it differs from target to target
            self.assigned[match[1]] = None

    # YAML

    def read_yaml(self, is_template: bool) -> None:
        read = YamlTexts(self.path, self.text)
        if not read.is_readable and not read.fragments and not read.tasks:
            for fragment in texts.line_fragments(self.text, "the file is no YAML that can be read", comments=("#",)):
                self.read_fragment(fragment)
            return
        for fragment in read.fragments:
            reason = "it is in a template of Heat" if is_template else fragment.reason
            self.read_fragment(replace(fragment, reason=reason) if reason != fragment.reason else fragment)
        self.assigned.update(read.variables)
        for task in read.tasks:
            self.add_task(task)

    def add_task(self, task: StackTask) -> None:
        from transpile.call_sites.ansible import read_task_arguments

        start, end = task.base + task.key.start_mark.index, task.base + task.arguments.end_mark.index
        action, name, template, environments = read_task_arguments(task)
        call = HeatCall(
            self.path,
            start,
            max(end, start),
            action,
            "ansible",
            Fragment(start, end, ""),
            name=name,
            template=template,
            environments=environments,
            reason="" if ".j2" not in self.path else "the file is a template of Jinja2",
        )
        self.calls.append(call)
        self.tasks.append((call, task))

    # Python

    def read_python(self) -> None:
        reason = "it is a call in Python"
        for start, end, action, words in python_calls.find_python_calls(self.text):
            fragment = Fragment(start, end, "", runs_in=TOP, reason=reason)
            if not words:
                self.calls.append(HeatCall(self.path, start, end, action, PYTHON, fragment, reason=reason))
                continue
            for command in ShellReader(words).read_commands():
                stack_command = parse_stack_command(command.words)
                if (
                    stack_command is not None
                    and not is_wrapped(stack_command)
                    and not starts_with_variable(stack_command)
                ):
                    self.calls.append(
                        HeatCall(
                            self.path,
                            start,
                            end,
                            stack_command.action,
                            PYTHON,
                            fragment,
                            name=stack_command.names[0].value if stack_command.names else "",
                            reason=reason,
                        )
                    )


def hide_placeholder(match: re.Match[str]) -> str:
    """A placeholder of a document as a word of the same length: `<stack name>` becomes `_stack_name_`."""
    return re.sub(r"[^\w.-]", "_", match[0])


def starts_with_variable(command: StackCommand) -> bool:
    return command.client.value.startswith(("${", "$(", "{{"))


def is_sentence(command: StackCommand, fragment: Fragment, text: str) -> bool:
    """Whether words in a document only name a command: `heat stack-list shows …`, or a command without its
    arguments.
    """
    if fragment.reason:  # code in a sentence
        return not command.names and not command.options and command.action != LIST
    following = text[command.end : fragment.end].strip()
    return len(command.names) > 4 or (command.action == OTHER and not command.names and not following)


def unquoted(word: ShellWord, text: str) -> str:
    """A word as it is written."""
    return text[word.start : word.end]
