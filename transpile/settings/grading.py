"""Grades findings: ignores some, and changes the severity of others.

The configuration, the command line and comments in the templates decide. Invariant: a finding is always reported if it
kept a file from being read or is about a mistake in a configuration. A command that writes output cannot ignore an
error, because its output would be wrong.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model.records import record, replace
from transpile.model.source import Source
from transpile.model.span import Located
from transpile.settings import table
from transpile.settings.comments import IgnoreComment
from transpile.settings.finder import Finder
from transpile.settings.model import Settings, SettingValue
from transpile.text.urls import is_url

MARK = "hot2tf:"  # in each comment that ignores something
CHECKING = ("check",)  # commands that write nothing, and can ignore errors
# By command or target, the codes that it can find: their prefixes, and exceptions that have such a prefix. A comment is
# reported as unused only for these codes. For example, `check` never finds HOT4 codes, so it cannot know whether a
# comment for HOT404 is needed. A conversion reports an unused comment as a note, because its findings depend on its
# options.
FOUND: Mapping[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "check": (
        ("HOT1", "HOT2", "HOT3", "HOT6", "HOT86", "HOT87", "HOT88", "HOT89"),
        frozenset(
            {
                codes.ENVIRONMENT_NOT_TEMPLATE,
                codes.ENVIRONMENT_WITHOUT_COUNTERPART,
                codes.NESTED_TEMPLATE_UNSUPPORTED,
                codes.CONDITION_ALWAYS_FALSE,
                codes.NOT_A_TERRAFORM_NUMBER,
                codes.HEAT_LIMIT_EXCEEDED,
                codes.TYPE_REFUSED_BY_HEAT,
                codes.KNOWN_ONLY_TO_PLUGIN,
                codes.TYPE_OF_OTHER_ENVIRONMENT,
                codes.OLD_PROPERTY_NAME,
                codes.MISSPELT_FUNCTION,
            }
        ),
    ),
    "hcl": (("HOT4", "HOT5"), frozenset(f"HOT{number}" for number in range(591, 599))),
    "tosca": (("HOT70",), frozenset()),
}
Key = tuple[str, int]  # a comment: the file and the offset of the code


@record
class GradedDiagnostics:
    """The result of grading findings.

    `kept`: the findings to report. `ignored`: the number of ignored findings by code. `used`: the comments that ignored
    a finding. `unused`: each comment that ignored nothing, with a finding that says so.
    """

    kept: list[Diagnostic]
    ignored: dict[str, int]
    used: frozenset[Key] = frozenset()
    unused: Sequence[tuple[Key, Diagnostic]] = ()

    @property
    def all_diagnostics(self) -> list[Diagnostic]:
        """All findings to report, if no other part of the run used the same comments."""
        return [*self.kept, *(d for key, d in self.unused if key not in self.used)]


def grade_diagnostics(
    diagnostics: Iterable[Diagnostic],
    settings: Settings,
    command: str,
    *,
    sources: Iterable[Source] = (),
    target: str = "",
    finder: Finder | None = None,
    path_of: Callable[[str], str] = str,
) -> GradedDiagnostics:
    """Grades the findings of a run.

    `settings`: the settings of the run's main file. `sources`: the texts whose unused comments are reported. `target`:
    the target of a conversion, for example "hcl". `finder`: finds the settings of other files that have findings.
    `path_of`: returns the path of a file from its name in a finding.
    """
    grader = Grader(settings, command, target, finder, path_of)
    kept = [
        graded_diagnostic
        for diagnostic in diagnostics
        if (graded_diagnostic := grader.grade_diagnostic(diagnostic)) is not None
    ]
    kept += grader.notes
    unused = [pair for source in sources for pair in grader.idle_comments(source)]
    return GradedDiagnostics(kept, grader.ignored, frozenset(grader.used), unused)


def unused_comments(results: Iterable[GradedDiagnostics]) -> list[Diagnostic]:
    """Returns the findings about comments that were unused in every part of a run."""
    every = list(results)
    used = {key for graded in every for key in graded.used}
    idle = {key: d for graded in every for key, d in graded.unused if key not in used}
    return list(idle.values())


@final
class Grader:
    """Grades findings one by one, and remembers which comments ignored a finding."""

    def __init__(
        self,
        settings: Settings,
        command: str,
        target: str,
        finder: Finder | None,
        path_of: Callable[[str], str],
    ) -> None:
        self.settings, self.command, self.target = settings, command, target
        self.finder, self.path_of = finder, path_of
        self.ignored: dict[str, int] = {}
        self.used: set[Key] = set()
        self.notes: list[Diagnostic] = []
        self.spoken: dict[int, tuple[Source, list[IgnoreComment], list[Diagnostic]]] = {}
        self.rules: dict[str, GradingRules] = {}

    def grade_diagnostic(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """Returns the finding with its final severity, or None if it is ignored."""
        if diagnostic.code in table.ALWAYS:
            return diagnostic
        rules = self.rules_of(diagnostic.source.name if diagnostic.source is not None else "")
        comment = self.covering_comment(diagnostic)
        place = rules.ignoring_value(diagnostic.code)
        severity = rules.severity_of_code(diagnostic.code) or diagnostic.severity
        if diagnostic.severity == "error" and self.command not in CHECKING:
            if comment is not None and diagnostic.source is not None:
                self.note_use(diagnostic, diagnostic.source, comment)
            elif place is not None:
                self.note_use(diagnostic, place.source, place)
            return diagnostic
        if comment is not None or place is not None or not rules.is_selected(diagnostic.code):
            self.ignored[diagnostic.code] = self.ignored.get(diagnostic.code, 0) + 1
            return None
        return diagnostic if severity == diagnostic.severity else replace(diagnostic, forced=severity)

    def note_use(self, diagnostic: Diagnostic, source: Source | None, where: Located) -> None:
        message = (
            f"{diagnostic.code} is an error here, and {self.command} cannot go on after one, so it is not ignored."
        )
        note = Diagnostic(codes.ERROR_CANNOT_BE_IGNORED, message, source, where.span)
        if note not in self.notes:
            self.notes.append(note)

    def rules_of(self, name: str) -> GradingRules:
        """Returns the grading rules for the findings in a file."""
        if name not in self.rules:
            settings = self.settings
            path = self.path_of(name) if name and not is_url(name) else ""
            if path and path != settings.path and self.finder is not None:
                near = self.finder.for_file(path)
                settings = near if near.ok else settings
            self.rules[name] = GradingRules(settings, path or settings.path)
        return self.rules[name]

    def read_comments(self, source: Source) -> tuple[list[IgnoreComment], list[Diagnostic]]:
        if id(source) not in self.spoken and MARK not in source.text:
            self.spoken[id(source)] = source, [], []
        elif id(source) not in self.spoken:
            from transpile.settings import comments  # imported here because most texts have no such comment

            self.spoken[id(source)] = (source, *comments.read_ignore_comments(source))
        return self.spoken[id(source)][1:]

    def covering_comment(self, diagnostic: Diagnostic) -> IgnoreComment | None:
        """Returns the first comment that ignores a finding. All comments that ignore it count as used."""
        source = diagnostic.source
        if source is None:
            return None
        first = None
        for ignore_comment in self.read_comments(source)[0]:
            if ignore_comment.code == diagnostic.code and ignore_comment.covers(diagnostic.at):
                first = first or ignore_comment
                self.used.add(self.comment_key(source, ignore_comment))
        return first

    def comment_key(self, source: Source, ignore_comment: IgnoreComment) -> Key:
        return self.file_of_source(source), ignore_comment.at

    def file_of_source(self, source: Source) -> str:
        return os.path.abspath(self.path_of(source.name))

    def idle_comments(self, source: Source) -> list[tuple[Key, Diagnostic]]:
        """Returns findings about unused comments and about comments with mistakes, each with its comment."""
        spoken, wrong = self.read_comments(source)
        keyed_diagnostics = [((self.file_of_source(source), d.at), d) for d in wrong]
        for ignore_comment in spoken:
            key = self.comment_key(source, ignore_comment)
            if key in self.used or not self.would_find(ignore_comment.code):
                continue
            message = f"Nothing that this comment holds for has {ignore_comment.code}."
            hint = HINTS.get(ignore_comment.scope, "") or "Remove it."
            mild = "" if self.command in CHECKING else "info"
            keyed_diagnostics.append(
                (key, Diagnostic(codes.COMMENT_IGNORES_NOTHING, message, source, ignore_comment.span, hint, mild))
            )
        rules = self.rules_of(source.name)
        out = []
        for key, d in keyed_diagnostics:
            if rules.ignoring_value(d.code) is not None or not rules.is_selected(d.code):
                self.ignored[d.code] = self.ignored.get(d.code, 0) + 1
            else:
                severity = rules.severity_of_code(d.code) or d.severity
                out.append((key, d if severity == d.severity else replace(d, forced=severity)))
        return out

    def would_find(self, code: str) -> bool:
        beginnings, others = FOUND.get(self.target or self.command, ((), frozenset()))
        return code.startswith(beginnings) and code not in others


HINTS = {  # by the scope of a comment
    "line": "At the end of a line, a comment holds for that line only. Above a key, it holds for the whole value.",
    "nothing": "A comment holds for the lines below it, and there are none. Write it above the key.",
    "block": "A comment holds for the lines below it. Remove it, or use ignore-file for the whole file.",
}


@final
class GradingRules:
    """The rules of a configuration for the findings in one file: selected codes, ignored codes and severities."""

    def __init__(self, settings: Settings, path: str | None) -> None:
        self.selected: tuple[str, ...] = settings.get("select")
        self.grades: Mapping[str, str] = settings.get("severity")
        self.ignoring: list[tuple[str, SettingValue]] = []
        ignore = settings.value_of("ignore")
        self.ignoring += [(code, ignore) for code in ignore.value]
        configuration = settings.configuration
        name = configuration.path_inside(path) if path and configuration.ignored_by_path else None
        for pattern, value in configuration.ignored_by_path if settings.ok else ():
            if name is not None and pattern.matches_path(name):
                self.ignoring += [(code, value) for code in value.value]

    def ignoring_value(self, code: str) -> SettingValue | None:
        """Returns the option value that ignores a code, or None.

        The longest prefix wins. For example, `select = ["HOT601"]` wins over `ignore = ["HOT6"]`.
        """
        best: SettingValue | None = None
        length = -1
        for beginning, value in self.ignoring:
            if (size := matched_length(beginning, code)) > length:
                best, length = value, size
        return best if length >= self.selection_length(code) else None

    def is_selected(self, code: str) -> bool:
        return self.selection_length(code) >= 0

    def selection_length(self, code: str) -> int:
        """Returns the length of the longest prefix of the code in `select`; -1 if `select` has no prefix of it."""
        return max((matched_length(beginning, code) for beginning in self.selected), default=-1)

    def severity_of_code(self, code: str) -> str:
        best, length = "", -1
        for beginning, severity in self.grades.items():
            if (size := matched_length(beginning, code)) > length:
                best, length = severity, size
        return best


def matched_length(beginning: str, code: str) -> int:
    """Returns the length of `beginning` if it is a prefix of the code, else -1. ALL is a prefix of length 0."""
    if beginning == table.ALL:
        return 0
    return len(beginning) if code.startswith(beginning) else -1
