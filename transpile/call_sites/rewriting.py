"""Decides on the replacement of each call in a file, and writes it where that is safe.

Invariant: a unit that runs as a whole (a script, a rule of make, a job) is rewritten for a stack in all its calls,
or in none. The file that results is read again: its calls of Heat are those that were left.
"""

from __future__ import annotations

from typing import final

from yaml.nodes import MappingNode, ScalarNode

from transpile.call_sites import ansible
from transpile.call_sites.arguments import Refused, check_value
from transpile.call_sites.context import CHAINS, COLLECTIONS, PIPES, TIMEOUT_DROPPED, CallDecision, FileContext
from transpile.call_sites.creations import Creations
from transpile.call_sites.finder import FileCalls
from transpile.call_sites.model import DOCUMENT, CallReplacement, HeatCall
from transpile.call_sites.shell_rewriting import ShellRewriting
from transpile.call_sites.stack_facts import StackFacts
from transpile.call_sites.stacks import Place, StackOfCall, StackTable
from transpile.call_sites.terraform_commands import StackLocation, TerraformCommands
from transpile.call_sites.yaml_texts import StackTask
from transpile.diagnostics.model import Edit
from transpile.model.records import replace
from transpile.model.span import Span
from transpile.repository.shell_words import CONDITIONS
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
)
from transpile.rewrite.edits import apply_edits

LEFT = {
    ADOPT: "hot2tf adopt brings running resources into Terraform",
    EVENTS: "Terraform keeps no events",
    LIST: "Terraform has no list of stacks: each directory is one",
}


@final
class FileRewriting:
    """The calls of one file. `dest`: the top of the result, from the top of the repository; empty if unknown."""

    def __init__(self, file: FileCalls, table: StackTable, dest: str, creations: Creations) -> None:
        self.file, self.table, self.dest = file, table, dest
        self.context = FileContext(file, dest, creations)
        self.text = file.text
        self.tasks: dict[int, StackTask] = {call.start: task for call, task in file.tasks}

    def list_sites(self) -> list[CallReplacement]:
        """Returns each call with its replacement."""
        decisions = [self.decide(call) for call in self.file.calls]
        decisions = self.keep_units_whole(decisions)
        decisions = self.read_again(decisions)
        return [self.make_site(decision) for decision in decisions]

    def make_site(self, decision: CallDecision) -> CallReplacement:
        call, facts = decision.call, decision.stack.facts or decision.stack.probable
        return CallReplacement(
            call.path,
            self.text.count("\n", 0, call.start) + 1,
            call.action,
            call.kind,
            decision.stack.name or call.name,
            facts.plan.output if facts is not None else "",
            decision.replacement,
            (decision.edit,) if decision.edit is not None else (),
            decision.reason if decision.edit is None else "",
            decision.notes,
            call.fragment.unit,
        )

    def decide(self, call: HeatCall) -> CallDecision:
        """Returns the decision about one call, regardless of the other calls of its unit."""
        stack = self.table.find_stack(self.file, call)
        facts = stack.facts
        replacement = self.suggest(call, facts or stack.probable)
        if call.reason or stack.reason:
            return CallDecision(call, stack, replacement, reason=call.reason or stack.reason)
        assert facts is not None
        assert stack.place is not None
        if not facts.is_converted:
            return CallDecision(call, stack, replacement, reason="the stack was not converted")
        if call.action in LEFT:
            return CallDecision(call, stack, replacement, reason=LEFT[call.action])
        try:
            if call.command is None:
                return self.rewrite_task(call, stack, facts, stack.place, replacement)
            return ShellRewriting(self.context, call, call.command, stack, facts, stack.place).rewrite()
        except Refused as e:
            return CallDecision(call, stack, replacement, reason=str(e))

    def suggest(self, call: HeatCall, facts: StackFacts | None) -> tuple[str, ...]:
        """Returns the commands of Terraform for the action of a call, whether it is rewritten or not."""
        directory = (
            f"{self.dest or 'DEST'}/{facts.location.directory}" if facts is not None else f"{self.dest or 'DEST'}/STACK"
        )
        location = facts.location if facts is not None else StackLocation("STACK")
        commands = TerraformCommands(directory, location, is_interactive=True)
        if call.action in (CREATE, UPDATE):
            return *commands.prepare(), commands.apply([])
        if call.action == PREVIEW:
            return *commands.prepare(), commands.plan([])
        if call.action == DELETE:
            return *commands.prepare(), commands.destroy([], approved=False)
        if call.action == OUTPUT:
            words = call.command.names[1:2] if call.command is not None else ()
            known = facts.outputs.get(words[0].value) if facts is not None and words else None
            return (
                commands.output(known[0], form="json" if known[1] in COLLECTIONS else "raw")
                if known
                else commands.outputs(),
            )
        if call.action == OUTPUTS:
            return (commands.outputs(),)
        if call.action == RESOURCES:
            return (commands.list_resources(),)
        if call.action in (SHOW, LIST) and facts is not None:
            return (commands.show(),)
        return ()

    # calls that belong together

    def keep_units_whole(self, decisions: list[CallDecision]) -> list[CallDecision]:
        """Leaves the calls of a unit that has another one for the same stack, or maybe the same, that is left."""
        blocking: dict[str, list[CallDecision]] = {}
        for decision in decisions:
            if decision.edit is None and matters(decision):
                blocking.setdefault(decision.call.fragment.unit, []).append(decision)
        out = []
        for decision in decisions:
            call = decision.call
            if decision.edit is not None:
                for other in blocking.get(call.fragment.unit, ()):
                    if other.stack.facts is None or decision.stack.facts == other.stack.facts:
                        line = self.text.count("\n", 0, other.call.start) + 1
                        reason = f"line {line}, which runs with it, is left"
                        decision = replace(decision, edit=None, reason=reason)
                        break
            out.append(decision)
        return out

    def read_again(self, decisions: list[CallDecision]) -> list[CallDecision]:
        """Leaves all calls if the changed file, read again, has other calls than those that were left."""
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
        self, call: HeatCall, stack: StackOfCall, facts: StackFacts, place: Place, replacement: tuple[str, ...]
    ) -> CallDecision:
        task = self.tasks.get(call.start)
        if task is None:
            raise Refused("it is not in shell text")
        if reason := ansible.refuse_task(task, self.text):
            raise Refused(reason)
        path = self.context.path_to(facts, place)
        if path is None or '"' in path:
            raise Refused("its path cannot be written safely")
        arguments = ansible.arguments_of(task)
        parameters = arguments.get("parameters")
        lines: list[str] = []
        names = set[str]()
        if isinstance(parameters, MappingNode):
            if parameters.flow_style:
                raise Refused("its parameters are not a block of lines")
            for key, value in parameters.value:
                variable = facts.variables.get(key.value) if isinstance(key, ScalarNode) else None
                if variable is None:
                    raise Refused("no variable stands for one of its parameters")
                if not isinstance(value, ScalarNode) or value.style in ("|", ">"):
                    raise Refused(f"the parameter {key.value} is a list or a map, which Terraform writes otherwise")
                check_value(facts.types, key.value, value.value)
                names.add(key.value)
                raw = self.text[task.base + value.start_mark.index : task.base + value.end_mark.index]
                lines.append(f"{variable}: {raw}")
        elif parameters is not None:
            raise Refused("its parameters are only known when it runs")
        if missing := sorted(facts.required - names):
            raise Refused(f"Terraform needs a value for {missing[0]}, which it does not give")
        start = task.base + task.key.start_mark.index
        inner = " " * (start - (self.text.rfind("\n", 0, start) + 1) + 4)
        if facts.name_variable and facts.written_name != stack.name:
            lines.append(f"{facts.name_variable}: {stack.name}")
        location = facts.location
        written = ansible.write_task(
            task,
            self.text,
            f'"{path}"' if "{{" in path else path,
            [inner + line for line in lines],
            (location.var_file,) if location.var_file else (),
            location.backend_file,
            location.workspace,
        )
        edit = Edit(Span(start, ansible.task_end(task, self.text)), written)
        notes = tuple(TIMEOUT_DROPPED for name in arguments if name == "timeout")
        return CallDecision(call, stack, ("community.general.terraform", *replacement), edit, notes=notes)


def matters(decision: CallDecision) -> bool:
    """Whether other commands depend on a call that is left: all but lists that are only shown."""
    call = decision.call
    if call.fragment.use == DOCUMENT and call.fragment.reason:
        return False  # in a sentence
    if call.action != LIST or call.shell is None:
        return call.action != LIST
    shell = call.shell
    return shell.is_captured or shell.after in (*PIPES, *CHAINS) or shell.before in (*CONDITIONS, *CHAINS)
