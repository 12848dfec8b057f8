"""The documentation site in Chromium: pages fit their window, a search finds the right page, nothing fails to load.

Invariant: the browser has no network; the site is served from this machine.
"""

from __future__ import annotations

import functools
import http.server
import pathlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.docs.test_site import site
from tests.support import chromium
from tests.support.chromium import browser

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

__all__ = ["browser", "site"]
pytestmark = chromium.needed
PAGES = ("", "tutorial/", "diagnostics/HOT411/", "types/OS-Nova-Server/", "commands/migrate/", "python/", "report/")
WIDER = "return document.documentElement.scrollWidth - window.innerWidth"
TITLES = "return [...document.querySelectorAll('.md-search-result__item h1')].map(heading => heading.innerText)"
BACKGROUND = "return getComputedStyle(document.body).backgroundColor"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address(site: pathlib.Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def show(browser: Chrome, scheme: str, width: int) -> None:
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def test_pages_fit_their_window_and_follow_the_colours_of_the_screen(browser: Chrome, address: str) -> None:
    """Tables and code scroll by themselves. The console stays empty, so nothing failed to load."""
    backgrounds = {}
    for scheme in ("light", "dark"):
        for width in (1400, 390):
            show(browser, scheme, width)
            for page in PAGES:
                browser.get(address + page)
                assert browser.execute_script(WIDER) <= 0, (page, scheme, width)
            backgrounds[scheme] = browser.execute_script(BACKGROUND)
    assert backgrounds["light"] == "rgb(255, 255, 255)"
    assert backgrounds["dark"] != backgrounds["light"]
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("words", "title"),
    [("HOT411", "HOT411: Looked up by name"), ("OS::Nova::Server", "OS::Nova::Server"), ("csar", "hot2tf convert")],
)
def test_a_search_finds_the_page(browser: Chrome, address: str, words: str, title: str) -> None:
    assert title in search(browser, address, words)


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("password in state", "Questions"),
        ("ci job stage", "Pipelines"),
        ("retire heat", "Which way?"),
        ("scaling group", "Without Heat, pattern by pattern"),
        ("environments", "Migrate a repository"),
        ("format", "Check and format templates"),
    ],
)
def test_a_search_finds_the_guide_first(browser: Chrome, address: str, words: str, title: str) -> None:
    """A guide that has the words comes before a page for a code, a type or a command."""
    assert search(browser, address, words)[0] == title


def search(browser: Chrome, address: str, words: str) -> list[str]:
    """The titles of the pages that the site's search lists for all the words, best first."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(address)
    browser.find_element(By.CSS_SELECTOR, "input.md-search__input").send_keys(words)
    titles: list[str] = []

    def stay_the_same(driver: Chrome) -> bool:
        """The list grows while the words are typed; titles come in one answer, so none is of another list."""
        before = titles.copy()
        titles[:] = driver.execute_script(TITLES)
        return bool(titles) and titles == before

    WebDriverWait(browser, 20, poll_frequency=0.7).until(stay_the_same)
    return titles
