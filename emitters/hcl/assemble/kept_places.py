"""Finds the value of the template that keeps a resource with Heat, and says what would free the resource.

A reason has the place of the value that no block of Terraform can have: `rules.0.port_range_min` of the resource
itself, a property of another resource that refers to it, or an output.

Invariant: a place without a value, such as the type of a resource, is none: then the resource as a whole needs Heat.
"""

from __future__ import annotations

import bisect
from typing import final

from emitters.hcl.plan.planner import OUTPUT, ConversionPlan, Reason, declarations_in_text
from transpile.diagnostics import codes
from transpile.diagnostics.rules import RULES
from transpile.model import ir
from transpile.model.offsets import find_path_to
from transpile.model.records import node

KEEPS = "It stays because of "
LOOKED_UP = (codes.ONLY_AT_RUN_TIME,)


@final
@node
class KeptPlace:
    """The value that keeps a resource. owner: the output, or the resource that has the value. path: the keys that lead
    to it in the resource; empty for an output.
    """

    owner: str
    path: str = ""

    @property
    def part(self) -> str:
        """The part of a resource in words: `property rules.0.protocol`, `metadata.role`, `condition`."""
        word, dot, rest = self.path.partition(".")
        return f"property {rest}" if word == "properties" and dot else self.path

    @property
    def words(self) -> str:
        """In a sentence or a report: `output url`, `property name of web`."""
        return f"{self.part} of {self.owner}" if self.path else f"output {self.owner}"


def find_kept_place(plan: ConversionPlan, reason: Reason) -> KeptPlace | None:
    """The value that a reason is about; None if it is about a resource as a whole."""
    at, declarations = reason.span.at, plan.get_index(declarations_in_text)
    index = bisect.bisect_right(declarations, at, key=lambda declaration: declaration.at) - 1
    declaration = declarations[index] if index >= 0 and at >= 0 else None
    if declaration is None or at >= declaration.end:
        return None
    if isinstance(declaration, ir.Output):
        return KeptPlace(declaration.name)
    for word in ("properties", "metadata", "condition"):
        part: ir.Expr | None = getattr(declaration, word)
        if part is not None and part.at <= at < part.end:
            return KeptPlace(declaration.name, ".".join((word, *find_path_to(part, at))))
    return None


def advise_change(name: str, reason: Reason, place: KeptPlace | None) -> str:
    """The same without the place, which stands beside it in a report: `Use another value to free it.`"""
    sentence = say_what_frees(name, reason, place)
    advice = sentence.partition(": ")[2] if sentence.startswith(KEEPS) else sentence
    return advice[:1].upper() + advice[1:]


def say_what_frees(name: str, reason: Reason, place: KeptPlace | None) -> str:
    """A sentence about what to change so that a resource or output needs no Heat; empty if it needs it as a whole."""
    if place is None:
        return ""
    if name.startswith(OUTPUT):
        return (
            RULES[reason.code].hint or "Without this output, or with another expression for it, Heat computes nothing."
        )
    if not place.path:
        return f"{KEEPS}output {place.owner}: remove it, or return another value, to free {name}."
    if place.owner != name:
        return f"{KEEPS}{place.words}: use another value there to free {name}."
    if reason.code in LOOKED_UP:
        return f"{KEEPS}its {place.part}: write the value out, or use IDs, to free it."
    return f"{KEEPS}its {place.part}: use another value to free it."
