"""The capabilities of a template and the requirements of an environment: names with a value or a list of values.

Invariant: values are kept as written. A value that is neither a scalar nor a list of scalars cannot be compared; it is
reported and left out.
"""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.model.ir import NULL, Entry, Expr, Lit, Map, Seq


def read_claims(sink: Sink, section: Map, subject: str, *, null: bool = False) -> dict[str, Entry]:
    """Returns the valid entries of a section by name; the others are reported. `subject`: the beginning of diagnostics,
    such as "A capability"; `null`: whether an entry may be null, which is the same as no entry.
    """
    entries = {}
    for entry in section.entries:
        value = entry.value
        wrong = next((item for item in claim_values(value) if not isinstance(item, Lit) or item.value is None), None)
        if wrong is None or (null and value == NULL):
            entries[entry.key] = entry
        else:
            message = f"{subject} must be a string, a number, a boolean or a list of these, but {entry.key} is not."
            sink.add(codes.MALFORMED_CAPABILITIES, message, wrong)
    return entries


def claim_values(value: Expr) -> tuple[Expr, ...]:
    """The values of an entry: the items of a list, or its only value."""
    return value.items if isinstance(value, Seq) else (value,)


def format_claim(value: object) -> str:
    """A value as text, for comparison: `true` equals "true", and 1 equals "1"."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def claim_texts(entry: Entry) -> tuple[str, ...]:
    """The values of an entry as texts."""
    return tuple(
        format_claim(item.value)
        for item in claim_values(entry.value)
        if isinstance(item, Lit) and item.value is not None
    )
