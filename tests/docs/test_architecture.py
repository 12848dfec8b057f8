"""The page on the architecture names existing modules, in short sentences."""

from __future__ import annotations

import re

from tests.test_imports import MODULES, ROOT, WINGS

TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FOLDERS = ("", "transpile", "emitters/hcl")  # that paths on the page begin in
LONGEST = 25  # words of a sentence


def test_paths_on_the_page_exist() -> None:
    paths = {*re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", TEXT)}
    assert len(paths) > 50
    assert [path for path in sorted(paths) if not any((ROOT / folder / path).exists() for folder in FOLDERS)] == []


def test_links_lead_to_headings() -> None:
    for name, anchor in re.findall(r"\]\(([^)#]+)#?([^)]*)\)", TEXT):
        headings = re.findall(r"^#+ (.*)$", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.MULTILINE)
        assert not anchor or anchor in {re.sub(r"[^\w-]", "", h.lower().replace(" ", "-")) for h in headings}


def test_each_wing_is_described() -> None:
    names = {name for package in WINGS.values() for name in package[0].split(".")[1:]}
    assert [name for name in sorted(names) if name not in TEXT.partition("\n## The wings\n")[2]] == []


def test_pictures_show_classes() -> None:
    classes = {name for path in MODULES.values() for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.M)}
    pictures = re.findall(r"^flowchart LR\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    named = {name for text in pictures for name in re.findall(r"\b[A-Z]\w+", re.sub(r"\(\[.*?\]\)|\|.*?\|", "", text))}
    assert len(pictures) > len(WINGS)
    assert named - classes == {"HOT910"}


def test_sentences_are_short() -> None:
    prose = re.sub(r"```.*?```|^\|.*?$", "\n\n", TEXT, flags=re.DOTALL | re.MULTILINE)
    sentences = re.split(r"\n\n|\n- |(?<=[.:;])\s", prose)
    assert [sentence for sentence in sentences if len(sentence.split()) > LONGEST] == []
