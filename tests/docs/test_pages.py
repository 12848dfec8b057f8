"""Every example of README.md and docs/ does what the page says, or says why it is not run."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.docs.blocks import WrongComment, blocks, pages
from tests.docs.running import Page, matches
from tests.support import oracles
from tests.support.examples import sampled

NAMES = [page.name for page in pages()]
BY_NAME = {page.name: page for page in pages()}
WITH_TERRAFORM = [
    name for name in NAMES if any(b.directive_map.get("needs") for b in blocks(BY_NAME[name].read_text("utf-8")))
]
NOT_RUN: dict[str, int] = {  # how many examples of a page are not run; each says why
    "README.md": 2,
    "adopt.md": 6,
    "convert.md": 1,
    "development.md": 5,
    "editors.md": 7,
    "install.md": 2,
    "leaving-heat.md": 5,
    "mappings.md": 6,
    "migrate.md": 3,
    "pipelines.md": 5,
    "plug-ins.md": 1,
    "python.md": 1,
    "skill.md": 1,
    "tutorial.md": 1,
}

THE_WAY = ("README.md", "tutorial.md", "convert.md", "migrate.md", "adopt.md")  # pages for newcomers
NOT_ON_THE_SITE = ("README.md", "architecture.md", "development.md", "skill.md")


def list_problems(page: Page) -> str:
    return "\n".join(map(str, page.problems()))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in THE_WAY else [pytest.mark.long]) for name in NAMES]
)
def test_the_examples_of_a_page(name: str, tmp_path: pathlib.Path) -> None:
    """After a change of the output: python -m tests.docs"""
    assert list_problems(Page(BY_NAME[name], tmp_path)) == ""


@oracles.needs_providers
@pytest.mark.parametrize("name", sampled(WITH_TERRAFORM, 4))
def test_the_examples_with_terraform(name: str, tmp_path: pathlib.Path) -> None:
    assert list_problems(Page(BY_NAME[name], tmp_path, terraform=True)) == ""


@pytest.mark.parametrize("name", NAMES)
def test_every_example_has_a_role(name: str) -> None:
    """Each example is run, or compared, or has a reason against it."""
    text = BY_NAME[name].read_text(encoding="utf-8")
    assert [f"{name}:{b.line}: a {b.language} block" for b in blocks(text) if not b.has_a_role] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_page_is_left_half_merged(name: str) -> None:
    lines = BY_NAME[name].read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith(("<<<<<<< ", ">>>>>>> "))] == []


def test_how_many_are_not_run() -> None:
    counts = {
        name: sum("not run" in b.directive_map for b in blocks(BY_NAME[name].read_text("utf-8"))) for name in NAMES
    }
    assert {name: count for name, count in counts.items() if count} == NOT_RUN


WITHOUT_A_COMMAND = (*NOT_ON_THE_SITE, "commands.md", "faq.md")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_A_COMMAND])
def test_a_page_begins_with_the_command_that_its_reader_came_for(name: str) -> None:
    assert re.match(r"# .+\n\n(?:<!--.*?-->\n)*```(?:sh|console|python)\n", BY_NAME[name].read_text("utf-8"), re.S)


# parts of pages that a program writes, and other tests compare: the options, the figures of functions, the limits
WRITTEN_BY_PROGRAMS = re.compile(r"^## Options\n.*|^\| (?:function \| probes|name \| default) .*?\n\n", re.M | re.S)


def test_the_site_stays_short() -> None:
    """A page that grows says something twice, or belongs to a generated reference. Tables and examples count."""
    pages = {name: BY_NAME[name].read_text("utf-8") for name in NAMES if name not in NOT_ON_THE_SITE}
    words = {name: len(WRITTEN_BY_PROGRAMS.sub("", text).split()) for name, text in pages.items()}
    assert sum(words.values()) <= 32_000, words
    assert len(words) <= 25, words


# the runner itself


@pytest.mark.parametrize(
    ("documented", "have", "equal"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a"], ["a", "b"], False),
        ([], ["a"], False),
        (["…", "b"], ["x", "y", "b"], True),
        (["  # …", "b"], ["b"], True),
        (["took … s"], ["took 1.2 s"], True),
        (["took … s"], ["took 1.2 m"], False),
    ],
)
def test_shown_output_is_compared(documented: list[str], have: list[str], equal: bool) -> None:
    assert matches(documented, have) is equal


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("```console\n$ echo a\na\n```\n", False),
        ("```console\n$ echo a\nb\n```\n", True),
        ("```console\n$ false\n```\n", True),
        ("<!-- fails: 1 -->\n```console\n$ false\n```\n", False),
        ("```sh\nfalse\ntrue\n```\n", True),
        ("`a.txt`:\n\n```text\nA\n```\n\n```console\n$ cat a.txt\nA\n```\n", False),
        ("<!-- run: echo A > a.txt -->\n<!-- shows: a.txt -->\n```yaml\nA\n```\n", False),
        ("<!-- run: echo A > a.txt -->\n<!-- shows: a.txt -->\n```yaml\nB\n```\n", True),
        ("```console\n$ cd .. && export X=1\n$ pwd | grep -c work && echo $X\n0\n```\n", True),
        ("```python\nraise SystemExit(1)\n```\n", True),
    ],
)
def test_a_wrong_example_is_found(text: str, wrong: bool, tmp_path: pathlib.Path) -> None:
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    assert bool(list_problems(Page(tmp_path / "page.md", tmp_path / "place"))) is wrong


def test_a_wrong_comment_is_refused() -> None:
    with pytest.raises(WrongComment, match="line 1"):
        blocks("<!-- runs: true -->\n```sh\ntrue\n```\n")


def test_nothing_installs_a_name_that_the_package_index_does_not_have() -> None:
    """A stranger who registers the name could run code on the machines of readers who copy a recipe. install.md
    explains.
    """
    root = pathlib.Path(__file__).parents[2]
    texts = [root / "README.md", *(root / "docs").glob("*.md"), *(root / "transpile").rglob("*.py")]
    texts += [*(root / ".github").rglob("*.*"), *(root / ".gitlab").rglob("*.yml"), root / ".ci" / "Containerfile"]
    pattern = re.compile(r"(?:pip|pipx|uv tool) install (?:-\S+ )*[\"']?hot2tf|uvx hot2tf|hot2tf(?:\[\w+\])?==")
    hits = {
        f"{path.relative_to(root)}: {line.strip()}"
        for path in texts
        for line in path.read_text("utf-8").splitlines()
        if pattern.search(line) and "Do not run" not in line
    }
    assert hits == set()
