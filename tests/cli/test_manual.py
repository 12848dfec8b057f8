"""The manual page: it is the one that the commands give, and readers of such pages find no fault in it."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

import pytest

from transpile.cli import manual
from transpile.cli.application import make_application

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "hot2tf.1"
HOSTILE = (
    ".TH at the beginning",
    "'quoted' and \"double\" and `back` quotes",
    r"\fBescapes\fR \n[.x] \\ \e",
    "--long-option -s a-b ~/x ^y",
    "one. Two. .so /etc/passwd. 'ig",
    "long " * 40 + ".request at what may be the beginning of a line",
)


def needs(tool: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed")


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual.manual_page(), "python -m transpile.cli.manual > docs/hot2tf.1"


def test_each_command_has_its_section() -> None:
    page = manual.manual_page()
    for command in make_application().registered_commands:
        name = command.name or getattr(command.callback, "__name__", "")
        assert f'\n.SS "hot2tf {name}"\n' in page
    assert '\n.SS "hot2tf capabilities find"\n' in page


def test_the_page_is_ascii_with_short_lines_of_text() -> None:
    page = manual.manual_page()
    assert page.isascii()
    assert [line for line in page.splitlines() if len(line) > 80 and not line.startswith((r"\f", "."))] == []


@needs("mandoc")
def test_mandoc_has_nothing_to_say() -> None:
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "style", str(PAGE)], capture_output=True, text=True, check=False
    )
    complaints = [line for line in done.stdout.splitlines() if "input text line longer than 80 bytes" not in line]
    assert complaints == []


@needs("groff")
def test_groff_has_nothing_to_say() -> None:
    done = subprocess.run(
        ["groff", "-man", "-ww", "-T", "utf8", "-z", str(PAGE)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


@needs("man")
def test_man_shows_the_page() -> None:
    done = subprocess.run(["man", "--warnings", "-l", str(PAGE)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "hot2tf explain [OPTION] ... CODE" in done.stdout


@needs("mandoc")
@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_shown_as_it_is(text: str, tmp_path: pathlib.Path) -> None:
    """A reader of the page sees the same words as in the help text, including special characters."""
    page = tmp_path / "page.1"
    page.write_text(
        "\n".join(['.TH X 1 "2026-01-01"', ".SH NAME", r"x \- y", ".SH TEXT", *manual.running_text(text), ""])
    )
    done = subprocess.run(["mandoc", "-T", "ascii", str(page)], capture_output=True, text=True, check=True)
    displayed = "".join(letter for i, letter in enumerate(done.stdout) if "\b" not in done.stdout[i : i + 2])
    assert " ".join(text.split()) in " ".join(displayed.split())
