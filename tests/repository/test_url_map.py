"""Templates that are named by the URL of a repository whose files lie here (`--map-url`)."""

from __future__ import annotations

import pathlib

import pytest

import transpile
from tests.conftest import Run
from tests.repository.trees import tree
from transpile.initialization.inspection import RepositoryInspection
from transpile.repository.survey import survey_tree
from transpile.settings import Finder
from transpile.text.urls import map_url

URL = "https://raw.example.org/me/templates/main/"
STACK = f"heat_template_version: 2018-08-31\nresources:\n  m: {{type: {URL}lib/member.yaml}}\n"
MEMBER = "heat_template_version: 2018-08-31\nresources:\n  d: {type: disk.yaml}\n"
DISK = "heat_template_version: 2018-08-31\nresources:\n  v: {type: OS::Cinder::Volume, properties: {size: 1}}\n"
FILES = {"stack.yaml": STACK, "lib/member.yaml": MEMBER, "lib/disk.yaml": DISK}


def test_nothing_is_guessed_but_the_option_is_named(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree(tmp_path, FILES))
    done = transpile.convert(pathlib.Path("stack.yaml"))
    assert [(d.code, d.hint) for d in done.diagnostics if d.severity == "error"] == [
        ("HOT217", f"Use --map-url {URL}=. if it is lib/member.yaml, which lies here.")
    ]
    pathlib.Path("lib/member.yaml").unlink()
    done = transpile.convert(pathlib.Path("stack.yaml"))
    assert [d.hint for d in done.diagnostics] == [f"Use --allow {URL}lib/member.yaml to allow it."]


def test_a_mapped_url_is_a_file_and_so_are_the_names_in_it(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path, FILES)
    done = transpile.convert(src / "stack.yaml", map_url={URL: str(src)})
    assert done.ok
    assert set(done.reads) == {str(src / "lib/member.yaml"), str(src / "lib/disk.yaml")}


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (f"{URL}a/b.yaml", ("near", "a/b.yaml")),
        (f"{URL}lib/b%20c.yaml", ("far", "b c.yaml")),
        ("https://raw.example.org:443/me/templates/main/b.yaml", ("near", "b.yaml")),
        (f"{URL}../b.yaml", None),
        (f"{URL}a/%2e%2e/b.yaml", None),
        ("http://raw.example.org/me/templates/main/b.yaml", None),
        ("https://raw.example.org/me/templates/mainly/b.yaml", None),
        (URL, None),
    ],
)
def test_which_urls_are_mapped(url: str, path: tuple[str, str] | None) -> None:
    assert map_url(url, {URL: "near", f"{URL}lib": "far"}) == path


def test_a_template_with_a_mapped_url_is_no_stack(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path, FILES)
    assert [stack.template for stack in survey_tree(src).stacks] == ["lib/member.yaml", "stack.yaml"]
    plan = survey_tree(src, url_map={URL: str(src)})
    assert [stack.template for stack in plan.stacks] == ["stack.yaml"]
    assert plan.nested["lib/member.yaml"] == ("stack.yaml",)


def test_a_link_out_of_the_directory_is_not_followed(tmp_path: pathlib.Path) -> None:
    src = tree(tmp_path / "src", {"stack.yaml": STACK, "lib/other.yaml": DISK})
    tree(tmp_path, {"secret.yaml": DISK})
    (src / "lib/member.yaml").symlink_to(tmp_path / "secret.yaml")
    done = transpile.convert(src / "stack.yaml", map_url={URL: str(src)})
    assert "HOT217" in {d.code for d in done.diagnostics}


def test_a_configuration_maps_and_migrate_follows(tmp_path: pathlib.Path, command: Run) -> None:
    src = tree(tmp_path / "src", {**FILES, "hot2tf.toml": f'map-url = {{ "{URL}" = "." }}\n'})
    done = command("migrate", str(src), str(tmp_path / "out"), "--progress", "none")
    assert done.status == 0, done.err
    assert "1 stack: 1 converted." in done.out + done.err
    assert command("check", str(src)).status == 0


@pytest.mark.parametrize(
    ("files", "mapped"),
    [
        (FILES, {URL: "."}),
        ({"a/stack.yaml": STACK, "b/lib/member.yaml": MEMBER, "b/lib/disk.yaml": DISK}, {URL: "b"}),
        ({"stack.yaml": STACK, "one/member.yaml": DISK, "two/member.yaml": DISK}, {}),
        ({"stack.yaml": STACK}, {}),
    ],
)
def test_init_finds_urls_that_may_be_mapped(
    tmp_path: pathlib.Path, files: dict[str, str], mapped: dict[str, str]
) -> None:
    src = tree(tmp_path, files)
    assert RepositoryInspection(str(src), Finder(None)).find_url_map() == mapped


def test_init_without_a_terminal_only_says_so(tmp_path: pathlib.Path, command: Run) -> None:
    src = tree(tmp_path, FILES)
    done = command("init", str(src), "--ci", "none")
    assert f'map-url = {{ "{URL}" = "." }}' in done.err
    assert "map-url" not in (src / "hot2tf.toml").read_text()
