"""Homing templates as a kind of documents: how the commands read, check and format them (`document_kinds`)."""

from __future__ import annotations

from transpile.diagnostics.model import Diagnostic
from transpile.document_kinds import DocumentKind, DocumentReading
from transpile.homing import document, formatting, resolve, values
from transpile.homing.model import LinkedHomingTemplate
from transpile.model.source import Source
from transpile.text.source import UnreadableFile, diagnose_unreadable, load_source


def read_homing_template(
    source: Source, reading: DocumentReading
) -> tuple[LinkedHomingTemplate | None, list[Diagnostic]]:
    """The template without references. Option `engine`: only constructs that HAS refuses are errors."""
    diagnostics: list[Diagnostic] = []
    parameters = {**values.load_values(reading.environments, diagnostics, source.budget), **reading.parameters}
    engine = reading.options.get("engine") or ""
    linked, messages = resolve.load_homing_template(source, parameters, reading.root, engine, reading.secrets)
    return linked, [*diagnostics, *messages]


def check_homing_template(source: Source, reading: DocumentReading) -> list[Diagnostic]:
    """The diagnostics of a template. Option `inventory`: also whether that file has a candidate for each demand."""
    linked, diagnostics = read_homing_template(source, reading)
    path = reading.options.get("inventory")
    if linked is None or not path:
        return diagnostics
    from transpile.homing import availability, inventory  # most templates are checked without

    try:
        stock, messages = inventory.read_inventory(load_source(path, path, source.budget))
    except UnreadableFile as e:
        return [*diagnostics, diagnose_unreadable(e, path)]
    return [
        *diagnostics,
        *messages,
        *availability.check_availability(linked, stock, reading.options.get("engine") or ""),
    ]


KIND = DocumentKind(
    "homing template",
    "homing templates",
    read_homing_template,
    recognizes=document.contains_homing_template,
    check=check_homing_template,
    format=formatting.format_homing_template,
    purpose="hot2tf home reads it, and it makes no stack",
)
