"""Pairs running stacks with the templates of a repository.

Invariant: a template takes the place of Heat's only if both have the same values for every stack that gets it, so the
plan of an adoption is the same with either.
"""

from __future__ import annotations

import os
import pathlib
import posixpath
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple, final

from transpile.adopting.environments import Candidate
from transpile.adopting.fleet.grouping import read_document
from transpile.adopting.fleet.stacks import FleetStack
from transpile.adopting.run import Adoptee
from transpile.adoption.documents import read_yaml_data
from transpile.adoption.live import LiveStack
from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, TooManyErrors, has_errors
from transpile.document_conversion import parse_template
from transpile.front import documents, nodes
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.repository import survey
from transpile.text.source import UnreadableFile, load_source


class RepositoryTemplate(NamedTuple):
    """A template of a repository: its path, the environments that belong to it, and the names of its parameters and
    resources. `shown`: its path from the directory that the user named.
    """

    path: str
    environments: tuple[str, ...]
    parameters: frozenset[str]
    resources: frozenset[str]
    shown: str


@final
class RepositoryTemplates:
    """The templates of a directory that stacks are made from."""

    def __init__(self, directory: str, exclude: Sequence[str] = ()) -> None:
        """Raises ignoring.WrongPattern."""
        self.templates: list[RepositoryTemplate] = []
        self.files: dict[str, list[pathlib.Path]] = {}  # by their last names
        for file in walk_files(pathlib.Path(directory)):
            self.files.setdefault(file.name, []).append(file)
        seen = set()
        for stack in survey.survey_tree(pathlib.Path(directory), exclude).stacks:
            path = os.path.join(directory, stack.template)  # noqa: PTH118 - a text, as the user wrote it
            environments = tuple(str(pathlib.Path(directory, name)) for name in stack.environments)
            for named in ((), environments):
                if (path, named) not in seen:
                    seen.add((path, named))
                    self.add(path, named, stack.template)

    def add(self, path: str, environments: tuple[str, ...], shown: str) -> None:
        try:
            template = parse_template(load_source(path, None, Budget()), [])
        except UnreadableFile:
            return
        if template is not None:
            names = frozenset(template.parameters), frozenset(template.resources)
            self.templates.append(RepositoryTemplate(path, environments, *names, shown))

    def find_template(
        self, stacks: Sequence[FleetStack], read: Callable[[FleetStack, Adoptee, RepositoryTemplate], Candidate]
    ) -> RepositoryTemplate | None:
        """The template that is the same as that of running stacks, which have one template. `read`: reads a stack for
        its adoption with a template.
        """
        lives = [stack.live for stack in stacks if stack.live is not None]
        names = name_parts(lives[0])
        if not all(map(self.has_files, lives)):
            return None
        for template in self.templates:
            if names != (template.parameters, template.resources):
                continue
            if all(is_equal(read(stack, make_adoptee(stack, template), template)) for stack in stacks):
                return template
        return None

    def has_files(self, live: LiveStack) -> bool:
        """Whether the repository has every file of a stack, under its last name."""
        names = {posixpath.basename(name) for name in live.files}
        return all(
            any(is_same_file(path, text, names) for path in self.files.get(posixpath.basename(name), ()))
            for name, text in live.files.items()
        )


def walk_files(directory: pathlib.Path) -> Iterator[pathlib.Path]:
    """The files below a directory, but for those that git or hot2tf keep for themselves."""
    for above, folders, names in os.walk(directory):
        folders[:] = [folder for folder in folders if not folder.startswith(".")]
        yield from (pathlib.Path(above, name) for name in names)


def is_same_file(path: pathlib.Path, text: str, names: Collection[str]) -> bool:
    """Whether a file has a text that Heat has stored. Heat's client stores a template as JSON, and in it other files as
    URLs; these count as equal if their last names are. `names`: of such files.
    """

    def shorten(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): shorten(item) for key, item in value.items()}
        if isinstance(value, list):
            return [shorten(item) for item in value]
        last = posixpath.basename(value) if isinstance(value, str) else ""
        return last if last in names else value

    try:
        own = load_source(path, None, Budget())
    except UnreadableFile:
        return False
    if own.text == text:
        return True
    document = read_plain_document(own.text)
    return document is not None and shorten(document) == shorten(read_plain_document(text))


def read_plain_document(text: str) -> Any:
    """The data of a document in YAML or JSON; None if it cannot be read."""
    try:
        return read_yaml_data(documents.compose_document(Sink(Source("file", text, budget=Budget())), ""))
    except (nodes.UnreadableDocument, TooManyErrors, RecursionError):
        return None


def make_adoptee(stack: FleetStack, template: RepositoryTemplate | None) -> Adoptee:
    """The input of an adoption, with the template of a repository if there is one."""
    name = stack.live.source.name if stack.live is not None else "export"
    path = pathlib.Path(template.path) if template is not None else None
    return Adoptee(stack.live, name, path, stack.findings, keeps_values=template is not None)


def name_parts(live: LiveStack) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the parameters and resources of the template that Heat has stored."""
    document = read_document(live.template)
    if not isinstance(document, dict):
        return frozenset(), frozenset()
    parameters = document.get("parameters") or document.get("Parameters") or {}
    resources = document.get("resources") or document.get("Resources") or {}
    return frozenset(parameters), frozenset(resources)


def is_equal(candidate: Candidate) -> bool:
    """Whether a stack that was read with a template of a repository has the values that this template gives."""
    findings = candidate.run.findings
    return not has_errors(findings) and all(d.code != codes.TEMPLATE_DIFFERS_FROM_STACK for d in findings)
