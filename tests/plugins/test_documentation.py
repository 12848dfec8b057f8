"""Texts that an author of a plug-in writes reach users: descriptions of constraints, and support statuses."""

from __future__ import annotations

import pathlib

import pytest

from tests.plugins.support import plugins
from transpile import check
from transpile.front import template as templates
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.schema import documentation
from transpile.schema.catalog import Catalog

PLUGIN = """\
class R(resource.Resource):
    support_status = support.SupportStatus(version='5.0.0', status=support.UNSUPPORTED)
    default_client_name = 'aodh'
    properties_schema = {
        'size': S(S.INTEGER, constraints=[constraints.Range(5, 10, description="don't go crazy")]),
        'kind': S(S.STRING, constraints=[constraints.AllowedValues(['a', 'b'], 'pick one')]),
        'old': S(S.STRING, support_status=support.SupportStatus(support.DEPRECATED, 'use kind', '2014.1')),
        'new': S(S.STRING, support_status=support.SupportStatus(version='9.0.0')),
    }
    attributes_schema = {
        'at': attributes.Schema('An attribute.', support_status=support.SupportStatus(support.HIDDEN, version='6.0.0')),
    }


def resource_mapping():
    return {'A::B': R}
"""


def test_types_shows_descriptions_of_constraints_and_statuses(tmp_path: pathlib.Path) -> None:
    lines = [" ".join(x.split()) for x in documentation.document_type(plugins(tmp_path, PLUGIN).types["A::B"].facts)]
    assert {
        "unsupported since 5.0.0",
        "needs Heat's client for aodh",
        "size integer; 5 to 10 (don't go crazy)",
        "kind string; one of a, b (pick one)",
        "old string, deprecated since 2014.1: use kind",
        "new string, supported since 9.0.0",
        "at any type, hidden since 6.0.0",
    } <= set(lines)


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ("{size: 11}", "error HOT312 r.size: don't go crazy."),
        ("{kind: c}", "error HOT312 r.kind: pick one."),
        ("{old: x}", "info HOT611 The property old of A::B is deprecated since 2014.1: use kind."),
    ],
)
def test_check_shows_the_words_of_the_author(properties: str, expected: str, tmp_path: pathlib.Path) -> None:
    """Heat answers with the description of the constraint."""
    catalog = Catalog({name: kind.facts for name, kind in plugins(tmp_path, PLUGIN).types.items()})
    text = f"heat_template_version: 2021-04-16\nresources:\n  r: {{type: A::B, properties: {properties}}}\n"
    template, _ = templates.read_template(Source("t.yaml", text, budget=Budget()))
    assert template is not None
    stack, _ = linker.link_template(template, options=linker.LinkOptions(catalog=catalog))
    messages = [f"{d.severity} {d.code} {d.message}" for d in check.check_stack(stack, create=True)]
    assert messages == [expected]
