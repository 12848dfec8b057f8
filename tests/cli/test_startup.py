"""The settings of the process: the command chooses its own, the library leaves its caller's alone."""

from __future__ import annotations

import gc
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import transpile
from transpile import checking, registrations
from transpile.format import canonical
from transpile.model.budget import Budget
from transpile.model.source import Source

TEMPLATE = """heat_template_version: 2021-04-16
resources:
  server:
    type: OS::Nova::Server
    properties: {flavor: small, image: it, networks: [{network: it}]}
outputs:
  address: {value: {get_attr: [server, first_address]}}
"""


def work(number: int) -> bool:
    source = Source("template.yaml", TEMPLATE.replace("server", f"server{number}"), budget=Budget())
    targets = [transpile.convert(source.text, to=to).ok for to in ("hcl", "hot", "tosca")]
    checking.check_text(source, checking.CheckRequest(), None)
    return all(targets) and bool(canonical.format_text(source).text)


@pytest.mark.parametrize("threshold", [(0, 10, 10), (701, 11, 12), (100_000, 10, 10)])
def test_threads_that_convert_leave_the_settings_of_the_garbage_collector(threshold: tuple[int, int, int]) -> None:
    saved = gc.get_threshold()
    enabled, frozen = gc.isenabled(), gc.get_freeze_count()
    gc.set_threshold(*threshold)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(work, range(40)))
        assert gc.get_threshold() == threshold
        assert (gc.isenabled(), gc.get_freeze_count()) == (enabled, frozen)
    finally:
        gc.set_threshold(*saved)


def test_importing_the_library_sets_nothing() -> None:
    program = (
        "import gc; before = gc.get_threshold(), gc.get_freeze_count()\n"  # Python 3.12 begins with some
        "import transpile; transpile.convert('heat_template_version: 2021-04-16')\n"
        "assert (gc.get_threshold(), gc.get_freeze_count()) == before"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_command_runs_exit_handlers(tmp_path: pathlib.Path) -> None:
    """The command ends as other programs do: functions that a plug-in registered for the exit run."""
    file = tmp_path / "template.yaml"
    file.write_text(TEMPLATE)
    program = (
        "import atexit, sys; atexit.register(print, 'the end')\n"
        f"sys.argv = ['hot2tf', 'check', {str(file)!r}, '--quiet']\n"
        "from transpile.cli.process import command; command()"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.endswith("the end\n")


def imported_modules(*words: str) -> set[str]:
    """The modules that the command has imported at its end."""
    program = (
        f"import sys; sys.argv = ['hot2tf', *{words!r}]\n"
        "from transpile.cli.app import main\n"
        "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout
    return set(done.stderr.split())


def test_showing_the_version_imports_no_pipeline() -> None:
    """Starting took twice as long while a command imported the pipeline at its top, and while typer showed this."""
    heavy = {"typer", "yaml", "jinja2", "rich", "transpile.pipeline", "emitters.hcl.emitter"}
    assert not heavy & imported_modules("--version")


def test_a_conversion_imports_no_jinja2(tmp_path: pathlib.Path) -> None:
    """Jinja2, for TODO.md, took a sixth of the time of a small conversion."""
    file, out = tmp_path / "a.yaml", tmp_path / "out"
    volumes = "".join(f"  v{n}: {{type: OS::Cinder::Volume, deletion_policy: Retain}}\n" for n in range(3))
    file.write_text(f"heat_template_version: 2021-04-16\nresources:\n{volumes}", encoding="utf-8")
    assert "jinja2" not in imported_modules("convert", str(file), "-o", str(out), "--report", "/dev/stdout")
    assert (out / "TODO.md").exists()


@pytest.mark.parametrize("words", [["targets"], ["types", "--help"], ["explain", "HOT450"], ["adopt", "--help"]])
def test_a_command_imports_no_other_command(words: list[str]) -> None:
    modules = {name: value.partition(":")[0] for name, value in registrations.OWN[registrations.COMMANDS].items()}
    assert imported_modules(*words) & {*modules.values()} == {modules[words[0]]}


def test_a_conversion_imports_no_wing(tmp_path: pathlib.Path) -> None:
    """Modules for adoption, for judging values and for tests are imported only by the runs that need them."""
    file = tmp_path / "a.yaml"
    file.write_text("heat_template_version: 2021-04-16\nresources: {n: {type: OS::Neutron::Net}}\n", encoding="utf-8")
    plain = imported_modules("convert", str(file), "--verify", "off")
    wings = (
        "transpile.adoption",
        "transpile.adopting",
        "transpile.migrate",
        "emitters.hcl.adoption",
        "emitters.hcl.proof",
    )
    assert not [name for name in plain if name.startswith(wings)]
    assert "emitters.hcl.proof.judge" in imported_modules("convert", str(file))
