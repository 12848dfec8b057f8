"""Keeps what a migration remembers of its directories in one place, the top of the destination.

Invariant: while a directory is written, it has a manifest and a store of texts of its own, which count before those of
the destination. They are removed when the destination has them, so a run that is killed anywhere loses nothing. What an
earlier version, or a conversion into that directory alone, left there is taken over in the same way.
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
    """Moves what directories remember to the top. folders: those of the migration, of which `gone` are not needed any
    more. Raises OSError.
    """
    records = dict(manifest.read_destination(destination))
    own: dict[str, dict[str, Any]] = {}
    for folder in folders:
        if not places.find_obstacle(destination, f"{folder}/{MANIFEST}") and folder not in gone:
            if record := manifest.read_own_record(destination / folder):
                own[folder] = {key: value for key, value in record.items() if key != "generator"}
            elif places.kind_at_path(destination / folder / BASE) == places.FILE:
                places.remove_file(destination / folder / BASE)  # of a killed run
    left = {folder for folder in records if folder in gone or not (destination / folder).is_dir()}
    if not own and not left:
        return
    private = False
    lines = dict(base_store.read_destination(destination))
    for folder in {*own, *left}:
        names = manifest.list_hashes(records.pop(folder, {}))
        earlier = {name: packed for name in names if (packed := lines.pop(f"{folder}/{name}", None)) is not None}
        if folder in own:
            records[folder] = own[folder]
            path = destination / folder
            private |= places.kind_at_path(path / BASE) == places.FILE and not places.is_readable_by_others(path / BASE)
            now = base_store.read_lines(path, base_store.LIMIT)
            lines |= {f"{folder}/{name}": packed for name, packed in base_store.keep_packed(now, earlier).items()}
    text, store = manifest.dump_destination(records).encode(), base_store.join_lines(lines)
    if len(text) > manifest.DESTINATION_LIMIT or len(store) > base_store.DESTINATION_LIMIT:
        return  # each directory keeps its own
    mode = places.PRIVATE if private else None
    if records:
        places.write_atomically(destination / BASE, store, mode)
        places.write_atomically(destination / MANIFEST, text)
    else:
        places.remove_file(destination / MANIFEST)
        places.remove_file(destination / BASE)
    for folder in own:
        places.remove_file(destination / folder / MANIFEST)
        places.remove_file(destination / folder / BASE)


def read_top_files(destination: pathlib.Path) -> dict[str, str]:
    """The hashes of the files at the top that the last run wrote."""
    hashes = manifest.list_hashes(manifest.read_destination(destination).get(TOP, {}))
    return {name: file_hash for name, several in hashes.items() for file_hash in several}


def save_top_files(destination: pathlib.Path, hashes: Mapping[str, str]) -> None:
    """Remembers the files at the top, in a destination with directories. Raises OSError."""
    records = manifest.read_destination(destination)
    if records and records.get(TOP) != {"files": hashes}:
        text = manifest.dump_destination({**records, TOP: {"files": hashes}})
        places.write_atomically(destination / MANIFEST, text.encode())
