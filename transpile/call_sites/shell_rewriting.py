"""Rewrites a command of Heat's clients in shell text.

Invariant: quotes, redirections, conditions and the effect of `set -e` stay as they are; a call that cannot keep them is
refused.
"""

from __future__ import annotations

import re
import string
from typing import final

from transpile.call_sites.arguments import Refused, conceal_arguments, parameter_words, variable_arguments
from transpile.call_sites.context import CHAINS, COLLECTIONS, PIPES, TIMEOUT_DROPPED, CallDecision, FileContext
from transpile.call_sites.finder import MAKEFILE, YAML, starts_with_variable
from transpile.call_sites.model import DOCUMENT, TOP, HeatCall
from transpile.call_sites.stack_facts import StackFacts
from transpile.call_sites.stacks import Place, StackOfCall
from transpile.call_sites.terraform_commands import TerraformCommands, quote_directory
from transpile.diagnostics.model import MASK, Edit
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.repository.shell_words import CONDITIONS
from transpile.repository.stack_commands import (
    CREATE,
    DELETE,
    OUTPUT,
    OUTPUTS,
    PREVIEW,
    RESOURCES,
    SHOW,
    UPDATE,
    StackCommand,
)

LETTERS = "(" + string.ascii_letters  # the first characters of a plain text in YAML
STATEMENT = ("", "then", "do", "else", "{")
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
    "--converge": "terraform plan always compares with the live resources, and needs no option for it",
    "--files-container": "its files are in an object store",
}
NOTED_OPTIONS = {
    "--timeout": TIMEOUT_DROPPED,
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


@final
class ShellRewriting:
    """The rewriting of one command in shell text."""

    def __init__(
        self,
        context: FileContext,
        call: HeatCall,
        command: StackCommand,
        stack: StackOfCall,
        facts: StackFacts,
        place: Place,
    ) -> None:
        assert call.shell is not None
        self.context, self.call, self.command, self.shell = context, call, command, call.shell
        self.stack, self.facts, self.text, self.fragment = stack, facts, context.file.text, call.fragment
        self.file = context.file
        path = context.path_to(facts, replace(place, prefix=""))
        word = quote_directory(place.prefix, path) if path is not None else None
        if word is None:
            raise Refused("its path cannot be written safely")
        if self.file.kind == YAML and self.has_own_directory():
            raise Refused("the directory that it runs in is not known")
        self.location = facts.location
        self.is_document = self.fragment.use == DOCUMENT
        self.commands = TerraformCommands(word, self.location, is_interactive=self.is_document)
        self.notes: list[str] = []
        self.start = command.prefix[0].start if command.prefix else command.start
        self.key = (self.fragment.unit, facts.plan.output)
        self.redirections = [self.text[start:end] for start, end in self.shell.redirections]

    def has_own_directory(self) -> bool:
        return re.search(r"\b(?:chdir|working[-_]directory)\b", self.text) is not None

    def rewrite(self) -> CallDecision:
        """Returns the replacement of the command. Raises Refused."""
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
            if option.name == "--all" and self.call.action == OUTPUT:
                continue
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

    def write_stack(self) -> CallDecision:
        self.refuse_reading("tee")
        if len(self.command.names) != 1:
            raise Refused("it names several stacks")
        arguments = variable_arguments(self.command, self.facts, self.text, self.stack.name)
        if self.is_document and "OS::stack_name" in arguments and re.fullmatch(r"_.*_", self.stack.name):
            placeholder = self.text[self.command.names[0].start : self.command.names[0].end]
            arguments["OS::stack_name"] = f'-var "{self.facts.name_variable}={placeholder}"'
        used = {*arguments, *self.facts.plan.parameters}
        unused = [name for name, _, _ in parameter_words(self.command, self.text) if name not in used]
        self.notes += [f"the template uses the parameter {name} nowhere" for name in unused]
        if self.file.kind == YAML and self.fragment.runs_in == TOP:
            self.notes.append("the job needs Terraform")
        if not self.command.has("--wait") and self.call.action != PREVIEW and not self.is_document:
            self.notes.append("Terraform waits until everything is done")
        set_variables = {self.facts.variables.get(name) for name in arguments}
        if asked := [variable for variable in self.facts.asked if variable not in set_variables]:
            self.notes.append(f"Terraform needs a value for {', '.join(asked)}, in terraform.tfvars or as TF_VAR_…")
        plans = self.call.action == PREVIEW or self.command.has("--dry-run")
        write = self.commands.plan if plans else self.commands.apply
        concealed = conceal_arguments(arguments, self.facts.hidden, MASK)
        main = write(list(arguments.values()), self.separator())
        return self.finish(main, (*self.commands.prepare(), write(concealed)), with_init=True)

    def delete_stack(self) -> CallDecision:
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
        return self.finish(
            main, (*self.commands.prepare(), self.commands.destroy([], approved=approved)), with_init=True
        )

    def arguments_for_deletion(self) -> list[str]:
        """The variables without which `destroy` asks for values. Raises Refused if they are not known here."""
        if not self.facts.required:
            return []
        arguments = self.context.creations.find_arguments(self.facts.plan.output, self.file)
        if not arguments:
            raise Refused(f"terraform destroy needs a value for {sorted(self.facts.required)[0]}, too")
        return arguments

    def show_stack(self) -> CallDecision:
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
                raise Refused("the script goes on differently if it fails")
            return self.test_existence()
        if any(option.name != "--nested-depth" for option in self.command.options) or self.redirections:
            raise Refused("its output has another form in Terraform")
        if self.file.has_errexit or self.file.kind in (MAKEFILE, YAML):
            others = [call for call in self.file.calls if call.fragment.unit == self.fragment.unit]
            if (
                self.key not in self.context.created
                and (len(others) > 1 or self.file.has_errexit)
                and not self.is_document
            ):
                raise Refused("it ends the script if there is no stack, which Terraform does not")
        main = {
            SHOW: self.commands.show,
            RESOURCES: self.commands.list_resources,
            OUTPUTS: self.commands.outputs,
        }[self.call.action]()
        return self.finish(main, (main,), with_init=not self.is_document)

    def test_existence(self) -> CallDecision:
        """A test whether the stack's state has resources, in place of a command that fails if there is no stack."""
        if self.command.prefix or any(setting.name in CARRIED_SETTINGS for setting in self.command.settings):
            raise Refused("another command runs it")
        if self.fragment.is_plain:
            raise Refused("no shell reads it")
        dollar = "$$" if self.file.kind == MAKEFILE else "$"
        init = "".join(f"{command} >/dev/null 2>&1 && " for command in self.commands.prepare())
        test = f'[ -n "{dollar}({init}{self.commands.list_resources()} 2>/dev/null)" ]'
        if '"' in self.commands.start:
            raise Refused("its path has quotes, which do not fit into the test")
        end = (
            self.shell.end if all(TO_NULL.match(r) or r.replace(" ", "") == "2>&1" for r in self.redirections) else None
        )
        if end is None:
            raise Refused("its output goes to a file")
        return self.edit_text(test, (self.commands.list_resources(),), end=end)

    def read_output(self) -> CallDecision:
        command = self.command
        if self.is_document and len(command.names) == 1 and command.has("--all") and not self.redirections:
            return self.finish(self.commands.outputs(), (self.commands.outputs(),), with_init=False)
        if len(command.names) != 2:
            raise Refused(
                "it reads several outputs" if len(command.names) < 2 else "it has an argument that is not known"
            )
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
            raise Refused(
                f"the type of the output {word.value} is not known"
                if kind != "bool"
                else "Terraform prints true, not True"
            )
        consumer = CONSUMER.match(self.text, self.shell.end)
        if self.shell.after in PIPES and (consumer is None or consumer[1] in ("read", "while", "xargs", "for")):
            raise Refused("another command reads its lines")
        return self.finish(
            self.commands.output(label, form=form),
            (self.commands.output(label, form=form),),
            with_init=not self.is_document,
            reads=True,
        )

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
        if match is None or (self.is_document and "`" in match[0]):
            return " "
        return match[0] if match[0].startswith((" ", "\t")) else f" {match[0]}"

    def settings(self) -> str:
        """Options of the client, as variables in front of a command."""
        out = ""
        for setting in self.command.settings:
            if setting.value is not None and setting.name in CARRIED_SETTINGS:
                out += f"{CARRIED_SETTINGS[setting.name]}={self.text[setting.value.start : setting.value.end]} "
        return out

    def finish(self, main: str, replacement: tuple[str, ...], *, with_init: bool, reads: bool = False) -> CallDecision:
        """The edit for a command, with `init` in front of it where the directory may not be initialised."""
        prefix = self.text[self.start : self.command.start] + self.settings()
        is_ready = self.key in self.context.ready and not self.location.is_shared
        if not with_init or is_ready:
            return self.edit_text(prefix + main, replacement)
        if any(word.value == "exec" for word in self.command.prefix):
            raise Refused("exec runs it, and Terraform needs two commands")
        to_errors = " >&2" if reads else ""  # for a caller reads the output
        first = [f"{prefix}{command}{to_errors}" for command in self.commands.prepare()]
        init, main = " && ".join(first), prefix + main
        begin = self.text.rfind("\n", 0, self.start) + 1
        lead = self.text[begin : self.start]
        is_first = self.is_first_on_line(begin, lead)
        is_statement = self.shell.before in STATEMENT and self.shell.after not in (*CHAINS, *PIPES, "&")
        if is_statement and not self.redirections and not self.shell.is_captured and is_first and self.fragment.lines:
            return self.edit_text(f"\n{lead}".join([*first, main]), replacement)
        if self.fragment.is_plain:
            raise Refused("Terraform needs two commands here, and no shell reads them")
        if self.fragment.item and is_statement and not self.redirections and self.covers_item():
            return self.edit_text(f"\n{self.fragment.item}".join([*first, main]), replacement, is_item=True)
        is_alone = (
            self.shell.is_captured and self.shell.before == "" and self.shell.after == "" and not self.redirections
        )
        if is_alone:
            return self.edit_text(f"{init} && {main}", replacement)
        gap = " " if self.text[self.start - 1 : self.start] == "(" else ""
        return self.edit_text(f"{gap}({init} && {main})", replacement)

    def is_first_on_line(self, begin: int, lead: str) -> bool:
        """Whether nothing but white space, a prompt or the marks of a recipe stand in front of the command."""
        if self.fragment.start > begin:
            return not self.text[self.fragment.start : self.start].strip()
        return (
            not lead.strip()
            and self.text[max(begin - 2, 0) : begin] != "\\\n"
            and not self.text[max(begin - 3, 0) : begin].startswith("\\\r")
        )

    def covers_item(self) -> bool:
        fragment = self.fragment
        return (
            not self.text[fragment.start : self.start].strip()
            and not self.text[self.command.end : fragment.end].strip()
        )

    def edit_text(
        self,
        new: str,
        replacement: tuple[str, ...],
        *,
        end: int | None = None,
        is_item: bool = False,
    ) -> CallDecision:
        """The decision that replaces the command by a text. Raises Refused if the place cannot hold it."""
        forbidden = self.fragment.forbidden.replace("\n", "") if is_item else self.fragment.forbidden
        if any(char in new for char in forbidden) or (self.fragment.forbidden and re.search(r":\s|\s#", new)):
            raise Refused("the text around it cannot hold the commands of Terraform")
        if self.fragment.forbidden and self.start == self.fragment.start and new[0] not in LETTERS:
            raise Refused("the text around it cannot hold the commands of Terraform")
        edit = Edit(Span(self.start, end if end is not None else self.command.end), new)
        if self.call.action in (CREATE, UPDATE, DELETE) and self.is_unconditional():
            self.context.ready.add(self.key)
            if self.call.action != DELETE:
                self.context.created.add(self.key)
        return CallDecision(self.call, self.stack, replacement, edit, notes=tuple(dict.fromkeys(self.notes)))

    def is_unconditional(self) -> bool:
        """Whether the rest of the unit always runs after this command, as far as its place tells."""
        begin = self.text.rfind("\n", 0, self.start) + 1
        if self.shell.before != "" or self.shell.after in CHAINS:
            return False
        return self.file.kind in (MAKEFILE, YAML) or self.start == begin
