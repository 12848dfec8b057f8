"""Imports run one way, over all modules of the program: those for types only and those inside functions count, too."""

from __future__ import annotations

import ast
import functools
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence

import pytest

from transpile.registrations import COMMANDS, OWN
from transpile.resolve import graph

ROOT = pathlib.Path(__file__).parent.parent
PACKAGES = ("grammars", "transpile", "emitters")  # each may import those before it

# The rooms of a package from the bottom up: a room imports only itself and rooms that stand before it. The wings have
# lines of their own, as does the public interface.
ROOMS: Mapping[str, Sequence[str]] = {
    package: rooms.split()
    for package, rooms in {
        "transpile": """
            version model guarded diagnostics report text registrations schema front mapping_files packages additions
            todo evaluate resolve document_kinds repository check rewrite targets emit settings format parallel
            discover_files checking document_conversion pipeline todo_page cli
            stack_evaluation plugins page playground language_server call_sites migrate initialization adoption
            adopting homing
            __init__ __main__ hot2tf
        """,
        "emitters.hcl": """
            __init__ errors tree capability_comments namespace address_rows tables backends provider_requirements
            provider_names log running plan object_types unit blocks synthetic_variables shared_data symbols ordering
            lowering emission resources nested hooks embed assemble homing attempt evaluation roll_up moves neighbours
            takeover adoption proof summary pipelines options request attempts alternatives module_folders passes
            emitter
        """,
    }.items()
}
# The packages of each wing. The core registers them (`transpile/registrations.py`), and imports none.
WINGS: Mapping[str, tuple[str, ...]] = {
    "plug-ins": ("transpile.plugins",),
    "pages": ("transpile.page", "emitters.graph"),
    "playground": ("transpile.playground",),
    "editor": ("transpile.language_server",),
    "migrate": ("transpile.migrate", "transpile.call_sites", "transpile.initialization"),
    "adopt": ("transpile.adopting", "transpile.adoption", "emitters.hcl.adoption"),
    "proof": ("emitters.hcl.proof", "transpile.stack_evaluation"),
    "homing": ("transpile.homing", "emitters.homing", "emitters.hcl.homing", "emitters.tosca.homing"),
}
# The wings that a wing imports: the playground shows the page of a conversion, an adoption compares the running stack
# with Heat's values, and `adopt --all` writes a tree.
USED: Mapping[str, tuple[str, ...]] = {"playground": ("pages",), "adopt": ("migrate", "proof")}
PUBLIC = "transpile"  # it imports the types of what the wings register for `import transpile`
TARGETS = ("emitters.hcl", "emitters.hot", "emitters.tosca", "emitters.homing")  # none imports another


REGISTRATIONS = ROOT / "transpile" / "registrations.py"


def modules() -> dict[str, pathlib.Path]:
    """The modules of the program by name; a package goes by its own name."""
    paths = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


MODULES = modules()


def imported(path: pathlib.Path) -> Iterator[str]:
    """All names that a module imports, `from a import b` as a.b: b may be a module. A text counts that is the name of a
    module below a package of the program, because importlib takes it; `registrations.py` has the names of targets.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and path != REGISTRATIONS:
            yield from (node.value for _ in range(node.value in MODULES and "." in node.value))
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_of(name: str) -> str:
    """The module that an imported name is, or stands in; "" if it is none of the program's."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


@functools.cache
def edges() -> dict[str, set[str]]:
    imports = {name: {module_of(module) for module in imported(path)} - {"", name} for name, path in MODULES.items()}
    assert len(imports) > 200
    return imports


def room(name: str, package: str) -> str | None:
    """The room of a package that a module belongs to; None for modules of other packages."""
    if name == package:
        return "__init__"
    return name.removeprefix(f"{package}.").partition(".")[0] if name.startswith(f"{package}.") else None


def test_no_module_imports_itself_through_others() -> None:
    circles = [sorted(circle) for circle in graph.find_cycles(edges())]
    assert circles == []


def test_packages_import_only_those_before_them() -> None:
    order = {package: level for level, package in enumerate(PACKAGES)}
    wrong = [
        (name, other)
        for name, others in edges().items()
        for other in others
        if order[other.partition(".")[0]] > order[name.partition(".")[0]]
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ROOMS)
def test_rooms_import_only_those_before_them(package: str) -> None:
    """Each room of a package has a level, and nothing imports from a higher one."""
    order = {room_name: level for level, room_name in enumerate(ROOMS[package])}
    wrong = []
    for name, others in edges().items():
        own = room(name, package)
        if own is None:
            continue
        assert own in order, f"{name}: {own} has no place among the rooms of {package}"
        for other in others:
            theirs = room(other, package)
            if theirs is not None and order[theirs] > order[own]:
                wrong.append((name, other))
    assert wrong == []


def test_targets_do_not_know_each_other() -> None:
    for target in TARGETS:
        for name in MODULES:
            if f"{name}.".startswith(f"{target}."):
                strange = [o for o in edges()[name] if o.startswith(TARGETS) and not f"{o}.".startswith(f"{target}.")]
                assert strange == [], name


def wing_of(name: str) -> str:
    """The wing that a module belongs to; "" for the core."""
    return next(
        (wing for wing, packages in WINGS.items() if f"{name}.".startswith(tuple(f"{p}." for p in packages))), ""
    )


@pytest.mark.parametrize("wing", WINGS)
def test_the_core_imports_no_wing(wing: str) -> None:
    """Nothing outside a wing imports it, but for the wings that are known to, and the types of the public interface.
    Nor does the core name it in a comment or a text.
    """
    assert all(package in MODULES for package in WINGS[wing])
    users = {name for name in MODULES if any(wing_of(module) == wing for module in edges()[name])}
    outside = {name for name in users - {PUBLIC} if wing_of(name) != wing}
    assert {name for name in outside if wing not in USED.get(wing_of(name), ())} == set()
    paths = re.compile("|".join(rf"\b{package.replace('.', '[./]')}\b" for package in WINGS[wing]))
    naming = {name for name, path in MODULES.items() if paths.search(path.read_text(encoding="utf-8"))}
    assert {name for name in naming if not wing_of(name)} <= {PUBLIC, "transpile.registrations"}


def test_the_core_does_not_know_the_commands_of_wings() -> None:
    """A wing brings its commands with their options, groups and examples. No text of the command line or of settings
    names one, but for the hint of `convert` to users who give it a directory.
    """
    commands = {name for name, value in OWN[COMMANDS].items() if wing_of(value.partition(":")[0])}
    assert commands == {"adopt", "migrate", "graph", "home", "init", "lsp"}
    lines = re.compile(rf"hot2tf ({'|'.join(commands)})\b")
    naming = {
        name
        for name, path in MODULES.items()
        if name.startswith(("transpile.cli.", "transpile.settings.")) and not wing_of(name)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value in commands or lines.search(node.value)
    }
    assert naming == {"transpile.cli.commands.convert"}


def test_only_registrations_know_the_wing_of_homing_templates() -> None:
    """Nothing outside names it but where it is registered: there, in the public interface, and in the list of
    diagnostic codes, which are ours to give.
    """
    outside = {name: path for name, path in MODULES.items() if wing_of(name) != "homing"}
    assert len(MODULES) - len(outside) > 50
    naming = {name for name, path in outside.items() if "homing" in path.read_text(encoding="utf-8").lower()}
    codes = {name for name in naming if name.startswith("transpile.diagnostics.")}
    assert naming - codes == {PUBLIC, "transpile.registrations"}


def test_hcl_reads_yaml_only_in_its_mapping_tables() -> None:
    """The HCL target works on the IR: it never sees a template's YAML."""
    for name, path in MODULES.items():
        if name.startswith("emitters.hcl") and not name.startswith("emitters.hcl.tables."):
            assert not any(module.split(".")[0] == "yaml" for module in imported(path)), name


def test_names_for_importlib_are_imports(tmp_path: pathlib.Path) -> None:
    """A module that is loaded by its name is imported as well as any."""
    path = tmp_path / "module.py"
    path.write_text('importlib.import_module("emitters.hot.emitter")\n', encoding="utf-8")
    assert list(imported(path)) == ["emitters.hot.emitter"]
