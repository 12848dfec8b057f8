"""Reads a repository, and lists the decisions that only its user can make.

Invariant: nothing is written. The plan is the one that `hot2tf migrate --plan` shows, with the answers of the user.
"""

from __future__ import annotations

import itertools
import os
import pathlib
import posixpath
from collections.abc import Mapping, Sequence
from typing import final

from transpile import checking
from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import node
from transpile.model.words import count_noun
from transpile.repository.contents import EnvironmentFacts
from transpile.repository.plan import MigrationPlan, StackPlan
from transpile.repository.survey import Survey
from transpile.settings import Finder, table
from transpile.text.urls import is_url, map_url, parse_url

MOST_QUESTIONS = 10  # environments that the user is asked about; the plan file is better for more
MOST_CANDIDATES = 9  # templates that are offered for an environment
CHOSEN = "chosen in hot2tf init"


@final
@node
class CandidateTemplate:
    """A template that an environment may belong to. `lacks`: parameters of the environment that it does not have."""

    path: str
    lacks: tuple[str, ...]


@final
@node
class UnclearEnvironment:
    """An environment in no stack. `why`: the reason, as a clause; `candidates`: the best first; empty if none shares
    anything with it.
    """

    path: str
    why: str
    candidates: tuple[CandidateTemplate, ...]


@final
class RepositoryInspection:
    """The relevant content of a directory. `finder`: finds its configurations; `exclude`: patterns beside those of
    configurations. Raises `ignoring.WrongPattern`, and Stopped if a configuration has errors.
    """

    def __init__(self, directory: str, finder: Finder, exclude: Sequence[str] = ()) -> None:
        self.directory, self.finder = directory, finder
        excluded = finder.compute_settings(directory, None).excluded_below(directory)
        repeats = excluded[len(excluded) - len(exclude) :] == tuple(exclude)  # as in a second run with the same flags
        self.exclude = excluded if repeats else (*excluded, *exclude)
        url_map = finder.for_directory(directory).explicit_value("map-url") or {}
        self.tree = Survey(
            pathlib.Path(directory), self.exclude, configuration=finder.environments_in(directory), url_map=url_map
        )
        self.tree.read_tree()
        self.decide_stacks()

    def decide_stacks(self) -> None:
        """Makes the plan from the survey."""
        self.stacks = self.tree.pair_stacks()
        self.plan = self.make_plan({})
        self.unclear = self.list_unclear_environments()

    def make_plan(self, chosen: Mapping[str, Sequence[str]]) -> MigrationPlan:
        """The plan. `chosen`: for environments the templates that the user says they belong to."""
        paired = [(template, (environment,)) for environment, templates in chosen.items() for template in templates]
        instead = {(template, ()) for template, _ in paired}  # the stacks that the choice replaces
        stacks = [stack for stack in self.stacks if (stack.template, stack.environments) not in instead]
        known = {(stack.template, stack.environments) for stack in stacks}
        stacks += [StackPlan(*pair, why=CHOSEN) for pair in dict.fromkeys(paired) if pair not in known]
        return self.tree.make_plan(self.tree.list_stacks(stacks))

    def list_unclear_environments(self) -> list[UnclearEnvironment]:
        """The environments in no stack. Candidates are only looked for as long as the user would be asked."""
        tree, unclear = self.tree, list[UnclearEnvironment]()
        referrers = tree.references.map_referrers()
        configured = tree.find_configured_stacks(set(referrers))
        roots = [path for path in sorted(tree.templates) if path not in referrers and path not in configured]
        asked = 0
        for path, why in self.plan.others.items():
            if (facts := tree.environments.get(path)) is not None:
                candidates = self.list_candidates(facts, roots) if asked < MOST_QUESTIONS else ()
                asked += bool(candidates)
                unclear.append(UnclearEnvironment(path, why, candidates))
        return unclear

    def list_candidates(self, facts: EnvironmentFacts, roots: Sequence[str]) -> tuple[CandidateTemplate, ...]:
        """The templates that share a parameter or a type with an environment. Those that have all its parameters come
        first, and of these the nearest.
        """
        rows = []
        for path in roots:
            template = self.tree.templates[path]
            shared = (facts.parameters | facts.defaults) & template.parameters
            if shared or any(is_defined_type(kind, facts) for kind in template.types):
                lacks = tuple(sorted(facts.parameters - template.parameters))
                distance = posixpath.relpath(path, posixpath.dirname(facts.path) or ".").count("/")
                rows.append((len(lacks), distance, path, lacks))
        return tuple(CandidateTemplate(path, lacks) for _, _, path, lacks in sorted(rows)[:MOST_CANDIDATES])

    def find_url_map(self) -> dict[str, str]:
        """For the beginnings of URLs by which files of the tree name templates, the directory that has these templates;
        only where one template of the tree has the longest end of the path.
        """
        tails: dict[str, list[str]] = {}
        for path in self.tree.templates:
            tails.setdefault(posixpath.basename(path), []).append(path)
        files = [each.files for each in self.tree.templates.values()]
        files += [each.files for each in self.tree.environments.values()]
        urls = sorted({name for names in files for name in names if is_url(name) and parse_url(name) is not None})
        directories: dict[str, str] = {}
        for url in urls:
            if map_url(url, {**self.tree.url_map, **directories}) is None:
                lengths = {path: count_common_end(url, path) for path in tails.get(posixpath.basename(url), ())}
                longest = [path for path, length in lengths.items() if length == max(lengths.values())]
                if len(longest) == 1:
                    end = "/".join(longest[0].split("/")[-lengths[longest[0]] :])
                    directory = posixpath.normpath(longest[0].removesuffix(end) or ".")
                    directories[url.removesuffix(end)] = directory
        return directories

    def map_urls(self, directories: Mapping[str, str]) -> None:
        """Takes directories of the tree for the beginnings of URLs."""
        places = {url: str(pathlib.Path(self.directory, path)) for url, path in directories.items()}
        self.tree.map_urls({**self.tree.url_map, **places})
        self.decide_stacks()

    def count_copies(self) -> int:
        """How many resources of the templates are numbered copies."""
        return sum(facts.copies for facts in self.tree.templates.values())

    def check(self) -> CheckedRepository:
        """Returns the result of `hot2tf check` for the directory: the numbers of errors, and the missing files."""
        checked = checking.check_files([self.directory], checking.ConfiguredRequests(self.finder), os.cpu_count() or 1)
        errors = [diagnostic for diagnostic in checked.diagnostics if diagnostic.severity == "error"]
        missing = [diagnostic for diagnostic in errors if diagnostic.code == codes.FILE_NOT_FOUND]
        unreadable = sum(diagnostic.code in table.ALWAYS for diagnostic in errors)
        return CheckedRepository(len(errors) - unreadable, unreadable, missing)


@final
@node
class CheckedRepository:
    """`errors`: the number of those that a baseline accepts; `unreadable`: of those that none does, as hot2tf could
    not look at the file; `missing`: those that are about files that `get_file` names.
    """

    errors: int
    unreadable: int
    missing: list[Diagnostic]

    def describe_missing_files(self) -> str:
        """The missing files in one sentence, with the first place."""
        number, first = len(self.missing), self.missing[0]
        places = count_noun(number, "place names", "places name")
        return f"{places} a file with get_file that cannot be read; first: {describe_place(first)}{first.message}"


def count_common_end(url: str, path: str) -> int:
    """How many parts at the end of a URL and of a path are the same."""
    pairs = zip(reversed(url.split("/")), reversed(path.split("/")), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def describe_place(diagnostic: Diagnostic) -> str:
    if diagnostic.source is None:
        return ""
    line, _ = diagnostic.source.line_and_column(diagnostic.at)
    return f"{diagnostic.source.name}:{line}: "


def is_defined_type(kind: str, facts: EnvironmentFacts) -> bool:
    """Whether an environment maps a type, by its name or by a pattern such as `My::*`."""
    return kind in facts.types or any(name.endswith("*") and kind.startswith(name[:-1]) for name in facts.types)
