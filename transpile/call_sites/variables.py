"""Calls with a variable in the path of an environment, or in a name: `-e env/$ENV.yaml web-$ENV`.

Invariant: such a call is rewritten with the same variable, and only if that names the files of all stacks that the call
may mean.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from transpile.call_sites.model import HeatCall
from transpile.call_sites.stack_facts import StackFacts
from transpile.call_sites.terraform_commands import StackLocation
from transpile.model.records import replace
from transpile.repository.command_lines import NamedStack
from transpile.repository.scripts import REFERENCE
from transpile.repository.shell_words import MAKE


class NotCombined(Exception):
    """Why a call cannot be rewritten for all stacks that it may mean."""


def combine_stacks(
    call: HeatCall, named: Sequence[NamedStack], stacks: Sequence[StackFacts], written: Sequence[tuple[str, str]]
) -> tuple[StackFacts, str]:
    """The stacks that a call may mean as one, whose files are named with the variable of the call, and its name.
    `written`: the parameters of the call. Raises NotCombined.
    """
    if len(stacks) < len(named):
        raise NotCombined("the plan does not have all stacks that it may mean")
    variables = {name for each in named for name in each.values}
    environments = [word.value for word in call.command.values("--environment")] if call.command is not None else []
    marks = [match[0] for text in (*environments, call.name) for match in REFERENCE.finditer(text)]
    if len(variables) != 1 or not marks or not marks[0].startswith("$"):
        raise NotCombined("several variables choose its files")
    if not all(each.name for each in named):
        raise NotCombined("the name of the stack is only known when it runs")
    mark = write_variables(marks[0], call)
    pairs = list(zip(named, stacks, strict=True))
    locations = {name_environment(facts.location, next(iter(each.values.values())), mark) for each, facts in pairs}
    location = next(iter(locations))
    if len(locations) != 1 or location is None or not all(facts.is_converted for facts in stacks):
        raise NotCombined("its environments do not share a directory under their names")
    values = [(dict(each.parameters), facts.plan.parameters) for each, facts in pairs]
    parameters = {key: value for key, value in written if all(a.get(key) == b.get(key, "") for a, b in values)}
    name = write_variables(call.name, call)
    facts = replace(
        stacks[0],
        plan=replace(stacks[0].plan, output=location.directory, parameters=parameters),
        location=location,
        required=frozenset().union(*(each.required for each in stacks)),
        asked=tuple(sorted({variable for each in stacks for variable in each.asked})),
        hidden=frozenset().union(*(each.hidden for each in stacks)),
        written_name=name if all(facts.written_name == each.name for each, facts in pairs) else "",
    )
    return facts, name


def write_variables(text: str, call: HeatCall) -> str:
    """A text with variables as a script has them: in a recipe of make, those of the shell have two dollars."""
    return text.replace("${", "$${") if call.fragment.dialect == MAKE else text


def name_environment(location: StackLocation, value: str, mark: str) -> StackLocation | None:
    """A location with a variable in place of its value in the name of the environment: `web-$i` for `web-1`; None if
    the name does not have the value.
    """
    where, name = posixpath.split(location.var_file)
    environment = name.partition(".")[0]
    before, separator, after = environment.partition(value)
    if not separator:
        return None
    marked = f"{before}{mark}{after}"

    def name_file(path: str) -> str:
        folder, name = posixpath.split(path)
        return f"{folder}/{marked}{name[len(environment) :]}" if folder == where and path else path

    workspace = marked if location.workspace else ""
    return StackLocation(location.directory, name_file(location.var_file), name_file(location.backend_file), workspace)
