"""Four tools accept the TOSCA output of every golden case, as files and as an archive, and heat-translator restores the
template.

Invariant: a crash or silence of a tool never counts as acceptance. If a tool knows less than the standard, the
difference is listed here with its reason.
"""

from __future__ import annotations

import io
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile
from typing import Any

import pytest
import yaml

import transpile
from tests.support import oracles
from tests.support.cases import Case, template_cases
from tests.support.examples import thinned
from tests.support.files import write_files
from tests.tosca.test_tosca_files import DEPLOYMENTS, USES, convert_plugin

ALL_CASES = [case for case in template_cases() if "tosca" in case.targets]
CASES = thinned(ALL_CASES, 3)
BY_NAME = {case.name: case for case in ALL_CASES}
VERDICTS = (*oracles.TOSCA_TOOLS, "refs")
# Known differences after the round trip, and why.
OTHERWISE = {
    "block_at_the_end": "Heat's client strips the newline at the end of the file, which the comparison does not know",
    "module": "heat-translator has no descriptions of resources",
    "oldest_hot": "Ref of the first version comes back as get_resource, which is the same",
    "outputs": "heat-translator leaves out an output whose value is null",
    "parameter_types": "no, the default of a boolean, comes back as false",
    "policies": "snapshot comes back as Snapshot, as Heat reads it",
    "yaml_scalars": "a key that is true comes back as the text that Heat makes of it",
}


def convert(case: Case, **options: Any) -> transpile.Conversion:
    return transpile.convert(
        case.input, to="tosca", environments=case.environments, parameters=case.parameters, options=options
    )


def is_service(path: pathlib.Path) -> bool:
    return path.suffix in (".yaml", ".template") and path.read_bytes().startswith(b"tosca_definitions_version")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Each case as files, in a folder of its name, and as an archive next to it."""
    where = tmp_path_factory.mktemp("tosca")
    for case in CASES:
        write_files(where / case.name, convert(case).files)
        write_files(where, {f"{case.name}.csar": convert(case, csar=True).files["main.csar"]})
    return where


@pytest.mark.long
@oracles.needs_tosca
def test_four_tools_take_all_files(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """And all references resolve. opera does not know substitution, which creates a nested template: it says so, and
    that does not count.
    """
    files = sorted(p for p in folder.rglob("*") if p.is_file() and (p.suffix == ".csar" or is_service(p)))
    verdicts = oracles.ask_tosca(files, VERDICTS, tmp_path, "--jobs", "2")
    refused = {
        f"{pathlib.Path(name).relative_to(folder)}: {tool}": verdict["errors"][:2]
        for name, tools in verdicts.items()
        for tool, verdict in tools.items()
        if verdict["ok"] is not True
        and not (tool == "opera" and verdict["kind"] == "unsupported" and pathlib.Path(name).name != "main.yaml")
    }
    assert refused == {}
    assert len(files) >= 2 * len(CASES)


@pytest.mark.long
@oracles.needs_tosca
def test_four_tools_take_types_that_plugins_and_parents_define(tmp_path: pathlib.Path) -> None:
    """Constraints beside functions as values, groups of deployments, and an attribute named like a property of Heat's:
    unfurl failed where `networks` of a server was read.
    """
    networks = """\
heat_template_version: 2021-04-16
resources:
  server: { type: OS::Nova::Server, properties: { image: i, flavor: f, networks: [{ network: private }] } }
outputs:
  address: { value: { get_attr: [server, networks, private, 0] } }
"""
    write_files(tmp_path / "plugin", convert_plugin(tmp_path, USES, "1.3").files)
    write_files(tmp_path / "networks", transpile.convert(networks, to="tosca").files)
    write_files(tmp_path / "deployments", transpile.convert(DEPLOYMENTS % "two", to="tosca").files)
    files = [tmp_path / name / "main.yaml" for name in ("plugin", "networks", "deployments")]
    verdicts = oracles.ask_tosca(files, VERDICTS, tmp_path, "--jobs", "2")
    refused = {name: [t for t, v in tools.items() if v["ok"] is not True] for name, tools in verdicts.items()}
    assert refused == {str(path): [] for path in files}


@pytest.mark.long
@oracles.needs_translator
def test_the_way_back_leads_to_the_template(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """heat-translator converts back to HOT that equals the case (for CFN: the case as HOT). The nodes and edges in
    puccini are those of the template.
    """
    equal, graphs = oracles.tosca_module("hot_equiv"), oracles.tosca_module("clout_graph")
    back, clouts = tmp_path / "hot", tmp_path / "clout"
    back.mkdir()
    clouts.mkdir()
    sources = {folder / case.name / "main.yaml": case for case in CASES}
    inner = {p for p in folder.rglob("*.yaml") if p not in sources and is_service(p)}
    tools = ["heat-translator", *(["puccini"] if oracles.has_tosca("puccini") else [])]
    files = [*sources, *sorted(inner)]
    oracles.ask_tosca(files, tools, tmp_path, "--hot-dir", str(back), "--clout-dir", str(clouts), "--jobs", "2")
    different: dict[str, list[str]] = {}
    for service in files:
        case = BY_NAME[service.relative_to(folder).parts[0]]
        path = re.sub(r"_\d+(?=\.yaml$)", "", service.relative_to(folder / case.name).as_posix())  # used in two ways
        source = case.input if service in sources else case.folder / path
        name = str(source.relative_to(case.folder.parent)) if service in inner else case.name
        text = as_hot(source, case)
        label = "_".join(service.parts[-3:]).removesuffix(".yaml")
        again = back / f"{label}.hot.yaml"
        if text is None:
            continue
        if not again.exists():
            different[name] = ["heat-translator made nothing of it"]
            continue
        returned = renamed(service, yaml.load(again.read_text(encoding="utf-8"), equal.L))
        before, after = (equal.canon(t) for t in (yaml.load(text, equal.L), returned))
        if differences := equal.diff(before, after):
            different[name] = differences
        own = tmp_path / f"{label}.source.yaml"
        own.write_text(yaml.safe_dump(yaml.load(text, equal.L)), encoding="utf-8")
        clout = clouts / f"{label}.clout.json"
        if clout.exists() and before["resources"]:
            nodes, edges = graphs.clout_edges(clout)
            ours = [list(nodes), [(a, b) for a, b, _ in edges]]
            named, tied = renamed(service, ours)
            if (set(named), set(tied)) != graphs.hot_edges(own):
                different.setdefault(name, ["another graph"])
    assert len(inner) > 5
    assert {name: differences for name, differences in different.items() if name not in OTHERWISE} == {}
    names = {case.name for case in CASES}
    compared = {name for name in OTHERWISE if name.partition("/")[0] in names}
    assert compared - set(different) == set(), "these come back as they are by now"


def renamed(service: pathlib.Path, document: Any) -> Any:
    """A template with the resource names that the service template keeps in metadata, because heat-translator ignores
    those.
    """
    nodes = yaml.safe_load(service.read_text(encoding="utf-8"))["topology_template"].get("node_templates", {})
    names = {name: n["metadata"]["hot.name"] for name, n in nodes.items() if "hot.name" in n.get("metadata", {})}

    def change(value: Any) -> Any:
        if isinstance(value, dict):
            return {names.get(k, k): change(v) for k, v in value.items()}
        if isinstance(value, list):
            return [change(v) for v in value]
        if isinstance(value, tuple):
            return tuple(change(v) for v in value)
        return names.get(value, value) if isinstance(value, str) else value

    return change(document) if names else document


def as_hot(source: pathlib.Path, case: Case) -> str | None:
    """A template as HOT, or None if HOT cannot express it."""
    text = source.read_text(encoding="utf-8")
    if "heat_template_version" in text:
        return text
    content = next(iter(case.convert("hot").files.values()), None) if source == case.input else None
    assert not isinstance(content, bytes)
    return content


@oracles.needs_tosca20
def test_version_two_is_as_it_was_published(tmp_path: pathlib.Path) -> None:
    """All cases match the grammar of the specification."""
    checker = oracles.tosca_module("tosca20_check")
    wrong = {}
    for case in CASES:
        write_files(tmp_path / case.name, convert(case, tosca_version="2.0").files)
        for path in sorted((tmp_path / case.name).rglob("*")):
            if path.is_file() and is_service(path) and (faults := checker.check(str(path))):
                wrong[f"{case.name}/{path.name}"] = faults[:3]
    assert wrong == {}


def test_an_archive_is_the_files() -> None:
    """An archive contains the same files, and its metadata names the entry first."""
    case = BY_NAME["module"]
    files = dict(convert(case).files)
    archive = convert(case, csar=True).files["main.csar"]
    assert isinstance(archive, bytes)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        inside = {name: opened.read(name) for name in opened.namelist()}
    meta = inside.pop("TOSCA-Metadata/TOSCA.meta").decode()
    assert re.search(r"^Entry-Definitions: main\.yaml$", meta, re.M)
    assert inside == {name: c if isinstance(c, bytes) else c.encode() for name, c in files.items()}


@pytest.mark.long
@oracles.needs_tosca
def test_faults_in_the_output_are_caught(tmp_path: pathlib.Path) -> None:
    """The tools and the check of all references find each fault that we could make in our files, so their silence about
    the real files is meaningful.
    """
    examples = oracles.SHARED / "tosca" / "examples"
    folders = {"02_network": "tosca13.yaml", "03_functions": "tosca13.yaml", "06_scaling": "tosca13.yaml"}
    for name, file in folders.items():
        done = transpile.convert(examples / name / "input.hot.yaml", to="tosca")
        write_files(tmp_path / "examples" / name, {file: done.files["main.yaml"]})
    software = tmp_path / "04"
    shutil.copytree(examples / "04_software" / "csar", software)
    shutil.copy(examples / "04_software" / "input.hot.yaml", software)
    done = transpile.convert(software / "input.hot.yaml", to="tosca")
    write_files(tmp_path / "examples" / "04_software" / "csar", done.files)
    write_files(tmp_path / "mut", {name: c for name, c in done.files.items() if name != "main.yaml"})
    script = (oracles.SHARED / "tosca" / "mutate.py").read_text(encoding="utf-8")
    ours = {"neutron.FixedIp'": "neutron.Port.FixedIps'", "hot.capabilities.Group": "hot.capabilities.Member"}
    for theirs, name in ours.items():
        script = script.replace(theirs, name)
    (tmp_path / "mutate.py").write_text(script, encoding="utf-8")
    subprocess.run([sys.executable, "mutate.py"], cwd=tmp_path, check=True)
    verdicts = oracles.ask_tosca(sorted((tmp_path / "mut").glob("*.yaml")), VERDICTS, tmp_path, "--jobs", "2")
    unseen = {
        pathlib.Path(name).stem for name, tools in verdicts.items() if not any(v["ok"] is False for v in tools.values())
    }
    assert unseen == {"00_unmutated"}
    assert len(verdicts) > 50
