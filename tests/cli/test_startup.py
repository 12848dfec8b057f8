"""Start-up optimisations do not change PyYAML; they only load it later.

Each test starts a new process, because this one has already imported PyYAML.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

DATA = "{a: 2001-02-03, b: [1, 0x10, 1_0, 12:30, 1.5, .inf, ~, yes, plain]}"
LOADED = f"yaml.load({DATA!r}, Loader=yaml.SafeLoader), yaml.load({DATA!r}, Loader=yaml.CSafeLoader)"


def said(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_patterns_are_compiled_when_they_are_asked() -> None:
    program = (
        "import re; before = re.compile\n"
        "from transpile import startup; startup.import_yaml()\n"
        "import yaml\n"
        "pattern = yaml.reader.Reader.NON_PRINTABLE\n"
        "print(re.compile is before, isinstance(pattern, re.Pattern), 'search' in vars(pattern))\n"
        "print(pattern.search('a\\x00b').start(), 'search' in vars(pattern))"
    )
    assert said(program) == "True False False\n1 True\n"


@pytest.mark.parametrize("text", ["a: \\x07", "a: [", "- b\\n a: 1", "a: \\ufffe"])
def test_what_pyyaml_reads_and_refuses_is_the_same(text: str) -> None:
    program = (
        f"import yaml\nprint({LOADED}, yaml.safe_dump({{'a': ['1', 'yes', 'x: y', 2.5]}}))\n"
        f"try: yaml.load('{text}', Loader=yaml.SafeLoader)\nexcept yaml.YAMLError as e: print(e)"
    )
    assert said("from transpile import startup; startup.import_yaml()\n" + program) == said(program)


def test_the_package_leaves_patterns_alone() -> None:
    program = "import re, transpile; transpile.convert('heat_template_version: 2021-04-16'); import yaml\n"
    assert said(program + "print(isinstance(yaml.reader.Reader.NON_PRINTABLE, re.Pattern))") == "True\n"
