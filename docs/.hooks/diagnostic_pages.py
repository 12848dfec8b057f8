"""A page for each diagnostic, and the list of all of them.

Invariant: the text is that of docs/diagnostics.md and `hot2tf explain`; it comes from the rules and explanations.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markdown_parts import CODE, aside, joined, listed, prose, table

from transpile.cli.diagnostics_page import print_diagnostics_page
from transpile.diagnostics import explain
from transpile.diagnostics.rules import RULES
from transpile.text.markdown import format_block

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from transpile.diagnostics.explain import Example, Explanation

MENTIONED = 8  # pages of the documentation; a code in more of them is everywhere


def index() -> str:
    """The list of all codes, in place of the long page with all explanations."""
    intro = print_diagnostics_page().split("\n\n", 2)
    parts = [
        *intro[:2],
        "Each code has a page with its reason, a wrong and a right example, and the source of the rule.",
    ]
    for digit, title in explain.HUNDREDS.items():
        codes = sorted(code for code in RULES if code[3] == digit)
        if codes:
            rows = (
                (
                    f'<a id="{code.lower()}"></a>[{code}](diagnostics/{code}.md)',
                    severity(code),
                    prose(RULES[code].title),
                )
                for code in codes
            )
            parts += [f"## {digit}xx: {prose(title)}", table(("code", "severity", "title"), rows)]
    return joined(parts)


def severity(code: str) -> str:
    word = RULES[code].severity
    return f'<span class="severity {word}">{word}</span>'


def page(code: str, mentions: Mapping[str, str]) -> str:
    """The page of a code. `mentions`: titles of the pages that mention it, by path."""
    rule, explanation = RULES[code], explain.find_explanation(code)
    kind = f"{severity(code)} {rule.name}"
    parts = [f"# {code}: {prose(rule.title)}", aside(f"{kind} [All diagnostics](../diagnostics.md)")]
    parts.append(prose(" ".join(filter(None, (rule.why, rule.hint))), "../", code))
    if explanation is not None:
        parts += [prose(explanation.note, "../", code)] if explanation.note else []
        for word, sample in (("Wrong", explanation.wrong), ("Right", explanation.right)):
            if sample is not None:
                parts += [f"## {word} {{ data-search-exclude }}", *example(sample, explanation)]
        parts += ["## Source { data-search-exclude }", prose(explanation.source_sentence, "../", code)]
    parts += [
        "## See also { data-search-exclude }",
        *listed([*near(code, rule.why + rule.hint + (explanation.note if explanation else "")), *others(mentions)]),
    ]
    return joined(parts)


def example(sample: Example, explanation: Explanation) -> Iterator[str]:
    """The files of an example, and the command where it is not the usual one."""
    if explain.needs_options(explanation):
        yield format_block(sample.command_line, "sh")
    for name, content in sample.all_files.items():
        kind = name.rpartition(".")[2]
        fence, _, rest = format_block(content, kind).partition("\n")
        yield f'{fence} title="{name}"\n{rest}' if len(sample.all_files) > 1 else f"{fence}\n{rest}"


def near(code: str, text: str) -> Iterator[str]:
    """Links to the codes in the text of a rule, and to those beside it."""
    codes = sorted(RULES)
    place = codes.index(code)
    mentioned = [other for other in dict.fromkeys(CODE.findall(text)) if other in RULES and other != code]
    neighbours = [other for other in codes[max(place - 1, 0) : place + 2] if other != code and other[:4] == code[:4]]
    for other in dict.fromkeys([*mentioned, *neighbours]):
        yield f"[{other}]({other}.md): {prose(RULES[other].title)}"


def others(mentions: Mapping[str, str]) -> Iterator[str]:
    for path, title in list(mentions.items())[:MENTIONED]:
        yield f"[{prose(title)}](../{path})"


def mentions(pages: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """For each code the pages that mention it, with their titles. `pages`: texts by path."""
    titles_by_code: dict[str, dict[str, str]] = {}
    for path, text in pages.items():
        title = re.search(r"^# (.+)$", text, re.MULTILINE)
        for code in set(CODE.findall(text)):
            titles_by_code.setdefault(code, {})[path] = title[1].replace("`", "") if title else path
    return titles_by_code
