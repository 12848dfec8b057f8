"""The capabilities of a template and the requirements of an environment: names with a value or a list of values.

Invariant: values are kept as written. A value that is neither a scalar nor a list of scalars cannot be compared; it is
reported and left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.diagnostics import codes
from transpile.model.ir import NULL, Entry, Lit, Seq

if TYPE_CHECKING:
    from transpile.diagnostics.model import Sink
    from transpile.model.ir import Expr, Map


def entries(sink: Sink, given: Map, what: str, *, null: bool = False) -> dict[str, Entry]:
    """The valid entries of a section by name; the others are reported. `what`: how diagnostics begin, such as "A
    capability"; `null`: whether an entry may be null, which is the same as no entry.
    """
    found = {}
    for entry in given.entries:
        value = entry.value
        wrong = next((one for one in each(value) if not isinstance(one, Lit) or one.value is None), None)
        if wrong is None or (null and value == NULL):
            found[entry.key] = entry
        else:
            message = f"{what} must be a string, a number, a boolean or a list of these, but {entry.key} is not."
            sink.say(codes.MALFORMED_CAPABILITIES, message, wrong)
    return found


def each(value: Expr) -> tuple[Expr, ...]:
    """The values of an entry: the items of a list, or its only value."""
    return value.items if isinstance(value, Seq) else (value,)


def shown(value: object) -> str:
    """A value as text, for comparison: `true` equals "true", and 1 equals "1"."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def texts(entry: Entry) -> tuple[str, ...]:
    """The values of an entry as texts."""
    return tuple(shown(one.value) for one in each(entry.value) if isinstance(one, Lit) and one.value is not None)
