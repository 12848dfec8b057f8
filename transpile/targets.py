"""What a target is, and where targets come from.

The easy rule to break: emitters are found by name, the built-in ones before any plug-in, and never imported by
statement from this package.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Protocol

from transpile.model.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transpile.diagnostics.model import Diagnostic
    from transpile.resolve.stack import Stack

BUILT_IN = {"hcl": "emitters.hcl.emitter", "hot": "emitters.hot.emitter", "tosca": "emitters.tosca.emitter"}
CONVERTS = ("hcl", "hot", "tosca")  # what `convert --to` offers


@record
class Output:
    """What a target makes of a stack: files by relative path, the report's body, diagnostics."""

    files: dict[str, str | bytes]
    report: dict[str, Any]
    diagnostics: list[Diagnostic]


class Target(Protocol):
    """A module or object with this function is a target. It reads nothing and writes nothing."""

    def emit(self, stack: Stack, options: Mapping[str, Any]) -> Output: ...


class UnknownTarget(LookupError):
    """No target of that name; the message says which there are."""


def load(name: str, *, offered: bool = False) -> Any:
    """The module of a target; raises UnknownTarget, also (with `offered`) for what only other targets use."""
    if name in (CONVERTS if offered else BUILT_IN):
        return importlib.import_module(BUILT_IN[name])
    from importlib import metadata  # slow to import, and only plug-ins need it

    known = {entry.name: entry for entry in metadata.entry_points(group="hot2tf.emitters")}
    if name in known:
        return known[name].load()
    names: Sequence[str] = [*CONVERTS, *known]
    import difflib  # for this alone

    close = difflib.get_close_matches(name, names, n=1)
    raise UnknownTarget(
        f"There is no target {name}. " + (f"Did you mean {close[0]}?" if close else f"There are {', '.join(names)}.")
    )
