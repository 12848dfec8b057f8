"""The values that options and arguments take.

Invariant: the metavar of a parameter names its kind of values. Alternatives in lower case, such as `text|json`, are
offered literally. A word in capitals, such as `FILE`, is a kind of values, and `KINDS` has each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from transpile.cli.command_tree import CommandNode, Parameter
from transpile.discover_files import TEMPLATES
from transpile.model.records import node, replace

FILES, DIRECTORIES, WORDS = "files", "directories", "words"


@node
class Candidates:
    """The candidates for a word.

    `kind`: words, or files or directories, which the shell finds itself. `suffixes`: the endings of the files; empty
    for all files.
    """

    kind: str = WORDS
    words: tuple[tuple[str, str], ...] = ()  # each word with its meaning
    suffixes: tuple[str, ...] = ()

    def with_prefix(self, prefix: str) -> Candidates:
        """The same candidates for a word that begins with a prefix."""
        return replace(self, words=tuple((prefix + word, help_text) for word, help_text in self.words))


NOTHING = Candidates()
ANY_FILE = Candidates(FILES)
A_DIRECTORY = Candidates(DIRECTORIES)
A_TEMPLATE = Candidates(FILES, suffixes=(*TEMPLATES, ".json"))
AN_ENVIRONMENT = Candidates(FILES, suffixes=(*TEMPLATES, ".json", ".env"))


def type_candidates(options: Mapping[str, str]) -> list[tuple[str, str]]:
    """The resource types, also those of installed packages."""
    from transpile import additions

    return [(name, "") for name in additions.installed_additions().catalog.type_names()]


def code_candidates(options: Mapping[str, str]) -> list[tuple[str, str]]:
    from transpile.diagnostics import registry

    return [(code, registry.rule_of_code(code).title) for code in registry.list_codes()]


def target_candidates(options: Mapping[str, str]) -> list[tuple[str, str]]:
    from transpile.targets import BUILT_IN, target_entry_points

    return [(name, "") for name in dict.fromkeys([*BUILT_IN, *target_entry_points()])]


def target_option_candidates(options: Mapping[str, str]) -> list[tuple[str, str]]:
    """`KEY=` for each option of the target, or `KEY=VALUE` for each value that it allows."""
    from transpile.targets import DEFAULT, UnknownTarget, find_target

    try:
        target = find_target(options.get("to", DEFAULT))
    except UnknownTarget:
        return []
    candidates = []
    for option in target.options:
        allowed = ("true", "false") if option.kind is bool else option.values
        candidates += [(f"{option.name}={value}", option.help) for value in allowed or ("",)]
    return candidates


def limit_candidates(options: Mapping[str, str]) -> list[tuple[str, str]]:
    from transpile.model.budget import LIMITS

    return [(f"{name}=", limit.counts) for name, limit in LIMITS.items()]


def version_candidates(options: Mapping[str, str]) -> list[tuple[str, str]]:
    from transpile.model.intrinsics import HOT, VERSIONS

    return [(name, "") for key, name in VERSIONS if key == HOT]


Values = Candidates | tuple["Callable[[Mapping[str, str]], Iterable[tuple[str, str]]]"]

# The kind of each word in capitals. A tuple has a function that makes the words, so that only those needed are made.
KINDS: Mapping[str, Values] = {
    "FILE": ANY_FILE,
    "DIR": A_DIRECTORY,
    "PATH": ANY_FILE,
    "PLACE": A_DIRECTORY,
    "SRC": A_DIRECTORY,
    "DEST": A_DIRECTORY,
    "EXPORT": Candidates(FILES, suffixes=(".json",)),
    "TEMPLATE": A_TEMPLATE,
    "TYPE": (type_candidates,),
    "CODE": (code_candidates,),
    "NAME=NUMBER": (limit_candidates,),
    "VERSION": (version_candidates,),
    "KEY=VALUE": NOTHING,
    "PREFIX=DIR": NOTHING,
    "NAME[=VERSION]": NOTHING,
    "NAME": NOTHING,
    "STACK": NOTHING,
    "PROJECT": NOTHING,
    "RESOURCE": NOTHING,
    "CLOUD": NOTHING,
    "ADDRESS": NOTHING,
    "PACKAGE": NOTHING,
    "PATTERN": NOTHING,
    "SECONDS": NOTHING,
    "N": NOTHING,
}

# More specific kinds for one command, or for all ("*"): by command and by the name of the parameter.
CLOSER: Mapping[tuple[str, str], Values] = {
    ("*", "environment"): AN_ENVIRONMENT,
    ("*", "template"): A_TEMPLATE,
    ("*", "plugin_type"): (type_candidates,),
    ("*", "to"): (target_candidates,),
    ("*", "option"): (target_option_candidates,),
    ("check", "paths"): A_TEMPLATE,
    ("fmt", "paths"): A_TEMPLATE,
    ("find", "paths"): A_TEMPLATE,
    ("summary", "paths"): A_TEMPLATE,
    ("types", "name"): (type_candidates,),
}


def value_candidates(
    command: CommandNode, parameter: Parameter, current: str, options: Mapping[str, str]
) -> Candidates:
    """The values of a parameter that begin with the current word. `options`: the options before it."""
    alternatives = parameter.takes.split("|")
    kinds: list[Values] = [KINDS[alternative] for alternative in alternatives if alternative in KINDS]
    for place in ((command.name, parameter.key), ("*", parameter.key)):
        if place in CLOSER and any(map(str.isupper, alternatives)):  # else these are all values
            kinds = [CLOSER[place]]
            break
    words = [(alternative, "") for alternative in alternatives if not alternative.isupper()]
    for kind in kinds:
        if not isinstance(kind, Candidates):
            words += kind[0](options)
        elif kind.kind != WORDS:
            return kind
    return matching_words(list(dict(words).items()), current)


def matching_words(words: Iterable[tuple[str, str]], current: str) -> Candidates:
    """The words that begin with the current one."""
    return Candidates(words=tuple(word for word in words if word[0].startswith(current)))
