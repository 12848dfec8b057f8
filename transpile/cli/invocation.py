"""The options of one run of a command, from the command line and configurations.

Invariant: wrong options end the command here, with status 1 for a wrong configuration and 2 for a wrong command line.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, final

from transpile.cli import options
from transpile.diagnostics.model import Diagnostic, prevent_output, sort_diagnostics
from transpile.diagnostics.registry import SEVERITIES
from transpile.settings import Finder, Settings

if TYPE_CHECKING:
    from transpile.pipeline import Conversion


@final
class CommandOptions:
    """The options that a command shares with others. `flags`: their values, by the keys of configurations; None for an
    option that the command line does not name.
    """

    def __init__(self, command: str, flags: Mapping[str, Any], config: str | None, *, isolated: bool) -> None:
        self.command, self.flags = command, flags
        self.config, self.isolated = config, isolated
        self.finder = self.new_finder()

    def new_finder(self) -> Finder:
        """A finder for the current configurations. The command line takes precedence over them."""
        return options.make_finder(self.config, self.flags, isolated=self.isolated)

    def for_template(self, path: str) -> Invocation:
        """The run for one template; `-` means standard input."""
        return self.make_invocation(self.finder.for_directory(".") if path == "-" else self.finder.for_file(path))

    def for_directory(self, path: str) -> Invocation:
        return self.make_invocation(self.finder.for_directory(path))

    def make_invocation(self, settings: Settings) -> Invocation:
        return Invocation(
            self.command, options.usable_settings(settings, self.flags.get("diagnostics") or "text"), self.finder
        )


@final
class Invocation:
    """One run of a command. `settings`: the options, each with the place that sets it. `request`: their values."""

    def __init__(self, command: str, settings: Settings, finder: Finder) -> None:
        self.command, self.settings, self.finder = command, settings, finder
        self.request = settings.make_request(command)

    def min_severity(self, *, verbose: bool) -> str:
        """The severity of findings from which on they are shown. `verbose`: whether the user wants to see all. Where
        warnings count as errors, they are shown whenever errors are: the command may fail because of them.
        """
        if verbose:
            return SEVERITIES[-1]
        least = self.request.min_severity
        return "warning" if self.request.strict and least == "error" else least

    def grade_conversion(self, done: Conversion, template: str, target: str) -> tuple[list[Diagnostic], dict[str, int]]:
        """The findings of a conversion to report, and the number of ignored findings by code.

        The findings of a failed conversion are incomplete, so comments that ignored nothing are not reported then.
        """
        from transpile import settings

        folder = self.request.root or os.path.dirname(template)
        named = {os.path.basename(path): os.fspath(path) for path in (*self.request.environments, template)}

        def path_of(name: str) -> str:
            return named.get(name) or str(pathlib.Path(folder, name))

        result = settings.grade_diagnostics(
            done.diagnostics,
            self.settings,
            self.command,
            sources=[read.source for read in done.templates] if done.ok else [],
            target=target,
            finder=self.finder,
            path_of=path_of,
        )
        return sort_diagnostics(result.all_diagnostics), result.ignored

    def withholds(self, findings: Collection[Diagnostic]) -> bool:
        """Whether findings prevent output. With --strict, so do all findings that make the command fail."""
        return prevent_output(findings) or (self.request.strict and self.fails(findings))

    def fails(self, findings: Iterable[Diagnostic]) -> bool:
        """Whether findings make the command fail."""
        return any(d.severity == "error" or (self.request.strict and d.severity == "warning") for d in findings)
