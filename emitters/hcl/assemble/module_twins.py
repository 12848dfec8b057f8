"""Finds directories with equal blocks, which become one module: those of a template that is nested with several
registries, and of which none matters.

Invariant: equal directories share what is decided about their order, so that it does not tell them apart again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from emitters.hcl.assemble.module_graph import ModuleDirectory
from emitters.hcl.tree.printer import print_hcl


def join_twins(directories: Sequence[ModuleDirectory]) -> list[ModuleDirectory]:
    """The directories, each after those that it calls and after those that any of its twins calls. Each knows the first
    of its twins, and shares with it what callers make of its order.
    """
    files = Counter(directory.emission.unit.module.file for directory in directories)
    first_by_content: dict[tuple[object, ...], ModuleDirectory] = {}
    height: dict[ModuleDirectory, int] = {}
    for directory in directories:
        module = directory.emission.unit.module
        if files[module.file] > 1:
            first = first_by_content.setdefault((module.stem, *describe_content(directory)), directory)
            directory.share_order(first)
        height[directory] = 1 + max((height[inner] for inner in directory.inner.values()), default=0)
    return sorted(directories, key=height.__getitem__)


def describe_content(directory: ModuleDirectory) -> tuple[object, ...]:
    """What makes directories equal: the text of their blocks, and the modules that they call."""
    blocks, variables = directory.emission.blocks, directory.emission.variables.blocks
    items = [*blocks.main, *blocks.data, *blocks.locals.values(), *blocks.outputs, *variables.values()]
    calls = [(call, id(inner.first)) for call, inner in directory.inner.items()]
    return print_hcl(items), *calls, *sorted(blocks.files.items())
