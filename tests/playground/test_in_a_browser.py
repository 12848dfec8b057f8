"""The playground in Chromium: it asks nobody but its site, writes the bytes that the command writes, and can be used
with a keyboard, on a narrow screen and in the dark.

Invariant: `test_session.py` compares the session with the command, so that here the session is the expectation.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.docs.blocks import ROOT
from tests.support import chromium
from tests.support.cases import Case, all_cases
from tests.support.playground import SAMPLE, PlaygroundSite, fetched, playground, request_of_case, request_of_file
from transpile.guarded import process
from transpile.playground.session import PlaygroundSession

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

__all__ = ["playground"]
pytestmark = [chromium.needed, fetched]
CASES = [(case, target) for case in all_cases() for target in case.targets]
CORPUS = os.environ.get("HOT2TF_CORPUS", "")  # a directory of templates of others
SECONDS = 120
ENDED = ("done", "refused", "failed", "none")
CONVERT = """
const [request, answer] = [arguments[0], arguments[arguments.length - 1]];
(async () => {
  const { Converter } = await import("./converter.js");
  if (!window.tested) {
    const build = await (await fetch("build.json")).json();
    window.tested = new Converter(build.runtime, 60000);
    window.tested.start();
  }
  return await window.tested.convert(request);
})().then(answer, (error) => answer({ error: String(error) }));
"""
TEXT = "return document.getElementById(arguments[0]).textContent"
STACK = """heat_template_version: 2018-08-31
resources:
  net:
    type: OS::Neutron::Net
    properties: {name: "<img src=x onerror=alert(1)>"}
"""
ENDLESS = """heat_template_version: 2018-08-31
parameters:
  name:
    type: string
    default: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    constraints:
      - allowed_pattern: (a|aa)*b
"""


@pytest.fixture(scope="module")
def chrome(playground: PlaygroundSite) -> Iterator[Chrome]:
    pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    driver = chromium.start_browser(*playground.arguments)
    driver.set_script_timeout(SECONDS)
    yield driver
    driver.quit()


def settle(chrome: Chrome) -> str:
    """Waits until the page has converted its files. Returns the state of the page."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        state = chrome.execute_script("return document.body.dataset.state")
        if state in ENDED:
            return str(state)
        time.sleep(0.05)
    raise AssertionError("the page does not come to an end")


def open_page(chrome: Chrome, site: PlaygroundSite, fragment: str = "", query: str = "") -> str:
    chrome.get("about:blank")
    chrome.get(f"{site.address}playground/{query}{fragment}")
    return settle(chrome)


def edit(chrome: Chrome, text: str) -> str:
    """Replaces the text in the editor, as a person would."""
    chrome.execute_script(
        "document.body.dataset.state = ''; const text = document.getElementById('text'); text.value = arguments[0];"
        "text.dispatchEvent(new Event('input'))",
        text,
    )
    return settle(chrome)


def converted(chrome: Chrome, request: dict[str, Any]) -> dict[str, Any]:
    done = chrome.execute_async_script(CONVERT, request)
    assert "answer" in done, done
    return dict(done)


def expected(request: dict[str, Any], folder: pathlib.Path) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(PlaygroundSession(folder / "session").answer(json.dumps(request)))
    process.answer_in_this_process(False)
    return answer


def test_nothing_leaves_the_browser(chrome: Chrome, playground: PlaygroundSite) -> None:
    """All requests of the browser go through our proxy, those of workers, too. While the page loads, converts, makes a
    link and an archive, they are for files of the site, and none has a word of the template.
    """
    playground.others.clear()
    playground.own.clear()
    assert open_page(chrome, playground) == "done"
    assert edit(chrome, STACK) == "done"
    for button in ("link", "download"):
        chrome.execute_script("document.getElementById(arguments[0]).click()", button)
    time.sleep(1)
    assert playground.others == []
    assert all(path.startswith("/playground/") or path == "/favicon.svg" for path in playground.own)
    assert chrome.get_log("browser") == []  # type: ignore[no-untyped-call]
    chrome.get("http://elsewhere.invalid/canary")
    assert "GET http://elsewhere.invalid/canary" in playground.others  # the proxy does see outgoing requests


def test_the_worker_gives_up_the_network(chrome: Chrome, playground: PlaygroundSite) -> None:
    """The page may reach its site alone, by its security policy; the worker reaches nobody once Python runs."""
    open_page(chrome, playground)
    playground.others.clear()
    refused = chrome.execute_async_script(
        "const done = arguments[0];"
        "fetch('http://elsewhere.invalid/').then(() => done('answered'), (error) => done(error.name));"
    )
    assert refused == "TypeError"
    assert playground.others == []
    worker = (ROOT / "docs" / "playground" / "worker.js").read_text(encoding="utf-8")
    assert worker.index("for (const name of NETWORK)") < worker.index("session = python")


@pytest.mark.parametrize(
    ("case", "target"),
    [
        pytest.param(*case, id=f"{case[0].name}-{case[1]}", marks=() if case[0].name in SAMPLE else pytest.mark.long)
        for case in CASES
    ],
)
def test_the_same_bytes_as_the_command(
    chrome: Chrome, playground: PlaygroundSite, case: Case, target: str, tmp_path: pathlib.Path
) -> None:
    """Files, diagnostics, links and the command; a sample here, all golden cases with `--long`."""
    if "/playground/" not in chrome.current_url:
        open_page(chrome, playground)
    request = request_of_case(case, target)
    done = converted(chrome, request)
    assert not done["stopped"]
    assert done["answer"] == expected(request, tmp_path)


@pytest.mark.long
@pytest.mark.skipif(not CORPUS, reason="HOT2TF_CORPUS names no directory of templates")
def test_the_same_bytes_for_templates_of_others(
    chrome: Chrome, playground: PlaygroundSite, tmp_path: pathlib.Path
) -> None:
    """200 templates: every byte of the files. Diagnostics are compared, too."""
    paths = [
        path
        for path in sorted(pathlib.Path(CORPUS).rglob("*.y*ml"))
        if path.stat().st_size < 200_000 and "heat_template_version" in path.read_text(errors="replace")
    ]
    open_page(chrome, playground)
    different, times = [], []
    for path in random.Random(7).sample(paths, min(200, len(paths))):
        request = request_of_file(path)
        done = converted(chrome, request)
        meant = expected(request, tmp_path)
        times.append((len(path.read_text(errors="replace").split("\n")), done["milliseconds"]))
        if done["answer"] != meant:
            different.append((str(path), done["answer"].get("diagnostics"), meant.get("diagnostics")))
    about_200 = sorted(milliseconds for lines, milliseconds in times if 150 <= lines <= 250)
    print(f"{len(times)} templates, {len(different)} differ; of 150 to 250 lines: {about_200} ms")
    assert different == []


def test_a_link_has_all_of_the_input(chrome: Chrome, playground: PlaygroundSite) -> None:
    open_page(chrome, playground)
    chrome.execute_script(
        "const select = document.querySelector('[data-option=prefer]'); select.value = 'native'; select.onchange()"
    )
    assert edit(chrome, STACK + "  # Grüße, 世界\n") == "done"
    chrome.execute_script("document.getElementById('link').click()")
    end = time.monotonic() + 10
    while not (fragment := str(chrome.execute_script("return location.hash"))) and time.monotonic() < end:
        time.sleep(0.05)
    assert fragment.startswith("#1.")
    before = [chrome.execute_script(TEXT, name) for name in ("output", "line", "diagnostics")]
    open_page(chrome, playground, fragment)
    assert [chrome.execute_script(TEXT, name) for name in ("output", "line", "diagnostics")] == before
    assert "世界" in chrome.execute_script("return document.getElementById('text').value")
    assert "--prefer native" in before[1]


@pytest.mark.parametrize("fragment", ["#1.AAAA", "#1.", "#1.%%%", "#1.q1YqU7JSgqIUI6VaAA"])
def test_a_damaged_link_is_said_to_be_one(chrome: Chrome, playground: PlaygroundSite, fragment: str) -> None:
    assert open_page(chrome, playground, fragment) == "done"
    assert "damaged" in chrome.execute_script(TEXT, "notice")


def test_text_of_a_template_never_becomes_markup(chrome: Chrome, playground: PlaygroundSite) -> None:
    open_page(chrome, playground)
    edit(chrome, STACK)
    assert "<img src=x" in chrome.execute_script(TEXT, "output")
    assert chrome.execute_script("return document.images.length") == 0
    sources = (ROOT / "docs" / "playground").glob("*.js")
    assert [
        path.name for path in sources if "innerHTML" in path.read_text() or "insertAdjacent" in path.read_text()
    ] == []


def test_an_endless_conversion_is_ended(chrome: Chrome, playground: PlaygroundSite) -> None:
    """A pattern with 2^32 ways: the worker is ended after its time, a new one leaves the comparison out, and the page
    says so. The page itself stays usable all the time.
    """
    open_page(chrome, playground, query="?patience=4000")
    chrome.execute_script("window.ticks = 0; setInterval(() => (window.ticks += 1), 20)")
    begin = time.monotonic()
    assert edit(chrome, ENDLESS) in ("done", "refused")
    assert time.monotonic() - begin < SECONDS / 2
    assert chrome.execute_script("return window.ticks") > 40
    assert "took too long" in chrome.execute_script(TEXT, "notice")
    assert edit(chrome, STACK) == "done"
    assert not chrome.execute_script("return document.getElementById('notice').textContent")


def test_lines_of_both_sides_light_up_together(chrome: Chrome, playground: PlaygroundSite) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.by import By

    open_page(chrome, playground)
    edit(chrome, STACK)
    marked = "return [...document.querySelectorAll('.on')].map((line) => [line.parentElement.id, line.textContent])"
    (line,) = chrome.find_elements(By.CSS_SELECTOR, "#output .line[tabindex='0']")
    ActionChains(chrome).move_to_element(line).perform()
    sides = chrome.execute_script(marked)
    assert ["backdrop", "3  net:"] in sides
    assert [side for side, _ in sides].count("output") == 3
    text = chrome.find_element(By.ID, "text")
    ActionChains(chrome).move_to_element_with_offset(text, 0, 0).perform()
    chrome.execute_script(
        "const t = document.getElementById('text'); t.focus(); t.setSelectionRange(45, 45); t.click()"
    )
    assert chrome.execute_script(marked)
    assert chrome.execute_script(TEXT, "item") == "resource net"


def test_the_keyboard_suffices(chrome: Chrome, playground: PlaygroundSite) -> None:
    """Arrow keys go through tabs, Enter shows the origin of a line, Tab indents in the editor, and Escape lets go."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    open_page(chrome, playground)
    edit(chrome, STACK)
    chrome.find_element(By.CSS_SELECTOR, "#outputs [aria-selected=true]").send_keys(Keys.ARROW_RIGHT)
    active = chrome.switch_to.active_element
    assert active.get_attribute("aria-selected") == "true"
    assert active.text != "main.tf"
    active.send_keys(Keys.ARROW_LEFT)
    assert chrome.switch_to.active_element.text == "main.tf"
    chrome.find_element(By.CSS_SELECTOR, "#output .line[tabindex='0']").send_keys(Keys.ENTER)
    caret = "const t = document.getElementById('text'); return t.value.slice(0, t.selectionStart).split('\\n').length"
    assert chrome.execute_script(caret) == 3
    text = chrome.switch_to.active_element
    assert text.get_attribute("id") == "text"
    text.send_keys(Keys.END, Keys.TAB)
    assert "  net:  \n" in str(text.get_property("value"))
    text.send_keys(Keys.ESCAPE, Keys.TAB)
    assert chrome.switch_to.active_element.get_attribute("id") != "text"
    seen = set()
    for _ in range(40):
        chrome.switch_to.active_element.send_keys(Keys.TAB)
        seen.add(chrome.switch_to.active_element.get_attribute("id"))
    assert {"copy-file", "download", "link", "copy-command", "output"} <= seen


def test_it_fits_a_narrow_screen_and_follows_the_colours_of_the_screen(
    chrome: Chrome, playground: PlaygroundSite
) -> None:
    backgrounds = {}
    open_page(chrome, playground)
    for scheme in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        for width in (1400, 390):
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
            chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            assert chrome.execute_script("return document.documentElement.scrollWidth - window.innerWidth") <= 0
        backgrounds[scheme] = chrome.execute_script("return getComputedStyle(document.body).backgroundColor")
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert backgrounds["light"] != backgrounds["dark"]


def test_a_later_conversion_is_fast(chrome: Chrome, playground: PlaygroundSite) -> None:
    """200 lines, ten times, by the clock of the page. The bound is wide, since machines of tests are busy."""
    open_page(chrome, playground)
    ports = "".join(
        f"  port{n}:\n    type: OS::Neutron::Port\n    properties:\n      network: private\n      name: port-{n}\n"
        for n in range(40)
    )
    text = f"heat_template_version: 2018-08-31\nresources:\n{ports}"
    request = {"files": {"a.yaml": text}, "template": "a.yaml"}
    times = sorted(converted(chrome, request)["milliseconds"] for _ in range(10))
    print(f"{text.count(chr(10))} lines: {times}")
    assert times[0] < 1000
