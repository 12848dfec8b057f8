"""Writes the output of the examples into the pages: python -m tests.docs [PAGE…]. Read the difference afterwards."""

from __future__ import annotations

import pathlib
import shutil
import sys
import tempfile

from tests.docs.blocks import pages
from tests.docs.running import Page
from tests.support import oracles


def main(names: list[str]) -> None:
    for path in pages():
        if names and path.name not in names:
            continue
        with tempfile.TemporaryDirectory() as place:
            page = Page(path, pathlib.Path(place) / "page", terraform=oracles.has_providers)
            text = path.read_text(encoding="utf-8").splitlines(keepends=True)
            for problem in reversed(list(page.problems())):
                if problem.got is None:
                    print(f"{path.name}: {problem}")
                    continue
                end = next(at for at in range(problem.line, len(text)) if text[at].startswith("```"))
                text[problem.line : end] = problem.got.splitlines(keepends=True)
                print(f"{path.name}:{problem.line}: written")
            path.write_text("".join(text), encoding="utf-8")


if __name__ == "__main__":
    if shutil.which("bash") is None:
        sys.exit("there is no bash")
    main(sys.argv[1:])
