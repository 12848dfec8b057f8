"""Decides which stacks the command lines of a tree create: each with its files, its name and its values.

Invariant: a secret value never leaves the script. Examples in documents, and commands whose name and values are only
known when they run, pair files but make no second stack of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import final

from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.repository.command_lines import CommandLine, NamedStack
from transpile.repository.contents import EnvironmentFacts, TemplateFacts
from transpile.repository.plan import StackPlan
from transpile.repository.stack_commands import UPDATE

STACK_NAME = compile_lazily(r"[A-Za-z][\w.-]{0,254}")  # names that Heat accepts
SECRET = compile_lazily(r"passw|secret|token|private_?key|credential", re.I)
NAME_PARAMETER = "OS::stack_name"


@final
@node
class Creation:
    """A command line with one of the stacks that it creates. `parameters`: those that may be written down; `why`: the
    reason for the plan.
    """

    stack: NamedStack
    action: str
    name: str
    parameters: tuple[tuple[str, str], ...]
    why: str

    @property
    def files(self) -> tuple[str, tuple[str, ...]]:
        return self.stack.template, self.stack.environments


@final
class CreatedStacks:
    """The stacks of the command lines that are added. `unpaired`: for each template that one names without anything
    else, the reason for a stack of it.
    """

    def __init__(self, templates: Mapping[str, TemplateFacts], environments: Mapping[str, EnvironmentFacts]) -> None:
        self.templates, self.environments = templates, environments
        self.creations: list[Creation] = []
        self.unpaired: dict[str, str] = {}

    def add(self, line: CommandLine, stack: NamedStack) -> None:
        """Adds a stack of a command line."""
        facts = self.templates[stack.template]
        if stack.values and not facts.problem:
            set_names = {name for path in stack.environments for name in self.environments[path].parameters}
            if not set_names <= facts.parameters:
                return  # a variable in its path may be many files, of other templates, too
        name = stack.name if STACK_NAME.fullmatch(stack.name) else ""
        parameters = {key: value for key, value in stack.parameters if self.may_write(facts, key)}
        why = f"command line in {line.place}"
        if stack.values:
            why += ", where " + " and ".join(f"{key} is {value}" for key, value in sorted(stack.values.items()))
        if left := sorted({*stack.left, *dict(stack.parameters)} - parameters.keys()):
            why += f"; only the script sets {', '.join(left)}"
        self.creations.append(Creation(stack, line.action, name, tuple(parameters.items()), why))

    def may_write(self, facts: TemplateFacts, parameter: str) -> bool:
        """Whether the value of a parameter may be written into files: it is no secret, and the template has it."""
        is_known = bool(facts.problem) or parameter in facts.parameters or parameter == NAME_PARAMETER
        return is_known and parameter not in facts.hidden and not SECRET.search(parameter)

    def list_stacks(self) -> list[StackPlan]:
        """The stacks of all command lines."""
        named = {(each.files[0], each.name) for each in self.creations if each.name and each.action != UPDATE}
        first: dict[tuple[object, ...], Creation] = {}
        later = list[Creation]()
        for each in self.creations:
            updates = each.action == UPDATE and (each.files[0], each.name) in named
            if each.action and (each.name or each.parameters) and not updates:
                first.setdefault((*each.files, each.name, tuple(sorted(each.parameters))), each)
            else:
                later.append(each)
        for files, name, parameters in [(each.files, each.name, each.parameters) for each in first.values()]:
            alike = (*files, "", tuple(sorted(parameters)))
            if name and alike in first:
                del first[alike]  # one of these, with a name that is only known when it runs
        files_of_stacks = {each.files for each in first.values()}
        for each in later:
            if each.files in files_of_stacks:
                continue
            if each.files[1]:
                first.setdefault(each.files, each)
            else:
                self.unpaired.setdefault(each.files[0], each.why)
        names = [each.name for each in first.values()]
        return [self.make_stack(each, is_unique=names.count(each.name) == 1) for each in first.values()]

    def make_stack(self, creation: Creation, *, is_unique: bool) -> StackPlan:
        """The stack of a command line. A name that several stacks have, in different projects, is only a value."""
        parameters = dict(creation.parameters)
        if creation.name and not is_unique:
            parameters.setdefault(NAME_PARAMETER, creation.name)
        name = creation.name if is_unique else ""
        bare = "" if creation.files[1] or parameters else ", which has no environment"
        return StackPlan(*creation.files, parameters=parameters, name=name, why=f"{creation.why}{bare}")
