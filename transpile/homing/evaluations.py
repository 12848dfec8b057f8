"""The property `evaluate` of attribute, threshold and hpa constraints."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from transpile.homing import words
from transpile.homing.context import items, plain, text
from transpile.homing.findings import CRASHES, TAKES
from transpile.homing.model import (
    Attribute,
    Evaluation,
    Hpa,
    HpaAttribute,
    HpaEntry,
    HpaFeature,
    Limit,
    Limits,
)
from transpile.model.ir import Entry, Lit, Map, Seq

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transpile.homing.context import Context
    from transpile.homing.model import Path
    from transpile.model.ir import Expr

PATTERN = re.compile(r"/(?P<pattern>.*)/(?P<flags>[a-z]*)", re.DOTALL)
FLAGS = "i"
LONGEST = 500  # characters of a pattern


def attribute(context: Context, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> Attribute | None:
    given = context.map(fields["evaluate"].value, f"evaluate of {name}", "HOT876", CRASHES)
    if given is None:
        return None
    found: list[Evaluation] = []
    for entry in given.entries:
        found += evaluated(context, entry, (*path, "evaluate", entry.key))
    return Attribute(tuple(found))


def evaluated(context: Context, entry: Entry, path: Path) -> list[Evaluation]:
    """The tests of one attribute: a value that it equals, or operators."""
    findings, key, value = context.findings, entry.key, entry.value
    if key == "network_roles":
        return several(context, entry, ("any", "all"), path)
    if key == "replication_role":
        if not text(value):
            findings.wrong("HOT876", "replication_role is a text.", value, engine=CRASHES)
            return []
        return [Evaluation(key, "eq", text(value), "", value.span, path)]
    if key == "cloud-region":
        if isinstance(value, Map):
            context.keys(value, words.CLOUD_REGION, key, "HOT882", TAKES)
        return [Evaluation(key, "any", plain(value), "", value.span, path)]
    if isinstance(value, Map) and value.entries and all(one.key in words.EVALUATIONS for one in value.entries):
        return several(context, entry, words.EVALUATIONS, path)
    if isinstance(value, Map) and value.entries:
        strange = next(one for one in value.entries if one.key not in words.EVALUATIONS)
        hint = findings.guess(strange.key, words.EVALUATIONS)
        message = f"HAS ignores the test of {key}: {strange.key} is no operator. It is compared as a whole here."
        findings.wrong("HOT882", message, strange, hint, TAKES)
    elif isinstance(value, Seq):
        message = f"HAS ignores the test of {key}: it evaluates any and all only. The list is compared as a whole here."
        findings.differs("HOT882", message, entry, "Did you mean {any: […]}?")
    else:
        findings.differs(
            "HOT882", f"HAS ignores the test of {key}: it evaluates any and all only.", entry, better(entry)
        )
    return [Evaluation(key, "eq", plain(value), "", value.span, path)]


def better(entry: Entry) -> str:
    """How HAS would evaluate it, if it can."""
    if entry.key not in words.KNOWN_ATTRIBUTES:
        return f"HAS knows {', '.join(words.KNOWN_ATTRIBUTES)} and network_roles."
    return f"Write {{any: [{text(entry.value)}]}}." if isinstance(entry.value, Lit) else ""


def several(context: Context, entry: Entry, known: tuple[str, ...], path: Path) -> list[Evaluation]:
    """The operators of one attribute."""
    findings, found = context.findings, []
    value = context.map(entry.value, entry.key, "HOT876", CRASHES)
    for one in value.entries if value is not None else ():
        if one.key not in known:
            context.unknown(one, known, entry.key, "HOT882", TAKES)
            continue
        if (test := operated(context, entry.key, one, (*path, one.key))) is not None:
            found.append(test)
        if one.key not in ("any", "all"):
            message = f"HAS ignores the operator {one.key}, which the texts propose."
            findings.differs("HOT882", message, one, better(entry) if one.key == "eq" else "")
        elif entry.key not in (*words.KNOWN_ATTRIBUTES, "network_roles"):
            message = f"HAS ignores the attribute {entry.key}, which it does not evaluate."
            findings.differs("HOT882", message, entry, better(entry))
        elif one.key == "all" and entry.key != "network_roles" and len({text(i) for i in items(one.value)}) > 1:
            message = f"all asks {entry.key} to be each of these values, so no candidate passes."
            findings.note("HOT891", message, one.value, "Did you mean any?", severity="warning")
    return found


def operated(context: Context, attribute: str, entry: Entry, path: Path) -> Evaluation | None:
    """One operator with an operand of its type."""
    findings, operator, value = context.findings, entry.key, entry.value
    place = (value.span, path)
    if operator in ("lt", "gt", "lte", "gte"):
        found = context.number(value, f"The operand of {operator}", "HOT876", TAKES)
        return None if found is None else Evaluation(attribute, operator, found, "", *place)
    if operator in ("any", "all"):
        if not isinstance(value, Seq):
            findings.wrong("HOT876", f"The operand of {operator} must be a list.", value, engine=TAKES)
        return Evaluation(attribute, operator, [plain(item) for item in items(value)], "", *place)
    if operator != "regex":
        return Evaluation(attribute, operator, plain(value), "", *place)
    if not (isinstance(value, Lit) and isinstance(value.value, str)) or len(value.value) > LONGEST:
        findings.senseless("HOT876", f"The operand of regex is a pattern of at most {LONGEST} characters.", value)
        return None
    shape = PATTERN.fullmatch(value.value)
    pattern, flags = (shape["pattern"], shape["flags"]) if shape is not None else (value.value, "")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as e:
        findings.senseless("HOT876", f"The pattern cannot be read: {e}.", value)
        return None
    if set(flags) - set(FLAGS):
        findings.senseless("HOT876", f"The pattern has the flags {flags}; only i is known.", value)
        return None
    return Evaluation(attribute, operator, pattern, flags, *place)


def limits(context: Context, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> Limits | None:
    given, findings = fields["evaluate"].value, context.findings
    if not isinstance(given, Seq):
        hint = "Write a dash before attribute." if isinstance(given, Map) else ""
        findings.wrong("HOT876", f"evaluate of {name} must be a list.", given, hint, CRASHES)
        return None
    found = [limit(context, name, one, (*path, "evaluate", i)) for i, one in enumerate(given.items)]
    return Limits(tuple([one for one in found if one is not None]))


def limit(context: Context, name: str, given: Expr, path: Path) -> Limit | None:
    findings = context.findings
    if context.map(given, f"An entry of evaluate in {name}", "HOT876", CRASHES) is None or not isinstance(given, Map):
        return None
    context.keys(given, words.LIMIT, f"An entry of evaluate in {name}", "HOT876", TAKES)
    fields = {entry.key: entry for entry in given.entries}
    attribute, operator = text(given.get("attribute")), text(given.get("operator"))
    if not attribute:
        message = f"An entry of evaluate in {name} has no attribute, so HAS drops every candidate."
        findings.senseless("HOT876", message, fields.get("attribute") or given)
        return None
    if operator not in words.LIMITS:
        hint = findings.guess(operator, words.LIMITS) or f"Known: {', '.join(words.LIMITS)}."
        what = f"no operator {operator}" if operator else "an operator"
        message = f"threshold has {what}, in {name}." if operator else f"An entry of evaluate in {name} needs {what}."
        findings.wrong("HOT876", message, fields["operator"].value if "operator" in fields else given, hint, CRASHES)
        return None
    value = given.get("threshold")
    if value is None:
        findings.wrong("HOT876", f"An entry of evaluate in {name} has no threshold.", given, engine=CRASHES)
        return None
    amount = context.number(value, "A threshold", "HOT876")
    if amount is None:
        return None
    if isinstance(value, Lit) and isinstance(value.value, str):
        message = f"HAS fails when it compares a number with a text, in {name}."
        findings.differs("HOT883", message, value, f"Remove the quotes: {value.value[:40]}.", CRASHES)
    if "unit" in fields:
        message = "HAS does not read the unit; it compares numbers."
        findings.differs("HOT873", message, fields["unit"])
    unit = text(given.get("unit")) or None
    return Limit(attribute, operator, amount, unit, given.span, path)


def hpa(context: Context, name: str, kind: str, fields: Mapping[str, Entry], path: Path) -> Hpa | None:
    given = fields["evaluate"].value
    if not isinstance(given, Seq):
        context.findings.wrong("HOT876", f"evaluate of {name} must be a list.", given)
        return None
    found = [hpa_entry(context, name, one) for one in given.items]
    return Hpa(tuple([one for one in found if one is not None]))


def complete(
    context: Context, given: Expr, required: tuple[str, ...], optional: tuple[str, ...], what: str
) -> Map | None:
    """A map that has all these keys, and no others."""
    if context.map(given, what, "HOT876") is None or not isinstance(given, Map):
        return None
    context.keys(given, (*required, *optional), what, "HOT876")
    missing = [key for key in required if given.get(key) is None]
    for key in missing:
        context.findings.wrong("HOT876", f"{what} needs {key}.", given)
    return None if missing else given


def hpa_entry(context: Context, name: str, expr: Expr) -> HpaEntry | None:
    what = f"An entry of evaluate in {name}"
    given = context.map(expr, what, "HOT876")
    if given is None:
        return None
    context.keys(given, words.HPA_ENTRY, what, "HOT876", TAKES)
    for key in words.HPA_ENTRY:
        value = given.get(key)
        if value is None or plain(value) in (None, "", [], {}):
            context.findings.wrong("HOT876", f"{what} needs {key}.", value or given)
            return None
    directives, features = given.get("directives"), given.get("flavorProperties")
    for key, one in (("directives", directives), ("flavorProperties", features)):
        if not isinstance(one, Seq):
            context.findings.wrong("HOT876", f"{key} of {name} must be a list.", one or given)
            return None
    found = [hpa_feature(context, name, one) for one in items(features)]
    kept = tuple([one for one in found if one is not None])
    return HpaEntry(text(given.get("id")), text(given.get("type")), kept, tuple(map(plain, items(directives))))


def hpa_feature(context: Context, name: str, expr: Expr) -> HpaFeature | None:
    findings, what = context.findings, f"A feature in {name}"
    given = complete(context, expr, words.HPA_FEATURE, ("score",), what)
    if given is None:
        return None
    mandatory, score = given.get("mandatory"), given.get("score")
    assert mandatory is not None
    said = text(mandatory).lower()
    if said not in ("true", "false"):
        message = f'{what} has mandatory "True" or "False", as texts.'
        findings.wrong("HOT876", message, mandatory, engine=CRASHES if not text(mandatory) else TAKES)
    elif not (isinstance(mandatory, Lit) and isinstance(mandatory.value, str)):
        message = "HAS fails on a boolean in mandatory."
        findings.differs("HOT883", message, mandatory, f'Quote it: "{said.title()}".', CRASHES)
    value = 0.0
    if score is not None:
        value = context.number(score, f"The score of {what}", "HOT876") or 0.0
    elif text(mandatory) == "False":
        findings.wrong("HOT876", f"{what} that is not mandatory needs a score.", given)
    elif said == "false":
        message = "HAS fails on a feature that is not mandatory and has no score."
        findings.differs("HOT883", message, mandatory, "Add score.", CRASHES)
    attributes = [hpa_attribute(context, name, one) for one in items(given.get("hpa-feature-attributes"))]
    return HpaFeature(
        text(given.get("hpa-feature")),
        text(given.get("hpa-version")),
        text(given.get("architecture")),
        said != "false",
        value,
        tuple([one for one in attributes if one is not None]),
        tuple(map(plain, items(given.get("directives")))),
    )


def hpa_attribute(context: Context, name: str, expr: Expr) -> HpaAttribute | None:
    what = f"An attribute of a feature in {name}"
    given = complete(context, expr, words.HPA_ATTRIBUTE, ("unit",), what)
    if given is None:
        return None
    operator = text(given.get("operator"))
    if operator not in words.HPA_OPERATORS:
        hint = f"Known: {', '.join(words.HPA_OPERATORS)}."
        message = f"HAS knows no operator {operator} of a feature, so no flavor matches."
        context.findings.wrong("HOT883", message, given.get("operator") or given, hint, TAKES)
    unit = text(given.get("unit")) or None
    return HpaAttribute(text(given.get("hpa-attribute-key")), plain(given.get("hpa-attribute-value")), operator, unit)
