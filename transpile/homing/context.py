"""The context that the readers of all sections share: the findings, the known names, and functions that read values of
a kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeGuard, final

from transpile.diagnostics import codes
from transpile.homing import thresholds
from transpile.homing.findings import CRASHES, REFUSES, TAKES, HomingFindings
from transpile.homing.model import RANGE, HomingDocument, Path, QuantityThreshold
from transpile.homing.scalars import finite_number
from transpile.model.ir import Entry, Expr, FileRef, Lit, Map, ParamRef, Seq, to_data
from transpile.model.records import EMPTY, replace
from transpile.resolve.secrets import Secrets
from transpile.text.source import Root


@final
class SectionContext:
    """The state of reading one template. `references`: by path, the reference that was replaced there; `used`: the
    referenced locations.
    """

    def __init__(
        self,
        document: HomingDocument,
        findings: HomingFindings,
        references: Mapping[Path, ParamRef | FileRef],
        root: Root | None,
        secrets: Secrets,
    ) -> None:
        self.document, self.findings, self.references, self.root = document, findings, references, root
        self.secrets = secrets
        self.locations: Collection[str] = ()
        self.demands: Collection[str] = ()
        self.used: set[str] = set()
        self.constrained: set[str] = set()

    # shapes

    def expect_map(self, expr: Expr, subject: str, code: str, engine: str = REFUSES) -> TypeGuard[Map]:
        """Whether an expression is a map, which the template needs there; a finding if it is not. All parts of a
        template are read through here, so it looks at the clock, too.
        """
        self.document.source.budget.check_time()
        if isinstance(expr, Map):
            return True
        self.findings.report_wrong(code, f"{subject} must be a map.", expr, engine=engine)
        return False

    def read_entries(self, expr: Expr, subject: str, code: str, engine: str = REFUSES) -> tuple[Entry, ...]:
        """The entries of a map; none, with a finding, if it is not a map."""
        return expr.entries if self.expect_map(expr, subject, code, engine) else ()

    def check_keys(self, mapping: Map, allowed: Sequence[str], subject: str, code: str, engine: str = REFUSES) -> None:
        """Reports keys that are not allowed."""
        for entry in mapping.entries:
            if entry.key not in allowed:
                self.report_unknown_key(entry, allowed, subject, code, engine)

    def report_unknown_key(
        self, entry: Entry, allowed: Sequence[str], subject: str, code: str, engine: str = REFUSES
    ) -> None:
        hint = self.findings.guess_name(entry.key, allowed)
        lost = " HAS ignores it." if engine == TAKES else ""
        self.findings.report_wrong(code, f"{subject} has no key {entry.key}.{lost}", entry, hint, engine)

    def read_number(self, expr: Expr | None, subject: str, code: str, engine: str = CRASHES) -> float | None:
        """A number, which may be spelled as a text; None with a finding for anything else."""
        number = finite_number(expr.value) if isinstance(expr, Lit) else None
        if number is None and expr is not None:
            self.findings.report_wrong(code, f"{subject} must be a number.", expr, engine=engine)
        return number

    # names

    def read_location_name(self, expr: Expr, owner: str, engine: str = REFUSES) -> str:
        """The name of a location; empty, with a finding, if it is not defined."""
        name = literal_text(expr)
        if name in self.locations:
            self.used.add(name)
            return name
        hint = self.findings.guess_name(name, self.locations)
        if name in self.demands:
            hint = f"{name} is a demand."
        self.findings.report_wrong(
            codes.UNKNOWN_DEMAND_OR_LOCATION,
            f"{owner} names the location {name or '?'}, which is not defined.",
            expr,
            hint,
            engine,
        )
        return ""

    def read_demand_name(self, expr: Expr, owner: str, engine: str = REFUSES) -> str:
        """The name of a demand; empty, with a finding, if it is not defined."""
        name = literal_text(expr)
        if name in self.demands:
            return name
        hint = self.findings.guess_name(name, self.demands)
        if name in self.locations:
            hint = f"{name} is a location."
        self.findings.report_wrong(
            codes.UNKNOWN_DEMAND_OR_LOCATION,
            f"{owner} names the demand {name or '?'}, which is not defined.",
            expr,
            hint,
            engine,
        )
        return ""

    # thresholds

    def read_threshold(self, entry: Entry, path: Path, *, deferred: bool = False) -> QuantityThreshold | None:
        """The threshold in a property. `deferred`: HAS refuses the whole type, so its view of the threshold does not
        matter.
        """
        expr, base, findings = entry.value, thresholds.BASE[entry.key], self.findings
        if isinstance(expr, Lit) and type(expr.value) in (int, float):
            value = finite_number(expr.value)
            if value is None:
                findings.report_wrong(codes.INVALID_THRESHOLD, "The number of a threshold must be finite.", expr)
                return None
            if not deferred:
                message = f"HAS refuses a number as the threshold {entry.key}: it wants a text."
                findings.report_difference(
                    codes.THRESHOLD_DIFFERS_IN_HAS, message, expr, f'Quote it: "{expr.value}".', REFUSES
                )
            return self.warn_of_equality(
                replace(thresholds.threshold_of_number("=", value, base), span=expr.span, path=path), expr
            )
        if not (isinstance(expr, Lit) and isinstance(expr.value, str)):
            engine = TAKES if deferred else REFUSES
            findings.report_senseless(
                codes.INVALID_THRESHOLD, f"The threshold {entry.key} must be a text or a number.", expr, engine=engine
            )
            return None
        threshold = self.parse_threshold(expr.value, expr, entry.key, base, deferred=deferred)
        if threshold is None:
            return None
        if isinstance(self.references.get(path), FileRef) and not deferred:
            findings.report_difference(
                codes.THRESHOLD_DIFFERS_IN_HAS,
                "HAS leaves the call of get_file here and refuses it.",
                expr,
                "",
                REFUSES,
            )
        return replace(threshold, text=expr.value, span=expr.span, path=path)

    def parse_threshold(
        self, text: str, expr: Expr, key: str, base: str, *, deferred: bool
    ) -> QuantityThreshold | None:
        findings = self.findings
        meant = try_reader(thresholds.parse_text_threshold, text, base)
        engine = try_reader(thresholds.parse_engine_threshold, text, base)
        if not isinstance(meant, QuantityThreshold):
            hint = unit_hint(meant, base)
            if not isinstance(engine, QuantityThreshold) or deferred:
                outcome = TAKES if deferred else REFUSES
                findings.report_senseless(
                    codes.INVALID_THRESHOLD, f"{show_value(text)} is not a threshold: {meant}.", expr, hint, outcome
                )
                return None
            if not all(map(math.isfinite, (engine.low, engine.high) if engine.operator == RANGE else (engine.number,))):
                message = f"{show_value(text)} is not a threshold: its number is not finite. HAS drops every candidate."
                findings.report_senseless(codes.INVALID_THRESHOLD, message, expr)
                return None
            words = thresholds.show_threshold(engine)
            message = f"{show_value(text)} is not a threshold: {meant}. HAS reads {words}, and so does hot2tf."
            findings.report_wrong(
                codes.THRESHOLD_DIFFERS_IN_HAS, message, expr, f'If that is meant, write "{words}".', TAKES
            )
            return engine
        if deferred:
            return meant
        if not isinstance(engine, QuantityThreshold):
            spelled = thresholds.canonical_threshold(text) or text
            if isinstance(try_reader(thresholds.parse_engine_threshold, spelled, base), QuantityThreshold):
                hint = f'Write "{spelled}", with a blank between the parts.'
            else:
                hint = "HAS takes zero for no number. Write a small one, such as 0.001."
            findings.report_difference(
                codes.THRESHOLD_DIFFERS_IN_HAS,
                f"HAS refuses the threshold {show_value(text)}, which the specifications allow.",
                expr,
                hint,
                REFUSES,
            )
        return self.warn_of_equality(meant, expr)

    def warn_of_equality(self, threshold: QuantityThreshold, expr: Expr) -> QuantityThreshold:
        """Reports a threshold like `distance: = 10 km`, which hardly any candidate satisfies."""
        if threshold.unit != "km":
            return threshold
        if threshold.operator == RANGE:
            message = "HAS takes the range, and then no candidate ever satisfies it."
            self.findings.report_difference(
                codes.UNSATISFIABLE_THRESHOLD, message, expr, "Use two constraints: one with >=, one with <=."
            )
        elif threshold.operator == "=":
            words = f"< {thresholds.show_threshold(threshold)[2:]}"
            hint = f'Did you mean "{words}"?' if threshold.high else ""
            message = "This asks for exactly that distance, which hardly any place has."
            self.findings.report_note(codes.UNSATISFIABLE_THRESHOLD, message, expr, hint, severity="warning")
        elif threshold.high <= 0 and not (threshold.high == 0 and threshold.operator == "<="):
            self.findings.report_note(
                codes.UNSATISFIABLE_THRESHOLD, "No distance is less than that.", expr, severity="warning"
            )
        return threshold


def try_reader(
    read: Callable[[str, str], QuantityThreshold], text: str, base: str
) -> QuantityThreshold | thresholds.NotAThreshold:
    try:
        return read(text, base)
    except thresholds.NotAThreshold as e:
        return e


def unit_hint(error: object, base: str) -> str:
    """A hint with the unit that the author probably meant."""
    unit = getattr(error, "unit", "")
    for unit_name in thresholds.UNITS[base]:
        if unit != unit_name and unit.lower() == unit_name.lower():
            return f"Did you mean {unit_name}?"
    units = ", ".join(thresholds.UNITS[base])
    return f"A threshold is an operator, a number and a unit ({units}), or two numbers with a dash."


def show_value(text: str) -> str:
    return f'"{text[:60]}…"' if len(text) > 60 else f'"{text}"'


def literal_text(expr: Expr | None) -> str:
    """The text of a literal, with numbers and booleans as keys would be spelled; "" for anything else."""
    if not isinstance(expr, Lit) or expr.value is None:
        return ""
    if isinstance(expr.value, str):
        return expr.value
    return {True: "true", False: "false"}[expr.value] if isinstance(expr.value, bool) else str(expr.value)


def plain_data(expr: Expr | None) -> Any:
    """An expression without references, as Python data."""
    return None if expr is None else to_data(expr)


def plain_members(expr: Expr | None) -> Mapping[str, Any]:
    """The entries of a map, as Python data."""
    return to_data(expr) if isinstance(expr, Map) else EMPTY


def list_items(expr: Expr | None) -> Sequence[Expr]:
    """The items of a list; a value that is not a list counts as a list of one."""
    return () if expr is None else expr.items if isinstance(expr, Seq) else (expr,)
