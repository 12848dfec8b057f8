"""Diagnostics, quick fixes, the outline and formatting."""

from __future__ import annotations

import pathlib

import pytest

from tests.language_server.writing import HEAD, Written, written
from transpile import settings
from transpile.language_server import fixes, workspace
from transpile.language_server.findings import diagnose_document
from transpile.language_server.formatting import format_document
from transpile.language_server.outline import OutlineEntry, outline_document
from transpile.model.span import Span

SERVER = f"{HEAD}resources:\n  a:\n    type: OS::Nova::Server\n    properties: {{flavor: f, imag: i}}\n"


@pytest.fixture(autouse=True)
def _no_configuration_is_remembered() -> None:
    settings.forget_configurations()


def codes(opened: Written) -> list[str]:
    return [diagnostic.code for diagnostic in diagnose_document(opened.document, opened.workspace)]


def test_a_template_is_checked(tmp_path: pathlib.Path) -> None:
    opened = written(tmp_path, SERVER)
    (diagnostic,) = diagnose_document(opened.document, opened.workspace)
    assert diagnostic.code == "HOT301"
    assert opened.document.text[diagnostic.at : diagnostic.end] == "imag"


def test_a_text_that_is_no_yaml_has_one_diagnostic(tmp_path: pathlib.Path) -> None:
    assert codes(written(tmp_path, f"{SERVER}  b: {{type: [\n")) == ["HOT101"]


@pytest.mark.parametrize("text", ["a: 1\n", "", "{% if x %}\n", "services: {web: {image: x}}\n"])
def test_other_documents_have_none(tmp_path: pathlib.Path, text: str) -> None:
    assert codes(written(tmp_path, text)) == []


def test_a_jinja_source_has_none(tmp_path: pathlib.Path) -> None:
    assert codes(written(tmp_path, f"{HEAD}resources: {{% x %}}\n", "stack.j2.yaml")) == []


def test_an_environment_is_checked_with_its_template(tmp_path: pathlib.Path) -> None:
    template = f"{HEAD}parameters:\n  size: {{type: number}}\noutputs: {{a: {{value: {{get_param: size}}}}}}\n"
    opened = written(tmp_path, "parameters: {size: many}\n", "web.env.yaml", web_yaml=template)
    assert codes(opened) == []
    opened.workspace.survey_folders()
    assert [(d.code, d.severity) for d in diagnose_document(opened.document, opened.workspace)] == [
        ("HOT302", "warning")
    ]


def test_types_of_the_environment_are_known(tmp_path: pathlib.Path) -> None:
    text = f"{HEAD}resources:\n  a: {{type: My::None}}\n"
    opened = written(tmp_path, text, stack_env_yaml="resource_registry: {My::None: OS::Heat::None}\n")
    assert codes(opened)
    opened.workspace.survey_folders()
    assert codes(opened) == []


def test_mistakes_in_a_nested_template_are_shown_where_it_is_used(tmp_path: pathlib.Path) -> None:
    opened = written(tmp_path, f"{HEAD}resources:\n  a: {{type: inner.yaml}}\n", inner_yaml=SERVER)
    (diagnostic,) = diagnose_document(opened.document, opened.workspace)
    assert diagnostic.message.startswith("In inner.yaml: ")
    assert opened.document.text[diagnostic.at : diagnostic.end] == "inner.yaml"


@pytest.mark.parametrize("inner", [SERVER, "a: [\n", f"{HEAD}resources:\n  a: {{type: deep.yaml}}\n"])
def test_a_fix_of_another_file_is_not_offered(tmp_path: pathlib.Path, inner: str) -> None:
    """The mistake in the other file may be in its names, its syntax, or a template that it uses."""
    opened = written(tmp_path, f"{HEAD}resources:\n  a: {{type: inner.yaml}}\n", inner_yaml=inner, deep_yaml=SERVER)
    (diagnostic,) = diagnose_document(opened.document, opened.workspace)
    assert diagnostic.message.startswith("In ")
    assert opened.document.text[diagnostic.at : diagnostic.end] == "inner.yaml"
    assert diagnostic.fix is None


def test_hidden_values_are_in_no_diagnostic(tmp_path: pathlib.Path) -> None:
    text = "parameters: {p: {type: number, hidden: true, default: hunter2}}\noutputs: {a: {value: {get_param: p}}}\n"
    diagnostics = diagnose_document(*written(tmp_path, HEAD + text)[:2])
    assert diagnostics
    assert not [d for d in diagnostics if "hunter2" in d.message + d.help()]


def test_the_configuration_counts(tmp_path: pathlib.Path) -> None:
    opened = written(tmp_path, SERVER, hot2tf_toml='ignore = ["HOT301"]\n')
    assert codes(opened) == []
    (tmp_path / "hot2tf.toml").write_text('severity = {HOT301 = "info"}\n')
    workspace.clear_caches()
    assert [d.severity for d in diagnose_document(opened.document, opened.workspace)] == ["info"]


def test_an_environment_that_cannot_be_read_is_told(tmp_path: pathlib.Path) -> None:
    """The environment may lie in the repository, but outside of the open directory."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "outer.env.yaml").write_text("parameters: {}\n")
    (tmp_path / "hot2tf.toml").write_text('environments = ["outer.env.yaml"]\n')
    inside = tmp_path / "inside"
    inside.mkdir()
    opened = written(inside, f"{HEAD}resources:\n  a: {{type: OS::Heat::None}}\n")
    (diagnostic,) = diagnose_document(opened.document, opened.workspace)
    assert (diagnostic.code, diagnostic.severity) == ("HOT113", "warning")
    assert "outer.env.yaml" in diagnostic.message
    opened.workspace.folders = [tmp_path]
    assert codes(opened) == []


# quick fixes


def fixed(opened: Written, title: str) -> str:
    """The text after the quick fix with a title."""
    document = opened.document
    actions = fixes.list_quick_fixes(
        document, diagnose_document(document, opened.workspace), Span(0, len(document.text))
    )
    (action,) = [each for each in actions if each.title.startswith(title)]
    text = document.text
    for edit in reversed(action.edits):
        text = text[: edit.at] + edit.text + text[edit.end :]
    return text


def test_a_misspelt_name_is_replaced(tmp_path: pathlib.Path) -> None:
    assert fixed(written(tmp_path, SERVER), "Replace") == SERVER.replace("imag:", "image:")


def test_a_removed_function_is_replaced(tmp_path: pathlib.Path) -> None:
    opened = written(tmp_path, f"{HEAD}outputs:\n  a: {{value: {{'Fn::Join': ['-', [a, b]]}}}}\n")
    document = opened.document
    offered = list(
        fixes.list_quick_fixes(document, diagnose_document(document, opened.workspace), Span(0, len(document.text)))
    )
    assert [edit.text for action in offered for edit in action.edits if "list_join" in edit.text]


LONG = """resources:
  a:
    type: OS::Nova::Server
    properties:
      flavor: f
      imag: {}
"""


@pytest.mark.parametrize(
    "value",
    [
        "x",
        "x  # why",
        "x  # hot2tf: ignore HOT601",
        "|\n        several\n        # lines\n",
        '"several\n        # lines"',
        "{a: 1,\n        b: 2}",
        "several\n        lines",
        "'#'",
    ],
)
def test_a_comment_ignores_a_diagnostic(tmp_path: pathlib.Path, value: str) -> None:
    """The text is read again: the diagnostic is gone, and the value is the same."""
    before = written(tmp_path, HEAD + LONG.format(value))
    assert "HOT301" in codes(before)
    after = written(tmp_path, fixed(before, "Ignore HOT301"))
    assert after.document.text != before.document.text
    assert "HOT301" not in codes(after)
    was, now = before.document.template, after.document.template
    assert was is not None
    assert now is not None
    assert was.resources == now.resources


def test_json_has_no_comments(tmp_path: pathlib.Path) -> None:
    text = '{"heat_template_version": "2018-08-31", "resources": {"a": {"type": "OS::Heat::None", "propertie": {}}}}'
    opened = written(tmp_path, text)
    diagnostics = diagnose_document(opened.document, opened.workspace)
    assert diagnostics
    titles = [each.title for each in fixes.list_quick_fixes(opened.document, diagnostics, Span(0, len(text)))]
    assert not [title for title in titles if title.startswith("Ignore")]


# the outline, formatting


def names(entries: tuple[OutlineEntry, ...] | list[OutlineEntry]) -> list[object]:
    return [
        (entry.name, entry.detail, names(entry.inside)) if entry.inside else (entry.name, entry.detail)
        for entry in entries
    ]


def test_the_outline_has_sections_and_declarations(tmp_path: pathlib.Path) -> None:
    opened = written(tmp_path, f"{SERVER}outputs:\n  x: {{value: 1}}\n")
    assert names(outline_document(opened.document)) == [
        ("heat_template_version", ""),
        ("resources", "", [("a", "OS::Nova::Server")]),
        ("outputs", "", [("x", "")]),
    ]


def test_formatting_changes_only_differing_lines(tmp_path: pathlib.Path) -> None:
    text = "heat_template_version: 2018-08-31\n\nresources:\n  a:\n    type:   OS::Heat::None\n"
    change, why = format_document(written(tmp_path, text).document)
    assert change is not None
    assert not why
    assert text[: change.at] + change.text + text[change.end :] == text.replace("   OS", " OS")
    assert text[: change.at].endswith("  a:\n")


def test_a_document_that_cannot_be_formatted_has_a_reason(tmp_path: pathlib.Path) -> None:
    change, why = format_document(written(tmp_path, f"{HEAD}resources: {{\n").document)
    assert change is None
    assert "YAML" in why


def test_placeholders_in_an_environment_are_reported(tmp_path: pathlib.Path) -> None:
    """Like `check`, the server reports once, at the entry of the environment, and not if a comment accepts the
    placeholder.
    """
    template = f"{HEAD}parameters:\n  key: {{type: string}}\noutputs: {{a: {{value: {{get_param: key}}}}}}\n"
    opened = written(tmp_path, "parameters:\n  key: CHANGEME\n", "web.env.yaml", web_yaml=template)
    opened.workspace.survey_folders()
    (diagnostic,) = diagnose_document(opened.document, opened.workspace)
    assert (diagnostic.code, diagnostic.severity) == ("HOT613", "warning")
    assert opened.document.text[diagnostic.at :].startswith("key")
    text = "parameters:\n  key: CHANGEME  # hot2tf: ignore HOT613\n"
    opened = written(tmp_path, text, "web.env.yaml", web_yaml=template)
    opened.workspace.survey_folders()
    assert codes(opened) == []
