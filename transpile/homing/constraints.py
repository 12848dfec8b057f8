"""Reads the section `constraints`: the type of each constraint, its demands, and its properties."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.diagnostics import codes
from transpile.homing import properties, words
from transpile.homing.context import SectionContext, list_items, literal_text
from transpile.homing.findings import CRASHES, REFUSES, TAKES
from transpile.homing.model import TemplateConstraint
from transpile.model.ir import NULL, Entry, Expr, Lit, Map, Seq

FEW = {  # how HAS treats a type for several demands that gets one
    "distance_between_demands": CRASHES,
    "inventory_group": CRASHES,
    "zone": TAKES,
}


def read_constraints(context: SectionContext, section: Expr) -> dict[str, TemplateConstraint]:
    entries = context.read_entries(section, "The section constraints", codes.NOT_A_HOMING_TEMPLATE)
    constraint_list = [constraint for entry in entries for constraint in read_constraint(context, entry)]
    check_split_names(context, constraint_list)
    return {constraint.name: constraint for constraint in constraint_list}


def read_constraint(context: SectionContext, entry: Entry) -> Iterator[TemplateConstraint]:
    """The constraint of an entry, unless the entry cannot be read."""
    findings, name = context.findings, entry.key
    if not context.expect_map(entry.value, f"The constraint {name}", codes.INVALID_CONSTRAINT):
        return
    context.check_keys(entry.value, words.CONSTRAINT, f"The constraint {name}", codes.INVALID_CONSTRAINT)
    fields = {field.key: field for field in entry.value.entries}
    kind = read_constraint_type(context, name, fields.get("type"), entry)
    chosen = read_constrained_demands(context, name, kind, fields.get("demands"), entry)
    context.constrained |= set(chosen)
    path = ("constraints", name, "properties")
    if not kind:
        return
    body = fields.get("properties")
    if body is None or body.value == NULL:
        values = Map((), entry.key_span)
    elif isinstance(body.value, Map):
        values = body.value
    else:
        findings.report_wrong(codes.INVALID_CONSTRAINT, f"The properties of {name} must be a map.", body.value)
        return
    typed = properties.read_properties(context, name, kind, values, path, body or entry)
    if typed is not None:
        yield TemplateConstraint(name, kind, chosen, typed, entry.key_span, path[:2])


def read_constraint_type(context: SectionContext, name: str, entry: Entry | None, owner: Entry) -> str:
    """The type as the tables spell it; empty if there is no such type."""
    findings = context.findings
    if entry is None:
        findings.report_wrong(
            codes.INVALID_CONSTRAINT, f"The constraint {name} has no type.", owner, f"Known: {', '.join(words.TYPES)}."
        )
        return ""
    kind = literal_text(entry.value)
    if kind in words.OF_OTHERS:
        message = f"HAS refuses the type {kind}, which other documents show. It is kept as data, and decides nothing."
        findings.report_difference(codes.DEFERRED_CONSTRAINT_TYPE, message, entry.value, engine=REFUSES)
        return kind
    written, kind = kind, words.SYNONYMS.get(kind, kind)
    row = words.TYPES.get(kind)
    if row is None:
        hint = findings.sink.guess_name(kind, tuple(words.TYPES)) or f"Known: {', '.join(words.TYPES)}."
        if kind == words.RESERVATION_TYPE:
            hint = "It belongs in the section reservations."
        findings.report_wrong(
            codes.INVALID_CONSTRAINT, f"There is no constraint type {kind or 'of this kind'}.", entry.value, hint
        )
        return ""
    if row.deferred:
        name_of_type = kind if written == kind else f"{written}, which is {kind} elsewhere in the specifications"
        message = f"HAS refuses the type {name_of_type}: the specifications describe it, and defer it."
        findings.report_difference(codes.DEFERRED_CONSTRAINT_TYPE, message, entry.value, engine=REFUSES)
    return kind


def read_constrained_demands(
    context: SectionContext, name: str, kind: str, entry: Entry | None, owner: Entry
) -> tuple[str, ...]:
    findings = context.findings
    if entry is None or not (isinstance(entry.value, Seq) or literal_text(entry.value)):
        message = f"The constraint {name} needs demands: a name, or a list of names."
        findings.report_wrong(codes.INVALID_CONSTRAINT, message, entry.value if entry is not None else owner)
        return ()
    value = entry.value
    if isinstance(value, Seq) and not value.items:
        findings.report_wrong(codes.INVALID_CONSTRAINT, f"The constraint {name} has no demands.", value)
        return ()
    chosen: dict[str, None] = {}
    for item in list_items(value):
        if literal_text(item) in context.locations and literal_text(item) not in context.demands:
            message = (
                f"{literal_text(item)} is a location. HAS takes it for a demand here, and looks at the others only."
            )
            findings.report_wrong(codes.DEMAND_NAMED_LIKE_LOCATION, message, item, engine=TAKES)
        elif isinstance(item, Lit) and not isinstance(item.value, str) and literal_text(item) in context.demands:
            findings.report_wrong(
                codes.UNKNOWN_DEMAND_OR_LOCATION,
                f"A demand's name must be a text: {literal_text(item)} needs quotes.",
                item,
            )
        elif demand_name := context.read_demand_name(item, f"The constraint {name}"):
            if demand_name in chosen:
                message = f"The constraint {name} names {demand_name} twice."
                findings.report_note(codes.CONSTRAINT_DIFFERS_IN_HAS, message, item, severity="info")
            chosen[demand_name] = None
    check_demand_count(context, name, kind, len(list_items(value)) if chosen else 0, value)
    return tuple(chosen)


def check_demand_count(context: SectionContext, name: str, kind: str, count: int, value: Expr) -> None:
    """Reports constraints that compare demands and name too few of them."""
    findings = context.findings
    if kind not in words.TYPES or not words.TYPES[kind].several or not count:
        return
    if kind == "inventory_group":
        if count == 1:
            message = f"HAS fails on an inventory_group of one demand, {name}. It does not say anything."
            findings.report_difference(codes.CONSTRAINT_DIFFERS_IN_HAS, message, value, "Name two demands.", CRASHES)
        elif count > 2:
            message = f"Only the first two demands of {name} are a group. HAS fails on more."
            findings.report_difference(codes.CONSTRAINT_DIFFERS_IN_HAS, message, value, "Name two demands.", CRASHES)
    elif count == 1:
        engine = FEW.get(kind, TAKES)
        reason = "HAS fails on it" if engine == CRASHES else "it has nothing to compare"
        findings.report_wrong(
            codes.CONSTRAINT_DIFFERS_IN_HAS,
            f"{kind} needs two demands or more, {name} has one: {reason}.",
            value,
            engine=engine,
        )


def check_split_names(context: SectionContext, constraint_list: list[TemplateConstraint]) -> None:
    """Reports names that HAS would overwrite. It splits a constraint `near` on the demand `web` into one named
    `near_web`, which may be the name of another constraint.
    """
    taken = {constraint.name: constraint for constraint in constraint_list}
    for constraint in constraint_list:
        row = words.TYPES.get(constraint.type)
        if row is None or not row.split:
            continue
        for demand in constraint.demands:
            other = taken.get(f"{constraint.name}_{demand}")
            if other is not None and other is not constraint:
                part = f"the part of {constraint.name} for {demand}"
                message = f"HAS calls {part} {other.name}, too, and one of the two is lost."
                context.findings.report_difference(
                    codes.CONSTRAINT_DIFFERS_IN_HAS, message, other, "Rename one of them."
                )
