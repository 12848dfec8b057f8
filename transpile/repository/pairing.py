"""Finds the template that each environment belongs to.

An environment belongs to a template by the first of these rules that finds one:

command   a script or document of the tree has a command line that creates the stack
name      the template has the environment's name, except an `env`, in the same directory or in a sibling of it
begins    the name of the environment begins or ends with the template's, which has all parameters that it sets
covers    the only root template near it that has all parameters that the environment sets
above     as `name` and `begins`, for an environment in a directory below the template's
folder    a directory around the environment has the name of the template, which has all parameters that it sets
types     root templates that use a type that the environment defines, and have all parameters that it sets
above     as `covers`, for an environment in a directory below the template's

An environment that leaves types of the stack undefined, which others in its directory define, makes no stack alone: it
is combined with an environment that defines all types, or with several that do so together.

Invariant: each rule looks at a bounded number of candidates, and an environment that fits several templates
equally well is left unpaired, except by types: a few templates may share types, and many may if no other environment
near them defines these.
"""

from __future__ import annotations

import functools
import itertools
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import final

from transpile.front.kinds import document_stem
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import node
from transpile.repository.command_lines import enclosing_directories
from transpile.repository.contents import EnvironmentFacts, TemplateFacts
from transpile.repository.references import FileReferences, folder_of
from transpile.resolve import graph
from transpile.schema.catalog import HEAT

ENDING = compile_lazily(r"(?:[._-]?env(?:ironment)?)?$", re.I)
BEGINNING = compile_lazily(r"^env(?:ironment)?[._-]", re.I)
FOLDER = compile_lazily(r"env(?:ironment)?s?", re.I)
TEMPLATES = compile_lazily(r"templates?|hot|heat|stacks?", re.I)
WORDS = compile_lazily(r"[._-]")
MOST_BY_TYPES = 3  # templates that one of several environments may belong to because of its types
MOST_NEAR = 40  # environments of a directory that are tried in combination with another
MOST_SETS = 20  # environments among those that are combined
MOST_CANDIDATES = 2000  # templates with which one environment is compared
MOST_COST = 20_000_000  # templates and types that are visited for all environments in sum


@final
@node
class Pair:
    """A template with the environments of one stack. `why`: the reason, as a clause for people."""

    template: str
    environments: tuple[str, ...]
    why: str


@final
class Pairing:
    """Finds the stacks of the environments of one tree. `nested`: templates that other templates name; `mapped`:
    those that environments map types to. `reasons`: for each environment without a stack, why it has none; `undecided`:
    those of them of which only the user knows to which of many templates they belong.
    """

    def __init__(self, references: FileReferences, nested: set[str], mapped: set[str]) -> None:
        self.references, self.nested, self.mapped = references, nested, mapped
        self.templates: Mapping[str, TemplateFacts] = references.templates
        self.environments: Mapping[str, EnvironmentFacts] = references.environments
        self.reasons: dict[str, str] = {}
        self.undecided: list[str] = []
        self.by_folder: dict[str, list[str]] = {}
        self.by_parameter: dict[str, dict[str, list[str]]] = {}
        self.near: dict[str, list[str]] = {}
        self.folders: dict[str, list[str]] = {}
        for path in self.templates:
            self.by_folder.setdefault(folder_of(path), []).append(path)
        for path in self.environments:
            self.near.setdefault(folder_of(path), []).append(path)
        for path in self.by_folder:
            self.folders.setdefault(folder_of(path), []).append(path)

    def is_root(self, path: str) -> bool:
        return path not in self.nested and path not in self.mapped

    def find_pairs(self, done: set[str]) -> Iterator[Pair]:
        """The stacks of all environments but those in `done`."""
        for path, facts in self.environments.items():
            if path not in done:
                yield from self.pair_environment(facts)

    def pair_environment(self, facts: EnvironmentFacts) -> Iterator[Pair]:
        for rule, why, find in (
            ("name", "same name as its environment", self.find_by_name),
            ("begins", "its environment has its name and its parameters", self.find_by_part_of_name),
            ("covers", "the only template there with all parameters of its environment", self.find_by_cover),
            ("above", "an environment in a directory below has its name", self.find_by_name_above),
            ("folder", "its environment is in a directory with its name", self.find_by_folder),
            ("types", "uses types that its environment defines", self.find_by_types),
            ("above", "the only template above its environment with all its parameters", self.find_by_cover_above),
        ):
            if self.references.cost > MOST_COST:
                self.reasons[facts.path] = "an environment that was not compared: there are too many"
                return
            templates = find(facts)
            pairs = [pair for path in templates for pair in self.make_pairs(path, facts.path, rule, why)]
            if templates:
                if not pairs:
                    self.reasons[facts.path] = "an environment that leaves types of its templates undefined"
                yield from pairs
                return
        self.reasons.setdefault(facts.path, "an environment that no template was found for")

    def make_pairs(self, template: str, environment: str, rule: str, why: str) -> Iterator[Pair]:
        """The stacks of a template and an environment: one, unless others are needed to complete it."""
        unknown = self.references.reach(template, (environment,)).unknown
        if rule != "name" and unknown:
            sets, better = self.find_completing_sets(template, environment, unknown)
            if sets:
                yield from (Pair(template, environments, better) for environments in sets)
                return
            if rule == "types":
                return
        yield Pair(template, (environment,), why)

    def find_by_name(self, facts: EnvironmentFacts) -> list[str]:
        maps = self.references.mapped[facts.path]
        for home in self.near_directories(facts.path):
            paths = [
                path
                for path in self.templates_named(home, possible_template_names(facts.path))
                if path not in self.nested
            ]
            if paths := [path for path in paths if path not in maps]:
                return paths if len(paths) == 1 else []
        return []

    def find_by_part_of_name(self, facts: EnvironmentFacts) -> list[str]:
        return self.find_first_covering(facts, self.near_directories(facts.path), partial_names(facts.path))

    def find_by_name_above(self, facts: EnvironmentFacts) -> list[str]:
        return self.find_first_covering(
            facts,
            self.directories_above(facts.path),
            [*sorted(possible_template_names(facts.path)), *partial_names(facts.path)],
        )

    def find_first_covering(self, facts: EnvironmentFacts, homes: Sequence[str], names: Sequence[str]) -> list[str]:
        """The template for the first of these names that has all parameters of an environment; empty if two have it."""
        for name in names:
            for home in homes:
                paths = [
                    path
                    for path in self.templates_named(home, {name})
                    if self.is_root(path) and self.covers(path, facts)
                ]
                if paths:
                    return paths if len(paths) == 1 else []
        return []

    def templates_named(self, home: str, names: set[str]) -> list[str]:
        return [path for name in sorted(names) for path in self.templates_by_stem.get((home, name), ())]

    @functools.cached_property
    def templates_by_stem(self) -> dict[tuple[str, str], list[str]]:
        result: dict[tuple[str, str], list[str]] = {}
        for path in self.templates:
            result.setdefault((folder_of(path), document_stem(path)), []).append(path)
        return result

    def sibling_directories(self, home: str) -> list[str]:
        """For a directory of environments the siblings with its templates: `web-templates` for `web-environments`."""
        name = posixpath.basename(home)
        if not FOLDER.search(name):
            return []
        rest = FOLDER.sub("", name).strip("_-")
        others = (path for path in self.folders.get(folder_of(home), ()) if TEMPLATES.search(posixpath.basename(path)))
        return [path for path in others if TEMPLATES.sub("", posixpath.basename(path)).strip("_-") == rest]

    def near_directories(self, path: str) -> list[str]:
        """The directories near an environment in which its template may be."""
        where = folder_of(path)
        return [where, *self.sibling_directories(where)]

    def directories_above(self, path: str) -> list[str]:
        """The directories around an environment's, each followed by the directories of templates in it."""
        directories = []
        for where in enclosing_directories(folder_of(path))[1:]:
            directories.append(where)
            inner = (path for path in self.folders.get(where, ()) if TEMPLATES.search(posixpath.basename(path)))
            directories += sorted(inner)
        return directories

    def find_by_cover(self, facts: EnvironmentFacts) -> list[str]:
        return self.find_only_covering(
            facts,
            next((directory for directory in self.near_directories(facts.path) if directory in self.by_folder), None),
        )

    def find_by_cover_above(self, facts: EnvironmentFacts) -> list[str]:
        if folder_of(facts.path) in self.by_folder:
            return []
        return self.find_only_covering(
            facts,
            next((directory for directory in self.directories_above(facts.path) if directory in self.by_folder), None),
        )

    def find_only_covering(self, facts: EnvironmentFacts, home: str | None) -> list[str]:
        """The only root template of a directory that has all parameters of an environment."""
        parameters = facts.parameters | facts.defaults
        if not parameters or home is None:
            return []
        paths = []
        for path in self.templates_with_parameters(home, facts.parameters):
            if self.is_root(path) and self.covers(path, facts):
                paths.append(path)
                if len(paths) > 1:
                    self.reasons[facts.path] = (
                        f"an environment that several templates have the parameters of: {paths[0]}, {paths[1]}"
                    )
                    return []
        return paths

    def templates_with_parameters(self, home: str, parameters: frozenset[str]) -> Sequence[str]:
        """The templates of a directory with the rarest of these parameters: candidates, which need not have all of
        them.
        """
        templates = self.by_folder[home]
        if parameters:
            index = self.index_parameters(home)
            templates = min((index.get(name, []) for name in parameters), key=len)
        return templates[:MOST_CANDIDATES]

    def index_parameters(self, home: str) -> dict[str, list[str]]:
        """For each parameter the templates of a directory that have it. The index is made once for a directory."""
        if home not in self.by_parameter:
            index = self.by_parameter[home] = {}
            for path in self.by_folder[home]:
                for name in self.templates[path].parameters:
                    index.setdefault(name, []).append(path)
        return self.by_parameter[home]

    def covers(self, template: str, facts: EnvironmentFacts) -> bool:
        """Whether a template fits an environment: it has all its parameters, uses one of its types if it defines any,
        and the stack, nested templates included, has all parameters of `parameter_defaults`.
        """
        if not facts.parameters <= self.templates[template].parameters:
            return False
        if facts.types and not self.references.reach(template, (facts.path,)).used:
            return False
        if facts.defaults <= self.templates[template].parameters:
            return True
        near = self.near[folder_of(facts.path)][:MOST_NEAR]
        return any(
            facts.defaults <= self.references.reach(template, (other, facts.path)).parameters
            for other in dict.fromkeys((facts.path, *near))
        )

    def find_by_types(self, facts: EnvironmentFacts) -> list[str]:
        own = {name for name in facts.types if not HEAT.has_type(name)}
        paths = [
            path
            for path in self.templates_using(own)
            if self.is_root(path)
            and facts.parameters <= self.templates[path].parameters
            and own & self.references.reach(path, (facts.path,)).used
        ]
        for home in enclosing_directories(folder_of(facts.path)):
            if near := [path for path in paths if path.startswith(f"{home}/") or not home]:
                rivals = {path for name in own for path in self.environments_by_type.get(name, ())} - {facts.path}
                if len(near) > MOST_BY_TYPES and any(path.startswith(f"{home}/") or not home for path in rivals):
                    self.reasons[facts.path] = (
                        f"an environment that defines types of {len(near)} templates, as others do; "
                        "a plan file says to which it belongs"
                    )
                    self.undecided.append(facts.path)
                    return []
                return near
        return []

    @functools.cached_property
    def environments_by_type(self) -> dict[str, list[str]]:
        return graph.reverse_edges({path: facts.types for path, facts in self.environments.items()})

    def find_by_folder(self, facts: EnvironmentFacts) -> list[str]:
        """The template that a directory around an environment is named after: `web.yaml` for `env/web/prod.yaml`."""
        for home in enclosing_directories(folder_of(facts.path)):
            if not home:
                break
            names = [posixpath.basename(home)]
            above = self.directories_above(posixpath.join(home, "file"))
            if paths := self.find_first_covering(facts, above, names):
                return paths
        return []

    def templates_using(self, types: set[str]) -> list[str]:
        """The templates that use one of these types, themselves or in a template that they nest."""
        todo = [path for name in sorted(types) for path in self.templates_of_type(name)]
        paths = dict.fromkeys(todo)
        while todo:
            more = [path for path in self.referrers.get(todo.pop(), ()) if path not in paths]
            paths.update(dict.fromkeys(more))
            todo += more
        return sorted(paths)[:MOST_CANDIDATES]

    def templates_of_type(self, name: str) -> list[str]:
        """The templates with resources of a type; `My::*` stands for all types that begin so."""
        if not name.endswith("*"):
            return self.templates_by_type.get(name, [])
        return [path for kind, paths in self.templates_by_type.items() if kind.startswith(name[:-1]) for path in paths]

    @functools.cached_property
    def templates_by_type(self) -> dict[str, list[str]]:
        return graph.reverse_edges({path: facts.types for path, facts in self.templates.items()})

    @functools.cached_property
    def referrers(self) -> dict[str, list[str]]:
        """For each template the templates that nest it."""
        return graph.reverse_edges(self.references.inner)

    def find_completing_sets(
        self, template: str, environment: str, unknown: frozenset[str]
    ) -> tuple[list[tuple[str, ...]], str]:
        """The sets of environments, each with this one, that together define all types of a template, and the reason as
        a clause. Empty if two more environments are not enough.
        """
        own = self.environments[environment]
        near = [
            self.environments[path]
            for path in self.near[folder_of(environment)][:MOST_NEAR]
            if path != environment and self.environments[path].parameters <= self.templates[template].parameters
        ]
        helpful = [candidate for candidate in near if any(n in unknown or n.endswith("*") for n in candidate.types)][
            :MOST_SETS
        ]
        bases = [
            candidate.path for candidate in helpful if not self.references.reach(template, (candidate.path,)).unknown
        ]
        if bases:
            return [(base, environment) for base in bases], "its environment lies over one that defines all its types"
        for size in (1, 2):
            sets = []
            for others in itertools.combinations(helpful, size):
                if not any(a.types.keys() & b.types.keys() for a, b in itertools.combinations((own, *others), 2)):
                    sets.append(tuple(sorted((environment, *(other.path for other in others)))))
            if good := [
                environments for environments in sets if not self.references.reach(template, environments).unknown
            ]:
                return good, "together its environments define all its types"
        return [], ""


def possible_template_names(environment: str) -> set[str]:
    """The names of templates that fit an environment's: `web` and `web-env` for `web-env.yaml`."""
    own = document_stem(environment)
    return {own, ENDING.sub("", own), BEGINNING.sub("", own)} - {""}


def partial_names(environment: str) -> list[str]:
    """The beginnings and ends of an environment's name in whole words, the longest first: `db-prod`, `web-db`, `prod`,
    `web` for `web-db-prod.yaml`.
    """
    own = document_stem(environment)
    ends = [separator.span() for separator in WORDS.finditer(own)]
    return sorted({own[:at] for at, _ in ends} | {own[end:] for _, end in ends}, key=lambda part: (-len(part), part))
