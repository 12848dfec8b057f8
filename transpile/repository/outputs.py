"""Chooses the names and output directories of stacks.

Invariant: a directory mirrors the template's place in the source tree. No two differ only in case, none is inside
another, and none is `modules` or `.hot2tf`, which the result has itself.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import posixpath
import re
import unicodedata
from typing import TYPE_CHECKING, final

from transpile.front.kinds import stem
from transpile.model.records import replace
from transpile.repository.plan import MODULES, STATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from transpile.repository.plan import StackPlan

LONGEST = 80  # characters of one name; file systems have 255 bytes, and Terraform adds its own below
RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")  # Windows has no files of these names
ENVIRONMENT = re.compile(r"(?i)^env(?:ironment)?[._-]+|[._-]+env(?:ironment)?$")


def named(stacks: Iterable[StackPlan]) -> list[StackPlan]:
    """The stacks, each with a name and a directory, sorted by directory. Those that are set already are kept."""
    by_template: dict[str, list[StackPlan]] = {}
    for one in sorted(stacks, key=lambda one: (one.template, one.environments)):
        by_template.setdefault(one.template, []).append(one)
    labelled = [pair for ones in by_template.values() for pair in labels(ones)]
    taken = Taken()
    for label, one in labelled:
        if one.output:
            taken.add(one.output)
        else:
            taken.reserve(label)
    placed = [one if one.output else replace(one, output=taken.free(label)) for label, one in labelled]
    names = {one.name for one in placed if one.name}
    found = []
    for one in sorted(placed, key=lambda one: one.output):
        name = one.name or free(one.output.replace("/", "-"), names.__contains__)
        names.add(name)
        found.append(replace(one, name=name))
    return found


def free(name: str, taken: Callable[[str], bool]) -> str:
    """The name itself, or with a number if it is taken: `web_2`."""
    return next(one for n in itertools.count(1) if not taken(one := name if n == 1 else f"{name}_{n}"))


def labels(stacks: Sequence[StackPlan]) -> list[tuple[str, StackPlan]]:
    """The stacks of one template, each with the directory that it would have without other templates."""
    template = stacks[0].template
    place = "/".join(slug(part) for part in (*posixpath.dirname(template).split("/"), stem(template)) if part)
    if len(stacks) == 1:
        return [(place, stacks[0])]
    short = [label(one.environments, stem(template)) for one in stacks]
    if len(set(map(key, short))) < len(short):
        short = [label(one.environments, stem(template), long=True) for one in stacks]
    return [(f"{place}/{name}", one) for name, one in zip(short, stacks, strict=True)]


def label(environments: Sequence[str], template: str, *, long: bool = False) -> str:
    """The part of a directory that tells apart the stacks of one template, from the names of their environments:
    `prod`. `long`: with their directories.
    """
    parts = []
    for path in environments:
        name = ENVIRONMENT.sub("", stem(path)) or stem(path)
        name = ENVIRONMENT.sub("", name.removeprefix(template).strip("-_.")).strip("-_.")
        parts.append(f"{posixpath.basename(posixpath.dirname(path))}-{name}" if long else name)
    return slug("-".join(part.strip("-") for part in parts if part.strip("-")) or "default")


@functools.lru_cache(maxsize=1 << 14)
def slug(text: str) -> str:
    """A name that needs no quotes in any shell, and exists on any file system."""
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", ascii_).strip("-.") or "stack"
    if (ascii_ != unicodedata.normalize("NFKD", text) and not re.search("[A-Za-z0-9]", ascii_)) or len(name) > LONGEST:
        digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        name = f"{name[: LONGEST - 9]}-{digest}"
    return f"{name}_" if RESERVED.fullmatch(name) else name


def key(path: str) -> str:
    """A path as a file system that ignores case compares it."""
    return unicodedata.normalize("NFC", path).casefold()


def parents(path: str) -> list[str]:
    """The directories around a path, the outermost first: `a`, `a/b` for `a/b/c`."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


@final
class Taken:
    """The directories of stacks. `around`: the directories that contain them."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.around: set[str] = set()
        self.next: dict[str, int] = {}

    def add(self, output: str) -> None:
        self.taken.add(key(output))
        self.reserve(output)

    def reserve(self, output: str) -> None:
        """Keeps the directories around a directory free of stacks of their own."""
        self.around.update(map(key, parents(output)))

    def fits(self, output: str) -> bool:
        """Whether a directory is free: no stack's, not around one, not inside one, and not the result's own."""
        return key(output) not in self.around and not any(map(self.closed, (output, *parents(output))))

    def closed(self, path: str) -> bool:
        """Whether a directory is taken, or the result's own, so that no stack may be there or below."""
        return key(path) in self.taken or key(path) in (MODULES, STATE)

    def free(self, output: str) -> str:
        """Takes a directory, or one with a similar name that is free, and returns it. A directory that contains those
        of other stacks is not numbered (`web_2`) but gets the name `web_stack`.
        """
        *above, last = output.split("/")
        where = ""
        for part in above:
            where = free(where + part, self.closed) + "/"
        wanted = f"{where}{last}_stack" if key(where + last) in self.around else where + last
        begin = self.next.get(key(wanted), 1)
        names = ((n, wanted if n == 1 else f"{wanted}_{n}") for n in itertools.count(begin))
        number, found = next((n, name) for n, name in names if self.fits(name))
        self.next[key(wanted)] = number + 1
        self.add(found)
        return found
