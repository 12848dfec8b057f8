"""The report of hot2tf migrate as a page: its contents, that nothing in it can run, and its look in a browser."""

from __future__ import annotations

import base64
import hashlib
import html.parser
import json
import pathlib
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from tests.support import chromium
from tests.support.chromium import browser
from tests.support.files import write_files
from tests.support.repositories import BROKEN, put
from transpile.migrate import page, session, validation
from transpile.text import html_pages

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from tests.conftest import Run

__all__ = ["browser"]  # a fixture

EVIL = "</script><img src=x onerror=alert(1)>"
HOSTILE = f"""\
heat_template_version: 2018-08-31
description: "{EVIL}"
resources:
  "<img src=x onerror=alert(2)>":
    type: OS::Neutron::Net
    properties: {{name: n}}
  "javascript:alert(1)":
    type: "{EVIL}\u202etxt"
"""
WRONG = (
    f"heat_template_version: 2018-08-31\nresources:\n  net: {{type: OS::Neutron::Net, properties: {{'{EVIL}': n}}}}\n"
)


class Reader(html.parser.HTMLParser):
    """Reads a page as a browser does: elements, scripts by id or class, and text outside of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.style = self.text = ""
        self.inside: tuple[str, dict[str, str | None]] | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.inside = (tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        self.text += " " * (tag == "td")
        if tag in ("script", "style"):
            self.inside = None

    def handle_data(self, data: str) -> None:
        if self.inside is None:
            self.text += data
        elif self.inside[0] == "style":
            self.style += data
        else:
            self.scripts.append((self.inside[1], data))

    def data(self, **attributes: str) -> list[Any]:
        return [json.loads(text) for of, text in self.scripts if all(of.get(k) == v for k, v in attributes.items())]

    def words(self) -> str:
        return " ".join(self.text.split())


def written(command: Run, *options: str, src: str = "src", status: int = 0) -> str:
    ended = command("migrate", src, "out", "--quiet", "--html", "report/page.html", *options)
    assert ended.status == status, ended.err
    return pathlib.Path("report/page.html").read_text(encoding="utf-8")


def test_the_page_shows_the_fate_of_all_stacks(src: pathlib.Path, command: Run) -> None:
    write_files(src, {"broken.yaml": BROKEN, "lonely.env": "parameters: {nobody: has this}\n"})
    read = Reader(written(command, "--report", "r.json", status=1))
    words = read.words()
    assert "4 of 5 converted stacks need no Heat any more; 1 leaves something there; 1 could not be converted." in words
    assert "OS::Heat::WaitCondition" in words  # a type that keeps a stack in Heat
    assert "lonely.env" in words  # a file that was left out
    assert re.search(r"lib/server\.yaml server +2 +2 files", words)  # a nested template, its module, who uses it
    (head,) = read.data(id="head")
    (rows,) = read.data(**{"class": "rows"})
    report = json.loads(pathlib.Path("r.json").read_text())
    assert [row[0] for row in rows] == [entry["output"] for entry in report["stacks"]]
    assert {row[0]: row[3] for row in rows} == {
        entry["output"]: entry["status"] == "converted" for entry in report["stacks"]
    }
    waits = next(row for row in rows if row[0] == "waits")
    assert [head["reasons"][i][0] for i, _ in waits[7]] == ["OS::Heat::WaitCondition", "OS::Heat::WaitConditionHandle"]
    assert waits[4] == [0, 0, 0, 0, 2, 0]
    assert [head["modules"][i][0] for i in next(row for row in rows if row[0] == "web/web")[9]] == ["server"]


def test_details_name_each_resource_with_its_reason_and_each_diagnostic_with_its_place(
    src: pathlib.Path, command: Run
) -> None:
    put(src, "broken.yaml", BROKEN)
    read = Reader(written(command, status=1))
    (rows,) = read.data(**{"class": "rows"})
    (strings,) = read.data(id="strings")
    stacks = dict(zip([row[0] for row in rows], read.data(**{"class": "one"}), strict=True))
    resources = {resource[1]: resource for resource in stacks["waits"][2]}
    assert set(resources) == {"handle", "wait"}
    assert strings[resources["wait"][2]] == "OS::Heat::WaitCondition"
    assert "signals" in strings[resources["wait"][6]]
    nested = {resource[1]: strings[resource[0]] for resource in stacks["web/web"][2]}
    assert nested == {"one": "web/web.yaml", "port": "lib/server.yaml", "server": "lib/server.yaml"}
    (error,) = [diagnostic for diagnostic in stacks["broken"][4] if diagnostic[0] == 0]
    assert (error[1], strings[error[3]], error[4]) == ("HOT301", "broken.yaml", 3)
    assert "nam" in error[2]


def test_links_lead_to_the_source_and_to_the_output(src: pathlib.Path, command: Run) -> None:
    (head,) = Reader(written(command)).data(id="head")
    here = pathlib.Path("report")
    assert (here / unquote(head["source"]) / "web/web.yaml").is_file()
    assert (here / unquote(head["destination"]) / "web/web" / "main.tf").is_file()
    assert (here / unquote(head["destination"]) / head["folder"] / "server" / "main.tf").is_file()


def test_a_page_in_no_directory_has_no_links(src: pathlib.Path, command: Run) -> None:
    assert command("migrate", "src", "out", "--quiet", "--html", "/dev/null").status == 0
    assert page.make_link_base(None, "/anywhere") == ""
    assert page.make_link_base("/a/b", "/a/c d") == "./../c%20d/"
    assert page.make_link_base("/a", "/a") == "./"


def test_text_of_templates_is_never_markup(tmp_path: pathlib.Path, command: Run) -> None:
    put(tmp_path / "src", "bad.yaml", HOSTILE)
    put(tmp_path / "src", "wrong.yaml", WRONG)
    put(tmp_path / "src", "<img src=x onerror=alert(2)>.yaml", HOSTILE)
    put(tmp_path / "src", "<b>.env", "parameters: {nobody: x}\n")
    text = written(command, status=1)
    read = Reader(text)
    assert "img" not in [tag for tag, _ in read.tags]
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on") or name == "style"]
    assert f"{EVIL}·txt" in read.text  # the type, as text that can be seen
    scripts = [text for of, text in read.scripts if of.get("type") == "application/json"]
    assert not re.search("[<>&]", "".join(scripts))
    assert "".join(scripts).isascii()
    assert any(EVIL in json.dumps(details) for details in read.data(**{"class": "one"}))
    assert any("onerror" in row[1] for rows in read.data(**{"class": "rows"}) for row in rows)


def test_the_page_allows_nothing_but_its_own_style_and_script(src: pathlib.Path, command: Run) -> None:
    read = Reader(written(command))
    (policy,) = [of["content"] for tag, of in read.tags if tag == "meta" and "http-equiv" in of]
    (script,) = [text for of, text in read.scripts if "type" not in of]

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert policy == (
        f"default-src 'none'; style-src {source(read.style)}; script-src {source(script)}; base-uri 'none'; "
        "form-action 'none'"
    )
    assert not [of for _, of in read.tags if "src" in of or not (of.get("href") or "#").startswith("#")]
    assert "innerHTML" not in script
    assert "eval(" not in script


def test_equal_migrations_give_equal_bytes(src: pathlib.Path, command: Run) -> None:
    first = written(command, "--sarif", "report/a.sarif")
    assert written(command, "--sarif", "report/b.sarif") == first
    pathlib.Path("out").rename("before")
    assert written(command, "--sarif", "report/c.sarif") == first
    logs = [pathlib.Path(f"report/{name}.sarif").read_bytes() for name in "abc"]
    assert logs[0] == logs[1] == logs[2]


def test_beyond_a_number_of_stacks_the_page_has_no_details(
    src: pathlib.Path, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "MOST_DETAILED_STACKS", 4)
    read = Reader(written(command))
    assert "There are more than 4 stacks, so this page does not have the details of each." in read.words()
    assert read.data(**{"class": "one"}) == []
    assert len(read.data(**{"class": "rows"})[0]) == 5


def test_a_run_that_was_stopped_says_so(src: pathlib.Path, command: Run) -> None:
    put(src, "a.yaml", BROKEN)
    words = Reader(written(command, "--fail-fast", status=1)).words()
    assert "The run was stopped: 5 of 6 stacks were not tried." in words
    assert "0 of 0" not in words


def test_refusals_of_a_validator_are_shown(src: pathlib.Path, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = {
        "db/db": {"terraform 9.9": {"valid": True}},
        "web/web": {"terraform 9.9": {"valid": False, "diagnostics": ["Unsupported argument: <b>"]}},
    }
    monkeypatch.setattr(validation, "find_tools", lambda: [validation.ValidationTool("terraform", "/nowhere", "9.9")])
    monkeypatch.setattr(session, "validate_stacks", lambda *_: verdicts)
    read = Reader(written(command, "--validate", status=1))
    assert "Valid1 1 refused" in read.words()
    (rows,) = read.data(**{"class": "rows"})
    assert {row[0] for row in rows if not row[11]} == {"web/web"}
    stacks = dict(zip([row[0] for row in rows], read.data(**{"class": "one"}), strict=True))
    assert stacks["web/web"][9] == [["terraform 9.9", 0, ["Unsupported argument: <b>"]]]
    assert stacks["db/db"][9] == [["terraform 9.9", 1, []]]


def test_for_another_target_nothing_is_said_about_heat(src: pathlib.Path, command: Run) -> None:
    words = Reader(written(command, "--to", "tosca")).words()
    assert "Migration from Heat to TOSCA" in words
    assert "What keeps stacks in Heat" not in words
    assert "no Heat" not in words


def test_a_repository_that_became_empty_has_a_page(tmp_path: pathlib.Path, command: Run) -> None:
    put(tmp_path / "src", "a.yaml", "heat_template_version: 2018-08-31\n")
    written(command)
    (tmp_path / "src/a.yaml").unlink()
    assert "There are no stacks." in Reader(written(command)).words()


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [(0, 0, "0%"), (0, 9, "0%"), (1, 1000, "< 1%"), (1, 2, "50%"), (999, 1000, "> 99%"), (7, 7, "100%")],
)
def test_a_share_is_never_rounded_to_all_or_nothing(part: int, whole: int, shown: str) -> None:
    assert html_pages.format_percent(part, whole) == shown


@chromium.needed
def test_a_browser_shows_sorts_filters_and_opens(src: pathlib.Path, command: Run, browser: Chrome) -> None:
    write_files(src, {"broken.yaml": BROKEN, "bad.yaml": HOSTILE})
    written(command, status=1)
    browser.get(pathlib.Path("report/page.html").resolve().as_uri())

    def names() -> list[str]:
        return [element.text for element in browser.find_elements("css selector", "#table tr.stack .open")]

    def click(selector: str) -> None:
        browser.find_element("css selector", selector).click()

    def choose(selector: str, value: str) -> None:
        click(f"{selector} option[value='{value}']")

    every = ["bad", "broken", "copy/alone", "db/db", "net/alone", "waits", "web/web"]
    assert names() == every
    click("[data-column=output]")
    assert names() == every[::-1]
    assert browser.find_element("css selector", "th.output").get_attribute("aria-sort") == "descending"
    click("[data-column=embedded]")  # numbers begin with the largest
    assert names()[0] == "waits"

    browser.find_element("id", "f-text").send_keys("ALONE net")
    assert names() == ["net/alone"]
    click("#f-clear")
    choose("#f-status", "0")
    assert names() == ["broken"]
    click("#f-clear")
    choose("#f-heat", "1")
    assert sorted(names()) == ["bad", "waits"]
    choose("#f-type", "OS::Heat::WaitCondition")
    assert names() == ["waits"]
    assert browser.find_element("id", "shown").text == "1 of 7 stacks"
    click("#f-clear")
    click("#nested .pick")
    assert sorted(names()) == ["db/db", "web/web"]
    click("#f-clear")
    click("#heat div:nth-child(2) .pick")  # a reason
    assert browser.find_element("id", "chip").is_displayed()
    click("#chip button")
    assert len(names()) == len(every)

    choose("#f-type", "OS::Heat::WaitCondition")
    click("#table .open")
    details = browser.find_element("css selector", "tr.details").text
    assert "Kept in Heat (2)" in details
    assert "it receives signals through Heat" in details
    (link,) = [
        element for element in browser.find_elements("css selector", "tr.details a") if element.text == "waits.yaml"
    ][:1]
    assert (link.get_attribute("href") or "").endswith("/src/waits.yaml")
    click("#table .open")
    assert browser.find_elements("css selector", "tr.details") == []

    click("#f-clear")
    browser.find_element("id", "f-text").send_keys("bad")
    browser.find_element("css selector", "#table .open").send_keys("\n")  # by the keyboard
    assert f"{EVIL}·txt" in browser.find_element("css selector", "tr.details").text
    assert browser.find_elements("css selector", "img") == []

    assert len(browser.find_elements("css selector", "#drawing .module")) == 1
    assert len(browser.find_elements("css selector", "#drawing .group")) == 2
    assert len(browser.find_elements("css selector", "#drawing .edge")) == 2
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]  # nothing failed or was blocked


@chromium.needed
def test_dark_mode_and_paper(src: pathlib.Path, command: Run, browser: Chrome) -> None:
    written(command)
    browser.get(pathlib.Path("report/page.html").resolve().as_uri())

    def colours(media: str, scheme: str) -> tuple[int, int]:
        """The lightness of the paper and of the text."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [feature]})
        script = "const s = getComputedStyle(document.body); return [s.backgroundColor, s.color]"
        paper, text = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in browser.execute_script(script))
        return paper, text

    light, dark, printed = colours("screen", "light"), colours("screen", "dark"), colours("print", "dark")
    assert light[0] - light[1] > 400
    assert dark[1] - dark[0] > 400
    assert printed == (3 * 255, 0)
    assert not browser.find_element("id", "filters").is_displayed()
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert browser.find_elements("css selector", "#table th button") == []  # or Chromium does not repeat the head
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert browser.find_elements("css selector", "#table th button") != []
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    assert pdf.startswith(b"%PDF")
