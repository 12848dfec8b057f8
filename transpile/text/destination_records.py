"""Keeps the records of a migration about its directories in one place, the top of the destination.

Invariant: while a directory is written, it has a manifest and a store of texts of its own, which count before those of
the destination. They are removed when the destination has them, so a run that is killed anywhere loses nothing. Records
of an earlier version, or of a conversion into that directory alone, are taken over in the same way. The records of one
directory at a time are in memory.
"""

from __future__ import annotations

import heapq
import operator
import pathlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import final

from transpile.text import base_store, manifest, places
from transpile.text.base_store import BASE
from transpile.text.manifest import MANIFEST

TOP = ""  # in place of a directory, for the files that lie beside all of them


def gather_records(
    destination: pathlib.Path, folders: Iterable[str], gone: Collection[str], top: Mapping[str, str]
) -> None:
    """Moves the records of directories to the top. folders: those of the migration, of which `gone` are not needed any
    more. top: the hashes of the files beside them. Raises OSError.
    """
    own: set[str] = set()
    for folder in folders:
        if not places.find_obstacle(destination, f"{folder}/{MANIFEST}") and folder not in gone:
            if manifest.read_own_record(destination / folder):
                own.add(folder)
            elif places.kind_at_path(destination / folder / BASE) == places.FILE:
                places.remove_file(destination / folder / BASE)  # of a killed run
    if JoinedRecords(destination, own, gone).write(top):
        for folder in own:
            places.remove_file(destination / folder / MANIFEST)
            places.remove_file(destination / folder / BASE)


@final
class JoinedRecords:
    """The records at the top, joined with those of directories. own: the directories with a record of their own, which
    counts. left: those whose records are dropped.
    """

    def __init__(self, destination: pathlib.Path, own: Collection[str], gone: Collection[str]) -> None:
        self.destination, self.own = destination, own
        self.records = manifest.read_destination(destination)
        self.left = {folder for folder in self.records if folder in gone or not (destination / folder).is_dir()}

    def write(self, top: Mapping[str, str]) -> bool:
        """Writes the files that change. False: they would be too large, and each directory keeps its own."""
        if not self.own and self.records.keys() <= self.left:
            for name in (MANIFEST, BASE) if self.left else ():
                places.remove_file(self.destination / name)
            return True
        if self.own or self.left:
            stores = (self.destination / folder / BASE for folder in self.own)
            there = (path for path in stores if places.kind_at_path(path) == places.FILE)
            mode = None if all(map(places.is_readable_by_others, there)) else places.PRIVATE
            lines = base_store.join_lines(self.walk_texts())
            if not write_limited(self.destination / BASE, lines, base_store.DESTINATION_LIMIT, mode):
                return False
        elif self.records.get(TOP) == {"files": top}:
            return True
        # Written after the store, of which a text without a hash here counts for nothing.
        sections = manifest.join_sections(self.walk_sections(top))
        return write_limited(self.destination / MANIFEST, sections, manifest.DESTINATION_LIMIT)

    def walk_sections(self, top: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """The printed manifests of the directories and of the top, in order."""
        for folder in sorted({TOP, *self.records, *self.own} - self.left):
            record = self.records.get(folder, {})
            if folder == TOP:
                record = {"files": top}
            elif folder in self.own:
                own = manifest.read_own_record(self.destination / folder)
                record = {key: value for key, value in own.items() if key != "generator"}
            yield folder, manifest.dump_record(record)

    def walk_texts(self) -> Iterator[tuple[str, bytes]]:
        """The paths of files with their packed texts, in order."""
        store = base_store.read_destination(self.destination)
        kept = self.records.keys() - {*self.own, *self.left}
        earlier = (line for line in store.walk() if self.find_folder(line[0]) in kept)
        return heapq.merge(earlier, self.walk_own_texts(store), key=operator.itemgetter(0))

    def find_folder(self, path: str) -> str:
        """The directory whose record has a file."""
        while (path := path.rpartition("/")[0]) and path not in self.records and path not in self.own:
            pass
        return path

    def walk_own_texts(self, store: base_store.DestinationTexts) -> Iterator[tuple[str, bytes]]:
        """The lines of the stores of directories. Those of one wait until the ones further down had their turn."""
        waiting: list[tuple[str, bytes]] = []
        for above in sorted(f"{folder}/" for folder in self.own):
            while waiting and waiting[0][0] < above:
                yield heapq.heappop(waiting)
            folder = above.removesuffix("/")
            names = manifest.list_hashes(self.records.get(folder, {}))
            now = base_store.read_lines(self.destination / folder)
            for name, packed in base_store.keep_packed(now, store.read_folder(folder, names)).items():
                heapq.heappush(waiting, (above + name, packed))
        while waiting:
            yield heapq.heappop(waiting)


def write_limited(path: pathlib.Path, pieces: Iterable[bytes], limit: int, mode: int | None = None) -> bool:
    """Writes a file. False: it would have more bytes than `limit`, and is as it was. Raises OSError."""

    def count() -> Iterator[bytes]:
        size = 0
        for piece in pieces:
            if (size := size + len(piece)) > limit:
                raise OverflowError
            yield piece

    try:
        places.write_atomically(path, count(), mode)
    except OverflowError:
        return False
    return True


def read_top_files(destination: pathlib.Path) -> dict[str, str]:
    """The hashes of the files at the top that the last run wrote."""
    hashes = manifest.list_hashes(manifest.read_destination(destination).get(TOP, {}))
    return {name: file_hash for name, several in hashes.items() for file_hash in several}
