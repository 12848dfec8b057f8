"""The hook of mkdocs: adds the generated pages to the site, and makes links that suit the repository suit the site.

Invariant: nothing is written to docs/; generated pages exist only while the site is built.
"""

from __future__ import annotations

import pathlib
import re
from typing import TYPE_CHECKING, Any

import command_pages
import diagnostic_pages
import example_pages
import playground
import type_pages
from mkdocs.structure.files import File, InclusionLevel
from mkdocs.structure.nav import Link

from emitters.hcl.tables.tables import load_built_in_tables
from transpile.diagnostics.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OUTSIDE = {  # pages outside docs/
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "README.md": "index.md",
}
GENERATED = ("changelog.md", "diagnostics.md", "resource-types.md", "import-ids.md", "replaced-arguments.md")
NOT_ON_THE_SITE = ("architecture.md", "skill.md")  # for those who work on hot2tf, and for coding agents
LINK_ELSEWHERE = re.compile(
    r"\[([^]]+)\]\((?:\.\./|docs/)?(?:architecture|skill|internals/\w+|benchmarks/README|\.github/CONTRIBUTING)\.md[^)]*\)"
)
BELOW_GUIDES = 0.002  # in the search, where a title counts a thousand times: a guide that has the words comes first


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Puts the commands into the navigation."""
    for section in config.nav or []:
        for place, entry in enumerate(section.get("Reference", [])):
            if "Commands" in entry:
                pages = [f"commands/{name}.md" for name in command_pages.commands()]
                section["Reference"][place] = {"Commands": [{"All commands": entry["Commands"]}, *pages]}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the generated pages, and what the playground needs. Pages that replace a committed one have its path."""
    outside_navigation = InclusionLevel.NOT_IN_NAV
    for path, text, inclusion in generated():
        if (old := files.get_file_from_path(path)) is not None:
            files.remove(old)
        files.append(File.generated(config, path, content=text, inclusion=inclusion))
    for name, content in playground.site_files():
        files.append(File.generated(config, f"playground/{name}", content=content, inclusion=outside_navigation))
    return files


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Puts the playground, which is no page of Markdown, behind the first page."""
    nav.items.insert(1, Link("Playground", "playground/"))
    return nav


def generated() -> Iterator[tuple[str, str, InclusionLevel]]:
    """All generated pages: path, Markdown, and whether the navigation names them."""
    in_navigation, outside_navigation = InclusionLevel.INCLUDED, InclusionLevel.NOT_IN_NAV
    written = {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(DOCS.glob("*.md"))
        if path.name not in NOT_ON_THE_SITE
    }
    tables = load_built_in_tables()
    for name, path in OUTSIDE.items():
        yield path, (ROOT / name).read_text(encoding="utf-8"), in_navigation
    yield "diagnostics.md", diagnostic_pages.index(), in_navigation
    own = {path: text for path, text in written.items() if path not in GENERATED}
    mentions = diagnostic_pages.mentions(own)
    for code in RULES:
        yield f"diagnostics/{code}.md", diagnostic_pages.page(code, mentions.get(code, {})), outside_navigation
    yield "resource-types.md", type_pages.index(tables), in_navigation
    for name in tables.catalog.type_names():
        yield type_pages.path(name), type_pages.page(tables, name), outside_navigation
    yield "commands.md", command_pages.index(written["commands.md"]), in_navigation
    for name in command_pages.commands():
        yield f"commands/{name}.md", command_pages.page(name, frozenset(written)), in_navigation
    for name in example_pages.directories(DOCS):
        yield f"{name}/index.md", example_pages.page(DOCS / name), outside_navigation


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Links to what is elsewhere in the site, and the rank of a generated page in the search."""
    if (
        page.file.src_uri.startswith(("diagnostics/", "types/", "commands/", "example"))
        or page.file.src_uri in GENERATED
    ):
        page.meta["search"] = {"boost": BELOW_GUIDES}
    markdown = LINK_ELSEWHERE.sub(r"\1", markdown)
    markdown = re.sub(r"\]\(diagnostics\.md#hot(\d{3})\)", r"](diagnostics/HOT\1.md)", markdown)
    for directory in example_pages.directories(DOCS):
        markdown = re.sub(rf"\]\({directory}/?\)", f"]({directory}/index.md)", markdown)
    for name, path in OUTSIDE.items():
        markdown = re.sub(rf"\]\((\.\./)?{re.escape(name)}", f"]({path}", markdown)
    return markdown.replace("](docs/", "](")
