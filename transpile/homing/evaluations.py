"""Reads the property `evaluate` of attribute, threshold and hpa constraints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from transpile.diagnostics import codes
from transpile.guarded.patterns import explain_wrong_pattern
from transpile.homing import words
from transpile.homing.context import SectionContext, list_items, literal_text, plain_data
from transpile.homing.findings import CRASHES, REFUSES, TAKES
from transpile.homing.model import (
    AttributeEvaluation,
    AttributeProperties,
    HpaAttribute,
    HpaEntry,
    HpaFeature,
    HpaProperties,
    Path,
    ThresholdEntry,
    ThresholdProperties,
)
from transpile.model.ir import Entry, Expr, Lit, Map, Seq
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.records import replace

PATTERN = compile_lazily(r"/(?P<pattern>.*)/(?P<flags>[a-z]*)", re.DOTALL)
FLAGS = "i"
LONGEST = 500  # characters of a pattern


def read_attribute_properties(
    context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path
) -> AttributeProperties:
    subject, evaluate = f"evaluate of {name}", fields["evaluate"].value
    evaluations: list[AttributeEvaluation] = []
    for entry in context.read_entries(evaluate, subject, codes.INVALID_CONSTRAINT, CRASHES):
        evaluations += read_attribute_tests(context, entry, (*path, "evaluate", entry.key))
    return AttributeProperties(tuple(evaluations))


def read_attribute_tests(context: SectionContext, entry: Entry, path: Path) -> list[AttributeEvaluation]:
    """The tests of one attribute: a plain value that it must equal, or operators with operands."""
    findings, key, value = context.findings, entry.key, entry.value
    if key == "network_roles":
        return read_operators(context, entry, ("any", "all"), path)
    if key == "replication_role":
        if not literal_text(value):
            findings.report_wrong(codes.INVALID_CONSTRAINT, "replication_role must be a text.", value, engine=CRASHES)
            return []
        return [AttributeEvaluation(key, "eq", literal_text(value), span=value.span, path=path)]
    if key == "cloud-region":
        if isinstance(value, Map):
            context.check_keys(value, words.CLOUD_REGION, key, codes.TEST_IGNORED_BY_HAS, TAKES)
        return [AttributeEvaluation(key, "any", plain_data(value), span=value.span, path=path)]
    if isinstance(value, Map) and value.entries and all(field.key in words.EVALUATIONS for field in value.entries):
        return read_operators(context, entry, words.EVALUATIONS, path)
    if isinstance(value, Map) and value.entries:
        strange = next(field for field in value.entries if field.key not in words.EVALUATIONS)
        hint = findings.guess_name(strange.key, words.EVALUATIONS)
        message = f"HAS ignores the test of {key}: {strange.key} is no operator. It is compared as a whole here."
        findings.report_wrong(codes.TEST_IGNORED_BY_HAS, message, strange, hint, TAKES)
    elif isinstance(value, Seq):
        message = f"HAS ignores the test of {key}: it evaluates any and all only. The list is compared as a whole here."
        findings.report_difference(codes.TEST_IGNORED_BY_HAS, message, entry, "Did you mean {any: […]}?")
    else:
        findings.report_difference(
            codes.TEST_IGNORED_BY_HAS,
            f"HAS ignores the test of {key}: it evaluates any and all only.",
            entry,
            suggest_operator(entry),
        )
    plain = not isinstance(value, Map)
    return [AttributeEvaluation(key, "eq", plain_data(value), "", plain, True, value.span, path)]


def suggest_operator(entry: Entry) -> str:
    """How to write a test so that HAS evaluates it, as a hint."""
    if entry.key not in words.KNOWN_ATTRIBUTES:
        return f"HAS knows {', '.join(words.KNOWN_ATTRIBUTES)} and network_roles."
    return f"Write {{any: [{literal_text(entry.value)}]}}." if isinstance(entry.value, Lit) else ""


def read_operators(
    context: SectionContext, entry: Entry, allowed: tuple[str, ...], path: Path
) -> list[AttributeEvaluation]:
    """The operators of one attribute."""
    findings, operators = context.findings, []
    for field in context.read_entries(entry.value, entry.key, codes.INVALID_CONSTRAINT, CRASHES):
        if field.key not in allowed:
            context.report_unknown_key(field, allowed, entry.key, codes.TEST_IGNORED_BY_HAS, TAKES)
            continue
        evaluated = field.key in ("any", "all") and entry.key in (*words.KNOWN_ATTRIBUTES, "network_roles")
        tests = read_operator(context, entry.key, field, (*path, field.key))
        operators += [replace(test, ignored=not evaluated) for test in tests]
        if field.key not in ("any", "all"):
            message = f"HAS ignores the operator {field.key}, which the specifications propose."
            findings.report_difference(
                codes.TEST_IGNORED_BY_HAS, message, field, suggest_operator(entry) if field.key == "eq" else ""
            )
        elif entry.key not in (*words.KNOWN_ATTRIBUTES, "network_roles"):
            message = f"HAS ignores the attribute {entry.key}, which it does not evaluate."
            findings.report_difference(codes.TEST_IGNORED_BY_HAS, message, entry, suggest_operator(entry))
        elif (
            field.key == "all"
            and entry.key != "network_roles"
            and len({literal_text(i) for i in list_items(field.value)}) > 1
        ):
            message = f"all asks {entry.key} to be each of these values, so no candidate passes."
            findings.report_note(
                codes.CONTRADICTORY_CONSTRAINTS, message, field.value, "Did you mean any?", severity="warning"
            )
    return operators


def report_no_list(context: SectionContext, subject: str, value: Expr, hint: str = "", engine: str = REFUSES) -> None:
    context.findings.report_wrong(codes.INVALID_CONSTRAINT, f"{subject} must be a list.", value, hint, engine)


def read_operator(context: SectionContext, attribute: str, entry: Entry, path: Path) -> Iterator[AttributeEvaluation]:
    """One operator with its operand, unless the operand is not of the operator's type."""
    findings, operator, value = context.findings, entry.key, entry.value
    if operator in ("lt", "gt", "lte", "gte"):
        number = context.read_number(value, f"The operand of {operator}", codes.INVALID_CONSTRAINT, TAKES)
        if number is not None:
            yield AttributeEvaluation(attribute, operator, number, span=value.span, path=path)
    elif operator in ("any", "all"):
        if not isinstance(value, Seq):
            report_no_list(context, f"The operand of {operator}", value, engine=TAKES)
        operands = [plain_data(item) for item in list_items(value)]
        yield AttributeEvaluation(attribute, operator, operands, span=value.span, path=path)
    elif operator != "regex":
        yield AttributeEvaluation(attribute, operator, plain_data(value), span=value.span, path=path)
    elif not (isinstance(value, Lit) and isinstance(value.value, str)) or len(value.value) > LONGEST:
        message = f"The operand of regex must be a pattern of at most {LONGEST} characters."
        findings.report_senseless(codes.INVALID_CONSTRAINT, message, value)
    else:
        shape = PATTERN.fullmatch(value.value)
        pattern, flags = (shape["pattern"], shape["flags"]) if shape is not None else (value.value, "")
        if why := explain_wrong_pattern(pattern, context.document.source.budget):
            findings.report_senseless(codes.INVALID_CONSTRAINT, f"The pattern cannot be read: {why}.", value)
        elif set(flags) - set(FLAGS):
            message = f"The pattern has the flags {flags}; only i is known."
            findings.report_senseless(codes.INVALID_CONSTRAINT, message, value)
        else:
            yield AttributeEvaluation(attribute, operator, pattern, flags, span=value.span, path=path)


def read_threshold_properties(
    context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path
) -> ThresholdProperties | None:
    entries = fields["evaluate"].value
    if not isinstance(entries, Seq):
        hint = "Write a dash before attribute." if isinstance(entries, Map) else ""
        report_no_list(context, f"evaluate of {name}", entries, hint, CRASHES)
        return None
    limits: list[ThresholdEntry] = []
    for i, item in enumerate(entries.items):
        limits += read_threshold_entry(context, name, item, (*path, "evaluate", i))
    return ThresholdProperties(tuple(limits))


def read_threshold_entry(context: SectionContext, name: str, expr: Expr, path: Path) -> Iterator[ThresholdEntry]:
    """A threshold, unless it cannot be read."""
    findings = context.findings
    if not context.expect_map(expr, f"An entry of evaluate in {name}", codes.INVALID_CONSTRAINT, CRASHES):
        return
    context.check_keys(expr, words.LIMIT, f"An entry of evaluate in {name}", codes.INVALID_CONSTRAINT, TAKES)
    fields = {entry.key: entry for entry in expr.entries}
    attribute, operator = literal_text(expr.get("attribute")), literal_text(expr.get("operator"))
    if not attribute:
        message = f"An entry of evaluate in {name} has no attribute, so HAS drops every candidate."
        findings.report_senseless(codes.INVALID_CONSTRAINT, message, fields.get("attribute") or expr)
        return
    if operator not in words.LIMITS:
        hint = findings.guess_name(operator, words.LIMITS) or f"Known: {', '.join(words.LIMITS)}."
        subject = f"no operator {operator}" if operator else "an operator"
        message = (
            f"threshold has {subject}, in {name}." if operator else f"An entry of evaluate in {name} needs {subject}."
        )
        findings.report_wrong(
            codes.INVALID_CONSTRAINT, message, fields["operator"].value if "operator" in fields else expr, hint, CRASHES
        )
        return
    value = expr.get("threshold")
    if value is None:
        findings.report_wrong(
            codes.INVALID_CONSTRAINT, f"An entry of evaluate in {name} has no threshold.", expr, engine=CRASHES
        )
        return
    amount = context.read_number(value, "A threshold", codes.INVALID_CONSTRAINT)
    if amount is None:
        return
    if isinstance(value, Lit) and isinstance(value.value, str):
        message = f"HAS fails when it compares a number with a text, in {name}."
        findings.report_difference(
            codes.CONSTRAINT_DIFFERS_IN_HAS, message, value, f"Remove the quotes: {value.value[:40]}.", CRASHES
        )
    if "unit" in fields:
        message = "HAS does not read the unit; it compares numbers."
        findings.report_difference(codes.KEY_NOT_READ_BY_HAS, message, fields["unit"])
    unit = literal_text(expr.get("unit"))
    yield ThresholdEntry(attribute, operator, amount, unit, expr.span, path)


def read_hpa_properties(
    context: SectionContext, name: str, kind: str, fields: Mapping[str, Entry], path: Path
) -> HpaProperties | None:
    entries = fields["evaluate"].value
    if not isinstance(entries, Seq):
        report_no_list(context, f"evaluate of {name}", entries)
        return None
    return HpaProperties(tuple([entry for item in entries.items for entry in read_hpa_entry(context, name, item)]))


def expect_complete_map(
    expr: Expr, context: SectionContext, required: tuple[str, ...], optional: tuple[str, ...], subject: str
) -> TypeGuard[Map]:
    """Whether an expression is a map with all required keys; a finding for each that is missing, or unknown."""
    if not context.expect_map(expr, subject, codes.INVALID_CONSTRAINT):
        return False
    context.check_keys(expr, (*required, *optional), subject, codes.INVALID_CONSTRAINT)
    missing = [key for key in required if key not in expr]
    for key in missing:
        context.findings.report_wrong(codes.INVALID_CONSTRAINT, f"{subject} needs {key}.", expr)
    return not missing


def read_hpa_entry(context: SectionContext, name: str, entry_map: Expr) -> Iterator[HpaEntry]:
    """An entry, unless it cannot be read."""
    subject = f"An entry of evaluate in {name}"
    if not context.expect_map(entry_map, subject, codes.INVALID_CONSTRAINT):
        return
    label = entry_map.get(words.HPA_LABEL)
    old = label is not None and "id" not in entry_map
    if old:
        message = f"HAS wants id in place of {words.HPA_LABEL}, the name that requests had until 2018."
        findings = context.findings
        findings.report_difference(
            codes.CONSTRAINT_DIFFERS_IN_HAS, message, label or entry_map, "Write id, type and directives.", REFUSES
        )
    allowed = (*words.HPA_ENTRY, words.HPA_LABEL) if old else words.HPA_ENTRY
    context.check_keys(entry_map, allowed, subject, codes.INVALID_CONSTRAINT, TAKES)
    for key in words.HPA_OLD_ENTRY if old else words.HPA_ENTRY:
        value = entry_map.get(key)
        if value is None or plain_data(value) in (None, "", [], {}):
            context.findings.report_wrong(codes.INVALID_CONSTRAINT, f"{subject} needs {key}.", value or entry_map)
            return
    directives, features = entry_map.get("directives"), entry_map.get("flavorProperties")
    for key, member in (("directives", directives), ("flavorProperties", features)):
        if not isinstance(member, Seq) and not (old and member is None):
            report_no_list(context, f"{key} of {name}", member or entry_map)
            return
    yield HpaEntry(
        literal_text(label if old else entry_map.get("id")),
        literal_text(entry_map.get("type")),
        tuple([f for item in list_items(features) for f in read_hpa_feature(context, name, item, old=old)]),
        tuple(map(plain_data, list_items(directives))),
    )


def read_hpa_feature(context: SectionContext, name: str, feature_map: Expr, *, old: bool) -> Iterator[HpaFeature]:
    """A feature, unless it is incomplete. `old`: in a request until 2018, which has no directives, and in which each
    feature is mandatory unless it is said.
    """
    findings, subject = context.findings, f"A feature in {name}"
    later = ("mandatory", "directives") if old else ()
    required = tuple([key for key in words.HPA_FEATURE if key not in later])
    if not expect_complete_map(feature_map, context, required, (*later, "score"), subject):
        return
    mandatory, score = feature_map.get("mandatory") or Lit("True", feature_map.span), feature_map.get("score")
    mandatory_text = literal_text(mandatory).lower()
    if mandatory_text not in ("true", "false"):
        message = f'mandatory of {subject.lower()} must be the text "True" or "False".'
        findings.report_wrong(
            codes.INVALID_CONSTRAINT, message, mandatory, engine=CRASHES if not literal_text(mandatory) else TAKES
        )
    elif not (isinstance(mandatory, Lit) and isinstance(mandatory.value, str)):
        message = "HAS fails on a boolean in mandatory."
        findings.report_difference(
            codes.CONSTRAINT_DIFFERS_IN_HAS, message, mandatory, f'Quote it: "{mandatory_text.title()}".', CRASHES
        )
    value = 0.0
    if score is not None:
        value = context.read_number(score, f"The score of {subject}", codes.INVALID_CONSTRAINT) or 0.0
    elif literal_text(mandatory) == "False":
        findings.report_wrong(codes.INVALID_CONSTRAINT, f"{subject} that is not mandatory needs a score.", feature_map)
    elif mandatory_text == "false":
        message = "HAS fails on a feature that is not mandatory and has no score."
        findings.report_difference(codes.CONSTRAINT_DIFFERS_IN_HAS, message, mandatory, "Add score.", CRASHES)
    attributes = list_items(feature_map.get("hpa-feature-attributes"))
    yield HpaFeature(
        literal_text(feature_map.get("hpa-feature")),
        literal_text(feature_map.get("hpa-version")),
        literal_text(feature_map.get("architecture")),
        mandatory_text != "false",
        value,
        tuple([attribute for item in attributes for attribute in read_hpa_attribute(context, name, item)]),
        tuple(map(plain_data, list_items(feature_map.get("directives")))),
    )


def read_hpa_attribute(context: SectionContext, name: str, attribute_map: Expr) -> Iterator[HpaAttribute]:
    """An attribute, unless it is incomplete."""
    subject = f"An attribute of a feature in {name}"
    if not expect_complete_map(attribute_map, context, words.HPA_ATTRIBUTE, ("unit",), subject):
        return
    operator = literal_text(attribute_map.get("operator"))
    if operator not in words.HPA_OPERATORS:
        hint = f"Known: {', '.join(words.HPA_OPERATORS)}."
        message = f"HAS knows no operator {operator} of a feature, so no flavor matches."
        context.findings.report_wrong(
            codes.CONSTRAINT_DIFFERS_IN_HAS, message, attribute_map.get("operator") or attribute_map, hint, TAKES
        )
    unit = literal_text(attribute_map.get("unit"))
    yield HpaAttribute(
        literal_text(attribute_map.get("hpa-attribute-key")),
        plain_data(attribute_map.get("hpa-attribute-value")),
        operator,
        unit,
    )
