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
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, final

from transpile import additions, settings
from transpile.additions import Additions
from transpile.diagnostics.model import Stopped, TooManyErrors
from transpile.front import environment as environments
from transpile.language_server.documents import LIMIT, LIMITS, TEMPLATE, TextDocument
from transpile.model.budget import Budget
from transpile.model.ir import Environment, Template
from transpile.model.meter import LimitExceeded
from transpile.model.records import EMPTY, field, node
from transpile.model.source import Source
from transpile.repository.plan import MigrationPlan
from transpile.resolve.nested_templates import TemplateLibrary, template_as_type
from transpile.resolve.registry import ResolvedType, ResourceRegistry, read_registry
from transpile.settings import Settings
from transpile.settings.table import CHECK, Request
from transpile.text.source import Root, UnreadableFile

if TYPE_CHECKING:
    from transpile.schema.catalog import Catalog, TypeFacts

MOST_NESTED = 500  # nested templates that are searched for a name
MOST_STACKS = 4  # stacks of one template that are checked
MOST_ENTRIES = 20_000  # files and directories of a tree; a larger one is not surveyed


@final
@node
class StackUse:
    """A template as one stack uses it: with these environments and parameters. `label`: the names of the environments,
    for people; `missing`: those that cannot be read.
    """

    environments: tuple[Environment, ...] = ()
    label: str = ""
    parameters: Mapping[str, Any] = field(default=EMPTY, compare=False)
    missing: tuple[str, ...] = ()


@final
@node
class TypeMeaning:
    """A resource type after the registry was asked: its answer (`resolution`), the facts of the type, and the nested
    template behind it, with its path."""

    resolution: ResolvedType
    facts: TypeFacts
    template: Template | None = None
    path: str = ""


@final
class Workspace:
    """The open documents and directories of an editor. `plans`: the survey of each directory."""

    def __init__(self, folders: Iterable[pathlib.Path] = ()) -> None:
        self.folders = [pathlib.Path(os.path.realpath(folder)) for folder in folders]
        self.open: dict[str, TextDocument] = {}
        self.plans: dict[pathlib.Path, MigrationPlan] = {}
        self._memory: dict[str, str] = {}
        self._lock = threading.Lock()

    # files

    def find_folder(self, path: pathlib.Path | None) -> pathlib.Path | None:
        """The directory in which a file may name others: the innermost open one around it, else its own."""
        if path is None:
            return None
        real = pathlib.Path(os.path.realpath(path))
        around = [folder for folder in self.folders if real.is_relative_to(folder)]
        return max(around, key=lambda folder: len(folder.parts), default=real.parent)

    def make_root(self, document: TextDocument) -> Root:
        """The rules for the files that a document names."""
        if document.path is None:
            return Root(None)
        unsaved = {
            os.path.realpath(d.path): d.text.encode() for d in list(self.open.values()) if d.path and is_encodable(d)
        }
        return Root(self.find_folder(document.path), document.path.parent, unsaved=unsaved)

    def make_library(self) -> TemplateLibrary:
        return TemplateLibrary(lambda file: file.where, commented=False, budget=Budget(LIMITS))

    def find_document(self, path: str, referrer: TextDocument) -> TextDocument | None:
        """The document at a path: an open one, or a file that `referrer` may name; None if it cannot be read."""
        real = os.path.realpath(path)
        for document in list(self.open.values()):
            if document.path is not None and os.path.realpath(document.path) == real:
                return document
        folder = self.find_folder(referrer.path)
        if folder is None:
            return None
        try:
            text = Root(folder).read_file(real).decode_text()
        except UnreadableFile:
            return None
        if len(text) > LIMIT:
            return None
        return TextDocument(pathlib.Path(real).as_uri(), pathlib.Path(real), text, encoding=referrer.encoding)

    # which files belong together

    def survey_folders(self) -> None:
        """Surveys the open directories. This may take seconds, so it runs in another thread."""
        for folder in self.folders:
            if (plan := try_survey(folder, self._memory)) is not None:
                with self._lock:
                    self.plans[folder] = plan

    def find_plan(self, document: TextDocument) -> tuple[pathlib.Path, MigrationPlan, str] | None:
        """The open directory around a document, its plan, and the path of the document in it; None without a plan."""
        folder = self.find_folder(document.path)
        plan = self.plans.get(folder) if folder is not None else None
        if plan is None or folder is None or document.path is None:
            return None
        return folder, plan, pathlib.Path(os.path.realpath(document.path)).relative_to(folder).as_posix()

    def find_stacks(self, document: TextDocument) -> list[StackUse]:
        """The stacks that a template is the root of; one without environments if there are none. Environments that the
        configuration names replace those that the survey suggests.
        """
        request = self.check_request(document)
        parameters = request.parameters
        if request.environments:
            return [self.read_use([os.fspath(path) for path in request.environments], document, parameters)]
        uses: list[StackUse] = []
        if (planned := self.find_plan(document)) is not None:
            folder, plan, name = planned
            for stack in plan.stacks:
                if stack.template == name and len(uses) < MOST_STACKS:
                    uses.append(
                        self.read_use(
                            [str(folder / environment) for environment in stack.environments], document, parameters
                        )
                    )
        return uses or [StackUse(parameters=parameters)]

    def read_use(self, paths: Iterable[str], document: TextDocument, parameters: Mapping[str, Any]) -> StackUse:
        """A stack with the environments at some paths."""
        read: list[Environment] = []
        names: list[str] = []
        missing: list[str] = []
        for path in paths:
            environment = self.find_environment(path, document)
            (names if environment is not None else missing).append(pathlib.PurePath(path).name)
            read += [environment] if environment is not None else []
        return StackUse(tuple(read), ", ".join(names), parameters, tuple(missing))

    def find_environment(self, path: str, referrer: TextDocument) -> Environment | None:
        document = self.find_document(path, referrer)
        if document is None or len(document.text) > LIMIT:
            return None
        try:
            source = Source(str(document.path), document.text, budget=Budget(LIMITS))
            return environments.read_environment_text(source, pathlib.Path(path).parent)[0]
        except (TooManyErrors, RecursionError):
            return None

    def templates_of_environment(self, document: TextDocument) -> Iterator[tuple[TextDocument, tuple[str, ...]]]:
        """The templates of the stacks that an environment belongs to, each with the environments of its stack."""
        if (planned := self.find_plan(document)) is None:
            return
        folder, plan, name = planned
        for stack in plan.stacks:
            if name in stack.environments:
                template = self.find_document(str(folder / stack.template), document)
                if template is not None and template.kind == TEMPLATE:
                    yield template, tuple(str(folder / path) for path in stack.environments)

    def environments_of_template(self, document: TextDocument) -> list[TextDocument]:
        """The environments of the stacks that a template is the root of."""
        if (planned := self.find_plan(document)) is None:
            return []
        folder, plan, name = planned
        paths = [path for stack in plan.stacks if stack.template == name for path in stack.environments]
        return self.find_documents((str(folder / path) for path in paths), document)

    def find_users(self, document: TextDocument) -> list[TextDocument]:
        """The templates that nest a template, by its file name or by a type of an environment."""
        if (planned := self.find_plan(document)) is None:
            return []
        folder, plan, name = planned
        paths = {*plan.nested.get(name, ())}
        for stack in plan.stacks:
            if paths & {*stack.environments}:  # an environment maps a type to the template
                paths |= {
                    stack.template,
                    *(nested_path for nested_path in plan.nested if stack.template in plan.nested[nested_path]),
                }
        documents = self.find_documents((str(folder / path) for path in sorted(paths)), document)
        return [user for user in documents if user.kind == TEMPLATE and user.uri != document.uri]

    def list_nested_templates(self, document: TextDocument) -> list[TextDocument]:
        """The nested templates of the directory that a document is in."""
        if (planned := self.find_plan(document)) is None:
            return []
        folder, plan, _ = planned
        return self.find_documents((str(folder / path) for path in list(plan.nested)[:MOST_NESTED]), document)

    def find_documents(self, paths: Iterable[str], referrer: TextDocument) -> list[TextDocument]:
        """The documents at some paths, each once, without those that cannot be read."""
        documents = (self.find_document(path, referrer) for path in dict.fromkeys(paths))
        return [document for document in documents if document is not None]

    # types

    def find_settings(self, document: TextDocument) -> Settings:
        """The settings of the configuration file around a document."""
        return settings.settings_for_file(document.path) if document.path is not None else Settings()

    def check_request(self, document: TextDocument) -> Request:
        """Returns the request for a check of a document, by its configuration."""
        return self.find_settings(document).make_request(CHECK)

    def find_additions(self, document: TextDocument) -> Additions:
        """The types of the plug-in directories that the configuration names."""
        return read_plugins(self.check_request(document).plugin_dirs)

    def full_catalog(self, document: TextDocument) -> Catalog:
        """All resource types that a document may name."""
        return self.find_additions(document).catalog

    def strict_catalog(self, document: TextDocument) -> Catalog:
        """The types that Heat has, with those of plug-ins that the configuration names."""
        return additions.strict_catalog(self.find_additions(document), self.make_type_filter(document))

    def make_type_filter(self, document: TextDocument) -> Callable[[str], bool]:
        """A function that says whether the configuration names a type as one of the cloud's plug-ins."""
        patterns = self.check_request(document).plugin_types
        return lambda kind: any(fnmatch.fnmatchcase(kind, pattern) for pattern in patterns)

    def first_registry(self, document: TextDocument) -> ResourceRegistry:
        """The resource registry of the first stack of a template."""
        try:
            return read_registry(self.find_stacks(document)[0].environments, catalog=self.full_catalog(document))[0]
        except (LimitExceeded, RecursionError):
            return read_registry((), catalog=self.full_catalog(document))[0]

    def resolve_type(self, document: TextDocument, written: str, resource: str = "") -> TypeMeaning:
        """The meaning of a resource type as it is written in a template. `resource`: the name of the resource, since an
        environment may map the types of single resources.
        """
        root = self.make_root(document)
        resolution = self.first_registry(document).resolve_type(written, resource)
        if not resolution.is_template:
            return TypeMeaning(resolution, self.full_catalog(document).find_type(resolution.kind))
        if resolution.registration is not None:
            root = root.for_environment(resolution.registration.environment.folder)
        try:
            loaded = self.make_library().load_template(root, resolution.kind)
        except UnreadableFile:
            return TypeMeaning(resolution, {})
        facts: TypeFacts = template_as_type(loaded.template, ()) if loaded.template is not None else {}
        return TypeMeaning(resolution, facts, loaded.template, loaded.file.where)

    def find_file(self, document: TextDocument, name: str) -> str | None:
        """The path of a file that a template names; None if it may not be read."""
        try:
            return self.make_root(document).read_file(name).where
        except UnreadableFile:
            return None


@functools.lru_cache(maxsize=8)
def read_plugins(directories: tuple[str | os.PathLike[str], ...]) -> Additions:
    """The types of the plug-ins in some directories; none if they cannot be read."""
    if not directories:
        return additions.installed_additions()
    try:
        return additions.read_additions(
            [directory for directory in directories if pathlib.Path(directory).is_dir()], (), budget=Budget(LIMITS)
        )
    except (Stopped, LimitExceeded, RecursionError):
        return additions.installed_additions()


def clear_caches() -> None:
    """Forgets configurations and plug-ins that were read, because their files may have changed."""
    settings.forget_configurations()
    read_plugins.cache_clear()


def is_encodable(document: TextDocument) -> bool:
    try:
        document.text.encode()
    except UnicodeEncodeError:
        return False
    return True


def try_survey(folder: pathlib.Path, memory: dict[str, str]) -> MigrationPlan | None:
    """The plan of a directory; None if it is too large or cannot be surveyed."""
    from transpile.repository import survey

    if has_too_many_entries(folder):
        return None
    try:
        return survey.survey_tree(folder, memory=memory)
    except (OSError, ValueError, RecursionError, LimitExceeded):
        return None


def has_too_many_entries(folder: pathlib.Path) -> bool:
    """Whether a tree has more than MOST_ENTRIES files and directories."""
    count = 0
    for _, folders, files in os.walk(folder):
        count += len(folders) + len(files)
        if count > MOST_ENTRIES:
            return True
    return False
