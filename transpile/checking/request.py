"""What is asked of the check of one file, and where it comes from."""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING, Any, final

from transpile import additions
from transpile.model.records import field, node, replace
from transpile.settings import Settings
from transpile.settings.table import CHECK, Request

if TYPE_CHECKING:
    import os

    from transpile.diagnostics.model import Diagnostic
    from transpile.repository.uses import TemplateUse
    from transpile.schema.catalog import Catalog
    from transpile.settings import Finder

NO_SETTINGS = Settings()


@node
class CheckRequest:
    """What is asked of a check. `added`: types of plug-ins, as `Additions.packed` gives them; `called`: others nest the
    template, and give its parameters; `paired`: nobody named the environments, a survey of the repository did; `tree`:
    the named directory that the template is in; `settings`: what a configuration says about the file; `finder`: finds
    what it says about others.
    """

    request: Request = field(default_factory=Request)
    added: bytes = b""
    called: bool = False
    paired: bool = False
    tree: str = ""
    settings: Settings = field(default=NO_SETTINGS, compare=False)
    finder: Finder | None = field(default=None, compare=False)

    @property
    def is_for_creation(self) -> bool:
        """Whether problems that only appear when the stack is created are errors, too."""
        return self.request.level == "create"

    @property
    def catalog(self) -> Catalog:
        """The types that there are."""
        return additions.strict_catalog(additions.additions_from_bytes(self.added), self.is_plugin_type)

    def is_plugin_type(self, kind: str) -> bool:
        """Whether the user says that a plug-in of the cloud provides a type."""
        return any(fnmatch.fnmatchcase(kind, pattern) for pattern in self.request.plugin_types)

    def in_directory(self, directory: str) -> CheckRequest:
        """The same for a template of a named directory, which is like a repository."""
        if self.request.root is not None:
            return self
        request = replace(self.request, allow=(*self.request.allow, directory))
        return replace(self, request=request, tree=directory)

    def for_use(self, use: TemplateUse) -> CheckRequest:
        """The same for one use of a template. What the command line says counts more than the plan."""
        asked = self.request
        rendered = use.render or asked.render is not None
        request = replace(
            asked,
            environments=use.environments,
            parameters={**use.parameters, **asked.parameters},
            render={**use.render, **(asked.render or {})} if rendered else None,
        )
        return replace(self, request=request, called=use.called, paired=True)


@final
class ConfiguredRequests:
    """The request for each file, from what holds for it. `wrong`: mistakes in configurations; `findings`: what is about
    no file.
    """

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.wrong: list[Diagnostic] = []
        self.findings: list[Diagnostic] = []
        self.packed: dict[tuple[str | os.PathLike[str], ...], bytes] = {}
        self.reported: set[Diagnostic] = set()

    def from_flags(self, name: str) -> Any:
        """What the command line or a variable says of an option."""
        return Settings().overridden_by(self.finder.said).explicit_value(name)

    def for_file(self, path: str) -> CheckRequest:
        return self.of_settings(self.finder.for_file(path))

    def of_settings(self, settings: Settings) -> CheckRequest:
        """The request that settings mean."""
        for d in settings.diagnostics:
            if d not in self.reported:
                self.reported.add(d)
                (self.findings if settings.ok else self.wrong).append(d)
        if not settings.ok:
            return CheckRequest(settings=settings)
        request = settings.make_request(CHECK)
        return CheckRequest(request, self.packed_additions(request.plugin_dirs), settings=settings, finder=self.finder)

    def packed_additions(self, directories: tuple[str | os.PathLike[str], ...]) -> bytes:
        """The types of plug-ins in directories, each read once."""
        if directories not in self.packed:
            types = additions.read_additions(directories)
            self.findings += types.diagnostics
            self.packed[directories] = types.as_bytes()
        return self.packed[directories]
