"""The mapping tables of users (`--mapping`): read from files, before any conversion begins.

A file maps resource types, in the form of docs/mappings.md. What it names, the schemas of providers, is read with it.

Invariant: only files that the user names are read, those in directories that the user names, and schemas below a
file's own directory. What leaves here are texts, which another process or machine can take.
"""

from __future__ import annotations

import json
import math
import os
import pathlib
import re
from typing import TYPE_CHECKING, Any, final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, TooMany
from transpile.front import documents, nodes
from transpile.front.nodes import span_of
from transpile.model.printable import line
from transpile.model.records import node
from transpile.model.source import Source
from transpile.model.span import START, Span
from transpile.text.source import Root, Unreadable, load, unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.model.budget import Budget

ENDINGS = (".yaml", ".yml")
MOST = 1_000  # files of a directory
DEPTH = 24  # of maps and lists in a table; ten would do
OF = "\0"  # in the key of a text, between a table's path and the provider whose schema it is
WORD = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
SECTIONS = ("resource_schemas", "data_source_schemas")
Path = tuple[str, ...]


@final
@node
class Table:
    """A mapping file. given: what it says, as plain data; places: where the keys are that lead to a value; schemas:
    texts of providers' schemas, by the provider's name.
    """

    source: Source
    given: Mapping[str, Any]
    places: Mapping[Path, Span]
    schemas: Mapping[str, str]

    def place(self, path: Path) -> Span:
        """Where the keys of a path are, as far as they lead."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, START)


# reading files


def read(
    paths: Sequence[str | os.PathLike[str]], budget: Budget | None = None
) -> tuple[dict[str, str], list[Diagnostic]]:
    """The texts of mapping files and of what they name, by path, in order; those of a directory by their names. What
    cannot be read has a diagnostic and no text.
    """
    texts: dict[str, str] = {}
    found: list[Diagnostic] = []
    for given in paths:
        for path in files(pathlib.Path(given), found):
            try:
                source = load(path, str(path), budget)
            except Unreadable as e:
                found.append(unreadable(e, str(path)))
                continue
            table = parsed(source, found)
            if table is not None:
                texts.pop(str(path), None)  # later ones win
                texts[str(path)] = source.text
                texts |= schemas(path, table, found)
    return texts, found


def files(path: pathlib.Path, found: list[Diagnostic]) -> list[pathlib.Path]:
    """A file, or the mapping files in a directory."""
    try:
        if not path.is_dir():
            return [path]
        inside = sorted(entry.name for entry in os.scandir(path) if entry.name.endswith(ENDINGS) and entry.is_file())
    except (OSError, ValueError) as e:
        why = e.strerror if isinstance(e, OSError) else str(e)
        found.append(Diagnostic(codes.NO_MAPPING_FILES, f"{line(str(path))} cannot be read: {why}."))
        return []
    if not inside or len(inside) > MOST:
        what = f"more than {MOST}" if inside else "no"
        found.append(
            Diagnostic(codes.NO_MAPPING_FILES, f"The directory {line(str(path))} has {what} mapping files (*.yaml).")
        )
        return []
    return [path / name for name in inside]


def schemas(path: pathlib.Path, table: Table, found: list[Diagnostic]) -> dict[str, str]:
    """The schemas of providers that a table names, without the resources that it does not mention."""
    given = table.given.get("providers")
    out: dict[str, str] = {}
    root = Root(path.parent, path.parent)
    words = set(WORD.findall(table.source.text))
    for name, about in given.items() if isinstance(given, dict) else ():
        file = about.get("schema") if isinstance(about, dict) else None
        if not isinstance(file, str):
            continue  # whoever reads the table says so
        try:
            out[f"{path}{OF}{name}"] = narrowed(json.loads(root.read(file).text()), words, str(about.get("source")))
        except (Unreadable, ValueError, RecursionError) as e:
            why = e.detail if isinstance(e, Unreadable) else f"it is not JSON as terraform prints it: {e}"
            message = f"The schema {line(file)} cannot be read: {line(why)}."
            hint = "It is what terraform providers schema -json prints, beside the mapping file or below it."
            found.append(
                Diagnostic(
                    codes.UNREADABLE_PROVIDER_SCHEMA,
                    message,
                    table.source,
                    table.place(("providers", name, "schema")),
                    hint,
                )
            )
    return out


def narrowed(whole: Any, words: set[str], source: str) -> str:
    """The schema of one provider, with the content of those resources alone that a table mentions; the names of all.
    whole: the output of `terraform providers schema -json`, or one of its providers. Raises ValueError for anything
    else.
    """
    if isinstance(whole, dict) and isinstance(whole.get("provider_schemas"), dict):
        those = whole["provider_schemas"]
        fitting = [one for name, one in those.items() if name == source or name.endswith(f"/{source}")]
        if not fitting and len(those) == 1:
            fitting = list(those.values())
        if len(fitting) != 1:
            raise ValueError(f"there is no provider {source} in it, only {', '.join(sorted(those)) or 'none'}")
        (whole,) = fitting
    if not isinstance(whole, dict) or not any(isinstance(whole.get(one), dict) for one in SECTIONS):
        raise ValueError("there are no resource_schemas")
    out: dict[str, Any] = {"provider": whole.get("provider") or {}}
    for section in SECTIONS:
        every = whole.get(section) or {}
        if not isinstance(every, dict):
            raise ValueError(f"{section} must be a map")
        out[section] = {name: one if name in words else None for name, one in every.items()}
    return json.dumps(out, ensure_ascii=False, separators=(",", ":"))


# reading texts


def tables(texts: Mapping[str, str]) -> list[Table]:
    """The tables in the texts that `read` gave."""
    out = []
    for path, text in texts.items():
        if OF in path:
            continue
        own = {key.partition(OF)[2]: one for key, one in texts.items() if key.startswith(f"{path}{OF}")}
        found = parsed(Source(path, text), [], own)
        assert found is not None, "it was read before"
        out.append(found)
    return out


def parsed(source: Source, found: list[Diagnostic], own: Mapping[str, str] | None = None) -> Table | None:
    """A mapping file as plain data; None, with diagnostics, if it is none."""
    sink = Sink(source)
    try:
        root = documents.compose(sink, source.name)
        places: dict[Path, Span] = {}
        given = plain(root, (), sink, places)
        if not sink.errors and not isinstance(given, dict):
            sink.say(
                codes.INVALID_MAPPING_TABLE,
                "A mapping file must be a map of resource types.",
                Span(root.start_mark.index),
            )
        return Table(source, given, places, own or {}) if not sink.errors else None
    except (nodes.Unreadable, TooMany):
        return None
    finally:
        found += sink.found


def plain(one: Node, path: Path, sink: Sink, places: dict[Path, Span]) -> Any:
    """A node as plain data, with the places of its keys."""
    span = span_of(one)
    if len(path) > DEPTH:
        sink.say(codes.INVALID_MAPPING_TABLE, f"A mapping file has no more than {DEPTH} levels.", span)
    elif isinstance(one, ScalarNode):
        try:
            found = nodes.scalar(one)
            if not isinstance(found, float) or math.isfinite(found):
                return found
            sink.say(codes.INVALID_MAPPING_TABLE, "Terraform has no such number.", span)
        except ValueError as e:
            sink.say(codes.INVALID_MAPPING_TABLE, f"This value cannot be read: {line(str(e))}.", span)
    elif isinstance(one, SequenceNode):
        return [plain(item, (*path, str(i)), sink, places) for i, item in enumerate(one.value)]
    elif isinstance(one, MappingNode):
        return entries(one, path, sink, places)
    return None


def entries(one: MappingNode, path: Path, sink: Sink, places: dict[Path, Span]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in one.value:
        span = span_of(key)
        if not isinstance(key, ScalarNode) or key.tag == nodes.MERGE:
            sink.say(codes.INVALID_MAPPING_TABLE, "A key must be a word; merge keys are not supported.", span)
            continue
        word = str(key.value)
        if word in out:
            first, _ = sink.source.position(places[*path, word].at) if sink.source is not None else (0, 0)
            sink.say(codes.DUPLICATE_MAPPING_TABLE_KEY, f"The key {line(word)} is already in line {first}.", span)
            continue
        places[*path, word] = span
        out[word] = plain(value, (*path, word), sink, places)
    return out
