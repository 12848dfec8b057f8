"""Says which difference between Heat's value and Terraform's a diagnostic has announced.

Invariant: a code excuses only the kind of difference that its diagnostic speaks of; a code that is not in the table
excuses none. JSON with other spaces excuses no other number in it.
"""

from __future__ import annotations

import json
import re
import unicodedata
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, final

from transpile.diagnostics import codes
from transpile.model.lazy_patterns import compile_lazily

Excuse: TypeAlias = Callable[[Any, Any], bool]
DIGEST = compile_lazily("[0-9a-f]{32,128}")
NUMBER = compile_lazily(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
BEGINNINGS = 1000  # of lists and maps that are looked for in a text


@final
class FailedValue(str):
    """The reason why Terraform fails to compute a value, in place of the value."""

    __slots__ = ()


def is_other_value(heat: Any, terraform: Any) -> bool:
    """Whether Terraform has a value at all: any other value is excused."""
    return not isinstance(terraform, FailedValue)


def is_anything(heat: Any, terraform: Any) -> bool:
    """True: any other value is excused, and so is a failure of Terraform."""
    return True


def is_lost(heat: Any, terraform: Any) -> bool:
    """Whether Terraform has null in place of a value, of some items, or of a part of a text."""
    if isinstance(heat, list) and isinstance(terraform, list) and len(heat) == len(terraform):
        return all(a == b or is_lost(a, b) for a, b in zip(heat, terraform, strict=True))
    if isinstance(heat, dict) and isinstance(terraform, dict) and heat.keys() == terraform.keys():
        return all(a == terraform[key] or is_lost(a, terraform[key]) for key, a in heat.items())
    return terraform is None or isinstance(terraform, str)


def compare_by(normalize: Callable[[str], str]) -> Excuse:
    """A test whether values are equal after their texts are normalized. Two digests may be of such texts, so they
    pass.
    """

    def is_equal(heat: Any, terraform: Any) -> bool:
        if isinstance(terraform, FailedValue):
            return False
        if isinstance(heat, str) and isinstance(terraform, str):
            if DIGEST.fullmatch(heat) and DIGEST.fullmatch(terraform) and len(heat) == len(terraform):
                return True
            return heat == terraform or normalize(heat) == normalize(terraform)
        first, second = (
            value if isinstance(value, str) else json.dumps(value, default=str) for value in (heat, terraform)
        )
        return normalize(first) == normalize(second)

    return is_equal


def normalize_json(text: str) -> str:
    """A text in which each list and map of JSON, wherever it stands, has one spelling."""
    out, at, tries = [], 0, 0
    decoder = json.JSONDecoder()
    for match in re.finditer(r"[\[{]", text):
        if match.start() < at or tries == BEGINNINGS:
            continue
        tries += 1
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        out += [text[at : match.start()], json.dumps(decode_inner(value), sort_keys=True)]
        at = end
    return "".join([*out, text[at:]])


def decode_inner(value: Any) -> Any:
    """A value in which each text that is JSON of a list or map has one spelling."""
    if isinstance(value, dict):
        return {key: decode_inner(item) for key, item in value.items()}
    if isinstance(value, list):
        return [decode_inner(item) for item in value]
    return normalize_json(value) if isinstance(value, str) else value


def normalize_scalars(text: str) -> str:
    """A text in which numbers, booleans and null have one spelling, and lists and maps too."""
    words = re.sub(r"\b(null|none)\b", "", normalize_json(text).lower())
    return NUMBER.sub(lambda match: f"{float(match[0]):g}", words).replace('"', "")


def normalize_unicode(text: str) -> str:
    return unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode()).replace("\ufffd", "?")


def sort_characters(text: str) -> str:
    """The characters of a text in order, for values that differ only in the order of their parts."""
    return "".join(sorted(text))


def is_same_scalar(heat: Any, terraform: Any) -> bool:
    """Whether two values are the same number, boolean or list in two spellings; or the character that Heat selects from
    a text, as if it were a list, where Terraform finds nothing.
    """
    selected = isinstance(heat, str) and len(heat) == 1 and terraform in ("", None)
    return (selected and not isinstance(terraform, FailedValue)) or compare_by(normalize_scalars)(heat, terraform)


EXCUSES: Mapping[str, Excuse] = {
    codes.JSON_FORMATTED_DIFFERENTLY: compare_by(normalize_json),
    codes.TEXT_NOT_NFC_OR_UTF8: compare_by(normalize_unicode),
    codes.DIGEST_OF_NON_ASCII_TEXT: compare_by(str),
    codes.URL_QUOTED_DIFFERENTLY: compare_by(urllib.parse.unquote),
    codes.KEYS_ORDERED_DIFFERENTLY: compare_by(sort_characters),
    codes.UNTYPED_VALUE_AS_TEXT: is_same_scalar,
    # null, as the attribute that the template reads exists only in Heat
    **dict.fromkeys(
        (
            codes.DEPLOYMENT_RESULT_LOST,
            codes.GROUP_WITHOUT_ID,
            codes.OUTPUT_KNOWN_ONLY_TO_HEAT,
            codes.RESOURCE_LEFT_OUT,
            codes.SIGNAL_NOT_RECEIVED,
            codes.UNKNOWN_ATTRIBUTE,
        ),
        is_lost,
    ),
    # no value, or one that the user must set, until when Terraform fails where it has to be part of a text
    **dict.fromkeys(
        (
            codes.ATTRIBUTE_AS_VARIABLE,
            codes.NOT_A_TERRAFORM_NUMBER,
            codes.NOT_POSSIBLE_IN_HCL,
            codes.REQUIRED_ONLY_BY_PROVIDER,
            codes.REQUIRED_VALUE_LEFT_OPEN,
            codes.RESOURCE_MAY_NOT_EXIST,
            codes.VALUE_REFUSED_BY_BOTH,
        ),
        is_anything,
    ),
    # a value of another origin or meaning, of which the diagnostic speaks
    **dict.fromkeys(
        (
            codes.ACCESS_KEY_WITHOUT_HEAT,
            codes.ALL_ATTRIBUTES_READ,
            codes.CFN_INIT_OF_IMAGE,
            codes.CFN_INIT_WITHOUT_HEAT,
            codes.COMPARISON_OF_MIXED_TYPES,
            codes.DEPLOYMENT_AS_USER_DATA,
            codes.DEPLOYMENT_OVER_SSH,
            codes.DIFFERENT_BEHAVIOUR,
            codes.FAILING_TEST_RESOURCE,
            codes.FILE_NOT_READ,
            codes.FLOATING_IP_KNOWN_BY_ID,
            codes.GROUP_SCALED_BY_USER,
            codes.KNOWN_ONLY_BY_NAME,
            codes.METADATA_LOST,
            codes.NETWORKS_OF_SERVER,
            codes.OCTAVIA_REPLACES_HAPROXY,
            codes.PLACEHOLDER_INSIDE_VALUE,
            codes.PLACEHOLDER_VALUE,
            codes.PORT_OF_EXISTING_SERVER,
            codes.PROPERTY_IGNORED_BY_HEAT,
            codes.PROPERTY_WITHOUT_COUNTERPART,
            codes.RULE_WITHOUT_ZERO,
            codes.SCRIPT_WITHOUT_INTERPRETER,
            codes.SIGNALS_NOT_AWAITED,
            codes.SIMILAR_ATTRIBUTE,
            codes.STACK_WITHOUT_FILES,
            codes.SUBNET_READ_BY_NETWORK,
            codes.UNTRANSLATABLE_YAQL,
            codes.UUID_AS_STACK_ID,
            codes.WAITING_OVER_SSH,
            codes.YAQL_DIFFERS_FOR_RARE_VALUES,
        ),
        is_other_value,
    ),
}
