"""The section `constraints`: their types, the demands they look at, and which properties they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.homing import properties, words
from transpile.homing.context import list_items, literal_text
from transpile.homing.findings import CRASHES, REFUSES, TAKES
from transpile.homing.model import TemplateConstraint
from transpile.model.ir import Lit, Map, Seq

if TYPE_CHECKING:
    from transpile.homing.context import SectionContext
    from transpile.model.ir import Entry, Expr

FEW = {  # what HAS does with a type that looks at several demands and gets one
    "distance_between_demands": CRASHES,
    "inventory_group": CRASHES,
    "zone": TAKES,
}


def read_constraints(context: SectionContext, section: Expr | None) -> dict[str, TemplateConstraint]:
    given = context.expect_map(section, "The section constraints", "HOT860")
    entries = given.entries if given is not None else ()
    found = [one for entry in entries if (one := read_constraint(context, entry)) is not None]
    check_split_names(context, found)
    return {one.name: one for one in found}


def read_constraint(context: SectionContext, entry: Entry) -> TemplateConstraint | None:
    findings, name = context.findings, entry.key
    given = context.expect_map(entry.value, f"The constraint {name}", "HOT876")
    if given is None:
        return None
    context.check_keys(given, words.CONSTRAINT, f"The constraint {name}", "HOT876")
    fields = {one.key: one for one in given.entries}
    kind = read_constraint_type(context, name, fields.get("type"), entry)
    chosen = read_constrained_demands(context, name, kind, fields.get("demands"), entry)
    context.constrained |= set(chosen)
    path = ("constraints", name, "properties")
    if kind is None:
        return None
    body = fields.get("properties")
    if body is None or body.value == Lit(None):
        values = Map((), entry.key_span)
    elif isinstance(body.value, Map):
        values = body.value
    else:
        findings.report_wrong("HOT876", f"The properties of {name} must be a map.", body.value)
        return None
    what = properties.read_properties(context, name, kind, values, path, body or entry)
    return None if what is None else TemplateConstraint(name, kind, chosen, what, entry.key_span, path[:2])


def read_constraint_type(context: SectionContext, name: str, entry: Entry | None, owner: Entry) -> str | None:
    """The type, in the spelling of the tables; None if there is no such type."""
    findings = context.findings
    if entry is None:
        findings.report_wrong(
            "HOT876", f"The constraint {name} has no type.", owner, f"Known: {', '.join(words.TYPES)}."
        )
        return None
    kind = literal_text(entry.value)
    if kind in words.OF_OTHERS:
        message = f"HAS refuses the type {kind}, which other documents show. It is kept as data, and decides nothing."
        findings.report_difference("HOT878", message, entry.value, engine=REFUSES)
        return kind
    kind = words.SYNONYMS.get(kind, kind)
    row = words.TYPES.get(kind)
    if row is None:
        hint = findings.sink.guess(kind, tuple(words.TYPES)) or f"Known: {', '.join(words.TYPES)}."
        if kind == words.RESERVATION_TYPE:
            hint = "It belongs in the section reservations."
        findings.report_wrong("HOT876", f"There is no constraint type {kind or 'of this kind'}.", entry.value, hint)
        return None
    if row.deferred:
        message = f"HAS refuses the type {kind}: the texts describe it, and defer it."
        findings.report_difference("HOT878", message, entry.value, engine=REFUSES)
    return kind


def read_constrained_demands(
    context: SectionContext, name: str, kind: str | None, entry: Entry | None, owner: Entry
) -> tuple[str, ...]:
    findings = context.findings
    if entry is None or not (isinstance(entry.value, Seq) or literal_text(entry.value)):
        message = f"The constraint {name} needs demands: a name, or a list of names."
        findings.report_wrong("HOT876", message, entry.value if entry is not None else owner)
        return ()
    given = entry.value
    if isinstance(given, Seq) and not given.items:
        findings.report_wrong("HOT876", f"The constraint {name} has no demands.", given)
        return ()
    chosen: dict[str, None] = {}
    for one in list_items(given):
        if literal_text(one) in context.locations and literal_text(one) not in context.demands:
            message = (
                f"{literal_text(one)} is a location. HAS takes it for a demand here, and looks at the others only."
            )
            findings.report_wrong("HOT892", message, one, engine=TAKES)
        elif isinstance(one, Lit) and not isinstance(one.value, str) and literal_text(one) in context.demands:
            findings.report_wrong("HOT877", f"Names are texts: {literal_text(one)} needs quotes.", one)
        elif (found := context.read_demand_name(one, f"The constraint {name}")) is not None:
            if found in chosen:
                message = f"The constraint {name} names {found} twice."
                findings.report_note("HOT883", message, one, severity="info")
            chosen[found] = None
    check_demand_count(context, name, kind or "", len(list_items(given)) if chosen else 0, given)
    return tuple(chosen)


def check_demand_count(context: SectionContext, name: str, kind: str, count: int, given: Expr) -> None:
    """Types that compare demands need as many as they compare."""
    findings = context.findings
    if kind not in words.TYPES or not words.TYPES[kind].several or not count:
        return
    if kind == "inventory_group":
        if count == 1:
            message = f"HAS fails on an inventory_group of one demand, {name}. It does not say anything."
            findings.report_difference("HOT883", message, given, "Name two demands.", CRASHES)
        elif count > 2:
            message = f"Only the first two demands of {name} are a group. HAS fails on more."
            findings.report_difference("HOT883", message, given, "Name two demands.", CRASHES)
    elif count == 1:
        engine = FEW.get(kind, TAKES)
        what = "HAS fails on it" if engine == CRASHES else "it has nothing to compare"
        findings.report_wrong(
            "HOT883", f"{kind} needs two demands or more, {name} has one: {what}.", given, engine=engine
        )


def check_split_names(context: SectionContext, found: list[TemplateConstraint]) -> None:
    """HAS makes one constraint for each demand, and overwrites one that has that name."""
    taken = {one.name: one for one in found}
    for one in found:
        row = words.TYPES.get(one.type)
        if row is None or not row.split:
            continue
        for demand in one.demands:
            other = taken.get(f"{one.name}_{demand}")
            if other is not None and other is not one:
                message = (
                    f"HAS calls the part of {one.name} for {demand} {other.name}, too, and one of the two is lost."
                )
                context.findings.report_difference("HOT883", message, other, "Rename one of them.")
