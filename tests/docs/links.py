"""Finds links of a built site that lead nowhere, and resources that a page would load from elsewhere.

Invariant: nothing is fetched. A link to another site is only checked for being one.
"""

from __future__ import annotations

import html.parser
import pathlib
import posixpath
import urllib.parse
from collections.abc import Iterator

from transpile.model.records import record

LOADS = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("form", "action")}
ELSEWHERE = ("http", "https")


@record
class Page:
    links: list[tuple[str, str, str]]  # tag, attribute, URL
    anchors: set[str]


class Reader(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page([], {"", "__top"})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.page.anchors.update(attributes[name] for name in ("id", "name") if name in attributes)
        self.page.links.extend(
            (tag, name, attributes[name]) for name in ("href", "src", "action") if name in attributes
        )


def read(path: pathlib.Path) -> Page:
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.page


def problems(site: pathlib.Path) -> Iterator[str]:
    """The problems of a site's links, a line for each. The page for errors has absolute links, because it is shown
    anywhere.
    """
    pages = {path.relative_to(site).as_posix(): read(path) for path in sorted(site.rglob("*.html"))}
    for name, page in pages.items():
        for tag, attribute, url in page.links:
            parts = urllib.parse.urlsplit(url)
            if parts.scheme in ELSEWHERE or parts.netloc:
                if (tag, attribute) in LOADS:
                    yield f"{name}: {tag} loads {url}"
                continue
            if parts.scheme or name == "404.html":
                continue
            there = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(parts.path)))
            if not parts.path:
                there = name
            elif (site / there).is_dir():
                there = posixpath.normpath(f"{there}/index.html")
            if not (site / there).is_file():
                yield f"{name}: {url} leads nowhere"
            elif there in pages and urllib.parse.unquote(parts.fragment) not in pages[there].anchors:
                yield f"{name}: {url} has no such anchor"
