"""Reads the section `demands`: the parts to be placed, and the candidates of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from transpile.diagnostics import codes
from transpile.homing import thresholds, words
from transpile.homing.context import (
    SectionContext,
    list_items,
    literal_text,
    plain_data,
    plain_members,
    try_reader,
)
from transpile.homing.findings import CRASHES, REFUSES, TAKES
from transpile.homing.model import (
    AttributeFilter,
    CandidateSelection,
    DeclaredCandidate,
    DemandRequirement,
    Path,
    QuantityThreshold,
    TemplateDemand,
)
from transpile.homing.scalars import is_finite_number
from transpile.model.ir import Entry, Expr, Lit, Map, Seq

SIMPLE = ("inventory_provider", "inventory_type", "customer_id", "service_type", "attributes", "filtering_attributes")
FILTERS = ("attributes", "filtering_attributes")


def read_demands(context: SectionContext, section: Expr) -> dict[str, TemplateDemand]:
    demands_by_name = {}
    for entry in context.read_entries(section, "The section demands", codes.NOT_A_HOMING_TEMPLATE):
        if entry.key in context.locations:
            message = f"{entry.key} names a demand and a location; HAS may take one for the other."
            context.findings.report_note(
                codes.DEMAND_NAMED_LIKE_LOCATION, message, entry, "Rename one of them.", severity="warning"
            )
        demands_by_name[entry.key] = read_demand(context, entry)
    return demands_by_name


def read_demand(context: SectionContext, entry: Entry) -> TemplateDemand:
    name, value = entry.key, entry.value
    requirements: list[DemandRequirement] = []
    if isinstance(value, Seq):
        if not value.items:
            context.findings.report_wrong(
                codes.INVALID_DEMAND, f"The demand {name} has no requirements, so no candidates.", value
            )
        for i, item in enumerate(value.items):
            requirements += read_requirement(context, name, item, ("demands", name, i))
    else:
        hint = "Write a dash before the first key." if isinstance(value, Map) else ""
        context.findings.report_wrong(
            codes.INVALID_DEMAND, f"The demand {name} must be a list of requirements.", value, hint
        )
    return TemplateDemand(name, tuple(requirements), entry.key_span)


def read_requirement(context: SectionContext, owner: str, expr: Expr, path: Path) -> Iterator[DemandRequirement]:
    """A requirement, unless the expression is no map."""
    findings = context.findings
    if not context.expect_map(expr, f"A requirement of the demand {owner}", codes.INVALID_DEMAND):
        return
    fields = {entry.key: entry for entry in expr.entries}
    context.check_keys(expr, words.REQUIREMENT, f"A requirement of {owner}", codes.INVALID_DEMAND)
    check_provider(context, owner, expr, fields)
    kind = read_inventory_type(context, owner, expr, fields)
    filters = read_filters(context, fields)
    check_customer(context, owner, kind, expr, fields)
    for key in words.NEVER_READ:
        if key in fields:
            findings.report_difference(codes.KEY_NOT_READ_BY_HAS, f"HAS takes {key} and never reads it.", fields[key])
    for key in ("passthrough_attributes", "default_attributes"):
        if key in fields and not isinstance(fields[key].value, Map):
            findings.report_wrong(codes.INVALID_DEMAND, f"{key} must be a map.", fields[key].value)
    check_unique(context, fields.get("unique"))
    check_conflicts(context, fields.get("conflict_identifier"))
    required, excluded, existing = read_selections(context, owner, fields)
    read_keys = (*words.LISTS, *SIMPLE, "region", "complex", "default_cost", "unique", "passthrough_attributes")
    yield DemandRequirement(
        literal_text(expr.get("inventory_provider")),
        kind,
        filters,
        plain_data(expr.get("customer_id")),
        plain_items(expr.get("service_type")),
        plain_items(expr.get("service_id")),
        literal_text(expr.get("region")),
        literal_text(expr.get("complex")),
        read_default_cost(context, fields.get("default_cost")),
        literal_text(expr.get("unique")) != "false",
        read_declared_candidates(context, owner, kind, fields.get("candidates")),
        required,
        excluded,
        existing,
        plain_members(expr.get("passthrough_attributes")),
        {key: plain_data(entry.value) for key, entry in fields.items() if key not in read_keys},
        expr.span,
        path,
    )


def plain_items(expr: Expr | None) -> tuple[Any, ...]:
    return tuple([plain_data(item) for item in list_items(expr)])


def check_provider(context: SectionContext, owner: str, requirement_map: Map, fields: dict[str, Entry]) -> None:
    findings, entry = context.findings, fields.get("inventory_provider")
    name = literal_text(requirement_map.get("inventory_provider"))
    if not name:
        if entry is None and "candidates" in fields:
            return  # explicit candidates alone: their treatment in HAS depends on the type
        message = f"A requirement of {owner} has no inventory_provider."
        findings.report_wrong(
            codes.INVALID_DEMAND, message, entry or requirement_map, f"HAS knows {', '.join(words.PROVIDERS)}."
        )
    elif name in words.OF_TEXTS:
        assert entry
        message = f"HAS refuses the provider {name}, which the specifications name."
        findings.report_difference(
            codes.DEMAND_DIFFERS_IN_HAS, message, entry.value, f"HAS knows {', '.join(words.PROVIDERS)}.", REFUSES
        )
    elif name not in words.PROVIDERS:
        assert entry is not None
        hint = findings.guess_name(name, (*words.PROVIDERS, *words.OF_TEXTS))
        findings.report_wrong(codes.INVALID_DEMAND, f"There is no inventory provider {name}.", entry.value, hint)


def read_inventory_type(context: SectionContext, owner: str, requirement_map: Map, fields: dict[str, Entry]) -> str:
    findings, entry = context.findings, fields.get("inventory_type")
    name = literal_text(requirement_map.get("inventory_type"))
    if not name:
        if entry is None and "candidates" in fields:
            message = "HAS asks the inventory for more candidates, and fails without inventory_type."
            hint = "Add inventory_provider and inventory_type; HAS then adds the inventory's candidates."
            findings.report_difference(codes.CANDIDATE_DIFFERS_IN_HAS, message, fields["candidates"], hint, REFUSES)
        else:
            message = f"A requirement of {owner} has no inventory_type."
            findings.report_wrong(
                codes.INVALID_DEMAND, message, entry or requirement_map, f"Known: {', '.join(words.INVENTORY_TYPES)}."
            )
    elif name not in words.INVENTORY_TYPES:
        assert entry is not None
        unknown_hint = findings.guess_name(name, words.INVENTORY_TYPES)
        findings.report_wrong(codes.INVALID_DEMAND, f"There is no inventory type {name}.", entry.value, unknown_hint)
    return name


def read_filters(context: SectionContext, fields: dict[str, Entry]) -> tuple[AttributeFilter, ...]:
    """The filters of a requirement. The texts call the key `attributes`, HAS `filtering_attributes`; both are read."""
    filters: list[AttributeFilter] = []
    for key in FILTERS:
        entry = fields.get(key)
        if entry is None:
            continue
        if key == "attributes":
            message = "HAS refuses attributes; its key is filtering_attributes."
            context.findings.report_difference(
                codes.DEMAND_DIFFERS_IN_HAS, message, entry, "Rename it, and use the inventory's names.", REFUSES
            )
        entries = context.read_entries(entry.value, key, codes.INVALID_DEMAND)
        filters += [read_filter(context, field) for field in entries]
    return tuple(filters)


def read_filter(context: SectionContext, entry: Entry) -> AttributeFilter:
    value = entry.value
    if isinstance(value, Map):
        kinds = {field.key: field.value for field in value.entries}
        if kinds and set(kinds) <= {"any", "not"}:
            negated = "not" in kinds and "any" not in kinds
            return AttributeFilter(entry.key, plain_items(kinds["not" if negated else "any"]), negated)
        hint = context.findings.guess_name(next(iter(kinds), ""), ("any", "not"))
        message = f"{entry.key} must have a value, a list, or a map with any or not. HAS takes the keys of this map."
        context.findings.report_wrong(codes.INVALID_DEMAND, message, value, hint, TAKES)
    elif isinstance(value, Lit) and isinstance(value.value, str) and entry.key not in words.CUSTOMERS:
        message = f"HAS compares {entry.key} as a part of this text, so less than the whole of it matches, too."
        context.findings.report_note(
            codes.DEMAND_DIFFERS_IN_HAS, message, value, f"Write a list: [{value.value[:40]}].", severity="info"
        )
    return AttributeFilter(entry.key, plain_items(value))


def check_customer(
    context: SectionContext, owner: str, kind: str, requirement_map: Map, fields: dict[str, Entry]
) -> None:
    """Reports a requirement for services without a customer: HAS needs to know whose services they are."""
    if kind == "slice_profiles" and "filtering_attributes" not in fields:
        message = f"HAS fails on slice_profiles without filtering_attributes, in {owner}."
        context.findings.report_difference(
            codes.DEMAND_DIFFERS_IN_HAS, message, fields["inventory_type"], engine=REFUSES
        )
    if kind not in words.WITH_CUSTOMER:
        return
    filters = fields.get("filtering_attributes")
    names = {entry.key for entry in filters.value.entries} if filters and isinstance(filters.value, Map) else set()
    missing = []
    if filters is not None and filters.value != Map(()):
        if not names & set(words.CUSTOMERS[:2]):
            missing = ["customer-id in filtering_attributes"]
    else:
        missing = [key for key in ("customer_id", "service_type") if not plain_data(requirement_map.get(key))]
    if missing and "attributes" not in fields:
        message = f"HAS refuses a {kind} demand without {' and '.join(missing)}, in {owner}."
        context.findings.report_difference(
            codes.DEMAND_DIFFERS_IN_HAS, message, fields["inventory_type"], engine=REFUSES
        )


def check_unique(context: SectionContext, entry: Entry | None) -> None:
    if entry is not None and literal_text(entry.value) not in ("true", "false"):
        message = 'unique must be the text "true" or "false". HAS takes any other value for neither.'
        context.findings.report_wrong(codes.INVALID_DEMAND, message, entry.value, engine=TAKES)
    elif entry is not None and not (isinstance(entry.value, Lit) and isinstance(entry.value.value, str)):
        message = 'HAS compares unique with the texts "true" and "false", so a boolean is neither.'
        context.findings.report_difference(
            codes.DEMAND_DIFFERS_IN_HAS, message, entry.value, f'Quote it: "{literal_text(entry.value)}".'
        )


def check_conflicts(context: SectionContext, entry: Entry | None) -> None:
    if entry is not None and any(isinstance(item, Lit) for item in list_items(entry.value)):
        message = "HAS fails on texts in conflict_identifier; it takes {get_candidate_attribute: NAME}."
        context.findings.report_difference(codes.DEMAND_DIFFERS_IN_HAS, message, entry.value, engine=REFUSES)


def read_default_cost(context: SectionContext, entry: Entry | None) -> float | None:
    """The default cost, which may have the unit USD."""
    if entry is None:
        return None
    value = entry.value
    if isinstance(value, Lit) and isinstance(value.value, str):
        cost = try_reader(thresholds.parse_text_threshold, value.value, thresholds.BASE["cost"])
        if isinstance(cost, QuantityThreshold) and cost.operator == "=":
            return cost.low
    return context.read_number(value, "default_cost", codes.INVALID_DEMAND, TAKES)


Selections = tuple[tuple[CandidateSelection, ...] | None, tuple[CandidateSelection, ...], CandidateSelection | None]


def read_selections(context: SectionContext, owner: str, fields: dict[str, Entry]) -> Selections:
    """The candidates that a requirement names as required, excluded, and already in place."""
    selections_by_key: dict[str, tuple[CandidateSelection, ...] | None] = {}
    for key in ("required_candidates", "excluded_candidates"):
        entry = fields.get(key)
        if entry is None:
            selections_by_key[key] = None
            continue
        if not isinstance(entry.value, Seq):
            context.findings.report_wrong(codes.INVALID_CANDIDATE, f"{key} must be a list of candidates.", entry.value)
        selections_by_key[key] = tuple(
            [chosen for item in list_items(entry.value) for chosen in read_selection(context, item, fields, key)]
        )
    required, excluded = selections_by_key["required_candidates"], selections_by_key["excluded_candidates"]
    if required and excluded:
        both = {i for selection in required for i in selection.ids} & {
            i for selection in excluded for i in selection.ids
        }
        entry = fields["excluded_candidates"]
        if both:
            message = f"{', '.join(sorted(both))} is both required and excluded in {owner}."
            context.findings.report_wrong(codes.INVALID_CANDIDATE, message, entry)
        written = [item for key in selections_by_key for item in list_items(fields[key].value) if isinstance(item, Map)]
        if not both and any(isinstance(item.get("candidate_id"), Seq) for item in written):
            message = "HAS fails when both required_candidates and excluded_candidates are given."
            context.findings.report_difference(codes.CANDIDATE_DIFFERS_IN_HAS, message, entry, engine=REFUSES)
    return required, excluded or (), read_existing_placement(context, fields)


def read_selection(
    context: SectionContext, expr: Expr, fields: dict[str, Entry], key: str
) -> Iterator[CandidateSelection]:
    """A selection, unless the expression is no map."""
    if not context.expect_map(expr, f"A candidate in {key}", codes.INVALID_CANDIDATE):
        return
    ids, kind = expr.get("candidate_id"), literal_text(expr.get("inventory_type"))
    strange = [entry for entry in expr.entries if entry.key not in words.CANDIDATE]
    for entry in strange:
        context.report_unknown_key(entry, words.CANDIDATE, "A candidate", codes.INVALID_CANDIDATE, TAKES)
    if ids is None:
        context.findings.report_wrong(codes.INVALID_CANDIDATE, f"A candidate in {key} has no candidate_id.", expr)
    own = fields.get("inventory_type")
    same = bool(kind) and (not own or kind == literal_text(own.value))
    if not kind:
        message = f"HAS finds no candidate by an entry of {key} without inventory_type."
        engine = REFUSES if key == "required_candidates" else TAKES
        context.findings.report_difference(codes.CANDIDATE_DIFFERS_IN_HAS, message, expr, "Add inventory_type.", engine)
    elif same and isinstance(ids, Lit):
        message = f"HAS refuses a candidate_id that is no list, in {key}."
        context.findings.report_difference(
            codes.CANDIDATE_DIFFERS_IN_HAS, message, ids, f"Write [{literal_text(ids)}].", REFUSES
        )
    yield CandidateSelection(kind, tuple([literal_text(item) for item in list_items(ids)]), expr.span)


def read_existing_placement(context: SectionContext, fields: dict[str, Entry]) -> CandidateSelection | None:
    entry = fields.get("existing_placement")
    if entry is None:
        return None
    value = entry.value
    if isinstance(value, Seq) and len(value.items) == 1:
        message = "HAS fails on a list in existing_placement."
        context.findings.report_difference(
            codes.CANDIDATE_DIFFERS_IN_HAS, message, value, "Write its one candidate, without the dash.", REFUSES
        )
        value = value.items[0]
    if not context.expect_map(value, "existing_placement", codes.INVALID_CANDIDATE):
        return None
    ids = value.get("candidate_id")
    if ids is None:
        context.findings.report_wrong(
            codes.INVALID_CANDIDATE, "existing_placement has no candidate_id, so HAS ignores it.", value, engine=TAKES
        )
    return CandidateSelection(
        literal_text(value.get("inventory_type")), tuple(map(literal_text, list_items(ids))), value.span
    )


def read_declared_candidates(
    context: SectionContext, owner: str, kind: str, entry: Entry | None
) -> tuple[DeclaredCandidate, ...]:
    """The candidates that a requirement declares itself."""
    if entry is None:
        return ()
    findings = context.findings
    if not isinstance(entry.value, Seq):
        findings.report_wrong(codes.INVALID_CANDIDATE, f"candidates of {owner} must be a list.", entry.value)
        return ()
    candidates = []
    for item in entry.value.items:
        if not context.expect_map(item, f"A candidate of {owner}", codes.INVALID_CANDIDATE):
            continue
        for member in item.entries:
            if member.key not in words.CANDIDATE:
                context.report_unknown_key(member, words.CANDIDATE, "A candidate", codes.INVALID_CANDIDATE)
            elif member.key not in words.OF_HAS:
                if member.key in words.NUMERIC:
                    context.read_number(member.value, member.key, codes.INVALID_CANDIDATE, REFUSES)
                lost = " There, such a candidate has no position." if member.key in words.COORDINATES else ""
                message = f"HAS refuses {member.key} in a candidate of the template.{lost}"
                findings.report_difference(
                    codes.CANDIDATE_DIFFERS_IN_HAS, message, member, f"HAS takes {', '.join(words.OF_HAS)}.", REFUSES
                )
            elif member.key in words.NUMERIC and isinstance(member.value, Lit) and isinstance(member.value.value, str):
                if not is_finite_number(member.value.value):
                    findings.report_wrong(
                        codes.INVALID_CANDIDATE, f"{member.key} must be a number.", member.value, engine=CRASHES
                    )
                else:
                    message = "HAS keeps a cost that is a text as it is, and fails when it sorts by it."
                    findings.report_difference(
                        codes.CANDIDATE_DIFFERS_IN_HAS, message, member.value, "Remove the quotes.", CRASHES
                    )
        name = literal_text(item.get("candidate_id"))
        if not name:
            findings.report_wrong(
                codes.INVALID_CANDIDATE, f"A candidate of {owner} has no candidate_id.", item, engine=CRASHES
            )
        candidates.append(DeclaredCandidate(name, {"inventory_type": kind, **plain_members(item)}, item.span))
    return tuple(candidates)
