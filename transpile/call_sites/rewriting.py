"""Decides what takes the place of each call in a file, and writes it where that is safe.

Invariant: a unit that runs as a whole (a script, a rule of make, a job) is rewritten for a stack in all its calls, or in
none. The file that results is read again: its calls of Heat are those that were left.
"""

from __future__ import annotations

import posixpath
import re
from typing import final

from yaml.nodes import MappingNode, ScalarNode

from transpile.call_sites import ansible
from transpile.call_sites.arguments import Refused, check_value, conceal_arguments, parameter_words, variable_arguments
from transpile.call_sites.creations import Creations
from transpile.call_sites.finder import MAKEFILE, YAML, FileCalls, starts_with_variable
from transpile.call_sites.model import DOCUMENT, TOP, CallSite, FoundCall
from transpile.call_sites.stacks import Place, StackFacts, StackOfCall, StackTable
from transpile.call_sites.terraform_commands import StackLocation, TerraformCommands, locate_stack, quote_directory
from transpile.call_sites.yaml_texts import StackTask
from transpile.diagnostics.model import MASK, Edit
from transpile.model.records import node, replace
from transpile.model.span import Span
from transpile.repository.shell_syntax import CONDITIONS
from transpile.repository.stack_commands import (
    ADOPT,
    CREATE,
    DELETE,
    EVENTS,
    LIST,
    OUTPUT,
    OUTPUTS,
    PREVIEW,
    RESOURCES,
    SHOW,
    UPDATE,
    StackCommand,
)
from transpile.rewrite.edits import apply_edits

STATEMENT = ("", "then", "do", "else", "{")
CHAINS = ("&&", "||")
PIPES = ("|", "|&")
CONSUMER = re.compile(r"\s*\|&?\s*(?:sudo\s+)?([\w./-]+)")
TO_NULL = re.compile(r"(?:1|&)?>>?\s*/dev/null$|>&\s*/dev/null$")
CARRIED_SETTINGS = {"--os-cloud": "OS_CLOUD", "--os-region-name": "OS_REGION_NAME"}
SILENT_SETTINGS = ("--debug", "-d", "-v", "--verbose", "-q", "--quiet", "--insecure", "-k")
REFUSED_OPTIONS = {
    "--existing": "it keeps the values of the last update, which Terraform does not",
    "--clear-parameter": "it keeps the values of the last update, which Terraform does not",
    "--parameter-file": "a parameter comes from a file",
    "--template-url": "its template is fetched from a URL",
    "--template-object": "its template is fetched from a URL",
    "--adopt-file": "hot2tf adopt brings running resources into Terraform",
    "--pre-create": "Terraform has no hooks",
    "--pre-update": "Terraform has no hooks",
    "--pre-delete": "Terraform has no hooks",
    "--converge": "terraform plan compares with what is there, and needs no option for it",
    "--files-container": "its files are in an object store",
}
NOTED_OPTIONS = {
    "--timeout": "the timeout is dropped: resources of Terraform have their own",
    "--enable-rollback": "Terraform does not roll back",
    "--tags": "the tags of the stack are dropped",
    "--poll": "",
    "--disable-rollback": "",
    "--wait": "",
    "--format": "",
    "--column": "",
    "--print": "",
    "--print-flag": "",
    "--parameter": "",
    "--template": "",
    "--environment": "",
    "--yes": "",
    "--dry-run": "",
    "--nested-depth": "",
}
LEFT = {
    ADOPT: "hot2tf adopt brings running resources into Terraform",
    EVENTS: "Terraform keeps no events",
    LIST: "Terraform has no list of stacks: each directory is one",
}


@final
@node
class Decision:
    """What becomes of a call. `shown`: the replacement for people; `edit`: None if it is left. `initializes`: whether a
    later call in the same unit finds the directory initialised.
    """

    call: FoundCall
    stack: StackOfCall
    shown: tuple[str, ...] = ()
    edit: Edit | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()
    initializes: bool = False


@final
class FileRewriting:
    """The calls of one file. `dest`: the top of the result, from the top of the repository; empty if it is not known."""

    def __init__(self, file: FileCalls, table: StackTable, dest: str, creations: Creations) -> None:
        self.file, self.table, self.dest, self.creations = file, table, dest, creations
        self.text = file.text
        self.ready: set[tuple[str, str]] = set()  # units and directories in which `init` ran before
        self.created: set[tuple[str, str]] = set()  # units and directories in which the stack was written before
        self.tasks: dict[int, StackTask] = {call.start: task for call, task in file.tasks}

    def list_sites(self) -> list[CallSite]:
        """Each call with what takes its place."""
        decisions = [self.decide(call) for call in self.file.calls]
        decisions = self.keep_units_whole(decisions)
        decisions = self.read_again(decisions)
        return [self.make_site(decision) for decision in decisions]

    def make_site(self, decision: Decision) -> CallSite:
        call, facts = decision.call, decision.stack.facts
        return CallSite(
            call.path,
            self.text.count("\n", 0, call.start) + 1,
            call.action,
            call.kind,
            decision.stack.name or call.name,
            facts.plan.output if facts is not None else "",
            decision.shown,
            (decision.edit,) if decision.edit is not None else (),
            decision.reason if decision.edit is None else "",
            decision.notes,
            call.fragment.unit,
        )

    def decide(self, call: FoundCall) -> Decision:
        """What becomes of a call, looked at alone."""
        stack = self.table.find_stack(self.file, call)
        facts = stack.facts
        shown = self.suggest(call, facts)
        if call.reason or stack.reason:
            return Decision(call, stack, shown, reason=call.reason or stack.reason)
        assert facts is not None and stack.place is not None
        if not facts.is_converted:
            return Decision(call, stack, shown, reason="the stack was not converted")
        if call.action in LEFT:
            return Decision(call, stack, shown, reason=LEFT[call.action])
        try:
            if call.command is None:
                return self.rewrite_task(call, stack, facts, stack.place, shown)
            return ShellRewriting(self, call, call.command, stack, facts, stack.place).rewrite()
        except Refused as e:
            return Decision(call, stack, shown, reason=str(e))

    def suggest(self, call: FoundCall, facts: StackFacts | None) -> tuple[str, ...]:
        """The commands of Terraform for what a call does, whether it is rewritten or not."""
        directory = f"{self.dest or 'DEST'}/{facts.plan.output}" if facts is not None else f"{self.dest or 'DEST'}/STACK"
        location = locate_stack(facts.plan) if facts is not None else StackLocation("STACK")
        commands = TerraformCommands(directory, location, is_interactive=True)
        if call.action in (CREATE, UPDATE):
            return commands.init(), commands.apply([])
        if call.action == PREVIEW:
            return commands.init(), commands.plan([])
        if call.action == DELETE:
            return commands.init(), commands.destroy([], approved=False)
        if call.action == OUTPUT:
            words = call.command.names[1:2] if call.command is not None else ()
            known = facts.outputs.get(words[0].value) if facts is not None and words else None
            return (commands.output(known[0], form="json" if known[1] in COLLECTIONS else "raw") if known else commands.outputs(),)
        if call.action == OUTPUTS:
            return (commands.outputs(),)
        if call.action == RESOURCES:
            return (commands.list_resources(),)
        if call.action in (SHOW, LIST) and facts is not None:
            return (commands.show(),)
        return ()

    # what belongs together

    def keep_units_whole(self, decisions: list[Decision]) -> list[Decision]:
        """Leaves the calls of a unit that has another one for the same stack, or maybe the same, that is left."""
        blocking: dict[str, list[Decision]] = {}
        for decision in decisions:
            if decision.edit is None and matters(decision):
                blocking.setdefault(decision.call.fragment.unit, []).append(decision)
        out = []
        for decision in decisions:
            call = decision.call
            if decision.edit is not None and call.fragment.use != DOCUMENT:
                for other in blocking.get(call.fragment.unit, ()):
                    if other.stack.facts is None or decision.stack.facts == other.stack.facts:
                        line = self.text.count("\n", 0, other.call.start) + 1
                        reason = f"line {line}, which runs with it, is left"
                        decision = replace(decision, edit=None, reason=reason)
                        break
            out.append(decision)
        return out

    def read_again(self, decisions: list[Decision]) -> list[Decision]:
        """Leaves everything if the changed file, read again, has other calls than those that were left."""
        edits = [decision.edit for decision in decisions if decision.edit is not None]
        if not edits:
            return decisions
        changed = apply_edits(self.text, edits)
        again = FileCalls(self.file.path, changed, self.file.kind, changed.encode("utf-8", "surrogateescape"))
        left = [decision.call for decision in decisions if decision.edit is None]
        if [(call.action, call.reason) for call in again.calls] == [(call.action, call.reason) for call in left]:
            return decisions
        reason = "the file would be read otherwise after the change"
        return [replace(each, edit=None, reason=each.reason or reason) for each in decisions]

    # tasks of Ansible

    def rewrite_task(
        self, call: FoundCall, stack: StackOfCall, facts: StackFacts, place: Place, shown: tuple[str, ...]
    ) -> Decision:
        task = self.tasks.get(call.start)
        if task is None:
            raise Refused("it is not in shell text")
        if reason := ansible.refuse_task(task, self.text):
            raise Refused(reason)
        path = self.path_to(facts, place)
        if path is None or '"' in path:
            raise Refused("its path cannot be written safely")
        arguments = ansible.arguments_of(task)
        given = arguments.get("parameters")
        lines: list[str] = []
        names = set[str]()
        if isinstance(given, MappingNode):
            if given.flow_style:
                raise Refused("its parameters are not a block of lines")
            for key, value in given.value:
                variable = facts.variables.get(key.value) if isinstance(key, ScalarNode) else None
                if variable is None:
                    raise Refused("no variable stands for one of its parameters")
                if not isinstance(value, ScalarNode) or value.style in ("|", ">"):
                    raise Refused(f"the parameter {key.value} is a list or a map, which Terraform writes otherwise")
                check_value(facts.types, key.value, value.value)
                names.add(key.value)
                raw = self.text[task.base + value.start_mark.index : task.base + value.end_mark.index]
                lines.append(f"{variable}: {raw}")
        elif given is not None:
            raise Refused("its parameters are only known when it runs")
        if missing := sorted(facts.required - names):
            raise Refused(f"Terraform needs a value for {missing[0]}, which it does not give")
        start = task.base + task.key.start_mark.index
        inner = " " * (start - (self.text.rfind("\n", 0, start) + 1) + 4)
        if facts.name_variable and facts.written_name != stack.name:
            lines.append(f"{facts.name_variable}: {stack.name}")
        location = locate_stack(facts.plan)
        written = ansible.write_task(
            task,
            self.text,
            f'"{path}"' if "{{" in path else path,
            [inner + line for line in lines],
            (location.var_file,) if location.label else (),
            location.backend_file,
        )
        edit = Edit(Span(start, ansible.task_end(task, self.text)), written)
        notes = tuple(NOTED_OPTIONS["--timeout"] for name in arguments if name == "timeout")
        return Decision(call, stack, ("community.general.terraform", *shown), edit, notes=notes)

    def path_to(self, facts: StackFacts, place: Place) -> str | None:
        """The path of a stack's directory from where a call runs; None if it cannot be written safely."""
        path = posixpath.relpath(posixpath.join(self.dest or "DEST", locate_stack(facts.plan).directory), place.base or ".")
        if place.prefix:
            prefix = re.sub(r"\{\{\s*(\w+)\s*\}\}", r"{{ \1 }}", place.prefix)
            return f"{prefix}/{path}" if quote_directory("", path) is not None else None
        return quote_directory("", path)


COLLECTIONS = ("list", "set", "tuple", "map", "object", "json")


def matters(decision: Decision) -> bool:
    """Whether what runs with a call that is left depends on it: all but lists that are only shown."""
    call = decision.call
    if call.action != LIST or call.shell is None:
        return call.action != LIST
    shell = call.shell
    return shell.is_captured or shell.after in (*PIPES, *CHAINS) or shell.before in (*CONDITIONS, *CHAINS)


@final
class ShellRewriting:
    """The rewriting of one command in shell text."""

    def __init__(
        self,
        rewriting: FileRewriting,
        call: FoundCall,
        command: StackCommand,
        stack: StackOfCall,
        facts: StackFacts,
        place: Place,
    ) -> None:
        assert call.shell is not None
        self.rewriting, self.call, self.command, self.shell = rewriting, call, command, call.shell
        self.stack, self.facts, self.text, self.fragment = stack, facts, rewriting.text, call.fragment
        self.file = rewriting.file
        path = rewriting.path_to(facts, replace(place, prefix=""))
        word = quote_directory(place.prefix, path) if path is not None else None
        if word is None:
            raise Refused("its path cannot be written safely")
        if "\\" in self.text[self.fragment.start : self.fragment.start] or (self.file.kind == YAML and self.has_own_directory()):
            raise Refused("the directory that it runs in is not known")
        self.location = locate_stack(facts.plan)
        self.is_document = self.fragment.use == DOCUMENT
        self.commands = TerraformCommands(word, self.location, is_interactive=self.is_document)
        self.notes: list[str] = []
        self.start = command.prefix[0].start if command.prefix else command.start
        self.key = (self.fragment.unit, facts.plan.output)
        self.redirections = [self.text[start:end] for start, end in self.shell.redirections]

    def has_own_directory(self) -> bool:
        return re.search(r"\b(?:chdir|working[-_]directory)\b", self.text) is not None

    def rewrite(self) -> Decision:
        """What takes the place of the command. Raises Refused."""
        self.check_command()
        action = self.call.action
        if action in (CREATE, UPDATE, PREVIEW):
            return self.write_stack()
        if action == DELETE:
            return self.delete_stack()
        if action == OUTPUT:
            return self.read_output()
        if action in (SHOW, RESOURCES, OUTPUTS):
            return self.show_stack()
        raise Refused("nothing in Terraform does this")

    def check_command(self) -> None:
        command = self.command
        if command.unknown:
            raise Refused(f"the option {command.unknown.partition('=')[0]} is not known")
        if starts_with_variable(command):
            value = self.file.assigned.get(command.client.value.strip("${}()"))
            if value not in ("openstack", "heat"):
                raise Refused("the client is a variable")
        for setting in command.settings:
            if setting.name not in CARRIED_SETTINGS and setting.name not in SILENT_SETTINGS:
                raise Refused(f"the option {setting.name} of the client has no counterpart")
        for option in command.options:
            if option.name in REFUSED_OPTIONS:
                raise Refused(REFUSED_OPTIONS[option.name])
            if option.name not in NOTED_OPTIONS:
                raise Refused(f"the option {self.text[option.start : option.end].split()[0]} has no counterpart")
            if NOTED_OPTIONS[option.name]:
                self.notes.append(NOTED_OPTIONS[option.name])
        if command.prefix and any(setting.name in CARRIED_SETTINGS for setting in command.settings):
            raise Refused("options of the client stand behind another command")
        if self.shell.before in PIPES:
            raise Refused("it reads the output of another command")
        if any(re.match(r"\d*<", redirection) for redirection in self.redirections):
            raise Refused("it reads a file or a text")
        if any(start < command.end for start, _ in self.shell.redirections) or self.shell.texts:
            raise Refused("a redirection stands within it")

    # actions

    def write_stack(self) -> Decision:
        self.refuse_reading("tee")
        if len(self.command.names) != 1:
            raise Refused("it names several stacks")
        arguments = variable_arguments(self.command, self.facts, self.text, self.stack.name)
        if self.is_document and "OS::stack_name" in arguments and re.fullmatch(r"_.*_", self.stack.name):
            raise Refused("the name of the stack is a placeholder")
        unused = [name for name, _, _ in parameter_words(self.command, self.text) if name not in arguments]
        self.notes += [f"the template uses the parameter {name} nowhere" for name in unused]
        if not self.command.has("--wait") and self.call.action != PREVIEW and not self.is_document:
            self.notes.append("Terraform waits until everything is done")
        plans = self.call.action == PREVIEW or self.command.has("--dry-run")
        write = self.commands.plan if plans else self.commands.apply
        shown = conceal_arguments(arguments, self.facts.hidden, MASK)
        main = write(list(arguments.values()), self.separator())
        return self.finish(main, (self.commands.init(), write(shown)), with_init=True)

    def delete_stack(self) -> Decision:
        self.refuse_reading("tee")
        if len(self.command.names) != 1:
            raise Refused("it names several stacks")
        arguments = self.arguments_for_deletion()
        approved = self.command.has("--yes") or self.fragment.runs_in == TOP
        if not approved and not self.is_document:
            self.notes.append("Terraform asks for a confirmation; where nobody can answer, add -auto-approve")
        if not self.command.has("--wait") and not self.is_document:
            self.notes.append("Terraform waits until everything is done")
        main = self.commands.destroy(arguments, approved=approved and not self.is_document)
        return self.finish(main, (self.commands.init(), self.commands.destroy([], approved=approved)), with_init=True)

    def arguments_for_deletion(self) -> list[str]:
        """The variables without which `destroy` asks for values. Raises Refused if they are not known here."""
        if not self.facts.required:
            return []
        arguments = self.rewriting.creations.find_arguments(self.facts.plan.output, self.file)
        if not arguments:
            raise Refused(f"terraform destroy needs a value for {sorted(self.facts.required)[0]}, too")
        return arguments

    def show_stack(self) -> Decision:
        if self.shell.is_captured or self.shell.after in PIPES:
            raise Refused("its output is read, and Terraform's has another form")
        if len(self.command.names) != 1:
            raise Refused("it names several stacks")
        is_condition = self.shell.before in CONDITIONS or self.shell.after in CHAINS or self.shell.before in CHAINS
        is_silent = any(TO_NULL.match(redirection) for redirection in self.redirections)
        following = self.text[self.shell.end : self.shell.end + 200].split("\n")
        reads_status = any("$?" in line for line in following[:3])
        if (is_condition or is_silent or reads_status) and not self.is_document:
            if self.call.action != SHOW:
                raise Refused("whether it fails decides what happens")
            return self.test_existence()
        if any(option.name != "--nested-depth" for option in self.command.options) or self.redirections:
            raise Refused("its output has another form in Terraform")
        if self.file.has_errexit or self.file.kind in (MAKEFILE, YAML):
            others = [call for call in self.file.calls if call.fragment.unit == self.fragment.unit]
            if self.key not in self.rewriting.created and (len(others) > 1 or self.file.has_errexit) and not self.is_document:
                raise Refused("it ends the script if there is no stack, which Terraform does not")
        main = {
            SHOW: self.commands.show,
            RESOURCES: self.commands.list_resources,
            OUTPUTS: self.commands.outputs,
        }[self.call.action]()
        return self.finish(main, (main,), with_init=not self.is_document)

    def test_existence(self) -> Decision:
        """A test whether the stack's state has resources, in place of a command that fails if there is no stack."""
        if self.command.prefix or any(setting.name in CARRIED_SETTINGS for setting in self.command.settings):
            raise Refused("another command runs it")
        if self.fragment.is_plain:
            raise Refused("no shell reads it")
        dollar = "$$" if self.file.kind == MAKEFILE else "$"
        init = f"{self.commands.init()} >/dev/null 2>&1 && "
        test = f'[ -n "{dollar}({init}{self.commands.list_resources()} 2>/dev/null)" ]'
        if '"' in self.commands.start:
            raise Refused("its path has quotes, which do not fit into the test")
        end = self.shell.end if all(TO_NULL.match(r) or r.replace(" ", "") == "2>&1" for r in self.redirections) else None
        if end is None:
            raise Refused("its output goes to a file")
        return self.edit_text(test, (self.commands.list_resources(),), end=end)

    def read_output(self) -> Decision:
        command = self.command
        if len(command.names) != 2:
            raise Refused("it reads several outputs" if len(command.names) < 2 else "it has an argument that is not known")
        word = command.names[1]
        if not word.is_literal:
            raise Refused("the output is only known when it runs")
        known = self.facts.outputs.get(word.value)
        if known is None:
            raise Refused(f"the result has no output {word.value}")
        label, kind = known
        formats, columns = ([word.value for word in command.values(name)] for name in ("--format", "--column"))
        is_raw = (formats == ["value"] and columns == ["output_value"]) or (command.is_heat and formats == ["raw"])
        is_shown = not self.shell.is_captured and self.shell.after not in PIPES and not self.redirections
        if not is_raw and (formats or columns or not is_shown):
            raise Refused("it prints more than the value")
        if kind in ("string", "number"):
            form = "raw"
        elif kind in COLLECTIONS:
            form = "json"
        else:
            raise Refused(f"the type of the output {word.value} is not known" if kind != "bool" else "Terraform prints true, not True")
        consumer = CONSUMER.match(self.text, self.shell.end)
        if self.shell.after in PIPES and (consumer is None or consumer[1] in ("read", "while", "xargs", "for")):
            raise Refused("another command reads its lines")
        return self.finish(self.commands.output(label, form=form), (self.commands.output(label, form=form),), with_init=not self.is_document, reads=True)

    def refuse_reading(self, *allowed: str) -> None:
        """Raises Refused if another command reads the output, except for some commands that only pass it on."""
        if self.shell.is_captured:
            raise Refused("its output is read, and Terraform's has another form")
        if self.shell.after in PIPES:
            consumer = CONSUMER.match(self.text, self.shell.end)
            if consumer is None or consumer[1] not in allowed:
                raise Refused("its output is read, and Terraform's has another form")

    # text

    def separator(self) -> str:
        """Between arguments: a line break where the command has one between its own."""
        match = re.search(r"[ \t]*\\\r?\n([ \t]*)", self.text[self.command.start : self.command.end])
        if match is None or self.is_document and "`" in match[0]:
            return " "
        return match[0] if match[0].startswith((" ", "\t")) else f" {match[0]}"

    def settings(self) -> str:
        """Options of the client, as variables in front of a command."""
        out = ""
        for setting in self.command.settings:
            if setting.value is not None and setting.name in CARRIED_SETTINGS:
                out += f"{CARRIED_SETTINGS[setting.name]}={self.text[setting.value.start : setting.value.end]} "
        return out

    def finish(self, main: str, shown: tuple[str, ...], *, with_init: bool, reads: bool = False) -> Decision:
        """The edit for a command, with `init` in front of it where the directory may not be initialised."""
        prefix = self.text[self.start : self.command.start] + self.settings()
        is_ready = self.key in self.rewriting.ready and not self.location.label
        if not with_init or is_ready:
            return self.edit_text(prefix + main, shown)
        if any(word.value == "exec" for word in self.command.prefix):
            raise Refused("exec runs it, and Terraform needs two commands")
        init, main = prefix + self.commands.init(), prefix + main
        if reads:  # which is all that a caller reads
            init += " >&2"
        begin = self.text.rfind("\n", 0, self.start) + 1
        lead = self.text[begin : self.start]
        is_first = self.is_first_on_line(begin, lead)
        is_statement = self.shell.before in STATEMENT and self.shell.after not in (*CHAINS, *PIPES, "&")
        if is_statement and not self.redirections and not self.shell.is_captured and is_first and self.fragment.lines:
            return self.edit_text(f"{init}\n{lead}{main}", shown, is_certain=is_first)
        if self.fragment.is_plain:
            raise Refused("Terraform needs two commands here, and no shell reads them")
        if self.fragment.item and is_statement and not self.redirections and self.covers_item():
            return self.edit_text(f"{init}\n{self.fragment.item}{main}", shown, is_certain=True, is_item=True)
        is_alone = self.shell.is_captured and self.shell.before == "" and self.shell.after == "" and not self.redirections
        if is_alone:
            return self.edit_text(f"{init} && {main}", shown)
        gap = " " if self.text[self.start - 1 : self.start] == "(" else ""
        return self.edit_text(f"{gap}({init} && {main})", shown)

    def is_first_on_line(self, begin: int, lead: str) -> bool:
        """Whether nothing but white space, a prompt or the marks of a recipe stand in front of the command."""
        if self.fragment.start > begin:
            return not self.text[self.fragment.start : self.start].strip()
        return not lead.strip() and self.text[max(begin - 2, 0) : begin] != "\\\n" and not self.text[max(begin - 3, 0) : begin].startswith("\\\r")

    def covers_item(self) -> bool:
        fragment = self.fragment
        return not self.text[fragment.start : self.start].strip() and not self.text[self.command.end : fragment.end].strip()

    def edit_text(
        self, new: str, shown: tuple[str, ...], *, end: int | None = None, is_certain: bool = False, is_item: bool = False
    ) -> Decision:
        """The decision that replaces the command by a text. Raises Refused if the place cannot hold it."""
        forbidden = self.fragment.forbidden.replace("\n", "") if is_item else self.fragment.forbidden
        if any(char in new for char in forbidden) or (self.fragment.forbidden and re.search(r":\s|\s#", new)):
            raise Refused("the text around it cannot hold the commands of Terraform")
        edit = Edit(Span(self.start, end if end is not None else self.command.end), new)
        if self.call.action in (CREATE, UPDATE, DELETE) and self.is_unconditional():
            self.rewriting.ready.add(self.key)
            if self.call.action != DELETE:
                self.rewriting.created.add(self.key)
        return Decision(self.call, self.stack, shown, edit, notes=tuple(dict.fromkeys(self.notes)))

    def is_unconditional(self) -> bool:
        """Whether what follows in the same unit runs after this command, as far as its place tells."""
        begin = self.text.rfind("\n", 0, self.start) + 1
        if self.shell.before != "" or self.shell.after in CHAINS:
            return False
        return self.file.kind in (MAKEFILE, YAML) or self.start == begin
