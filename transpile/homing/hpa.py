"""Compares the hardware features of flavors (HPA) as HAS does.

Source: `hpa_utils` of HAS's A&AI plug-in, as measured. A flavor has a feature if one of its capabilities has the same
name, version and architecture, and satisfies each attribute that the template asks for.

Invariant: data of another shape has no feature; it raises nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

FEATURE, ATTRIBUTES, SUBJECT = (
    "hpa-feature",
    "hpa-feature-attributes",
    (
        "hpa-feature",
        "hpa-version",
        "architecture",
    ),
)
KEY, VALUE = "hpa-attribute-key", "hpa-attribute-value"
SCALE = {"KB": 1024, "MB": 1024**2, "GB": 1024**3}


def hpa_score(data: Mapping[str, Any], evaluate: Sequence[Mapping[str, Any]]) -> int | None:
    """The score of a candidate: the sum over the entries of the score of its best flavor. None if some entry has no
    flavor.
    """
    total = 0
    for entry in evaluate:
        features = list_of_maps(entry.get("flavorProperties"))
        best_scores = [
            flavor_score(flavor, features) for flavor in list_of_maps(as_mapping(data.get("flavors")).get("flavor"))
        ]
        scores = [score for score in best_scores if score is not None]
        if not scores:
            return None
        total += max(scores)
    return total


def flavor_score(flavor: Mapping[str, Any], features: Sequence[Mapping[str, Any]]) -> int | None:
    """The sum of the scores of the optional features that a flavor has; None if it lacks a mandatory one."""
    total = 0
    capabilities = list_of_maps(as_mapping(flavor.get("hpa-capabilities")).get("hpa-capability"))
    for feature in features:
        attributes = list_of_maps(feature.get(ATTRIBUTES))
        met = any(
            all(capability.get(key) == feature.get(key) for key in SUBJECT)
            and all(satisfies_attribute(capability, each) for each in attributes)
            for capability in capabilities
        )
        compulsory = str(feature.get("mandatory", True)).lower()
        if not met and compulsory == "true":
            return None
        if met and compulsory == "false":
            total += whole_number(feature.get("score")) or 0
    return total


def satisfies_attribute(capability: Mapping[str, Any], attribute: Mapping[str, Any]) -> bool:
    """Whether an attribute of a capability compares with the wanted value as the template asks."""
    own = next(
        (
            own_attribute
            for own_attribute in list_of_maps(capability.get(ATTRIBUTES))
            if own_attribute.get(KEY) == attribute.get(KEY)
        ),
        None,
    )
    have = as_mapping(decode_value(own.get(VALUE))) if own is not None else {}
    value, other, operator = have.get("value"), attribute.get(VALUE), attribute.get("operator")
    if value is None:
        return False
    if operator == "ALL":
        needs = other if isinstance(other, list) else [other]
        has = value if isinstance(value, list) else [value]
        return bool(needs) and all(need in has for need in needs)
    first, second = whole_number(value), whole_number(other)
    if first is None or second is None:
        return operator == "=" and str(value) == str(other)
    first *= SCALE.get(str(have.get("unit")), 1)
    second *= SCALE.get(str(attribute.get("unit")), 1)
    return {
        "=": first == second,
        "<": first < second,
        ">": first > second,
        "<=": first <= second,
        ">=": first >= second,
    }.get(str(operator), False)


def decode_value(text: Any) -> Any:
    """A value of A&AI: the data in a JSON text, or the value itself."""
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {"value": text}


def whole_number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return int(value) if not isinstance(value, float) or math.isfinite(value) else None
    except (ValueError, OverflowError):
        return None


def list_of_maps(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, (list, tuple)) else []


def as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
