"""Reports on plug-ins: one diagnostic for each problem, at its place in the plug-in's file.

Invariant: a reason that several types share is reported once.
"""

from __future__ import annotations

from typing import final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, hint_to_raise_limit
from transpile.diagnostics.registry import message_of_rule
from transpile.model.budget import LIMITS, Budget
from transpile.model.meter import LimitExceeded
from transpile.model.source import Source, name_file
from transpile.model.span import START, Located, Span
from transpile.model.words import list_first
from transpile.plugins.facts import SchemaReader
from transpile.plugins.machine import Limited
from transpile.plugins.model import PluginType
from transpile.plugins.registration import PluginMapping
from transpile.plugins.syntax import UnreadableModule
from transpile.plugins.values import NodePlace, OpaqueValue, Raised
from transpile.plugins.walk import PluginFile, PluginWalk

REPORTED_EACH = (
    codes.CONDITIONAL_PLUGIN_TYPE,
    codes.PLUGIN_REPLACES_HEAT_TYPE,
    codes.PLUGIN_ATTRIBUTES_AS_TEXTS,
    codes.PLUGIN_MAPPING_WITHOUT_CLASSES,
    codes.LINK_LEAVES_PLUGIN_DIRECTORY,
    codes.UNREADABLE_PLUGIN_DIRECTORY,
)  # codes that may be reported several times at one place, with different messages
SHOWN = 5  # types in one message
EACH = 8  # findings of one kind about one type


@final
class PluginReport:
    """The diagnostics of one reading. Those before `mark` are about files, the others about their contents."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.reported: set[tuple[str, int, int, str]] = set()
        self.unread: dict[int, dict[str, None]] = {}  # files by directory
        self.mark = 0
        self.conditional: dict[tuple[str, str], tuple[NodePlace, list[str]]] = {}  # types by file and condition
        self.exhausted = False  # a limit of the run was exceeded

    def begin_contents(self) -> None:
        """Sets the mark: the diagnostics from here on are about the contents of files, and are cached."""
        self.mark = len(self.diagnostics)

    def add_diagnostic(
        self, code: str, message: str, source: Source | None, where: Located = START, hint: str = ""
    ) -> None:
        key = (code, id(source), where.at, message if code in REPORTED_EACH else "")
        if key not in self.reported:
            self.reported.add(key)
            self.diagnostics.append(Diagnostic(code, message, source, where.span, hint))

    def report_file(self, file: PluginFile, code: str, message: str, at: int = 0) -> None:
        """Reports a problem with a file as a whole."""
        source = file.unit.source if file.unit is not None else name_file(file.path)
        self.add_diagnostic(code, message, source, Span(at))

    def report_at(self, place: NodePlace, code: str, message: str, hint: str = "") -> None:
        self.add_diagnostic(code, message, place.unit.source, place.unit.span(place.node), hint)

    # Files

    def report_walk(self, walk: PluginWalk, budget: Budget) -> None:
        for path, why in walk.failed:
            self.add_diagnostic(
                codes.UNREADABLE_PLUGIN_DIRECTORY, f"The plug-in directory {path} cannot be read: {why}.", None
            )
        for path in walk.outside:
            self.add_diagnostic(
                codes.LINK_LEAVES_PLUGIN_DIRECTORY, f"{path} leads out of the plug-in directory, and is not read.", None
            )
        if walk.full:
            self.exhausted = True
            limit = budget.limits["modules"]
            message = f"{walk.full} and later modules are not read: the limit modules of {limit:,} is exceeded."
            self.add_diagnostic(codes.PLUGIN_LIMIT_EXCEEDED, message, None, hint=hint_to_raise_limit("modules", limit))

    def report_limit(self, name: str, file: PluginFile, budget: Budget) -> None:
        """Reports that a file exceeds a limit of the run; only the first such file is reported."""
        if not self.exhausted:
            self.exhausted = True
            limit = budget.limits[name]
            message = f"{file.path} and later files are not read: the limit {name} of {limit:,} is exceeded."
            self.add_diagnostic(codes.PLUGIN_LIMIT_EXCEEDED, message, None, hint=hint_to_raise_limit(name, limit))

    def report_exceeded(self, error: LimitExceeded) -> None:
        """Reports that reading plug-ins ended because of a limit of the run."""
        self.exhausted = True
        unit = LIMITS[error.name].counts
        message = f"Plug-ins are read no further: this exceeds the limit {error.name} of {error.limit:,}: {unit}."
        self.add_diagnostic(
            codes.PLUGIN_LIMIT_EXCEEDED, message, error.source, error.span, hint_to_raise_limit(error.name, error.limit)
        )

    def report_unreadable(self, file: PluginFile, why: str, at: int = 0) -> None:
        """Reports a module that cannot be read at all, e.g. because it is not UTF-8."""
        message = message_of_rule(codes.UNREADABLE_PLUGIN_MODULE, name=file.name, why=why)
        self.report_file(file, codes.UNREADABLE_PLUGIN_MODULE, message, at)

    def report_stopped(self, file: PluginFile, error: Limited | UnreadableModule) -> None:
        """Reports a module that could not be parsed, or was not evaluated to its end."""
        if isinstance(error, UnreadableModule):
            self.report_unreadable(file, error.message, error.at)
        else:
            self.report_at(
                error.place,
                codes.PLUGIN_LIMIT_EXCEEDED,
                f"The module {file.name} is not read to its end: {error.reason}.",
            )

    def report_raised(self, file: PluginFile, error: Raised) -> None:
        message = f"Heat cannot load the module {file.name}: it raises {error.name}: {error.message}."
        self.report_at(error.place, codes.PLUGIN_MODULE_RAISES_EXCEPTION, message)

    def report_internal(self, file: PluginFile, error: Exception) -> None:
        """Reports an exception that is a defect of this program."""
        self.report_file(
            file, codes.PLUGIN_INTERNAL_ERROR, f"The module {file.name} is not read: {type(error).__name__} in hot2tf."
        )

    # Mappings and types

    def report_conditions(self) -> None:
        """Reports the types that Heat has only under a condition: one diagnostic for each module and condition."""
        for (_, requires), (place, names) in self.conditional.items():
            of = "under a condition" if requires == "?" else f"with the library {requires}"
            message = f"Heat has {list_first(names, SHOWN)} only {of}."
            self.report_at(place, codes.CONDITIONAL_PLUGIN_TYPE, message)

    def report_mapping(self, mapping: PluginMapping) -> None:
        why = mapping.problem
        message = f"{mapping.function} is not read whole: {'' if why is None else why.reason}."
        self.report_at(
            why.place if why is not None and why.place is not None else mapping.place,
            codes.PLUGIN_MAPPING_PARTLY_READ,
            message,
        )

    def report_unknown_class(self, kind: PluginType, value: OpaqueValue) -> None:
        message = f"{kind.name} is mapped to a class that is not known: {value.reason}."
        self.add_diagnostic(codes.UNKNOWN_PLUGIN_BASE_CLASS, message, kind.source, kind)

    def report_type(self, kind: PluginType, place: NodePlace, reader: SchemaReader) -> None:
        """Reports all problems with one type."""
        if kind.requires:
            self.conditional.setdefault((kind.source.name, kind.requires), (place, []))[1].append(kind.name)
        if kind.replaces:
            self.report_at(place, codes.PLUGIN_REPLACES_HEAT_TYPE, f"{kind.name} replaces a type of Heat's own.")
        base = reader.base_unknown
        if base is not None and (kind.facts.get("open") or kind.facts.get("any_attribute")):
            self.report_at(
                base.place or place,
                codes.UNKNOWN_PLUGIN_BASE_CLASS,
                f"A base class of {reader.cls.name} is not known: {base.reason}.",
            )
        for part, name, where in reader.refused[:EACH]:
            if part == "texts":
                self.report_at(
                    place,
                    codes.PLUGIN_ATTRIBUTES_AS_TEXTS,
                    f"{kind.name} declares its attributes as texts: Heat refuses each template that uses it.",
                )
                break
            if part == "schema":
                self.report_at(
                    place,
                    codes.PLUGIN_WITHOUT_SCHEMA,
                    f"{kind.name} has no properties_schema: Heat refuses each template that uses it.",
                )
                continue
            if part == "default":
                message = f"Heat cannot load the module {kind.module}: {name}."
                self.report_at(where or place, codes.PLUGIN_MODULE_RAISES_EXCEPTION, message)
                continue
            self.report_at(
                where or place,
                codes.INVALID_PLUGIN_ATTRIBUTE_TYPE,
                f"Heat cannot load the module {kind.module}: attributes cannot have the type of {name}.",
            )
        for part, why in reader.unread[:EACH]:
            if why is not base:
                self.report_at(
                    why.place or place,
                    codes.PLUGIN_TYPE_PARTLY_READ,
                    f"{kind.name}: {part} cannot be read: {why.reason}.",
                )
        for path, why in reader.configured[:EACH]:
            self.report_at(
                why.place or place,
                codes.PLUGIN_DEFAULT_DEPENDS_ON_CONFIGURATION,
                f"{kind.name}: the default of {path} is {why.default!r} unless {why.reason}.",
            )
