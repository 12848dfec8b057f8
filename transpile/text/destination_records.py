"""Keeps the records of a migration about its directories in one place, the top of the destination.

Invariant: while a directory is written, it has a manifest and a store of texts of its own, which count before those of
the destination. They are removed when the destination has them, so a run that is killed anywhere loses nothing. Records
of an earlier version, or of a conversion into that directory alone, are taken over in the same way.
"""

from __future__ import annotations

import pathlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from transpile.text import base_store, manifest, places
from transpile.text.base_store import BASE
from transpile.text.manifest import MANIFEST

TOP = ""  # in place of a directory, for the files that lie beside all of them


def gather_records(destination: pathlib.Path, folders: Iterable[str], gone: Collection[str]) -> None:
    """Moves the records of directories to the top. folders: those of the migration, of which `gone` are not needed any
    more. Raises OSError.
    """
    records = manifest.read_destination(destination)
    own: list[str] = []
    for folder in folders:
        if not places.find_obstacle(destination, f"{folder}/{MANIFEST}") and folder not in gone:
            if manifest.read_own_record(destination / folder):
                own.append(folder)
            elif places.kind_at_path(destination / folder / BASE) == places.FILE:
                places.remove_file(destination / folder / BASE)  # of a killed run
    left = {folder for folder in records if folder in gone or not (destination / folder).is_dir()}
    if not own and not left:
        return
    if records.keys() <= left and not own:
        places.remove_file(destination / MANIFEST)
        places.remove_file(destination / BASE)
    # One after the other, since each is as large as all that a migration wrote, packed. A text without a hash in the
    # manifest counts for nothing.
    elif gather_texts(destination, records, own, left) and gather_manifests(destination, records, own, left):
        for folder in own:
            places.remove_file(destination / folder / MANIFEST)
            places.remove_file(destination / folder / BASE)


def gather_texts(
    destination: pathlib.Path, records: Mapping[str, Any], own: Collection[str], left: Collection[str]
) -> bool:
    """Writes the store of texts. False: it would be too large, and each directory keeps its own."""
    private = False
    lines = dict(base_store.read_destination(destination))
    for folder in {*own, *left}:
        names = manifest.list_hashes(records.get(folder, {}))
        earlier = {name: packed for name in names if (packed := lines.pop(f"{folder}/{name}", None)) is not None}
        if folder in own:
            path = destination / folder
            private |= places.kind_at_path(path / BASE) == places.FILE and not places.is_readable_by_others(path / BASE)
            now = base_store.read_lines(path, base_store.LIMIT)
            lines |= {f"{folder}/{name}": packed for name, packed in base_store.keep_packed(now, earlier).items()}
    store = base_store.join_lines(lines)
    if len(store) <= base_store.DESTINATION_LIMIT:
        places.write_atomically(destination / BASE, store, places.PRIVATE if private else None)
        return True
    return False


def gather_manifests(
    destination: pathlib.Path, records: Mapping[str, Any], own: Collection[str], left: Collection[str]
) -> bool:
    """Writes the manifest. False: it would be too large, and each directory keeps its own."""
    sections = {folder: manifest.dump_record(record) for folder, record in records.items() if folder not in left}
    for folder in own:
        record = manifest.read_own_record(destination / folder)
        sections[folder] = manifest.dump_record({key: value for key, value in record.items() if key != "generator"})
    text = manifest.join_sections(sections)
    if len(text) <= manifest.DESTINATION_LIMIT:
        places.write_atomically(destination / MANIFEST, text)
        return True
    return False


def read_top_files(destination: pathlib.Path) -> dict[str, str]:
    """The hashes of the files at the top that the last run wrote."""
    hashes = manifest.list_hashes(manifest.read_destination(destination).get(TOP, {}))
    return {name: file_hash for name, several in hashes.items() for file_hash in several}


def save_top_files(destination: pathlib.Path, hashes: Mapping[str, str]) -> None:
    """Remembers the files at the top, in a destination with directories. Raises OSError."""
    records = manifest.read_destination(destination)
    if records and records.get(TOP) != {"files": hashes}:
        sections = {folder: manifest.dump_record(record) for folder, record in records.items()}
        sections[TOP] = manifest.dump_record({"files": hashes})
        places.write_atomically(destination / MANIFEST, manifest.join_sections(sections))
