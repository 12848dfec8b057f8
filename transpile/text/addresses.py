"""Follows addresses: compares those that a directory's manifest has from its last run with the new ones.

The section `addresses` of the manifest is written and read here and in `manifest.py` alone. Only the target knows its
content: `Target.follow` compares the section of this run with the one of the last.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from transpile.diagnostics.model import Diagnostic
from transpile.text import manifest, places
from transpile.text.base_store import read_base
from transpile.text.manifest import MANIFEST

CARRIED = ".hot2tf.addresses"  # the section among files that are kept elsewhere before they are written


def carry_addresses(files: Mapping[str, str | bytes]) -> dict[str, bytes]:
    """The section of the manifest among some files as a file of its own, for files that are kept without a manifest."""
    section = manifest.parse_addresses(files[MANIFEST]) if MANIFEST in files else None
    return {CARRIED: json.dumps(section, separators=(",", ":")).encode()} if section is not None else {}


class EarlierAddresses(NamedTuple):
    """The addresses that a directory has from its last run. section: as that run wrote it; None if it had no addresses.
    texts: the files that it wrote. read: the text that a file has now, None if it is gone.
    """

    section: Any
    texts: Mapping[str, bytes]
    read: Callable[[str], str | None]


class FollowedAddresses(NamedTuple):
    """The addresses that a run gives, beside those of the last run. files: the files that it adds. own: the names of
    all files that it may add. section: for the manifest. diagnostics: about addresses that cannot be followed. moves:
    the old and the new address of each move.
    """

    files: Mapping[str, str | bytes]
    own: frozenset[str]
    section: Any
    diagnostics: Sequence[Diagnostic]
    moves: Sequence[tuple[str, str]]


Follow: TypeAlias = Callable[[Mapping[str, "str | bytes"], Any, "EarlierAddresses | None"], FollowedAddresses]


class FollowedDirectory(NamedTuple):
    """The files of a directory, including those for changed addresses. added: names of files that are written again
    if a person removed them. accepted: the hashes of edited files whose edit is a part of the new text.
    """

    files: Mapping[str, str | bytes]
    added: frozenset[str]
    accepted: Mapping[str, str]
    diagnostics: Sequence[Diagnostic]
    moves: Sequence[tuple[str, str]]


def follow_directory(
    directory: pathlib.Path, files: Mapping[str, str | bytes], follow: Follow | None
) -> FollowedDirectory:
    """Compares the addresses of this run with those of the last one. Raises OSError."""
    now = manifest.parse_addresses(files[MANIFEST]) if MANIFEST in files else None
    if follow is None or now is None:
        return FollowedDirectory(files, frozenset(), {}, (), ())
    hashes = manifest.read_manifest(directory)
    earlier = None
    texts: Mapping[str, bytes] = {}
    if hashes:
        texts = read_base(directory, hashes)
        section = manifest.read_addresses(directory)
        earlier = EarlierAddresses(section, texts, lambda name: read_text(directory, name))
    followed = follow(files, now, earlier)
    more = {name: data for name, data in followed.files.items() if name not in files}
    all_files = dict(sorted({**files, **more}.items()))
    all_files[MANIFEST] = manifest.print_manifest(all_files, followed.section)
    accepted = {}
    for name in followed.own:
        existing = read_text(directory, name)
        lines = set(texts.get(name, b"").decode("utf-8", "replace").splitlines())
        if existing is not None and set(existing.splitlines()) <= lines:  # a person only deleted lines
            accepted[name] = manifest.hash_content(existing)
    return FollowedDirectory(all_files, followed.own, accepted, followed.diagnostics, followed.moves)


def read_text(directory: pathlib.Path, name: str) -> str | None:
    """The text of a file in a directory; None if there is none."""
    if not places.is_plain_path(name) or places.find_obstacle(directory, name):
        return None
    data = places.read_regular_file(directory / name)
    return data.decode("utf-8", "replace") if data is not None else None
