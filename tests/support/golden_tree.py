"""A syrupy extension that stores a snapshot as a tree of files, so that a golden case equals a user's output.

Invariant: the whole tree is one snapshot. An extra file is a difference, and so is a missing file.
"""

from __future__ import annotations

import pathlib
import shutil
from typing import TYPE_CHECKING, Any

from syrupy.data import SnapshotCollection, SnapshotCollections
from syrupy.extensions.base import AbstractSyrupyExtension

from tests.support.cases import GOLDEN

if TYPE_CHECKING:
    from syrupy.location import PyTestLocation

MARK = "\x1e "  # a record separator before each name: no text file in a golden case contains one


def join(tree: dict[str, str]) -> str:
    """A tree as one text, for display and comparison."""
    for name, content in tree.items():
        assert "\x1e" not in content + name, f"{name} holds the separator of golden trees"
    return "".join(f"{MARK}{name}\n{content}" for name, content in sorted(tree.items()))


def split(text: str) -> dict[str, str]:
    return dict(part.split("\n", 1) for part in text.split(MARK)[1:])


def on_disk(folder: pathlib.Path, target: str) -> dict[str, str]:
    """The files of a case's folder that belong to a target."""
    paths = [p for p in (folder / target).rglob("*") if p.is_file()] + sorted(folder.glob(f"{target}.*"))
    return {
        p.relative_to(folder).as_posix(): p.read_bytes().decode("utf-8", "surrogateescape")
        for p in paths
        if ".terraform" not in p.parts
    }


class Tree(AbstractSyrupyExtension):
    """`golden/<case>/<target>/…` and the files `<target>.*` next to it. The target is the snapshot's name."""

    def serialize(self, data: Any, **_: Any) -> str:
        return join(data)

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: Any) -> str:
        case = test_location.snapshot_name.partition("[")[2].rstrip("]")
        return str(GOLDEN / case / str(index))

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: Any = 0) -> str:
        return test_location.snapshot_name

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        return pathlib.Path(snapshot_location).is_relative_to(GOLDEN)

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        return SnapshotCollections()  # test_golden.py finds orphans by case, not by test

    def read_snapshot_collection(self, *, snapshot_location: str) -> SnapshotCollection:
        return SnapshotCollection(location=snapshot_location)

    def read_snapshot_data_from_location(
        self, *, snapshot_location: str, snapshot_name: str, session_id: str
    ) -> str | None:
        where = pathlib.Path(snapshot_location)
        files = on_disk(where.parent, where.name)
        return join(files) if files else None

    @classmethod
    def write_snapshot_collection(cls, *, snapshot_collection: SnapshotCollection, **_: Any) -> None:
        where = pathlib.Path(snapshot_collection.location)
        (snapshot,) = snapshot_collection
        tree = split(str(snapshot.data))
        for name in on_disk(where.parent, where.name):
            (where.parent / name).unlink()
        for name, content in tree.items():
            path = where.parent / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8", "surrogateescape"))

    def delete_snapshots(self, *, snapshot_location: str, snapshot_names: set[str]) -> None:
        shutil.rmtree(snapshot_location, ignore_errors=True)
