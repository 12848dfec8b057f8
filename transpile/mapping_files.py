"""The mapping tables of users (`--mapping`): read from files, before any conversion begins.

A file maps resource types, in the form of docs/mappings.md. The schemas of providers that it names are read
with it.

Invariant: only three kinds of files are read: files that the user names, files in directories that the user names, and
schemas below a mapping file's own directory. The results are texts, so another process or machine can use them.
"""

from __future__ import annotations

import json
import math
import os
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooManyErrors
from transpile.front import documents, nodes
from transpile.front.nodes import span_of
from transpile.model.budget import Budget
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.printable import make_log_line
from transpile.model.records import node
from transpile.model.source import Source
from transpile.model.span import START, Span
from transpile.text.source import Root, UnreadableFile, diagnose_unreadable, load_source

ENDINGS = (".yaml", ".yml")
MOST = 1_000  # the maximum number of files in a directory
DEPTH = 24  # the maximum nesting of maps and lists in a table; real tables need at most ten
OF = "\0"  # separates the table's path from the provider's name in the key of a schema's text
WORD = compile_lazily(r"[A-Za-z_][\w-]*", re.ASCII)
SECTIONS = ("resource_schemas", "data_source_schemas")
Path = tuple[str, ...]


@final
@node
class MappingTable:
    """A mapping file.

    `sections`: its content as plain data. `places`: the position of the last key of each path of keys. `schemas`: texts
    of providers' schemas, by the provider's name.
    """

    source: Source
    sections: Mapping[str, Any]
    places: Mapping[Path, Span]
    schemas: Mapping[str, str]

    def span_of_path(self, path: Path) -> Span:
        """The position of the last key of a path; if the path does not exist, of its longest existing beginning."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, START)


# reading files


def read_mapping_files(
    paths: Sequence[str | os.PathLike[str]], *, budget: Budget
) -> tuple[dict[str, str], list[Diagnostic]]:
    """The texts of mapping files and of the schemas that they name, by path, in order; files of a directory are sorted
    by name. A file that cannot be read gets a diagnostic and has no text.
    """
    texts: dict[str, str] = {}
    diagnostics: list[Diagnostic] = []
    for named_path in paths:
        for path in list_table_files(pathlib.Path(named_path), diagnostics):
            try:
                source = load_source(path, str(path), budget)
            except UnreadableFile as e:
                diagnostics.append(diagnose_unreadable(e, str(path)))
                continue
            table = parse_table(source, diagnostics)
            if table is not None:
                texts.pop(str(path), None)  # later files take precedence
                texts[str(path)] = source.text
                texts |= read_provider_schemas(path, table, diagnostics)
    return texts, diagnostics


def list_table_files(path: pathlib.Path, diagnostics: list[Diagnostic]) -> list[pathlib.Path]:
    """A file, or the mapping files in a directory."""
    try:
        if not path.is_dir():
            return [path]
        inside = sorted(entry.name for entry in os.scandir(path) if entry.name.endswith(ENDINGS) and entry.is_file())
    except OSError as e:
        message = f"{make_log_line(str(path))} cannot be read: {e.strerror}."
        diagnostics.append(Diagnostic(codes.NO_MAPPING_FILES, message))
        return []
    if not inside or len(inside) > MOST:
        number = f"more than {MOST}" if inside else "no"
        diagnostics.append(
            Diagnostic(
                codes.NO_MAPPING_FILES, f"The directory {make_log_line(str(path))} has {number} mapping files (*.yaml)."
            )
        )
        return []
    return [path / name for name in inside]


def read_provider_schemas(path: pathlib.Path, table: MappingTable, diagnostics: list[Diagnostic]) -> dict[str, str]:
    """The schemas of providers that a table names, without the resources that it does not mention."""
    providers = table.sections.get("providers")
    out: dict[str, str] = {}
    root = Root(path.parent, path.parent)
    words = set(WORD.findall(table.source.text))
    for name, about in providers.items() if isinstance(providers, dict) else ():
        file = about.get("schema") if isinstance(about, dict) else None
        if not isinstance(file, str):
            continue  # this is reported when the target reads the table
        try:
            out[f"{path}{OF}{name}"] = narrow_schema(
                json.loads(root.read_file(file).decode_text()),
                None if "replaces" in about else words,
                str(about.get("source")),
            )
        except (UnreadableFile, ValueError, RecursionError) as e:
            why = e.detail if isinstance(e, UnreadableFile) else f"it is not JSON as terraform prints it: {e}"
            message = f"The schema {make_log_line(file)} cannot be read: {make_log_line(why)}."
            hint = "The schema is the output of terraform providers schema -json, beside the mapping file or below it."
            diagnostics.append(
                Diagnostic(
                    codes.UNREADABLE_PROVIDER_SCHEMA,
                    message,
                    table.source,
                    table.span_of_path(("providers", name, "schema")),
                    hint,
                )
            )
    return out


def narrow_schema(whole: Any, words: set[str] | None, source: str) -> str:
    """The schema of one provider, with the names of all resources, but the content of only those that a table mentions.
    words: those of the table; None if all resources count, because the provider replaces another one.

    `whole`: the output of `terraform providers schema -json`, or one of its providers. Raises ValueError for anything
    else.
    """
    if isinstance(whole, dict) and isinstance(whole.get("provider_schemas"), dict):
        those = whole["provider_schemas"]
        fitting = [provider for name, provider in those.items() if name == source or name.endswith(f"/{source}")]
        if not fitting and len(those) == 1:
            fitting = list(those.values())
        if len(fitting) != 1:
            raise ValueError(f"there is no provider {source} in it, only {', '.join(sorted(those)) or 'none'}")
        (whole,) = fitting
    if not isinstance(whole, dict) or not any(isinstance(whole.get(section_name), dict) for section_name in SECTIONS):
        raise ValueError("there are no resource_schemas")
    out: dict[str, Any] = {"provider": whole.get("provider") or {}}
    for section in SECTIONS:
        every = whole.get(section) or {}
        if not isinstance(every, dict):
            raise ValueError(f"{section} must be a map")
        out[section] = {name: schema if words is None or name in words else None for name, schema in every.items()}
    return json.dumps(out, ensure_ascii=False, separators=(",", ":"))


# reading texts


def parse_tables(texts: Mapping[str, str]) -> list[MappingTable]:
    """The tables in the texts that `read_mapping_files` returned."""
    out, budget = [], Budget()
    for path, text in texts.items():
        if OF in path:
            continue
        own = {key.partition(OF)[2]: schema_text for key, schema_text in texts.items() if key.startswith(f"{path}{OF}")}
        table = parse_table(Source(path, text, budget=budget), [], own)
        assert table is not None, "it was read before"
        out.append(table)
    return out


def parse_table(
    source: Source, diagnostics: list[Diagnostic], own: Mapping[str, str] | None = None
) -> MappingTable | None:
    """A mapping file as plain data; None, with diagnostics, if the text is not a mapping file."""
    sink = Sink(source)
    try:
        root = documents.compose_document(sink, source.name)
        places: dict[Path, Span] = {}
        sections = plain_value(root, (), sink, places)
        if not sink.errors and not isinstance(sections, dict):
            sink.add(
                codes.INVALID_MAPPING_TABLE,
                "A mapping file must be a map of resource types.",
                Span(root.start_mark.index),
            )
        return MappingTable(source, sections, places, own or {}) if not sink.errors else None
    except (nodes.UnreadableDocument, TooManyErrors):
        return None
    finally:
        diagnostics += sink.diagnostics


def plain_value(node: Node, path: Path, sink: Sink, places: dict[Path, Span]) -> Any:
    """A node as plain data, with the places of its keys."""
    span = span_of(node)
    if len(path) > DEPTH:
        sink.add(codes.INVALID_MAPPING_TABLE, f"A mapping file has no more than {DEPTH} levels.", span)
    elif isinstance(node, ScalarNode):
        try:
            scalar = nodes.read_scalar_node(node)
            if not isinstance(scalar, float) or math.isfinite(scalar):
                return scalar
            sink.add(codes.INVALID_MAPPING_TABLE, "Terraform has no such number.", span)
        except ValueError as e:
            sink.add(codes.INVALID_MAPPING_TABLE, f"This value cannot be read: {make_log_line(str(e))}.", span)
    elif isinstance(node, SequenceNode):
        return [plain_value(item, (*path, str(i)), sink, places) for i, item in enumerate(node.value)]
    elif isinstance(node, MappingNode):
        return plain_entries(node, path, sink, places)
    return None


def plain_entries(node: MappingNode, path: Path, sink: Sink, places: dict[Path, Span]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in node.value:
        span = span_of(key)
        if not isinstance(key, ScalarNode) or key.tag == nodes.MERGE:
            sink.add(codes.INVALID_MAPPING_TABLE, "A key must be a word; merge keys are not supported.", span)
            continue
        word = str(key.value)
        if word in out:
            first, _ = sink.source.line_and_column(places[*path, word].at)
            sink.add(
                codes.DUPLICATE_MAPPING_TABLE_KEY, f"The key {make_log_line(word)} is already in line {first}.", span
            )
            continue
        places[*path, word] = span
        out[word] = plain_value(value, (*path, word), sink, places)
    return out
