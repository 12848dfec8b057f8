"""The dependency graph: its contents, and that each of its languages carries it unharmed."""

from __future__ import annotations

import html
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest
from typer.testing import CliRunner

import transpile
from emitters.graph import emitter, mermaid
from emitters.graph.model import HEAT, LEFT_OUT, MODULE, NATIVE, UNKNOWN, Graph, GraphCluster, GraphEdge, GraphNode
from tests.support.cases import GOLDEN
from tests.support.files import write_files
from transpile.cli.application import make_application
from transpile.diagnostics.model import Diagnostic
from transpile.targets import Output

SVG = "{http://www.w3.org/2000/svg}"
NODE = """
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
"""
STACK = """
heat_template_version: 2018-08-31
resources:
  key: {type: OS::Nova::KeyPair, properties: {name: k, public_key: ssh-rsa AAAA}}
  network: {type: OS::Neutron::Net}
  subnet:
    type: OS::Neutron::Subnet
    depends_on: [network, key]
    properties: {network: {get_resource: network}, cidr: 10.0.0.0/24}
  queue: {type: OS::Zaqar::Queue, properties: {name: q}}
  nodes:
    type: OS::Heat::ResourceGroup
    depends_on: subnet
    properties: {count: 2, resource_def: {type: node.yaml}}
"""


@pytest.fixture
def stack(tmp_path: pathlib.Path) -> pathlib.Path:
    write_files(tmp_path, {"node.yaml": NODE, "stack.yaml": STACK})
    return tmp_path / "stack.yaml"


def drawn(path: pathlib.Path | str, form: str = "mermaid", **options: object) -> str:
    done = transpile.convert(path, to="graph", options={"form": form, **options})
    assert done.ok, [d.message for d in done.diagnostics]
    ((_, text),) = ((name, text) for name, text in done.files.items() if name.startswith("graph."))
    return str(text)


def test_references_depends_on_and_fates(stack: pathlib.Path) -> None:
    lines = [line.strip() for line in drawn(stack).splitlines()]
    ids = {m[2]: m[1] for line in lines if (m := re.match(r'(?:subgraph )?(\w+)\W+"(\w+)(?:<br/>|:)', line))}
    assert set(ids) == {"key", "network", "subnet", "queue", "nodes", "net", "port"}
    arrows = {line for line in lines if "-->" in line or "-.->" in line}
    assert arrows == {
        f"{ids['subnet']} --> {ids['network']}",  # its depends_on repeats a reference
        f"{ids['subnet']} -.-> {ids['key']}",
        f"{ids['nodes']} -.-> {ids['subnet']}",
        f"{ids['port']} --> {ids['net']}",
    }
    assert f'{ids["queue"]}{{{{"queue<br/><small>OS::Zaqar::Queue</small>"}}}}:::heat' in lines
    assert f'{ids["net"]}["net<br/><small>OS::Neutron::Net</small>"]:::native' in lines
    assert f"style {ids['nodes']} {mermaid.STYLES[MODULE]}" in lines
    inner = lines[lines.index(next(line for line in lines if line.startswith("subgraph"))) :]
    assert inner.index("end") > next(i for i, line in enumerate(inner) if line.startswith(ids["port"]))


def test_depth_closes_nested_stacks_and_says_so(stack: pathlib.Path) -> None:
    text = drawn(stack, depth=1)
    assert '[["nodes<br/>' in text
    assert '"port<br/>' not in text
    assert "1 nested stack is not opened." in text


@pytest.mark.parametrize(("only", "there", "gone"), [("native", "subnet", "queue"), ("heat", "queue", "subnet")])
def test_only_one_kind(stack: pathlib.Path, only: str, there: str, gone: str) -> None:
    text = drawn(stack, only=only)
    assert f'"{there}<br/>' in text
    assert f'"{gone}<br/>' not in text
    assert "not shown." in text


def test_with_another_preference_a_resource_is_left_out(stack: pathlib.Path) -> None:
    text = drawn(stack, prefer="native")
    assert re.search(r'>"queue<br/>[^"]*"\]:::left_out', text)


def test_a_stack_that_cannot_be_converted_is_drawn_all_the_same(
    stack: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stack links, but neither Terraform nor Heat can express it, so the fate of its resources is unknown."""
    failed = Output({}, {}, [Diagnostic("HOT455", "queue must stay with Heat, but …")])
    monkeypatch.setattr("emitters.hcl.emitter.emit_directory", lambda stack, options: failed)
    text = drawn(stack)
    assert '"queue<br/><small>OS::Zaqar::Queue</small>"):::unknown' in text
    assert not any(f":::{kind}" in text for kind in (NATIVE, MODULE, HEAT))


HOSTILE = 'a"]; click n0 "javascript:alert(1)" <script>&#0; \u202e\n%% end\\" `b` 1. x'


def hostile() -> Graph:
    nodes = [GraphNode("n0", HOSTILE, HOSTILE, NATIVE, "c0", HOSTILE), GraphNode("n1", "plain", "x", HEAT, "")]
    clusters = [GraphCluster("c0", HOSTILE, HOSTILE, MODULE, "", HOSTILE)]
    return Graph(HOSTILE, nodes, clusters, [GraphEdge("c0", "n1", explicit=True)])


def test_texts_of_others_are_texts_in_mermaid() -> None:
    comment, *lines = mermaid.write_mermaid(hostile()).splitlines()
    assert comment.startswith("%% ")
    assert comment.count("%") == 2  # Mermaid finds a directive, %%{init: …}%%, anywhere in the text
    assert "{" not in comment
    for line in lines:
        inside = re.findall(r'"([^"]*)"', line)
        assert line.count('"') == 2 * len(inside)
        assert not any(c in text for text in inside for c in "\\`[]")
        for text in inside:
            plain = text.replace("<br/>", "").replace("<small>", "").replace("</small>", "")
            assert "<" not in plain
            assert ">" not in plain


def test_texts_of_others_are_texts_in_svg() -> None:
    from emitters.graph import svg

    root = ET.fromstring(svg.write_svg(hostile()))
    assert {element.tag for element in root.iter()} <= {
        SVG + tag for tag in ("svg", "title", "style", "defs", "marker", "path", "text", "g", "rect", "polygon")
    }
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on") or "href" in name]
    assert any("<script>" in (title.text or "") for title in root.iter(f"{SVG}title"))


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not on PATH")
def test_dot_is_read_by_graphviz() -> None:
    from emitters.graph import dot

    done = subprocess.run(["dot", "-Tsvg"], input=dot.write_dot(hostile()), text=True, capture_output=True, check=True)
    assert not done.stderr
    titles = html.unescape(done.stdout)
    assert 'a"]; click n0' in titles


def cases() -> list[pathlib.Path]:
    return sorted(path for path in GOLDEN.glob("*/input.*") if ".j2." not in path.name)


@pytest.mark.parametrize("path", cases(), ids=lambda path: path.parent.name)
def test_every_golden_has_all_its_resources_in_the_picture(path: pathlib.Path) -> None:
    root = ET.fromstring(drawn(path, "svg"))
    report = transpile.convert(path, to="graph").report
    drawn_ = [g for g in root.iter(f"{SVG}g") if g.get("class", "").startswith(("node", "cluster"))]
    assert len(drawn_) >= len(report["resources"])
    assert all(any(part.get("class", "").startswith("shape") for part in g.iter()) for g in drawn_)
    assert not any(g.get("class") == f"node {UNKNOWN}" for g in drawn_ if report["resources"] and not report["modules"])


def test_dropped_types_differ_from_folded_ones() -> None:
    text = drawn(
        "heat_template_version: 2018-08-31\nresources:\n  a: {type: OS::Heat::Value, properties: {value: 1}}\n"
    )
    assert f":::{mermaid.class_of(LEFT_OUT)}" not in text
    assert ":::folded" in text


def test_many_resources_are_closed_not_drawn(monkeypatch: pytest.MonkeyPatch, stack: pathlib.Path) -> None:
    monkeypatch.setattr(emitter, "MOST_RESOURCES", 5)
    assert "1 nested stack is not opened." in drawn(stack)


def test_a_graph_that_warnings_prevent_is_explained(stack: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """With --strict, warnings count as errors, so --min-severity error shows them, too."""
    write_files(tmp_path, {"plugins/broken.py": "def resource_mapping(): return {"})
    options = ["--plugin-dir", str(tmp_path / "plugins"), "--strict", "--min-severity", "error"]
    done = CliRunner().invoke(make_application(), ["graph", str(stack), *options, "-o", str(tmp_path / "g.svg")])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "warning HOT8" in done.stderr
    assert not (tmp_path / "g.svg").exists()


def test_the_command(stack: pathlib.Path, tmp_path: pathlib.Path) -> None:
    run, app = CliRunner(), make_application()
    done = run.invoke(app, ["graph", str(stack), "--to", "svg", "-o", str(tmp_path / "g.svg"), "--depth", "1"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "g.svg").read_text(encoding="utf-8") == drawn(stack, "svg", depth=1)
    assert run.invoke(app, ["graph", str(stack)]).stdout == drawn(stack)
    for wrong in (["--to", "png"], ["--only", "all"], ["--depth", "-1"], ["-o", ""]):
        assert run.invoke(app, ["graph", str(stack), *wrong]).exit_code == 2
    assert run.invoke(app, ["graph", str(tmp_path / "none.yaml")]).exit_code == 1
