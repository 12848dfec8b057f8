"""The values that options and arguments take.

Invariant: what a parameter takes is told by its metavar. Alternatives in lower case are offered as they stand; words in
capitals are kinds of values, and each kind is in `KINDS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.discover_files import TEMPLATES
from transpile.model.records import node, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from transpile.cli.command_tree import Command, Parameter

FILES, DIRECTORIES, WORDS = "files", "directories", "words"


@node
class Candidates:
    """What a word may become. `kind`: words, or files or directories, which the shell finds itself; `suffixes` of the
    files, empty for all.
    """

    kind: str = WORDS
    words: tuple[tuple[str, str], ...] = ()  # each with what it means
    suffixes: tuple[str, ...] = ()

    def behind(self, prefix: str) -> Candidates:
        """The same for a word that begins with a prefix."""
        return replace(self, words=tuple((prefix + word, told) for word, told in self.words))


NOTHING = Candidates()
ANY_FILE = Candidates(FILES)
A_DIRECTORY = Candidates(DIRECTORIES)
A_TEMPLATE = Candidates(FILES, suffixes=(*TEMPLATES, ".json"))
AN_ENVIRONMENT = Candidates(FILES, suffixes=(*TEMPLATES, ".json", ".env"))


def types(given: Mapping[str, str]) -> list[tuple[str, str]]:
    """The resource types, also those of installed packages."""
    from transpile import additions

    return [(name, "") for name in additions.none().catalog.types()]


def codes(given: Mapping[str, str]) -> list[tuple[str, str]]:
    from transpile.diagnostics import registry

    return [(code, registry.rule(code).title) for code in registry.codes()]


def targets(given: Mapping[str, str]) -> list[tuple[str, str]]:
    from transpile.targets import BUILT_IN, plugins

    return [(name, "") for name in dict.fromkeys([*BUILT_IN, *plugins()])]


def target_options(given: Mapping[str, str]) -> list[tuple[str, str]]:
    """`KEY=` for each option of the target, or `KEY=VALUE` for each value that it allows."""
    from transpile.targets import DEFAULT, UnknownTarget, find

    try:
        target = find(given.get("to", DEFAULT))
    except UnknownTarget:
        return []
    found = []
    for one in target.options:
        allowed = ("true", "false") if one.kind is bool else one.values
        found += [(f"{one.name}={value}", one.help) for value in allowed or ("",)]
    return found


def limits(given: Mapping[str, str]) -> list[tuple[str, str]]:
    from transpile.model.budget import LIMITS

    return [(f"{name}=", one.counts) for name, one in LIMITS.items()]


def versions(given: Mapping[str, str]) -> list[tuple[str, str]]:
    from transpile.model.intrinsics import HOT, VERSIONS

    return [(name, "") for key, name in VERSIONS if key == HOT]


Values = Candidates | tuple["Callable[[Mapping[str, str]], Iterable[tuple[str, str]]]"]

# What each word in capitals stands for. A tuple has a function that makes the words: they are made only if needed.
KINDS: Mapping[str, Values] = {
    "FILE": ANY_FILE,
    "DIR": A_DIRECTORY,
    "PATH": ANY_FILE,
    "PLACE": A_DIRECTORY,
    "SRC": A_DIRECTORY,
    "DEST": A_DIRECTORY,
    "EXPORT": Candidates(FILES, suffixes=(".json",)),
    "TEMPLATE": A_TEMPLATE,
    "TYPE": (types,),
    "CODE": (codes,),
    "NAME=NUMBER": (limits,),
    "VERSION": (versions,),
    "KEY=VALUE": NOTHING,
    "NAME": NOTHING,
    "STACK": NOTHING,
    "CLOUD": NOTHING,
    "ADDRESS": NOTHING,
    "PATTERN": NOTHING,
    "SECONDS": NOTHING,
    "N": NOTHING,
}

# Where one command, or all ("*"), means something closer: by command and by the name of the parameter.
CLOSER: Mapping[tuple[str, str], Values] = {
    ("*", "environment"): AN_ENVIRONMENT,
    ("*", "template"): A_TEMPLATE,
    ("*", "plugin_type"): (types,),
    ("*", "to"): (targets,),
    ("*", "option"): (target_options,),
    ("graph", "to"): NOTHING,
    ("check", "paths"): A_TEMPLATE,
    ("fmt", "paths"): A_TEMPLATE,
    ("find", "paths"): A_TEMPLATE,
    ("summary", "paths"): A_TEMPLATE,
    ("types", "name"): (types,),
}


def of(command: Command, parameter: Parameter, current: str, given: Mapping[str, str]) -> Candidates:
    """The values of a parameter that may stand for the current word. `given`: the options before it."""
    alternatives = parameter.takes.split("|")
    kinds: list[Values] = [KINDS[one] for one in alternatives if one in KINDS]
    for place in ((command.name, parameter.key), ("*", parameter.key)):
        if place in CLOSER:
            kinds = [CLOSER[place]]
            break
    words = [(one, "") for one in alternatives if not one.isupper()]
    for kind in kinds:
        if not isinstance(kind, Candidates):
            words += kind[0](given)
        elif kind.kind != WORDS:
            return kind
    return matching(list(dict(words).items()), current)


def matching(words: Iterable[tuple[str, str]], current: str) -> Candidates:
    """The words that begin with the current one."""
    return Candidates(words=tuple(one for one in words if one[0].startswith(current)))
