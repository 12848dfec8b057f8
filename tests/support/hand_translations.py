"""The templates of `benchmarks/hand`, and how long their translations are: by hand and by hot2tf."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import transpile

FOLDER = pathlib.Path(__file__).parents[2] / "benchmarks" / "hand"
LIMIT = 1.6


class HandTranslation(NamedTuple):
    """The lines of one template in Terraform, and the files that hot2tf makes of it, without and with `--roll-up`."""

    name: str
    hand: int
    plain: int
    rolled_up: int
    files: tuple[Mapping[str, str | bytes], Mapping[str, str | bytes]]


def count_lines(files: Mapping[str, str | bytes]) -> int:
    """The lines of Terraform that are not blank."""
    texts = [text for name, text in files.items() if name.endswith(".tf") and isinstance(text, str)]
    return sum(bool(line.strip()) for text in texts for line in text.splitlines())


def measure_translations(prefer: str) -> Iterator[HandTranslation]:
    for hand in sorted(FOLDER.glob("*/hand.tf")):
        template = hand.parent / "template.yaml"
        plain, rolled_up = (
            transpile.convert(template, prefer=prefer, options={"roll_up": roll_up}).files for roll_up in (False, True)
        )
        lines = count_lines({hand.name: hand.read_text("utf-8")})
        files = plain, rolled_up
        yield HandTranslation(hand.parent.name, lines, count_lines(plain), count_lines(rolled_up), files)
