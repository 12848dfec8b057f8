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
from collections.abc import Callable, Iterable, Sequence
from typing import final

from transpile.front.kinds import document_stem
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import replace
from transpile.repository.plan import MODULES, STATE, StackPlan
from transpile.text.places import avoid_reserved_names

LONGEST = 80  # characters of one name; file systems have 255 bytes, and Terraform adds its own below
ENVIRONMENT = compile_lazily(r"(?i)^env(?:ironment)?[._-]+|[._-]+env(?:ironment)?$")


def name_stacks(stacks: Iterable[StackPlan]) -> list[StackPlan]:
    """The stacks, each with a name and a directory, sorted by directory. Those that are set already are kept."""
    by_template: dict[str, list[StackPlan]] = {}
    for stack in sorted(stacks, key=lambda stack: (stack.template, stack.environments)):
        by_template.setdefault(stack.template, []).append(stack)
    labelled = [pair for group in by_template.values() for pair in label_stacks(group)]
    taken = TakenDirectories()
    for label, stack in labelled:
        if stack.output:
            taken.take(stack.output)
        else:
            taken.reserve(label)
    placed = [stack if stack.output else place_stack(stack, taken.take_free(label)) for label, stack in labelled]
    names = {stack.name for stack in placed if stack.name}
    result = []
    for stack in sorted(placed, key=lambda stack: stack.output):
        name = stack.name or make_unique_name(stack.output.replace("/", "-"), names.__contains__)
        names.add(name)
        result.append(replace(stack, name=name))
    return result


def place_stack(stack: StackPlan, output: str) -> StackPlan:
    """The stack with a directory. The name of its environment, if it has one, is the last part of the directory."""
    return replace(
        stack, output=output, environment=posixpath.basename(output) if stack.environment else stack.environment
    )


def make_unique_name(name: str, taken: Callable[[str], bool]) -> str:
    """The name itself, or with a number if it is taken: `web_2`."""
    return next(candidate for n in itertools.count(1) if not taken(candidate := name if n == 1 else f"{name}_{n}"))


def label_stacks(stacks: Sequence[StackPlan]) -> list[tuple[str, StackPlan]]:
    """The stacks of one template, each with the directory that it would have without other templates. Of several
    stacks, each without a directory gets an environment.
    """
    template = stacks[0].template
    place = "/".join(
        make_slug(part) for part in (*posixpath.dirname(template).split("/"), document_stem(template)) if part
    )
    if len(stacks) == 1:
        name = stacks[0].environment
        return [(f"{place}/{name}" if name else place, stacks[0])]
    stem = document_stem(template)
    short = [label_stack(stack, stem) for stack in stacks]
    if len(set(map(fold_case, short))) < len(short):
        short = [label_stack(stack, stem, long=True) for stack in stacks]
    if len(set(map(fold_case, short))) < len(short) and all(stack.name for stack in stacks):
        short = [strip_template(stack.name, stem) or make_slug(stack.name) for stack in stacks]
    names = [stack.environment or name for name, stack in zip(short, stacks, strict=True)]
    return [
        (f"{place}/{name}", stack if stack.output else replace(stack, environment=name))
        for name, stack in zip(names, stacks, strict=True)
    ]


def label_stack(stack: StackPlan, stem: str, *, long: bool = False) -> str:
    """Returns a label for a stack among others of its template: its environments, or its name. `stem`: the
    template's.
    """
    label = environments_label(stack.environments, stem, long=long)
    return strip_template(stack.name, stem) or label if label == "default" and stack.name else label


def strip_template(name: str, stem: str) -> str:
    """The name of a stack without that of its template: `prod` for `prod-web` and `web-prod` of `web.yaml`."""
    match = re.fullmatch(rf"{re.escape(stem)}(?:[-_.]+(?P<end>.+))?|(?P<begin>.+?)[-_.]+{re.escape(stem)}", name)
    bare = name if match is None else match["end"] or match["begin"] or ""
    return make_slug(bare) if bare else ""


def environments_label(environments: Sequence[str], template: str, *, long: bool = False) -> str:
    """The part of a directory that tells apart the stacks of one template, from the names of their environments:
    `prod`. `long`: with their directories.
    """
    parts = []
    for path in environments:
        name = ENVIRONMENT.sub("", document_stem(path)) or document_stem(path)
        name = ENVIRONMENT.sub("", name.removeprefix(template).strip("-_.")).strip("-_.")
        parts.append(f"{posixpath.basename(posixpath.dirname(path))}-{name}" if long else name)
    return make_slug("-".join(part.strip("-") for part in parts if part.strip("-")) or "default")


@functools.lru_cache(maxsize=1 << 14)
def make_slug(text: str) -> str:
    """A name that needs no quotes in any shell, and exists on any file system."""
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", ascii_).strip("-.") or "stack"
    if (ascii_ != unicodedata.normalize("NFKD", text) and not re.search("[A-Za-z0-9]", ascii_)) or len(name) > LONGEST:
        digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        name = f"{name[: LONGEST - 9]}-{digest}"
    return avoid_reserved_names(name)


def fold_case(path: str) -> str:
    """A path as a file system that ignores case compares it."""
    return unicodedata.normalize("NFC", path).casefold()


def parent_directories(path: str) -> list[str]:
    """The directories around a path, the outermost first: `a`, `a/b` for `a/b/c`."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


@final
class TakenDirectories:
    """The directories of stacks. `around`: the directories that contain them."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.around: set[str] = set()
        self.next_numbers: dict[str, int] = {}

    def take(self, output: str) -> None:
        self.taken.add(fold_case(output))
        self.reserve(output)

    def reserve(self, output: str) -> None:
        """Keeps the directories around a directory free of stacks of their own."""
        self.around.update(map(fold_case, parent_directories(output)))

    def is_free(self, output: str) -> bool:
        """Whether a directory is free: no stack's, not around one, not inside one, and not the result's own."""
        return fold_case(output) not in self.around and not any(
            map(self.is_closed, (output, *parent_directories(output)))
        )

    def is_closed(self, path: str) -> bool:
        """Whether a directory is taken, or the result's own, so that no stack may be there or below."""
        return fold_case(path) in self.taken or fold_case(path) in (MODULES, STATE)

    def take_free(self, output: str) -> str:
        """Takes a directory, or one with a similar name that is free, and returns it. A directory that contains those
        of other stacks is not numbered (`web_2`) but gets the name `web_stack`.
        """
        *above, last = output.split("/")
        where = ""
        for part in above:
            where = make_unique_name(where + part, self.is_closed) + "/"
        directory = f"{where}{last}_stack" if fold_case(where + last) in self.around else where + last
        begin = self.next_numbers.get(fold_case(directory), 1)
        names = ((n, directory if n == 1 else f"{directory}_{n}") for n in itertools.count(begin))
        number, free_directory = next((n, name) for n, name in names if self.is_free(name))
        self.next_numbers[fold_case(directory)] = number + 1
        self.take(free_directory)
        return free_directory
