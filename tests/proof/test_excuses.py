"""A code excuses only the kind of difference that its diagnostic speaks of."""

from __future__ import annotations

from typing import Any

import pytest

from emitters.hcl.proof.excuses import EXCUSES, FailedValue
from transpile.diagnostics import codes

FAILED = FailedValue("there is no item 0")
CASES: list[tuple[str, Any, Any, bool]] = [
    (codes.JSON_FORMATTED_DIFFERENTLY, '{"b": [1, "é"], "a": 2}', '{"a":2,"b":[1,"\\u00e9"]}', True),
    (codes.JSON_FORMATTED_DIFFERENTLY, 'echo {"a": "0"} | jq .', 'echo {"a":"0"} | jq .', True),
    (codes.JSON_FORMATTED_DIFFERENTLY, {"x": "0", "p": "v"}, '{"p":"v","x":"0"}', True),
    (codes.JSON_FORMATTED_DIFFERENTLY, {"h": '{"x": 1}'}, {"h": '{"x":1}'}, True),
    (codes.JSON_FORMATTED_DIFFERENTLY, '{"a": "0"}', '{"a":0}', False),
    (codes.JSON_FORMATTED_DIFFERENTLY, 'echo {"a": 1}', 'echo  {"a": 1}', False),
    (codes.JSON_FORMATTED_DIFFERENTLY, "a" * 64, "b" * 64, True),  # digests of such texts
    (codes.JSON_FORMATTED_DIFFERENTLY, '{"a": 1}', FAILED, False),
    (codes.UNTYPED_VALUE_AS_TEXT, "v-3.0 True", "v-3 true", True),
    (codes.UNTYPED_VALUE_AS_TEXT, "v-3.0", "v-4", False),
    (codes.UNTYPED_VALUE_AS_TEXT, "h", "", True),
    (codes.URL_QUOTED_DIFFERENTLY, "http://h/a b", "http://h/a%20b", True),
    (codes.URL_QUOTED_DIFFERENTLY, "http://h/a", "http://h/b", False),
    (codes.KEYS_ORDERED_DIFFERENTLY, ["b", "a"], ["a", "b"], True),
    (codes.KEYS_ORDERED_DIFFERENTLY, ["b", "a"], ["a", "c"], False),
    (codes.TEXT_NOT_NFC_OR_UTF8, "e\u0301", "é", True),
    (codes.TEXT_NOT_NFC_OR_UTF8, "e", "é", False),
    (codes.DEPLOYMENT_RESULT_LOST, {"a": "x", "b": 1}, {"a": None, "b": 1}, True),
    (codes.DEPLOYMENT_RESULT_LOST, {"a": "x", "b": 1}, {"a": None, "b": 2}, False),
    (codes.SIMILAR_ATTRIBUTE, "x", "y", True),
    (codes.SIMILAR_ATTRIBUTE, "x", FAILED, False),
    (codes.RESOURCE_MAY_NOT_EXIST, "x", FAILED, True),
    (
        codes.ATTRIBUTE_AS_VARIABLE,
        "a 10.0.0.1",
        FailedValue("this cannot be converted to text"),
        True,
    ),  # null until it is set
]


@pytest.mark.parametrize(("code", "heat", "terraform", "excused"), CASES)
def test_a_code_excuses_its_own_kind_of_difference(code: str, heat: Any, terraform: Any, excused: bool) -> None:
    assert EXCUSES[code](heat, terraform) is excused


def test_a_diagnostic_without_a_value_excuses_nothing() -> None:
    assert not EXCUSES.keys() & {codes.UNUSED_PARAMETER, codes.HIDDEN_VALUE_REVEALED, codes.DELETION_POLICY_RETAIN}
