"""Names and directories of stacks.

Invariant: a directory mirrors the template's place in the source tree. No two are equal where case does not count, none
is inside another, and none is the result's own `modules` or `.hot2tf`.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
import unicodedata
from typing import TYPE_CHECKING

from transpile.model.records import replace
from transpile.repository.contents import stem
from transpile.repository.plan import MODULES, STATE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from transpile.repository.plan import StackPlan

LONGEST = 80  # characters of one name; file systems have 255 bytes, and Terraform adds its own below
RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")  # Windows has no files of these names
ENVIRONMENT = re.compile(r"(?i)^env(?:ironment)?[._-]+|[._-]+env(?:ironment)?$")


def named(stacks: Iterable[StackPlan]) -> list[StackPlan]:
    """The stacks with a name and a directory each, in the order of the directories. Those that have one keep it."""
    given = sorted(stacks, key=lambda one: (one.template, one.environments))
    by_template: dict[str, list[StackPlan]] = {}
    for one in given:
        by_template.setdefault(one.template, []).append(one)
    taken = Taken()
    for one in given:
        if one.output:
            taken.add(one.output)
    found: list[StackPlan] = []
    labelled = [(label, one) for ones in by_template.values() for label, one in labels(ones)]
    inner = {key(parent) for label, one in labelled for parent in parents(one.output or label)}
    for label, one in labelled:
        output = one.output or taken.free(f"{label}_stack" if key(label) in inner else label)
        found.append(replace(one, output=output))
    names: set[str] = {one.name for one in found if one.name}
    return [
        one if one.name else replace(one, name=unused(one.output.replace("/", "-"), names))
        for one in sorted(found, key=lambda one: one.output)
    ]


def unused(name: str, names: set[str]) -> str:
    found = next(one for one in numbered(name) if one not in names)
    names.add(found)
    return found


def labels(stacks: Sequence[StackPlan]) -> list[tuple[str, StackPlan]]:
    """The directories of one template's stacks, as they would be if there were no others."""
    template = stacks[0].template
    place = "/".join(slug(part) for part in (*posixpath.dirname(template).split("/"), stem(template)) if part)
    if len(stacks) == 1:
        return [(place, stacks[0])]
    short = [label(one.environments, stem(template)) for one in stacks]
    if len(set(map(key, short))) < len(short):
        short = [label(one.environments, stem(template), long=True) for one in stacks]
    return [(f"{place}/{name}", one) for name, one in zip(short, stacks, strict=True)]


def label(environments: Sequence[str], template: str, *, long: bool = False) -> str:
    """What distinguishes a stack from the others of its template: its environments."""
    parts = []
    for path in environments:
        name = ENVIRONMENT.sub("", stem(path)) or stem(path)
        name = ENVIRONMENT.sub("", name.removeprefix(template)).strip("-_.")
        parts.append(f"{posixpath.basename(posixpath.dirname(path))}-{name}" if long else name)
    return slug("-".join(part.strip("-") for part in parts if part.strip("-")) or "default")


def slug(text: str) -> str:
    """A name that needs no quotes in any shell, and exists on any file system."""
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", ascii_).strip("-.") or "stack"
    if (ascii_ != unicodedata.normalize("NFKD", text) and not re.search("[A-Za-z0-9]", ascii_)) or len(name) > LONGEST:
        digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        name = f"{name[: LONGEST - 9]}-{digest}"
    return f"{name}_" if RESERVED.fullmatch(name) else name


def key(path: str) -> str:
    """A path as file systems see it for which case does not count."""
    return unicodedata.normalize("NFC", path).casefold()


def parents(path: str) -> list[str]:
    """The directories around a path."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


def numbered(name: str) -> Iterable[str]:
    yield name
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


class Taken:
    """The directories that stacks have."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.around: set[str] = set()
        self.next: dict[str, int] = {}

    def add(self, output: str) -> None:
        self.taken.add(key(output))
        self.around.update(map(key, parents(output)))

    def fits(self, output: str) -> bool:
        """Whether a directory is free: no stack's, not around one, not inside one, and not the result's own."""
        first = key(output).partition("/")[0]
        return (
            first not in (MODULES, STATE)
            and key(output) not in self.taken
            and key(output) not in self.around
            and not any(key(parent) in self.taken for parent in parents(output))
        )

    def free(self, output: str) -> str:
        """The directory, or one of a similar name that is free; it is taken from now on."""
        first, slash, rest = output.partition("/")
        if key(first) in (MODULES, STATE):
            output = f"{first}_2{slash}{rest}"
        number = self.next.get(key(output), 1)
        found = output if number == 1 else f"{output}_{number}"
        while not self.fits(found):
            number += 1
            found = f"{output}_{number}"
        self.next[key(output)] = number
        self.add(found)
        return found
