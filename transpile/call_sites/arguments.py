"""Writes the values on a command line of Heat as arguments of Terraform.

Invariant: the words keep their quotes. A value whose type Terraform writes otherwise is refused, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from transpile.call_sites.stack_facts import StackFacts
from transpile.repository.shell_words import ShellWord
from transpile.repository.stack_commands import StackCommand

SCALARS = ("string", "number", "boolean", "String", "Number")
NAME = re.compile(r"[\w-]+")
SAFE_WORD = re.compile(r"[\w./:@%+,=-]+")
BOOLEAN = ("true", "false")


class Refused(Exception):
    """Why a command is left."""


def parameter_words(command: StackCommand, text: str) -> list[tuple[str, str, str]]:
    """The parameters that a command sets: the name, the value as it is read, and `name=value` as it is written. One
    `--parameter` alone may hold several, with semicolons between them. Raises Refused.
    """
    words = command.values("--parameter")
    out = []
    for word in words:
        raw = text[word.start : word.end]
        parts = split_semicolons(word, raw) if len(words) == 1 and ";" in word.value else [(word.value, raw)]
        for value, written in parts:
            name, equals, rest = value.partition("=")
            if not equals or NAME.fullmatch(name) is None:
                raise Refused("a parameter is only known when it runs")
            out.append((name, rest, written))
    return out


def split_semicolons(word: ShellWord, raw: str) -> list[tuple[str, str]]:
    """`"a=1;b=$x"` as `"a=1"` and `"b=$x"`: only if the word is in one pair of quotes. Raises Refused."""
    quote = raw[:1]
    inside = raw[1:-1]
    if quote not in "\"'" or raw[-1:] != quote or len(raw) < 2 or quote in inside or re.search(r"[\\`\n]|\$\(", inside):
        raise Refused("several parameters are in one word that cannot be split")
    if len(word.value.split(";")) != len(inside.split(";")):
        raise Refused("several parameters are in one word that cannot be split")
    pairs = zip(word.value.split(";"), inside.split(";"), strict=True)
    return [
        (value, written if SAFE_WORD.fullmatch(written) else f"{quote}{written}{quote}")
        for value, written in pairs
        if value.strip()
    ]


def variable_arguments(command: StackCommand, facts: StackFacts, text: str, name: str) -> dict[str, str]:
    """`-var NAME=VALUE` for each parameter on a command line whose value the plan does not have, by the parameter.
    `name`: of the stack, a variable if the template uses it. Raises Refused.
    """
    arguments: dict[str, str] = {}
    for parameter, value, written in parameter_words(command, text):
        variable = facts.variables.get(parameter)
        if facts.plan.parameters.get(parameter) == value:
            continue  # the values of the stack have it
        if variable is None and parameter in facts.types:
            continue  # the template uses it nowhere
        if variable is None:
            raise Refused(f"no variable stands for the parameter {parameter}")
        check_value(facts.types, parameter, value)
        if variable != parameter:
            written = rename_parameter(written, parameter, variable)
        arguments[parameter] = f"-var {written}"
    if facts.name_variable and facts.written_name != name:
        arguments["OS::stack_name"] = f"-var {facts.name_variable}={name}"
    if missing := sorted(facts.required - arguments.keys()):
        raise Refused(f"Terraform needs a value for {missing[0]}, which it does not give")
    return arguments


def rename_parameter(written: str, parameter: str, variable: str) -> str:
    """`name=value` with another name. Raises Refused if quotes stand in the name."""
    quote = written[:1] if written[:1] in "\"'" else ""
    if not written.startswith(f"{quote}{parameter}="):
        raise Refused("a parameter is only known when it runs")
    return f"{quote}{variable}{written[len(quote) + len(parameter) :]}"


def check_value(types: Mapping[str, str], parameter: str, value: str) -> None:
    """Raises Refused if Terraform reads the text of a value otherwise than Heat."""
    kind = types.get(parameter, "")
    if kind not in SCALARS:
        raise Refused(f"the parameter {parameter} is a list or a map, which Terraform writes otherwise")
    if kind == "boolean" and value not in BOOLEAN:
        raise Refused(f"the boolean {parameter} is written otherwise in Terraform")


def conceal_arguments(arguments: Mapping[str, str], hidden: frozenset[str], mask: str) -> list[str]:
    """The arguments for people to read: hidden values, and those whose names speak of secrets, are masked."""
    concealed = []
    for parameter, argument in arguments.items():
        secret = parameter in hidden or re.search(r"(?i)passw|secret|token|private_?key|credential", parameter)
        concealed.append(
            f"{argument.partition('=')[0].replace(chr(34), '').replace(chr(39), '')}={mask}" if secret else argument
        )
    return concealed
