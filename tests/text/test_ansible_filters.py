"""Sources that Ansible renders: its filters that only compute, and the values of its roles."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import transpile
from tests.repository.trees import tree
from transpile.model.budget import Budget
from transpile.repository.survey import survey_tree
from transpile.text import jinja

VALUES: dict[str, Any] = {
    "keys": ["a", "b"],
    "map": {"x": 1, "y": {"z": [1]}},
    "yes": "yes",
    "text": "web-01.example.org",
}


def render(source: str, **more: Any) -> dict[str, Any]:
    request: dict[str, Any] = {
        "values": {**VALUES, **more},
        "directory": None,
        "base": None,
        "allow": [],
        "trusting": False,
    }
    return jinja.run_sandbox({"text": source, **request}, Budget())


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("{{ keys | to_json }}", '["a", "b"]'),
        ("{{ map | to_nice_json }}", '{\n    "x": 1,\n    "y": {\n        "z": [\n            1\n        ]\n    }\n}'),
        ("{{ map | to_yaml }}", "x: 1\ny:\n  z: [1]\n"),
        ("{{ map | to_nice_yaml(indent=2) }}", "x: 1\ny:\n  z:\n  - 1\n"),
        ("{{ ('[1, 2]' | from_json)[1] }}{{ ('{a: 3}' | from_yaml).a }}", "23"),
        ("{{ yes | bool }}{{ 'no' | bool }}{{ 1 | bool }}{{ none | bool }}", "TrueFalseTrueNone"),
        ("{{ gone | default('d') }}{{ gone.deep[0].er | default('e', true) }}{{ '' | default('f', true) }}", "def"),
        ("{{ map | combine({'y': {'q': 2}}, recursive=true) | to_json }}", '{"x": 1, "y": {"z": [1], "q": 2}}'),
        ("{{ map | combine({'x': 2}, {'x': 3}) | to_json }}", '{"x": 3, "y": {"z": [1]}}'),
        ("{{ (yes | bool) | ternary('on', 'off') }}{{ none | ternary(1, 2, 3) }}", "on3"),
        (r"{{ text | regex_replace('^web-(\d+)\..*$', 'db\\1') }}", "db01"),
        (r"{{ text | regex_search('\d+') }}{{ text | regex_findall('o\w') | length }}", "011"),
        ("{{ 'a b' | b64encode }}{{ 'YSBi' | b64decode }}{{ 'a b' | quote }}", "YSBia b'a b'"),
        ("{{ '/a/b.c' | basename }}{{ '/a/b.c' | dirname }}", "b.c/a"),
        ("{{ keys | union(['c']) | difference(['a']) | join }}{{ [[1], [2, [3]]] | flatten | join }}", "bc123"),
        ("{{ map | dict2items | map(attribute='key') | join }}{{ [{'key': 1, 'value': 2}] | items2dict }}", "xy{1: 2}"),
        ("{{ text is match('web') }}{{ text is search('nope') }}{{ 'x' | hash('sha256') | length }}", "TrueFalse64"),
        ("{{ text | mandatory }}", VALUES["text"]),
    ],
)
def test_filters_as_in_ansible(source: str, result: str) -> None:
    assert render(source).get("text") == result


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("{{ gone | mandatory }}", "Mandatory variable 'gone' not defined."),
        ("{{ gone.deep }}", "'gone' is undefined"),
        ("{{ keys | random }}", "No filter named 'random'"),
        ("{{ lookup('env', 'HOME') }}", "'lookup' is undefined"),
        ("{{ '/etc/passwd' | fileglob }}", "No filter named 'fileglob'"),
        ("{{ '[1]' | from_json(object_hook='x'.format) }}", "unexpected keyword argument 'object_hook'"),
        ("{{ keys | to_json(default='x'.format) }}", "the option default is not supported"),
        ("{{ 'x' | hash('shake_128') }}", "there is no hash shake_128 here"),
    ],
)
def test_filters_that_are_refused(source: str, error: str) -> None:
    assert error in render(source)["error"]


def test_no_filter_calls_an_argument() -> None:
    """`str.format` would read attributes that the sandbox forbids."""
    answer = render("{{ 'x' | regex_replace('x', '{0.__class__.__mro__}'.format) }}")
    assert "re.Match" not in answer.get("text", "")


@pytest.mark.parametrize(
    "source", [r"{{ ('a' * 30000) | regex_search('(a+)+b') }}", "{{ keys | to_json(indent=10**10) }}"]
)
def test_filters_have_the_limits_of_the_sandbox(source: str) -> None:
    assert "too much time" in render(source)["error"] or "memory" in render(source)["error"]


ROLE = {
    "roles/web/templates/stack.yaml.j2": (
        "heat_template_version: 2018-08-31\nresources:\n"
        "{% for zone in zones %}\n"
        "  volume_{{ zone }}: {type: OS::Cinder::Volume, properties: {size: {{ size }}, name: {{ name }}}}\n"
        "{% endfor %}\n"
    ),
    "roles/web/defaults/main.yml": "size: 1\nzones: [a]\nprefix: web\nname: '{{ prefix }}-{{ suffix | default(0) }}'\n",
    "roles/web/vars/main.yml": "size: '{{ prefix | length }}'\nbroken: '{{ nowhere }}'\n",
}


def test_a_template_of_a_role_has_its_defaults_and_vars(tmp_path: pathlib.Path) -> None:
    """Vars win over defaults, and the user's values over both. Values may be expressions, and one that cannot be
    computed matters only where it is used.
    """
    src = tree(tmp_path, {**ROLE, ".git/HEAD": ""}) / "roles/web/templates/stack.yaml.j2"
    done = transpile.convert(src, render={"zones": ["x", "y"]})
    assert done.ok, done.diagnostics
    text = str(done.files["main.tf"])
    assert text.count('resource "openstack_blockstorage_volume_v3"') == 2
    assert "size = 3" in " ".join(text.split())
    assert '"web-0"' in text
    assert {pathlib.Path(path).name for path in done.reads} >= {"main.yml"}


def test_values_of_a_role_that_are_not_plain_are_an_error(tmp_path: pathlib.Path) -> None:
    files = {**ROLE, "roles/web/vars/main.yml": "secret: !vault |\n  $ANSIBLE_VAULT;1.1\n", ".git/HEAD": ""}
    src = tree(tmp_path, files) / "roles/web/templates/stack.yaml.j2"
    done = transpile.convert(src, render={})
    assert [(d.code, "vars/main.yml" in d.message) for d in done.diagnostics] == [("HOT117", True)]


def test_without_values_nothing_is_rendered(tmp_path: pathlib.Path) -> None:
    plan = survey_tree(tree(tmp_path, ROLE))
    assert (len(plan.stacks), list(plan.others)) == (0, ["roles/web/templates/stack.yaml.j2"])
