"""The destination of a migration: whether it may be used, who uses it now, and its state.

Invariant: a directory that holds anything but our own output is not touched.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
from typing import TYPE_CHECKING

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.migrate.archive import Damaged
from transpile.migrate.state import FOLDER, NAME, State
from transpile.text import output, places

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK = "lock"
HARMLESS = {".git", ".gitignore", ".gitattributes", ".github", ".gitlab-ci.yml", "README.md", "LICENSE"}


class Unusable(Exception):
    """The destination cannot be used; the message says why."""


def check(src: pathlib.Path, dest: pathlib.Path, *, force: bool = False) -> None:
    """Raises Unusable if the destination contains the source, is inside of it, or holds what is not ours."""
    here, there = pathlib.Path(os.path.realpath(src)), pathlib.Path(os.path.realpath(dest))
    if here == there or here in there.parents or there in here.parents:
        raise Unusable(f"{dest} and {src} must not contain each other: the output is no part of the source")
    if (problem := output.refused(str(dest))) is not None:
        raise Unusable(problem.message)
    kind = places.kind(dest)
    if kind == places.NOTHING:
        return
    if kind not in (places.DIRECTORY, places.LINK):
        raise Unusable(f"{dest} is {kind}")
    state = places.kind(dest / FOLDER)
    if state == places.DIRECTORY and places.kind(dest / FOLDER / NAME) in (places.FILE, places.NOTHING):
        return
    if state != places.NOTHING:
        raise Unusable(f"{dest / FOLDER} is not what hot2tf left there")
    try:
        names = {path.name for path in dest.iterdir()}
    except OSError as e:
        raise Unusable(f"{dest} cannot be read: {e.strerror}") from None
    others = sorted(names - HARMLESS)
    if others and not force:
        raise Unusable(
            f"{dest} is not empty ({others[0]!r} is there), and no earlier run wrote it. "
            "Name another directory, or use --force"
        )


@contextlib.contextmanager
def opened(dest: pathlib.Path, found: list[Diagnostic]) -> Iterator[State]:
    """The state of a destination, for this process alone. A damaged one is begun again, which `found` says. Raises
    Unusable and OSError.
    """
    folder = dest / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / LOCK, dest):
        path = folder / NAME
        try:
            state = State(path)
        except Damaged as e:
            found.append(begun_again(dest, str(e)))
            state = State(path)
        try:
            yield state
        finally:
            state.close()


def begun_again(dest: pathlib.Path, why: str) -> Diagnostic:
    """Removes a state that cannot be used, and says so."""
    for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
        places.forget(dest / FOLDER / name)
    path = dest / FOLDER / NAME
    message = f"The state in {path} cannot be used: {why}. It is begun again, so everything is converted once more."
    return Diagnostic(codes.UNUSABLE_MIGRATION_STATE, message)


@contextlib.contextmanager
def locked(path: pathlib.Path, dest: pathlib.Path) -> Iterator[None]:
    """Holds a lock that the system takes back when the process ends. Without such locks there is none."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unusable(f"another hot2tf migrate is at work in {dest}") from None
        yield
    finally:
        os.close(number)
