"""Opens the destination of a migration: checks it, locks it, and opens its state.

Invariant: a directory with files other than hot2tf's output is not touched.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import tempfile
from collections.abc import Iterator

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate.archive import Damaged
from transpile.migrate.state import BESIDE_STATE, FOLDER, STATE_FILE, MigrationState, StateUnavailable, explain_errors
from transpile.text import output, places

LOCK = "lock"
MADE_BY_TOOL = "Made by hot2tf: "
MADE_BY = f"{MADE_BY_TOOL}hot2tf migrate "  # begins the first line of the files at the top
HARMLESS_NAMES = {".git", ".gitignore", ".gitattributes", ".github", ".gitlab-ci.yml", "README.md", "LICENSE"}


class Unusable(Exception):
    """The destination cannot be used; the message says why."""


def check_destination(src: pathlib.Path, dest: pathlib.Path, *, force: bool = False) -> None:
    """Raises Unusable if the destination contains the source, is inside of it, or has files of other programs."""
    here, there = pathlib.Path(os.path.realpath(src)), pathlib.Path(os.path.realpath(dest))
    if here == there or here in there.parents or there in here.parents:
        raise Unusable(f"{dest} and {src} must not contain each other: the output is no part of the source")
    if (problem := output.refuse_links(str(dest))) is not None:
        raise Unusable(problem.message)
    kind = places.kind_at_path(dest)
    if kind == places.NOTHING:
        return
    if kind not in (places.DIRECTORY, places.LINK):
        raise Unusable(f"{dest} is {kind}")
    state = places.kind_at_path(dest / FOLDER)
    if state == places.DIRECTORY and places.kind_at_path(dest / FOLDER / STATE_FILE) in (places.FILE, places.NOTHING):
        return
    if state != places.NOTHING:
        raise Unusable(f"{dest / FOLDER} is not the directory that hot2tf made")
    try:
        names = {path.name for path in dest.iterdir()}
    except OSError as e:
        raise Unusable(f"{dest} cannot be read: {e.strerror}") from None
    others = sorted(names - HARMLESS_NAMES)
    if others and not force and not is_output_without_state(dest):
        raise Unusable(
            f"{dest} is not empty ({others[0]!r} is there), and no earlier run wrote it. "
            "Name another directory, or use --force"
        )


def is_output_without_state(dest: pathlib.Path) -> bool:
    """Whether an earlier run wrote a directory whose state is not there, as in a fresh clone. Its manifests name the
    files that may be replaced, so other files are safe even if the answer is wrong.
    """
    content = places.read_regular_file(dest / ".gitignore")
    return content is not None and content.startswith(f"# {MADE_BY}".encode())


@contextlib.contextmanager
def open_state(dest: pathlib.Path, diagnostics: list[Diagnostic], damage: str = "") -> Iterator[MigrationState]:
    """The state of a destination, for this process alone. A damaged state is replaced by a new one, and
    `diagnostics` gets a warning. `damage`: why the state is not used, if that is known already. Raises Unusable;
    OSError; and Damaged if the damage shows while the state is used.
    """
    folder = dest / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with lock_destination(folder / LOCK, dest):
        path = folder / STATE_FILE
        try:
            if damage:
                diagnostics.append(remove_damaged_state(dest, damage))
            state = open_or_replace(path, dest, diagnostics)
            try:
                with explain_errors(path):
                    yield state
            finally:
                state.close()
        except StateUnavailable as e:
            raise Unusable(str(e)) from None


@contextlib.contextmanager
def open_copy(dest: pathlib.Path, damage: str = "") -> Iterator[MigrationState]:
    """A copy of the state of a destination, in a directory that is removed; a new one if there is none, or if it is
    damaged. Nothing in the destination is changed.
    """
    with tempfile.TemporaryDirectory(prefix="hot2tf-") as folder:  # that only its owner may read
        path = pathlib.Path(folder, STATE_FILE)
        if not damage:
            for ending in ("", "-wal"):
                original = dest / FOLDER / (STATE_FILE + ending)
                if places.kind_at_path(original) == places.FILE:
                    shutil.copyfile(original, path.with_name(path.name + ending))
        try:
            try:
                state = MigrationState(path)
            except Damaged:
                for ending in ("", *BESIDE_STATE):
                    places.remove_file(path.with_name(path.name + ending))
                state = MigrationState(path)
            try:
                with explain_errors(path):
                    yield state
            finally:
                state.close()
        except StateUnavailable as e:
            raise Unusable(str(e)) from None


def open_or_replace(path: pathlib.Path, dest: pathlib.Path, diagnostics: list[Diagnostic]) -> MigrationState:
    """Opens a state; a new one instead of a damaged one. Raises Unusable, StateUnavailable and OSError."""
    try:
        return MigrationState(path)
    except Damaged as e:
        diagnostics.append(remove_damaged_state(dest, str(e)))
    try:
        return MigrationState(path)
    except Damaged as e:
        raise Unusable(f"no state can be kept in {path}: {e}") from None


def remove_damaged_state(dest: pathlib.Path, why: str) -> Diagnostic:
    """Removes a state that cannot be used, and says so."""
    path = dest / FOLDER / STATE_FILE
    for ending in ("", *BESIDE_STATE):
        places.remove_file(path.with_name(path.name + ending))
    message = f"The state in {path} cannot be used: {why}. It is begun again, so everything is converted once more."
    return Diagnostic(codes.UNUSABLE_MIGRATION_STATE, message)


@contextlib.contextmanager
def lock_destination(path: pathlib.Path, dest: pathlib.Path) -> Iterator[None]:
    """Holds a lock that the system releases when the process ends, even if it is killed. Windows has no such lock."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    except OSError as e:
        raise Unusable(f"{path} cannot be opened: {e.strerror}") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unusable(f"another hot2tf migrate is at work in {dest}") from None
        yield
    finally:
        os.close(descriptor)
