"""Chromium without a window, if the machine has it: HOT2TF_CHROMIUM and HOT2TF_CHROMEDRIVER, or the PATH."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1300,1000")


def program(variable: str, *names: str) -> str | None:
    return os.environ.get(variable) or next(filter(None, map(shutil.which, names)), None)


CHROMIUM = program("HOT2TF_CHROMIUM", "chromium", "chromium-browser", "google-chrome")
DRIVER = program("HOT2TF_CHROMEDRIVER", "chromedriver")

needed = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="no Chromium on the PATH or in HOT2TF_CHROMIUM, or no chromedriver (HOT2TF_CHROMEDRIVER)",
)


WITHOUT_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@pytest.fixture
def browser() -> Iterator[Chrome]:
    """A browser without network but this machine, which keeps the console messages of pages."""
    driver = start_browser(WITHOUT_NETWORK)
    yield driver
    driver.quit()


def start_browser(*arguments: str) -> Chrome:
    """A browser that keeps the console messages of pages."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    assert CHROMIUM is not None
    assert DRIVER is not None
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (*ARGUMENTS, *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver: Chrome = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    return driver
