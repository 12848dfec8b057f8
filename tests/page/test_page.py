"""The page of a conversion: lines that belong together, nothing hidden, nothing run, and a browser that agrees."""

from __future__ import annotations

import functools
import html
import pathlib
import re
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

import transpile
from tests.support import chromium, conversions
from tests.support.cases import Case, all_cases
from tests.support.chromium import browser
from transpile.cli.application import make_application
from transpile.page import page
from transpile.page.links import LineRange, TerraformBlocks, collect_items

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

__all__ = ["browser"]
STACK = """heat_template_version: 2018-08-31
parameters:
  # how much
  size: {type: number, default: 5}

  secret:
    type: string
    hidden: true
    default: hunter2-hunter2
resources:
  # the disk
  disk:
    type: OS::Cinder::Volume
    properties:
      size: {get_param: size}
      metadata: {a: "</script><b>&"}

  # the rule
  group:
    type: OS::Neutron::SecurityGroup
    properties:
      rules: [{protocol: tcp, port_range_min: 22, port_range_max: 22}]

  queue: {type: OS::Zaqar::Queue, properties: {name: q}}
outputs:
  one: {value: {get_resource: disk}}
"""


def converted(text: str = STACK, **options: str) -> transpile.Conversion:
    return conversions.convert(text, name="stack.yaml", options=options)


def test_resources_that_belong_together() -> None:
    done = converted()
    items = {item.name: item for item in collect_items(done.templates[0], done.report, TerraformBlocks(done.files, ""))}  # type: ignore[arg-type]
    disk = items["disk"]
    assert disk.place == LineRange("stack.yaml", 12, 16)  # and not the comment behind it
    (to,) = disk.to
    main = str(done.files["main.tf"]).split("\n")
    assert main[to.first - 1] == 'resource "openstack_blockstorage_volume_v3" "disk" {'
    assert main[to.last - 1] == "}"
    size = next(link for link in disk.links if link.path == "size")
    assert size.line == 15
    assert size.to is not None
    assert re.fullmatch(r"  size += var\.size", main[size.to.first - 1])
    assert items["size"].place == LineRange("stack.yaml", 4, 4)
    assert [place.file for place in items["size"].to] == ["variables.tf"]
    assert [place.file for place in items["one"].to] == ["outputs.tf"]
    stack, inside = items["queue"].to
    assert stack.file == "main.tf"
    assert str(done.files[inside.file]).split("\n")[inside.first - 1] == "  queue:"
    assert len(items["group"].to) == 2  # the group and its rule


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_every_address_of_the_goldens_is_found(case: Case) -> None:
    done = case.convert()
    if not done.ok:
        pytest.skip("the case is an error")
    blocks = TerraformBlocks({name: text for name, text in done.files.items() if isinstance(text, str)}, "")
    for name, entry in done.report["resources"].items():
        for address in entry["addresses"]:
            assert blocks.find_block(address) is not None, (name, address)
    text = page.render_page(done)
    anchors = set(re.findall(r' id="([^"]+)"', text))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= anchors


def test_nothing_hidden_and_nothing_run() -> None:
    done = converted()
    text = page.render_page(done)
    assert "hunter2" not in text
    assert "******" in text
    assert "</script><b>" not in text
    assert html.escape("</script><b>&", quote=False) in text
    assert text.count("<script>") == 1
    assert text == page.render_page(converted())


def test_a_conversion_with_errors_has_a_page_too() -> None:
    done = transpile.convert(
        STACK.replace("{get_resource: disk}", "{str_replace: {params: {a: b}}}"), name="stack.yaml"
    )
    assert not done.ok
    text = page.render_page(done)
    assert re.search(r'class="diagnostic error"><b>error HOT\d+', text)


def test_the_command(tmp_path: pathlib.Path) -> None:
    run, app, out = CliRunner(), make_application(), tmp_path / "page.html"
    (tmp_path / "stack.yaml").write_text(STACK, encoding="utf-8")
    convert = ["convert", str(tmp_path / "stack.yaml"), "-o", str(tmp_path / "out")]
    assert run.invoke(app, [*convert, "--html", str(out)]).exit_code == 0
    text = out.read_text(encoding="utf-8")
    assert "<svg" in text
    assert "What needs what" in text
    assert run.invoke(app, ["convert", str(tmp_path / "stack.yaml"), "--to", "hot", "--html", str(out)]).exit_code == 2


@chromium.needed
def test_in_a_browser(browser: Chrome, tmp_path: pathlib.Path) -> None:
    """The page works with the keyboard alone: both sides are marked, the fates open and close, and every link leads
    somewhere.
    """
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    convert = functools.partial(transpile.convert, STACK, name="stack.yaml")
    (tmp_path / "page.html").write_text(
        page.render_conversion(convert(), lambda to, options: convert(to=to, options=options)), encoding="utf-8"
    )
    browser.get((tmp_path / "page.html").as_uri())
    line = browser.find_element(By.ID, "l0-12")
    assert line.get_attribute("tabindex") == "0"
    line.send_keys(Keys.ENTER)
    displayed = [
        article for article in browser.find_elements(By.CSS_SELECTOR, "#fates article") if article.is_displayed()
    ]
    assert len(displayed) == 1
    assert "disk" in displayed[0].text
    marked = browser.find_elements(By.CSS_SELECTOR, ".line.on")
    assert {str(marked_line.get_attribute("id")).partition("-")[0] for marked_line in marked} == {"l0", "r0"}
    assert 'resource "openstack_blockstorage_volume_v3" "disk"' in "".join(marked_line.text for marked_line in marked)
    assert browser.switch_to.active_element.get_attribute("id") == "fates"
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not browser.find_element(By.ID, "fates").is_displayed()
    assert browser.switch_to.active_element.get_attribute("id") == "l0-12"
    browser.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.get_attribute("id") == "l0-19"
    for link in browser.find_elements(By.CSS_SELECTOR, "a[href]"):
        target = str(link.get_attribute("href")).partition("#")[2]
        assert browser.find_elements(By.ID, target), target
    assert browser.find_elements(By.CSS_SELECTOR, "#graph svg .node")
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
