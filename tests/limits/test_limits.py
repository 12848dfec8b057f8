"""Each limit can be set, and says where it was exceeded."""

from __future__ import annotations

import pathlib
import re

import pytest

import transpile
from tests.conftest import Run
from transpile import checking
from transpile.diagnostics.model import did_you_mean
from transpile.model.budget import LIMITS, Budget, WrongLimit, read_budget_limits
from transpile.model.source import Source
from transpile.settings.table import Request

HEAD = "heat_template_version: 2018-08-31\n"
DOCS = pathlib.Path(__file__).parents[2] / "docs" / "exactness.md"
GROUP = """resources:
  g:
    type: OS::Heat::ResourceGroup
    properties:
      count: 50
      removal_policies: [{resource_list: ['1']}]
      resource_def: {type: OS::Neutron::Net}
"""
MESSAGES = """resources:
  inner: {type: OS::Heat::MultipartMime, properties: {parts: [{config: a}, {config: b}]}}
  outer:
    type: OS::Heat::MultipartMime
    properties:
      parts:
      - {config: {get_resource: inner}, type: multipart}
      - {config: {get_resource: inner}, type: multipart}
  server: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data: {get_resource: outer}}}
"""
# name, and a word if there are several → a limit that is exceeded, the template, and the text that the diagnostic
# points to
EXCEEDED = {
    "values": (16, "resources:\n  a: &a {type: OS::Neutron::Net}\n  b: *a\n  c: *a\n  d: *a\n  e: *a\n", "heat"),
    "values, long": (8, f"description: {'x' * 10_000}\nresources: {{a: {{type: OS::Heat::Value}}}}\n", "{type:"),
    "characters": (60, "resources:\n  a: &a {type: OS::Neutron::Net}\n  b: *a\n  c: *a\n", "a: &a"),
    "members": (50, GROUP, "50"),
    "expansions": (4, MESSAGES, "{config: {get_resource: inner}"),
    "computed": (9, "outputs:\n  o: {value: {list_join: [', ', [abc, def]]}}\n", "list_join"),
    "steps": (2, "outputs:\n  o: {value: {list_join: [', ', [abcdef, abcdef, abcdef, abcdef]]}}\n", "list_join"),
    "written": (100, "resources:\n  a: {type: OS::Neutron::Net}\n", "heat"),
}


@pytest.mark.parametrize("case", EXCEEDED)
def test_limit_stops_the_conversion_at_a_place(case: str) -> None:
    name, (limit, text, place) = case.partition(",")[0], EXCEEDED[case]
    done = transpile.convert(HEAD + text, limits={name: limit})
    (error,) = [d for d in done.diagnostics if d.severity == "error"]
    assert error.code == ("HOT107" if name in ("values", "characters") else "HOT118")
    assert name in error.message
    assert f"{limit:,}" in error.message
    assert f"--limit {name}={10 * limit}" in error.hint
    assert error.source is not None
    assert place in error.source.text[error.at :].split("\n")[0]
    assert not done.files
    assert transpile.convert(HEAD + text, limits={name: 100 * limit}).ok


def test_number_of_nested_templates_is_limited(tmp_path: pathlib.Path) -> None:
    used = "".join(f"  r{n}: {{type: inner{n}.yaml}}\n" for n in range(3))
    (tmp_path / "stack.yaml").write_text(f"{HEAD}resources:\n{used}")
    for n in range(3):
        (tmp_path / f"inner{n}.yaml").write_text(f"{HEAD}resources:\n  a: {{type: OS::Neutron::Net}}\n")
    done = transpile.convert(tmp_path / "stack.yaml", limits={"templates": 2})
    assert [(d.code, d.as_json()["line"]) for d in done.diagnostics if d.severity == "error"] == [("HOT118", 5)]
    assert transpile.convert(tmp_path / "stack.yaml", limits={"templates": 3}).ok


def test_entries_of_the_registry_are_limited_where_they_stand() -> None:
    text = f"{HEAD}resources:\n  a: {{type: A::b}}\n"
    environment = "resource_registry:\n  'A*': 'B*'\n  'B*': 'C*'\n  'C*': 'OS::Neutron::Net'\n"
    done = transpile.convert(text, environments=[environment], limits={"registry": 2})
    (error,) = [d for d in done.diagnostics if d.severity == "error"]
    assert (error.code, error.as_json()["line"]) == ("HOT118", 4)
    assert transpile.convert(text, environments=[environment], limits={"registry": 3}).ok


def test_wide_ranges_in_wildcards_are_paid_for() -> None:
    """Python visits each character of a range when it reads a wildcard: 100 cost as much as an entry."""
    wide = "[#-\ufffd]" * 4
    entries = f"    'web[a-z]*': {{A::b: A::c}}\n    '{wide}*': {{A::b: A::c}}\n"
    environment = f"resource_registry:\n  resources:\n{entries}"
    text = f"{HEAD}resources:\n  a: {{type: OS::Neutron::Net}}\n"
    done = transpile.convert(text, environments=[environment], limits={"registry": 2_000})
    assert [d.code for d in done.diagnostics if d.severity == "error"] == ["HOT118"]
    assert transpile.convert(text, environments=[environment], limits={"registry": 3_000}).ok


def test_run_goes_on_without_suggestions_and_says_so() -> None:
    text = f"{HEAD}resources:\n  a: {{type: OS::Neutron::Net, depends_on: ab}}\n"
    hints = {limit: codes(text, suggestions=limit) for limit in (1, 1000)}
    assert "HOT119" in hints[1]
    assert "HOT119" not in hints[1000]


def codes(text: str, **limits: int) -> list[str]:
    return [d.code for d in transpile.convert(text, limits=limits).diagnostics]


def test_pattern_that_takes_too_long_is_not_compared_and_said() -> None:
    declared = f"type: string, default: {'a' * 40}b, constraints: [{{allowed_pattern: (a|a)*$}}]"
    text = f"{HEAD}parameters:\n  p: {{{declared}}}\n"
    diagnostics = [d for d in transpile.convert(text).diagnostics if d.code == "HOT119"]
    assert [d.severity for d in diagnostics] == ["warning"]
    assert "allowed_pattern" in diagnostics[0].message


def test_budget_of_one_file_is_not_that_of_another() -> None:
    how = checking.CheckRequest(Request(limits={"steps": 3}))
    text = f"{HEAD}conditions:\n  c: {{equals: [a, b]}}\nresources:\n  a: {{type: OS::Neutron::Net, condition: c}}\n"
    for _ in range(5):
        assert not any(
            d.code == "HOT118"
            for d in checking.check_text(Source("t", text, budget=Budget(how.request.limits)), how, None)
        )


@pytest.mark.parametrize("given", [{"member": 5}, {"members": 0}, {"members": -1}, {"members": "many"}])
def test_wrong_limits_are_refused(given: dict[str, int | str]) -> None:
    with pytest.raises(WrongLimit):
        read_budget_limits(given)


@pytest.mark.parametrize("name", ["convert", "check", "fmt"])
def test_commands_take_limits(name: str, command: Run, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(HEAD + EXCEEDED["values"][1])
    refused = command(name, "--limit", "values=16", str(path))
    assert refused.status == 1
    assert "HOT107" in refused.out + refused.err
    assert command(name, "--limit", "values=2000", str(path)).status == 0
    wrong = command(name, "--limit", "valeus=20", str(path))
    assert wrong.status == 2
    assert "no limit valeus" in wrong.err


def test_page_lists_all_limits_with_their_defaults() -> None:
    _, limits = DOCS.read_text(encoding="utf-8").split("\n## Limits\n")
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| ([^|]+) \|", limits, re.MULTILINE)
    documented = {name: (int(default.replace(",", "")), about.split(" with all")[0]) for name, default, about in rows}
    expected = {name: (limit.default, limit.counts.split(" with all")[0]) for name, limit in LIMITS.items()}
    assert documented == expected


def test_best_name_is_found_among_names_of_every_length() -> None:
    assert did_you_mean("sever", ["s", "server", "se" * 20]) == "Did you mean server?"
    assert did_you_mean("abc", ["abcabcabc", "xyz"]) == ""
