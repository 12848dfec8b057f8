"""The request to check one file, and how it is made from configurations and the command line."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Mapping
from typing import Any, final

from transpile import additions
from transpile.diagnostics.model import Diagnostic
from transpile.model.budget import Budget, read_budget_limits
from transpile.model.ir import Param
from transpile.model.records import field, node, replace
from transpile.repository.uses import TemplateUse
from transpile.schema.catalog import Catalog
from transpile.settings import Finder, Settings
from transpile.settings.table import CHECK, Request

NO_SETTINGS = Settings()


@node
class CheckRequest:
    """The request to check one file.

    `added`: types of plug-ins, in the form of `Additions.as_bytes`. `called`: whether other templates nest this
    template and pass its parameters. `paired`: whether a survey of the repository found the environments, instead of
    the user naming them. `tree`: the named directory that contains the template. `settings`: the configuration of the
    file. `finder`: finds the configuration of other files.
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
        """Whether problems that only appear when the stack is created count as errors, too."""
        return self.request.level == "create"

    @property
    def catalog(self) -> Catalog:
        """The resource types that the check knows."""
        return additions.strict_catalog(additions.additions_from_bytes(self.added), self.is_plugin_type)

    def is_plugin_type(self, kind: str) -> bool:
        """Whether the user lists a type (`plugin_types`) as provided by a plug-in of the cloud."""
        return any(fnmatch.fnmatchcase(kind, pattern) for pattern in self.request.plugin_types)

    def expects_value(self, param: Param, *, validates: bool) -> bool:
        """Whether a parameter without a default must have a value (`validates`: already to validate the template).

        A template in a repository is right without the values that somebody gives when he creates the stack. So a value
        is missing only beside others, in an environment or on the command line, and a password never is. Heat
        validates a template that the user names with the values that he names, and this is its verdict.
        """
        if self.called:
            return False
        if validates and not self.paired:
            return True
        return not param.hidden and bool(self.request.environments or self.request.parameters)

    def in_directory(self, directory: str) -> CheckRequest:
        """The same request for a template in a named directory, which counts as a repository."""
        if self.request.root is not None:
            return self
        request = replace(self.request, allow=(*self.request.allow, directory))
        return replace(self, request=request, tree=directory)

    def for_use(self, use: TemplateUse) -> CheckRequest:
        """The same request for one use of a template. The command line takes precedence over the plan."""
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
    """Makes the request for each file from its configuration and the command line.

    `wrong`: mistakes in configurations. `findings`: diagnostics that concern no particular file.
    """

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.wrong: list[Diagnostic] = []
        self.findings: list[Diagnostic] = []
        self.packed: dict[tuple[str | os.PathLike[str], ...], bytes] = {}
        self.reported: set[Diagnostic] = set()

    def from_flags(self, name: str) -> Any:
        """The value of an option from the command line or an environment variable; configurations do not count."""
        return Settings().overridden_by(self.finder.overrides).explicit_value(name)

    def for_file(self, path: str) -> CheckRequest:
        return self.of_settings(self.finder.for_file(path))

    def of_settings(self, settings: Settings) -> CheckRequest:
        """The request that follows from the settings of a file."""
        for d in settings.diagnostics:
            if d not in self.reported:
                self.reported.add(d)
                (self.findings if settings.ok else self.wrong).append(d)
        if not settings.ok:
            return CheckRequest(settings=settings)
        request = settings.make_request(CHECK)
        return CheckRequest(
            request, self.packed_additions(request.plugin_dirs, request.limits), settings=settings, finder=self.finder
        )

    def packed_additions(
        self, directories: tuple[str | os.PathLike[str], ...], limits: Mapping[str, int | str]
    ) -> bytes:
        """The types of plug-ins in directories, each read once."""
        if directories not in self.packed:
            types = additions.read_additions(directories, budget=Budget(read_budget_limits(limits)))
            self.findings += types.diagnostics
            self.packed[directories] = types.as_bytes()
        return self.packed[directories]
