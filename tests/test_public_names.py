"""`import hot2tf`: the documented names can be imported, listed, and read."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

import transpile
import transpile.hot2tf

TEMPLATE = "heat_template_version: 2018-08-31\nresources: {a: {type: OS::Nova::Servr}}\n"


def test_both_names_have_the_same_interface() -> None:
    assert transpile.hot2tf.__all__ == transpile.__all__ == dir(transpile) == dir(transpile.hot2tf)
    assert all(getattr(transpile.hot2tf, name) is getattr(transpile, name) for name in transpile.__all__)
    assert not hasattr(transpile.hot2tf, "pipeline")


def test_a_diagnostic_says_where_it_is() -> None:
    done = transpile.hot2tf.convert(TEMPLATE)
    [diagnostic] = [d for d in done.diagnostics if d.severity == "error"]
    assert diagnostic.location == ("template", 2, 23, 2, 38)  # from `OS` to the end of the word
    assert diagnostic.as_json().items() >= diagnostic.location._asdict().items()


def test_an_installed_hot2tf_is_a_module_and_a_command() -> None:
    if importlib.util.find_spec("hot2tf") is None:
        pytest.skip("hot2tf is not installed here: pip install -e .")
    code = "import hot2tf; print(hot2tf.__version__, hot2tf.convert.__name__)"
    imported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert imported.stdout.split() == [transpile.__version__, "convert"]
    ran = subprocess.run([sys.executable, "-m", "hot2tf", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["hot2tf", transpile.__version__]
