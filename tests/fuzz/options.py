"""Options of the commands, drawn for an input: any command takes any of its options.

Invariant: the options come from the command tree, so a new option is drawn, too. The files that their values name are
mutated as the templates are.
"""

from __future__ import annotations

import functools
import json
import pathlib
import random
import re

import yaml

from tests.fuzz import seeds, text_mutations, values
from tests.fuzz.case import Case, File
from tests.fuzz.mutations import Mutator
from tests.support import option_values
from transpile import targets
from transpile.adopting import command as adopt
from transpile.cli.command_tree import Parameter
from transpile.settings import all_options as all_rows
from transpile.settings import table

GOLDEN = pathlib.Path(__file__).parents[2] / "golden"
NUMBERS = (0, 0, 1, 1, 2, 3, 5)  # of options that are added
WRONG = 0.03  # the share of values that are wrong in any command line
LIKELY = {"--tests": 0.2, "--html": 0.07, "--prefer": 0.3, "--drift": 0.4, "--fix": 0.3, "--mapping": 0.1}
LIKELY |= {"--plugin-dir": 0.1, "--answers": 0.4, "--sarif": 0.3, "--report": 0.2, "--keep": 0.1}
# Options that are not drawn: they start a process for each input, ask a network, or say where the input is.
NOT_DRAWN = ("--render", "--jobs", "--os-cloud", "--all", "--save", "--template", "--output", "--root", "--file")
# Places that nobody can write to are for tests/cli/test_option_pairs.py: here HOT902 is a failure.
NO_PLACES = option_values.NO_PLACES
TIMES = (0, 0, 1, 1, 2, 3)
PYTHON = (
    *("lambda x: x", "**{}", "[x for x in range(10**9)]", '"a"*10**9', "class A(A): pass\n", "def f(): return f()\n"),
    *("while True: pass\n", 'import os\nos.system("touch stray")\n', "from . import x\n", "@property\n", "yield 1"),
    *('f"{x!r:{y}}"', "x if y else z", "{**a}", "(x:=5)", "match x:\n  case 1: pass\n", '"%s" % (1,)', "2**2**30"),
    *('"{0.__class__}".format(1)', 'int("9"*5000)', "[1]*10**8", "[[]]*3", "sorted(range(10))", 'getattr(x,"y")'),
    *("super().resource_mapping()", "properties.Schema(properties.Schema.STRING)", "try:\n  1/0\nexcept E:\n  pass\n"),
)


def add_options(rng: random.Random, case: Case) -> Case:
    """The same input with some options of its command. Files that they name are added."""
    command = next((words for words in (" ".join(case.argv[:2]), case.argv[0]) if words in all_options()), "")
    if not command:
        return case
    to = case.argv[case.argv.index("--to") + 1] if "--to" in case.argv else ""
    fitting = fitting_options(command, to, placement="placement.yaml" in case.files)
    if command == "adopt" and "--template" not in case.argv:
        fitting = {name: option for name, option in fitting.items() if name not in adopt.OF_TEMPLATE.values()}
    options = {name: option for name, option in fitting.items() if name not in case.argv}
    chosen = [name for name in options if rng.random() < LIKELY.get(name, 0)]
    chosen += rng.sample(list(options), min(rng.choice(NUMBERS), len(options)))
    added: list[str] = []
    for name in dict.fromkeys(chosen):
        allowed = option_values.find_values(command, options[name])
        bad = [value for value in allowed.bad if value not in NO_PLACES]
        some = bad if bad and rng.random() < WRONG else allowed.good
        if some:
            added += option_values.words_of(options[name], rng.choice(some))
    if "--keep" in added and rng.random() < 0.5:
        added[added.index("--keep") + 1] = rng.choice((*PATTERNS, *values.TEXTS))
    at = len(command.split())
    argv = [*case.argv[:at], *added, *case.argv[at:]]
    return Case(argv, {**case.files, **named_files(rng, added, case.files)}, case.stdin)


PATTERNS = ("OS::*", "OS::Nova::Server", "*", "OS::Aodh::*", "[", "OS::Heat::*", "AWS::*", "r0", "r*")


@functools.cache
def fitting_options(command: str, to: str, *, placement: bool) -> dict[str, Parameter]:
    """The options of a command that are for its target and document; others are refused early."""
    options = all_options()[command]
    return {name: option for name, option in options.items() if fits(name, command, to, placement=placement)}


def fits(name: str, command: str, to: str, *, placement: bool) -> bool:
    """Whether an option is for a target, and for a homing template or another document."""
    row = next((row for row in all_rows.OPTIONS if row.flag == name), None)
    if row is not None and row not in table.OPTIONS and not placement:
        return False
    if not to or command not in ("convert", "migrate"):
        return True
    target = targets.find_target(to)
    if name in ("--html", "--mapping", "--option"):
        return target.addresses
    return row is None or not row.of_target or target.takes(row.field)


@functools.cache
def all_options() -> dict[str, dict[str, Parameter]]:
    """The options that may be drawn, by command."""
    return {
        command: {name: option for name, option in option_values.options_of(command).items() if name not in NOT_DRAWN}
        for command in option_values.read_commands()
    }


def named_files(rng: random.Random, words: list[str], there: dict[str, File]) -> dict[str, File]:
    """The files that the values of options name."""
    files = {}
    for name, text in option_values.FILES.items():
        folder = name.partition("/")[0]
        if name in there or (name not in words and folder not in words):
            continue
        if name == "tables.yaml":
            text = rng.choice(mapping_tables())
        elif name == "answers.json":
            text = rng.choice(saved_answers())
        elif name.endswith(".py"):
            text = rng.choice(plugin_modules())
        if not name.startswith(("plain", "folder")):
            files[name] = bent(rng, name, text)
    return files


def bent(rng: random.Random, name: str, text: str) -> File:
    """A file of an option, perhaps mutated."""
    times = rng.choice(TIMES)
    if name.endswith(".py"):
        for _ in range(times):
            text = bend_python(rng, text)
        return File(text=text)
    if name.endswith((".json", ".yaml")) and times and rng.random() < 0.6:
        try:
            tree = json.loads(text) if name.endswith(".json") else yaml.load(text, seeds.Plain)
        except (ValueError, yaml.YAMLError):
            tree = None
        if isinstance(tree, dict):
            return File(Mutator(rng, tree, tree).mutate(times), "json" if name.endswith(".json") else "lines")
    return File(text=text_mutations.mutate(rng, text, times))


def bend_python(rng: random.Random, text: str) -> str:
    """A module with another expression or statement in the place of a word."""
    words = list(re.finditer(r"'[^'\n]*'|\b\w+\b", text))
    if not words or rng.random() < 0.4:
        return text_mutations.mutate(rng, text, 1)
    word = rng.choice(words)
    return text[: word.start()] + rng.choice(PYTHON) + text[word.end() :]


@functools.cache
def mapping_tables() -> tuple[str, ...]:
    """Mapping tables: those of the project itself, and those of the goldens."""
    built_in = sorted((GOLDEN.parent / "emitters" / "hcl" / "tables" / "mappings").glob("*.yaml"))
    texts = [path.read_text("utf-8") for path in (*built_in, *sorted(GOLDEN.glob("user_mapping*/*.yaml")))]
    return (option_values.FILES["tables.yaml"], *(text for text in texts if len(text) < 20_000))


@functools.cache
def plugin_modules() -> tuple[str, ...]:
    """Modules of Heat plug-ins."""
    sets = pathlib.Path(__file__).parents[1] / "plugins" / "sets"
    paths = (*sorted(GOLDEN.glob("*/plugins/*.py")), *sorted(sets.glob("*.txt")))
    return (option_values.PLUGIN, *(path.read_text("utf-8") for path in paths))


@functools.cache
def saved_answers() -> tuple[str, ...]:
    """Saved answers of clouds."""
    return (
        option_values.FILES["answers.json"],
        *(path.read_text("utf-8") for path in sorted(GOLDEN.glob("adopt/*/answers.json"))),
    )


@functools.cache
def exports() -> tuple[str, ...]:
    """Exports of running stacks."""
    return tuple(path.read_text("utf-8") for path in sorted(GOLDEN.glob("adopt/*/export.json")))
