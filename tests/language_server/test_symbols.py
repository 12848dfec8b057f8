"""Definitions, references and new names: within a template, in environments and through nested templates."""

from __future__ import annotations

import pathlib

import pytest

from tests.language_server.writing import HEAD, MARK, Written, written
from transpile.language_server import renaming
from transpile.language_server.symbols import DocumentLocation, find_definitions, find_references

TEXT = """parameter_groups:
  - {label: all, parameters: [image, "image"]}
parameters:
  image: {type: string}
  other: {type: string}
conditions:
  big: {equals: [{get_param: image}, large]}
  small: {not: big}
resources:
  image_port: {type: OS::Neutron::Port, properties: {network: image}}
  server:
    type: OS::Nova::Server
    condition: {and: [big, {not: small}]}
    depends_on: [image_port]
    properties:
      name: {get_param: image}
      image: {get_param: [image]}
      flavor: {if: [big, {get_resource: image_port}, 'image']}
      user_data: "the image"
outputs:
  a: {condition: big, value: {get_attr: [image_port, mac_address]}}
"""


def place(location: DocumentLocation) -> str:
    """A location as the name of its file and its text."""
    path = location.document.path
    assert path is not None
    line = location.document.positions.line_at(location.at)
    return f"{path.name}:{line + 1}:{location.document.text[location.at : location.end]}"


def defined(opened: Written, word: str, after: int = 0) -> list[str]:
    return [place(location) for location in find_definitions(opened.document, opened.workspace, opened.at(word, after))]


@pytest.mark.parametrize(
    ("word", "after", "target"),
    [
        ("get_param: image", 12, "stack.yaml:5:image"),
        ("get_param: [image", 12, "stack.yaml:5:image"),
        ("parameters: [image", 13, "stack.yaml:5:image"),
        ("[big, {get", 1, "stack.yaml:8:big"),
        ("condition: big", 12, "stack.yaml:8:big"),
        ("not: small", 6, "stack.yaml:9:small"),
        ("depends_on: [image", 14, "stack.yaml:11:image_port"),
        ("get_resource: image", 16, "stack.yaml:11:image_port"),
        ("get_attr: [image", 12, "stack.yaml:11:image_port"),
        ("mac_address", 1, "stack.yaml:11:image_port"),
    ],
)
def test_definitions_in_a_template(tmp_path: pathlib.Path, word: str, after: int, target: str) -> None:
    assert defined(written(tmp_path, HEAD + TEXT), word, after) == [target]


def test_references_are_those_of_the_name_and_not_of_the_text(tmp_path: pathlib.Path) -> None:
    """`image` is also a network, a property, a branch and part of a text."""
    opened = written(tmp_path, HEAD + TEXT)
    at = opened.at("get_param: image", 12)
    places = [place(each) for each in find_references(opened.document, opened.workspace, at)]
    assert places == [
        "stack.yaml:3:image",
        'stack.yaml:3:"image"',
        "stack.yaml:5:image",
        "stack.yaml:8:image",
        "stack.yaml:17:image",
        "stack.yaml:18:image",
    ]
    assert len(find_references(opened.document, opened.workspace, at, declaration=False)) == 5


def nested(folder: pathlib.Path) -> Written:
    """A template with an environment, a nested template, a file, and a type that the environment defines."""
    return written(
        folder,
        f"""{HEAD}parameters:
  size: {{type: number}}
resources:
  a: {{type: inner.yaml, properties: {{size: {{get_param: size}}}}}}
  b: {{type: 'My::Inner', properties: {{size: 1}}}}
  c: {{type: OS::Heat::SoftwareConfig, properties: {{config: {{get_file: script.sh}}}}}}
outputs:
  x: {{value: {{get_attr: [a, address]}}}}
""",
        inner_yaml=f"{HEAD}parameters:\n  size: {{type: number}}\n"
        "outputs:\n  address: {value: {get_param: size}}\n",
        stack_env_yaml="parameters: {size: 3}\nresource_registry: {'My::Inner': inner.yaml}\n",
        script_sh="echo\n",
    )


@pytest.mark.parametrize(
    ("word", "after", "target"),
    [
        ("inner.yaml", 2, "inner.yaml:1:"),
        ("My::Inner", 2, "inner.yaml:1:"),
        ("script.sh", 2, "script.sh:1:"),
        ("size: {get_param", 1, "inner.yaml:3:size"),
        ("size: 1", 1, "inner.yaml:3:size"),
        ("address", 1, "inner.yaml:5:address"),
    ],
)
def test_definitions_in_other_files(tmp_path: pathlib.Path, word: str, after: int, target: str) -> None:
    opened = nested(tmp_path)
    opened.workspace.survey_folders()
    assert defined(opened, word, after) == [target]


def test_definitions_of_an_environment(tmp_path: pathlib.Path) -> None:
    nested(tmp_path)
    text = "parameters: {size: 3}\nresource_registry: {'My::Inner': inner.yaml}\n"
    opened = written(tmp_path, text, "stack.env.yaml")
    opened.workspace.survey_folders()
    assert defined(opened, "size", 1) == ["stack.yaml:3:size"]
    assert defined(opened, "inner.yaml", 1) == ["inner.yaml:1:"]


def test_nothing_outside_of_the_workspace_is_found(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "outer.yaml").write_text(f"{HEAD}parameters: {{a: {{type: string}}}}\n")
    (folder / "link.yaml").symlink_to(tmp_path / "outer.yaml")
    text = f"{HEAD}resources:\n  a: {{type: ../outer.yaml}}\n  b: {{type: link.yaml}}\n"
    opened = written(folder, text)
    assert defined(opened, "../outer.yaml", 4) == []
    assert defined(opened, "link.yaml", 4) == []


# new names


def renamed(opened: Written, word: str, after: int, new: str) -> dict[str, str]:
    """The texts of the files that change, by name."""
    changes = renaming.rename_symbol(opened.document, opened.workspace, opened.at(word, after), new)
    out: dict[str, str] = {}
    for change in sorted(changes, key=lambda c: c.at, reverse=True):
        path = change.document.path
        assert path is not None
        text = out.get(path.name, change.document.text)
        out[path.name] = text[: change.at] + change.text + text[change.end :]
    return out


def test_a_parameter_gets_a_new_name_everywhere(tmp_path: pathlib.Path) -> None:
    opened = written(tmp_path, HEAD + TEXT)
    expected = (
        (HEAD + TEXT)
        .replace('parameters: [image, "image"]', 'parameters: [picture, "picture"]')
        .replace("  image: {type", "  picture: {type")
        .replace("get_param: image", "get_param: picture")
        .replace("get_param: [image]", "get_param: [picture]")
    )
    assert renamed(opened, "get_param: image", 12, "picture") == {"stack.yaml": expected}


def test_a_resource_and_a_condition_get_new_names(tmp_path: pathlib.Path) -> None:
    opened = written(tmp_path, HEAD + TEXT)
    assert renamed(opened, "image_port", 1, "nic") == {"stack.yaml": (HEAD + TEXT).replace("image_port", "nic")}
    huge = (HEAD + TEXT).replace("big", "huge")
    assert renamed(opened, "condition: big", 12, "huge") == {"stack.yaml": huge}


def test_environments_and_templates_follow(tmp_path: pathlib.Path) -> None:
    """The name of a nested template's parameter is the name of a property elsewhere."""
    opened = nested(tmp_path)
    opened.workspace.survey_folders()
    texts = renamed(opened, "size: {type", 1, "count")
    assert texts["stack.env.yaml"].startswith("parameters: {count: 3}")
    assert "properties: {size: {get_param: count}}" in texts["stack.yaml"]
    assert set(texts) == {"stack.yaml", "stack.env.yaml"}
    texts = renamed(opened, "size: 1", 1, "count")
    assert "{get_param: count}" in texts["inner.yaml"]
    assert "properties: {count: {get_param: size}}" in texts["stack.yaml"]
    assert "properties: {count: 1}" in texts["stack.yaml"]
    assert set(texts) == {"stack.yaml", "inner.yaml"}
    texts = renamed(opened, "[a, address", 5, "place")
    assert "place: {value" in texts["inner.yaml"]
    assert "get_attr: [a, place]" in texts["stack.yaml"]


@pytest.mark.parametrize(
    ("word", "after", "new", "why"),
    [
        ("get_param: image", 12, "other", "has a parameter other already"),
        ("get_param: image", 12, "server", "has a resource server already"),
        ("get_param: image", 12, "a b", "cannot be a name"),
        ("get_param: image", 12, "true", "cannot be a name"),
        ("get_param: image", 12, "1st", "cannot be a name"),
        ("get_param: image", 12, "", "cannot be a name"),
        ("the image", 1, "x", "no name here"),
        ("OS::Nova", 1, "x", "no name here"),
    ],
)
def test_names_that_are_refused(tmp_path: pathlib.Path, word: str, after: int, new: str, why: str) -> None:
    opened = written(tmp_path, HEAD + TEXT)
    with pytest.raises(renaming.RenameRefused, match=why):
        renamed(opened, word, after, new)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("parameters: {a: {type: string}}\noutputs:\n  x: {value: {get_param: " + MARK + "OS::stack_name}}\n", "own"),
        ("outputs:\n  x: {value: {get_param: " + MARK + "gone}}\n", "no parameter gone"),
        (
            "parameters: {" + MARK + "a: {type: string}, b: {type: string, default: a}}\n"
            "outputs:\n  x: {value: {get_param: [{get_param: b}]}}\n  y: {value: {get_param: {get_param: b}}}\n",
            "computes a name",
        ),
        ("parameters: {" + MARK + "a: {type: string}}\noutputs: {x: {value: {get_param: \n", "cannot be read"),
    ],
)
def test_templates_in_which_names_stay(tmp_path: pathlib.Path, text: str, why: str) -> None:
    opened = written(tmp_path, HEAD + text)
    opened.document.edited = None
    with pytest.raises(renaming.RenameRefused, match=why):
        renaming.rename_symbol(opened.document, opened.workspace, opened.offset, "new")


def test_a_name_that_another_template_shares_stays(tmp_path: pathlib.Path) -> None:
    template = f"{HEAD}parameters: {{size: {{type: number}}}}\n"
    script = (
        "openstack stack create -t a.yaml -e both.env.yaml one\nopenstack stack create -t b.yaml -e both.env.yaml two\n"
    )
    opened = written(
        tmp_path, template, "a.yaml", b_yaml=template, both_env_yaml="parameters: {size: 1}\n", run_sh=script
    )
    opened.workspace.survey_folders()
    with pytest.raises(renaming.RenameRefused, match="too"):
        renamed(opened, "size", 1, "count")
    opened = written(tmp_path, template, "a.yaml", both_env_yaml="parameters: {}\n")
    opened.workspace.survey_folders()
    assert list(renamed(opened, "size", 1, "count")) == ["a.yaml"]


def test_a_parameter_that_defaults_of_an_environment_set_stays(tmp_path: pathlib.Path) -> None:
    """Defaults of an environment count in nested templates, too."""
    inner = f"{HEAD}parameters: {{size: {{type: number}}}}\n"
    outer = f"{HEAD}parameters: {{size: {{type: number}}}}\nresources:\n  a: {{type: inner.yaml}}\n"
    environment = "parameter_defaults: {size: 1}\n"
    opened = written(tmp_path, outer, inner_yaml=inner, stack_env_yaml=environment)
    opened.workspace.survey_folders()
    with pytest.raises(renaming.RenameRefused, match="parameter_defaults"):
        renamed(opened, "size", 1, "count")
    opened = written(tmp_path, inner, "inner.yaml")
    opened.workspace.survey_folders()
    with pytest.raises(renaming.RenameRefused, match="parameter_defaults"):
        renamed(opened, "size", 1, "count")


def test_unsaved_text_counts(tmp_path: pathlib.Path) -> None:
    """A nested template that is open is read as it is typed."""
    opened = nested(tmp_path)
    inner = written(tmp_path, f"{HEAD}parameters:\n  size: {{type: number}}\n  added: {{type: string}}\n", "inner.yaml")
    (tmp_path / "inner.yaml").write_text(HEAD)
    opened.workspace.open[inner.document.uri] = inner.document
    assert defined(opened, "size: {get_param", 1) == ["inner.yaml:3:size"]
    assert (tmp_path / "inner.yaml").stat().st_size == len(HEAD)
