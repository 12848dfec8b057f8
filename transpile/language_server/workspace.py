"""The open documents and directories of an editor, and which of their files make up a stack.

Invariant: only files below an open directory are read (for a document outside of them, files below its own directory),
and an unsaved text counts in place of its file.
"""

from __future__ import annotations

import fnmatch
import functools
import os
import pathlib
import threading
from typing import TYPE_CHECKING, Any, final

from transpile import additions, settings
from transpile.diagnostics.model import Stopped, TooMany
from transpile.front import environment as environments
from transpile.language_server.documents import LIMIT, LIMITS, TEMPLATE, Document
from transpile.model.budget import Budget
from transpile.model.meter import Exceeded
from transpile.model.records import EMPTY, field, node
from transpile.model.source import Source
from transpile.resolve.nested_templates import Library, as_type
from transpile.resolve.registry import read_registry
from transpile.settings import Settings
from transpile.settings.table import CHECK, Request
from transpile.text.source import Root, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from transpile.additions import Additions
    from transpile.model.ir import Environment, Template
    from transpile.repository.plan import Plan
    from transpile.resolve.registry import Found, Registry
    from transpile.schema.catalog import Catalog, Type

MOST_NESTED = 500  # nested templates that are searched for a name
MOST_STACKS = 4  # stacks of one template that are checked
MOST_ENTRIES = 20_000  # files and directories of a tree; a larger one is not surveyed


@final
@node
class Use:
    """A template as one stack uses it: with these environments and parameters. `label`: the names of the environments,
    for people; `missing`: those that cannot be read.
    """

    environments: tuple[Environment, ...] = ()
    label: str = ""
    parameters: Mapping[str, Any] = field(default=EMPTY, compare=False)
    missing: tuple[str, ...] = ()


@final
@node
class Meaning:
    """A resource type after the registry was asked: its answer (`resolution`), the facts of the type, and the nested
    template behind it, with its path."""

    found: Found | None
    facts: Type | None
    template: Template | None = None
    path: str = ""


@final
class Workspace:
    """The open documents and directories of an editor. `plans`: the survey of each directory."""

    def __init__(self, folders: Iterable[pathlib.Path] = ()) -> None:
        self.folders = [pathlib.Path(os.path.realpath(one)) for one in folders]
        self.open: dict[str, Document] = {}
        self.plans: dict[pathlib.Path, Plan] = {}
        self._memory: dict[str, str] = {}
        self._lock = threading.Lock()

    # files

    def folder(self, path: pathlib.Path | None) -> pathlib.Path | None:
        """The directory in which a file may name others: the innermost open one around it, else its own."""
        if path is None:
            return None
        real = pathlib.Path(os.path.realpath(path))
        around = [one for one in self.folders if real.is_relative_to(one)]
        return max(around, key=lambda one: len(one.parts), default=real.parent)

    def root(self, document: Document) -> Root:
        """The rules for the files that a document names."""
        if document.path is None:
            return Root(None)
        held = {os.path.realpath(d.path): d.text.encode() for d in list(self.open.values()) if d.path and encodable(d)}
        return Root(self.folder(document.path), document.path.parent, unsaved=held)

    def library(self) -> Library:
        return Library(lambda file: file.where, commented=False, budget=Budget(LIMITS))

    def document(self, path: str, beside: Document) -> Document | None:
        """The document at a path: an open one, or a file that `referrer` may name; None if it cannot be read."""
        real = os.path.realpath(path)
        for one in list(self.open.values()):
            if one.path is not None and os.path.realpath(one.path) == real:
                return one
        folder = self.folder(beside.path)
        if folder is None:
            return None
        try:
            text = Root(folder).read(real).text()
        except Unreadable:
            return None
        if len(text) > LIMIT:
            return None
        return Document(pathlib.Path(real).as_uri(), pathlib.Path(real), text, encoding=beside.encoding)

    # which files belong together

    def survey(self) -> None:
        """Surveys the open directories. This may take seconds, so it runs in another thread."""
        for folder in self.folders:
            if (found := surveyed(folder, self._memory)) is not None:
                with self._lock:
                    self.plans[folder] = found

    def plan(self, document: Document) -> tuple[pathlib.Path, Plan, str] | None:
        """The open directory around a document, its plan, and the path of the document in it; None without a plan."""
        folder = self.folder(document.path)
        plan = self.plans.get(folder) if folder is not None else None
        if plan is None or folder is None or document.path is None:
            return None
        return folder, plan, pathlib.Path(os.path.realpath(document.path)).relative_to(folder).as_posix()

    def uses(self, document: Document) -> list[Use]:
        """The stacks that a template is the root of; one without environments if there are none. Environments that the
        configuration names replace those that the survey suggests.
        """
        request = self.request(document)
        parameters = request.parameters
        if request.environments:
            return [self.use([os.fspath(path) for path in request.environments], document, parameters)]
        found: list[Use] = []
        if (planned := self.plan(document)) is not None:
            folder, plan, name = planned
            for stack in plan.stacks:
                if stack.template == name and len(found) < MOST_STACKS:
                    found.append(self.use([str(folder / one) for one in stack.environments], document, parameters))
        return found or [Use(parameters=parameters)]

    def use(self, paths: Iterable[str], document: Document, parameters: Mapping[str, Any]) -> Use:
        """A stack with the environments at some paths."""
        read: list[Environment] = []
        names: list[str] = []
        missing: list[str] = []
        for path in paths:
            found = self.environment(path, document)
            (names if found is not None else missing).append(pathlib.PurePath(path).name)
            read += [found] if found is not None else []
        return Use(tuple(read), ", ".join(names), parameters, tuple(missing))

    def environment(self, path: str, beside: Document) -> Environment | None:
        found = self.document(path, beside)
        if found is None or len(found.text) > LIMIT:
            return None
        try:
            source = Source(str(found.path), found.text, budget=Budget(LIMITS))
            return environments.read(source, pathlib.Path(path).parent)[0]
        except (TooMany, RecursionError):
            return None

    def templates(self, document: Document) -> Iterator[tuple[Document, tuple[str, ...]]]:
        """The templates of the stacks that an environment belongs to, each with the environments of its stack."""
        if (planned := self.plan(document)) is None:
            return
        folder, plan, name = planned
        for stack in plan.stacks:
            if name in stack.environments:
                found = self.document(str(folder / stack.template), document)
                if found is not None and found.kind == TEMPLATE:
                    yield found, tuple(str(folder / one) for one in stack.environments)

    def environments(self, document: Document) -> list[Document]:
        """The environments of the stacks that a template is the root of."""
        if (planned := self.plan(document)) is None:
            return []
        folder, plan, name = planned
        paths = [one for stack in plan.stacks if stack.template == name for one in stack.environments]
        return self.documents((str(folder / one) for one in paths), document)

    def users(self, document: Document) -> list[Document]:
        """The templates that nest a template, by its file name or by a type of an environment."""
        if (planned := self.plan(document)) is None:
            return []
        folder, plan, name = planned
        paths = {*plan.nested.get(name, ())}
        for stack in plan.stacks:
            if paths & {*stack.environments}:  # an environment maps a type to the template
                paths |= {stack.template, *(one for one in plan.nested if stack.template in plan.nested[one])}
        found = self.documents((str(folder / one) for one in sorted(paths)), document)
        return [one for one in found if one.kind == TEMPLATE and one.uri != document.uri]

    def others(self, document: Document) -> list[Document]:
        """The nested templates of the directory that a document is in."""
        if (planned := self.plan(document)) is None:
            return []
        folder, plan, _ = planned
        return self.documents((str(folder / one) for one in list(plan.nested)[:MOST_NESTED]), document)

    def documents(self, paths: Iterable[str], beside: Document) -> list[Document]:
        """The documents at some paths, each once, without those that cannot be read."""
        found = (self.document(one, beside) for one in dict.fromkeys(paths))
        return [one for one in found if one is not None]

    # types

    def settings(self, document: Document) -> Settings:
        """The settings of the configuration file around a document."""
        return settings.for_file(document.path) if document.path is not None else Settings()

    def request(self, document: Document) -> Request:
        """What the configuration asks of a check of a document."""
        return self.settings(document).request(CHECK)

    def added(self, document: Document) -> Additions:
        """The types of the plug-in directories that the configuration names."""
        return plugged(self.request(document).plugin_dirs)

    def catalog(self, document: Document) -> Catalog:
        """All resource types that a document may name."""
        return self.added(document).catalog

    def strict(self, document: Document) -> Catalog:
        """The types that Heat has, with those of plug-ins that the configuration names."""
        return additions.strict(self.added(document), self.accepts(document))

    def accepts(self, document: Document) -> Callable[[str], bool]:
        """A function that says whether the configuration names a type as one of the cloud's plug-ins."""
        patterns = self.request(document).plugin_types
        return lambda kind: any(fnmatch.fnmatchcase(kind, pattern) for pattern in patterns)

    def registry(self, document: Document) -> Registry:
        """The resource registry of the first stack of a template."""
        try:
            return read_registry(self.uses(document)[0].environments, catalog=self.catalog(document))[0]
        except (Exceeded, RecursionError):
            return read_registry((), catalog=self.catalog(document))[0]

    def meaning(self, document: Document, written: str, resource: str = "") -> Meaning:
        """The meaning of a resource type as it is written in a template. `resource`: the name of the resource, since an
        environment may map the types of single resources.
        """
        root = self.root(document)
        found = self.registry(document).find(written, resource)
        if found is None or not found.file:
            kind = found.kind if found is not None else written
            return Meaning(found, self.catalog(document).find(kind))
        if found.by is not None:
            root = root.of_environment(found.by.environment.folder)
        try:
            loaded = self.library().load(root, found.kind)
        except Unreadable:
            return Meaning(found, None)
        facts = as_type(loaded.template, ()) if loaded.template is not None else None
        return Meaning(found, facts, loaded.template, loaded.file.where)

    def file(self, document: Document, name: str) -> str | None:
        """The path of a file that a template names; None if it may not be read."""
        try:
            return self.root(document).read(name).where
        except Unreadable:
            return None


@functools.lru_cache(maxsize=8)
def plugged(directories: tuple[str | os.PathLike[str], ...]) -> Additions:
    """The types of the plug-ins in some directories; none if they cannot be read."""
    if not directories:
        return additions.none()
    try:
        return additions.read([one for one in directories if pathlib.Path(one).is_dir()], (), Budget())
    except (Stopped, Exceeded, RecursionError):
        return additions.none()


def forget() -> None:
    """Forgets configurations and plug-ins that were read, because their files may have changed."""
    settings.forget()
    plugged.cache_clear()


def encodable(document: Document) -> bool:
    try:
        document.text.encode()
    except UnicodeEncodeError:
        return False
    return True


def surveyed(folder: pathlib.Path, memory: dict[str, str]) -> Plan | None:
    """The plan of a directory; None if it is too large or cannot be surveyed."""
    from transpile.repository import survey

    if too_many(folder):
        return None
    try:
        return survey.survey(folder, memory=memory)
    except (OSError, ValueError, RecursionError, Exceeded):
        return None


def too_many(folder: pathlib.Path) -> bool:
    """Whether a tree has more than MOST_ENTRIES files and directories."""
    count = 0
    for _, folders, files in os.walk(folder):
        count += len(folders) + len(files)
        if count > MOST_ENTRIES:
            return True
    return False
