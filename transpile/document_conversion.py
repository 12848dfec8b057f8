"""Converts a document of a kind that does not belong to Heat: its kind reads it, and a registered converter makes the
files.

Invariant: as in the pipeline, nothing here writes files or prints, and errors in the input become diagnostics.
"""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from typing import Any

from transpile import document_kinds, targets
from transpile.diagnostics import codes
from transpile.diagnostics.guard import RunGuard
from transpile.diagnostics.model import Diagnostic, has_errors
from transpile.document_kinds import DocumentReading
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.ir import Template
from transpile.model.meter import spend_budget
from transpile.model.records import EMPTY
from transpile.model.source import Source
from transpile.resolve import linker, nested_templates
from transpile.targets import Converter, Output, Target
from transpile.text import manifest
from transpile.text.source import Root, UnreadableFile, diagnose_unreadable, from_bytes, from_text, load_source


def convert_document(
    key: str, source: Source, target: Target, options: Mapping[str, Any], reading: DocumentReading
) -> tuple[Output, Converter | None]:
    """The output of a target for a document, and the converter that made it."""
    kind = document_kinds.find_kind(key)
    try:
        converter = targets.find_converter(key, target.name)
    except targets.UnknownTarget as e:
        return targets.Output({}, {}, [Diagnostic(codes.UNUSABLE_PACKAGE, str(e), forced="error")]), None
    if converter is None:
        message = f"This is {kind.article}, of which the target {target.name} makes nothing."
        hint = f"Targets that do: {', '.join(targets.converting_targets(key))}."
        return targets.Output({}, {}, [Diagnostic(codes.NO_CONVERSION_BETWEEN_KINDS, message, source, hint=hint)]), None
    diagnostics: list[Diagnostic] = []
    files: dict[str, str | bytes] = {}
    report: dict[str, Any] = {}
    with RunGuard(diagnostics, source, "Values") as guard:
        document, messages = kind.read(source, reading)
        diagnostics += messages
        values = {**{option.name: option.default for option in converter.options}, **options}
        values |= read_files(converter, target, options, diagnostics, reading, source.budget)
        if document is None or has_errors(diagnostics):
            return targets.Output({}, {}, diagnostics), converter
        output = target.confine(converter.convert(document, values), options)
        charge_output(output.files, source)
        diagnostics += output.diagnostics
        files, report = output.files, output.report
    if target.writes == targets.DIRECTORY and not guard.stopped and not has_errors(diagnostics):
        files[manifest.MANIFEST] = manifest.print_manifest(files)
    return targets.Output(files, report, diagnostics), converter


def accepting_kinds(option: str, target: str) -> list[str]:
    """The kinds of documents whose converter to a target has an option; their names in the plural."""
    return [
        document_kinds.find_kind(key).plural
        for key, converter in targets.find_converters(target).items()
        if any(option == own.name for own in converter.options)
    ]


def read_files(
    converter: Converter,
    target: Target,
    options: Mapping[str, Any],
    diagnostics: list[Diagnostic],
    reading: DocumentReading,
    budget: Budget,
) -> dict[str, Any]:
    """The contents of the files that options name: a Source, or for a `stack` the linked stack."""
    contents: dict[str, Any] = {}
    for option in converter.options:
        value = options.get(option.name)
        if value is None or not (option.file or option.stack):
            continue
        text = open_option(value, diagnostics, budget)
        contents[option.name] = text
        if option.stack:
            template = parse_template(text, diagnostics)
            contents[option.name] = None
            if template is not None and not has_errors(diagnostics):
                folder = None if "\n" in str(value) else pathlib.Path(value).parent
                how = linker.LinkOptions(
                    target.nested, converts=True, library=nested_templates.TemplateLibrary(budget=budget)
                )
                stack, messages = linker.link_template(template, [], None, Root(folder, folder), how)
                contents[option.name] = reading.secrets.stack = stack
                diagnostics += messages
    return contents


def open_option(value: Any, diagnostics: list[Diagnostic], budget: Budget) -> Source | None:
    """The file of an option, which is a path, a text, or data."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        value = json.dumps(value, allow_nan=False)
    is_text = isinstance(value, bytes) or (isinstance(value, str) and ("\n" in value or value[:1] in ("{", "[")))
    name = "option" if is_text else os.fspath(value)
    try:
        if isinstance(value, bytes):
            return from_bytes(value, name, budget)
        return from_text(str(value), name, budget) if is_text else load_source(pathlib.Path(value), name, budget)
    except UnreadableFile as e:
        diagnostics.append(diagnose_unreadable(e, name))
        return None


def parse_template(
    text: Source | None, diagnostics: list[Diagnostic], variables: Mapping[str, tuple[str, str]] = EMPTY
) -> Template | None:
    """The Heat template in a text. variables: parameters in the place of literals."""
    if text is None:
        return None
    with RunGuard(diagnostics, text):
        template, sink = templates.read_template(text, variables=variables)
        diagnostics += sink.diagnostics
        return template
    return None


def charge_output(files: Mapping[str, str | bytes], source: Source, paid: int = 0) -> None:
    """Counts the size of the output against the budget of the source. Raises LimitExceeded. paid: the size that the
    target has counted already while the output grew.
    """
    due = sum(map(len, files.values())) - paid
    if due > 0:
        spend_budget("written", due, source)
