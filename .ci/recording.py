"""Draws docs/recording.svg: what a terminal shows when somebody checks and migrates docs/example-repository.

Run `python .ci/recording.py` after a change of what is printed. Invariant: every line is from a run of the program, and
equal runs give equal bytes.
"""

from __future__ import annotations

import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "recording.svg"
COMMANDS = (
    "hot2tf check templates",
    "hot2tf check templates --fix --min-severity error",
    "hot2tf migrate templates terraform",
)
COLUMNS, WIDTH, HEIGHT = 100, 8.5, 19  # of the terminal, and of a character
TYPING, LINE, READING = 0.8, 0.04, 1.2  # seconds: for a command, for a line, and before the next command
COLOURS = {"31": "#ff8a80", "32": "#a5d6a7", "33": "#ffb74d", "34": "#82b1ff", "35": "#ce93d8", "36": "#80deea"}
STYLE = """<style>
text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #e0e0e0; white-space: pre }
.l { animation: show .01s both }
@keyframes show { from { opacity: 0 } }
@media (prefers-reduced-motion) { .l { animation: none } }
.b { font-weight: bold } .d { opacity: .6 } .p { fill: #a5d6a7 }
</style>"""


def run_commands() -> list[tuple[str, list[str]]]:
    """Each command with the lines that it prints, in a copy of the repository."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(ROOT / "docs" / "example-repository", pathlib.Path(place) / "templates")
        (pathlib.Path(place) / ".git").mkdir()
        program = pathlib.Path(place) / "bin" / "hot2tf"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m transpile "$@"\n')
        program.chmod(0o755)
        environment = {
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "COLUMNS": str(COLUMNS),
            "FORCE_COLOR": "1",
            "LC_ALL": "C.UTF-8",
        }
        return [(command, print_lines(command, place, environment)) for command in COMMANDS]


def print_lines(command: str, place: str, environment: dict[str, str]) -> list[str]:
    done = subprocess.run(
        ["sh", "-c", command], cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    return (done.stdout + done.stderr).splitlines()


def draw_line(line: str) -> str:
    """A line with its colours: escape sequences become elements."""
    drawn, classes, colour = "", "", ""
    for codes, text in re.findall(r"(?:\x1b\[([\d;]*)m)?([^\x1b]*)", line):
        for code in (codes or "0").split(";"):
            classes, colour = ("", "") if code == "0" else (classes, colour)
            classes += {"1": " b", "2": " d"}.get(code, "")
            colour = COLOURS.get(code, colour)
        if text:
            drawn += f'<tspan class="{classes.strip()}" fill="{colour}">{html.escape(text)}</tspan>'
    return drawn.replace(' class=""', "").replace(' fill=""', "")


def draw() -> str:
    rows, seconds = [], 0.0
    for command, lines in run_commands():
        rows.append((seconds, f'<tspan class="p">$ </tspan>{html.escape(command)}'))
        seconds += TYPING
        for line in lines:
            rows.append((seconds, draw_line(line)))
            seconds += LINE
        seconds += READING
    width, height = COLUMNS * WIDTH + 32, len(rows) * HEIGHT + 32
    texts = "\n".join(
        f'<text class="l" x="16" y="{HEIGHT * number + 30}" style="animation-delay: {start:.2f}s">{row}</text>'
        for number, (start, row) in enumerate(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">\n'
        f"<title>A terminal: hot2tf checks and migrates a repository</title>\n{STYLE}\n"
        f'<rect width="100%" height="100%" rx="8" fill="#1e1e1e"/>\n{texts}\n</svg>\n'
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
