"""The graph of values: which edges each kind of node has, and that a chain or a circle of any length is solved."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import pytest

from emitters.hcl.plan.coupling import PassedArguments
from transpile.front import template as templates
from transpile.model import ir
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.resolve.analysis import Analysis
from transpile.resolve.flow_nodes import FlowNode
from transpile.resolve.stack import Stack
from transpile.resolve.value_flow import ValueFlow
from transpile.text.source import Root

HOT = "heat_template_version: 2021-04-16\n"
NODE = (
    HOT
    + """\
parameters: {net: {type: string, default: n}, flag: {type: string, default: ''}}
conditions: {wide: {equals: [{get_param: flag}, 'yes']}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}, condition: wide}
outputs:
  id: {value: {get_resource: port}}
  net: {value: {get_param: net}}
"""
)
GROUP = "OS::Heat::ResourceGroup, properties: {resource_def: {type: node.yaml, properties: {net: {get_param: p}}}}"
SELF = HOT + "resources: {port: {type: OS::Neutron::Port}}\noutputs: {OS::stack_id: {value: {get_resource: port}}}\n"


def linked(folder: pathlib.Path, resources: str, rest: str = "") -> Stack:
    (folder / "node.yaml").write_text(NODE)
    (folder / "self.yaml").write_text(SELF)
    text = f"{HOT}parameters: {{p: {{type: string, default: a}}, q: {{type: string}}}}\nresources:\n{resources}{rest}"
    (folder / "stack.yaml").write_text(text)
    template, _ = templates.read_template(Source("stack.yaml", text, budget=Budget()))
    assert template is not None
    stack, _ = linker.link_template(template, root=Root(folder), options=linker.LinkOptions("load", converts=True))
    return stack


def edges_of(flow: ValueFlow) -> set[str]:
    """All edges as words: `attribute v.value -> parameter net of 1 (whole)`."""

    def describe(node: FlowNode) -> str:
        attribute = f".{node.attribute}" if node.attribute else ""
        return f"{node.kind} {node.name}{attribute}{f' of {node.stack}' if node.stack else ''}"

    return {
        f"{describe(edge.source)} -> {describe(edge.target)}{' (whole)' if edge.whole else ''}"
        for edges in flow.edges_by_target().values()
        for edge in edges
    }


@pytest.mark.parametrize(
    ("resources", "outputs", "edges"),
    [
        (
            "  v: {type: OS::Heat::Value, properties: {value: {get_param: p}}}\n",
            "{get_attr: [v, value]}",
            {"parameter p -> attribute v.value (whole)", "attribute v.value -> output o (whole)"},
        ),
        (
            "  v: {type: OS::Heat::Value, properties: {value: {if: [c, {get_param: p}, [{get_param: q}]]}}}\n",
            "{get_attr: [v]}",
            {
                "condition c -> attribute v.value",
                "parameter p -> attribute v.value (whole)",
                "parameter q -> attribute v.value",
                "attribute v.value -> output o",
            },
        ),
        (
            "  s: {type: OS::Nova::Server, properties: {name: {get_param: p}}, metadata: {a: {get_param: q}}}\n",
            "{list_join: ['', [{get_attr: [s, addresses, a, 0]}, {get_resource: s}]]}",
            {
                "parameter p -> resource s (whole)",
                "parameter q -> resource s",
                "attribute s.addresses -> output o",
                "attribute s -> output o",
            },
        ),
        (
            "  s: {type: OS::Nova::Server}\n",
            "{get_attr: [s, {get_param: q}]}",
            {"attribute s.* -> output o", "parameter q -> output o"},
        ),
    ],
    ids=["value", "branches", "resource", "computed_attribute"],
)
def test_edges_of_a_stack(resources: str, outputs: str, edges: set[str], tmp_path: pathlib.Path) -> None:
    rest = f"conditions: {{c: {{equals: [{{get_param: q}}, '']}}}}\noutputs: {{o: {{value: {outputs}}}}}\n"
    stack = linked(tmp_path, resources, rest)
    assert edges_of(ValueFlow(stack)) == edges | {"parameter q -> condition c"}


@pytest.mark.parametrize(
    ("output", "deciding"),
    [
        ("{if: [{equals: [{get_param: q}, '']}, {get_param: p}, x]}", {"q"}),
        ("{if: [{not: {get_param: q}}, {get_param: p}, x]}", {"q"}),
        ("{get_param: [p, {get_param: q}]}", {"q"}),
        ("{list_join: [{get_param: q}, [{get_param: p}, x]]}", set()),
    ],
)
def test_deciding_values_are_no_part_of_the_result(output: str, deciding: set[str], tmp_path: pathlib.Path) -> None:
    flow = ValueFlow(linked(tmp_path, "  n: {type: OS::Heat::None}\n", f"outputs: {{o: {{value: {output}}}}}\n"))
    edges = flow.flows_to(FlowNode(0, "output", "o"))
    assert {edge.source.name for edge in edges} == {"p", "q"}
    assert {edge.source.name for edge in edges if edge.decides} == deciding


def test_a_node_is_defined_by_each_call(tmp_path: pathlib.Path) -> None:
    """A call without an argument leaves the default, in the place of the call."""
    resources = (
        "  a: {type: node.yaml, properties: {net: {get_param: p}}}\n  b: {type: node.yaml}\n"
        "  v: {type: OS::Heat::Value, properties: {value: [x]}}\n"
    )
    flow = ValueFlow(linked(tmp_path, resources, "outputs: {o: {value: {get_attr: [a, net]}}}\n"))

    def defined(node: FlowNode) -> list[tuple[int, ir.Expr, str]]:
        definitions = flow.definitions(node)
        return [(flow.number_of(d.stack), d.value, d.call.resource.name if d.call else "") for d in definitions]

    assert defined(FlowNode(1, "parameter", "net")) == [(0, ir.ParamRef("p"), "a"), (0, ir.Lit("n"), "b")]
    assert defined(FlowNode(1, "output", "net")) == [(1, ir.ParamRef("net"), "")]
    assert defined(FlowNode(0, "attribute", "v", "value")) == [(0, ir.Seq((ir.Lit("x"),)), "")]
    assert defined(FlowNode(0, "parameter", "p")) == []
    assert defined(FlowNode(1, "attribute", "port", "")) == []


INSIDE = {
    "parameter net of 1 -> resource port of 1 (whole)",
    "parameter flag of 1 -> condition wide of 1",
    "condition wide of 1 -> resource port of 1 (whole)",
    "attribute port of 1 -> output id of 1 (whole)",
    "parameter net of 1 -> output net of 1 (whole)",
    "parameter p -> parameter net of 1 (whole)",
}


@pytest.mark.parametrize(
    ("resource", "output", "edge"),
    [
        ("node.yaml, properties: {net: {get_param: p}}", "[n, id]", "output id of 1 -> output o (whole)"),
        (
            "node.yaml, properties: {net: {get_param: p}}",
            "[n, resource.port]",
            "attribute port of 1 -> output o (whole)",
        ),
        (
            "node.yaml, properties: {net: {get_param: p}}",
            "[n, resource.port, name]",
            "attribute port.name of 1 -> output o (whole)",
        ),
        (
            "OS::Heat::Stack, properties: {template: {get_file: node.yaml}, parameters: {net: {get_param: p}}}",
            "[n, outputs, id]",
            "output id of 1 -> output o (whole)",
        ),
        (
            "AWS::CloudFormation::Stack, properties: {TemplateURL: node.yaml, Parameters: {net: {get_param: p}}}",
            "[n, Outputs.id]",
            "output id of 1 -> output o (whole)",
        ),
        (GROUP, "[n, id]", "output id of 1 -> output o"),
        (GROUP, "[n, resource.0.id]", "output id of 1 -> output o (whole)"),
        (GROUP, "[n, refs, 0]", "member n -> output o"),
        (
            "OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: 2, resource: "
            "{type: node.yaml, properties: {net: {get_param: p}}}}",
            "[n, outputs_list, id, 0]",
            "output id of 1 -> output o",
        ),
        (
            "OS::Heat::ResourceChain, properties: {resources: [node.yaml], resource_properties: {net: {get_param: p}}}",
            "[n, resource.0.id]",
            "output id of 1 -> output o (whole)",
        ),
    ],
    ids=["output", "inner", "inner_attribute", "stack", "url", "group", "member", "references", "scaling", "chain"],
)
def test_edges_into_and_out_of_nested_stacks(resource: str, output: str, edge: str, tmp_path: pathlib.Path) -> None:
    stack = linked(tmp_path, f"  n: {{type: {resource}}}\n", f"outputs: {{o: {{value: {{get_attr: {output}}}}}}}\n")
    also = {"parameter p -> resource n (whole)"} if "Chain" in resource else set()
    extra = {"member n.id -> output o (whole)"} if "Chain" in resource else set()
    assert edges_of(ValueFlow(stack)) == {*INSIDE, edge, *also, *extra}


def test_a_reference_is_the_identity_that_a_nested_stack_chooses(tmp_path: pathlib.Path) -> None:
    resources = "  n: {type: self.yaml}\n"
    resources += "  g: {type: OS::Heat::ResourceGroup, properties: {resource_def: {type: self.yaml}}}\n"
    stack = linked(tmp_path, resources, "outputs: {o: {value: [{get_resource: n}, {get_attr: [g, refs]}]}}\n")
    assert edges_of(ValueFlow(stack)) == {
        "attribute port of 1 -> output OS::stack_id of 1 (whole)",
        "output OS::stack_id of 1 -> output o",
    }


def test_a_parameter_has_the_values_of_all_calls(tmp_path: pathlib.Path) -> None:
    resources = (
        "  a: {type: node.yaml, properties: {net: {get_param: p}}}\n"
        "  b: {type: node.yaml, properties: {net: {get_param: q}}}\n  c: {type: node.yaml}\n"
    )
    flow = ValueFlow(linked(tmp_path, resources))
    edges = flow.flows_to(FlowNode(1, "parameter", "net"))
    callers = [(edge.source.name, edge.into.resource.name) for edge in edges if edge.into is not None]
    assert callers == [("p", "a"), ("q", "b")]
    assert [call.resource.name for call in flow.calls[1]] == ["a", "b", "c"]


def reaches(flow: ValueFlow, source: FlowNode, target: FlowNode) -> bool:
    """Whether a value goes from one node to another."""

    def sources(node: FlowNode) -> list[FlowNode]:
        return [edge.source for edge in flow.flows_to(node)]

    analysis = Analysis(sources, lambda node, look_up: node == source or any(map(look_up, sources(node))), start=False)
    return analysis.value_of(target)


def test_a_chain_of_values_has_no_end(tmp_path: pathlib.Path) -> None:
    value = "  v%d: {type: OS::Heat::Value, properties: {value: %s}}\n"
    resources = value % (0, "{get_param: p}")
    resources += "".join(value % (i, f"{{get_attr: [v{i - 1}, value]}}") for i in range(1, 2000))
    flow = ValueFlow(linked(tmp_path, resources))
    last = FlowNode(0, "attribute", "v1999", "value")
    assert reaches(flow, FlowNode(0, "parameter", "p"), last)
    assert not reaches(flow, FlowNode(0, "parameter", "q"), last)


def test_a_circle_through_two_calls_of_one_template(tmp_path: pathlib.Path) -> None:
    """The second call gets an output of the first. Both have the same nodes, so the graph has a circle."""
    resources = (
        "  a: {type: node.yaml, properties: {net: {get_param: p}}}\n"
        "  b: {type: node.yaml, properties: {net: {get_attr: [a, net]}}}\n"
    )
    flow = ValueFlow(linked(tmp_path, resources, "outputs: {o: {value: {get_attr: [b, net]}}}\n"))
    assert reaches(flow, FlowNode(0, "parameter", "p"), FlowNode(0, "output", "o"))
    assert not reaches(flow, FlowNode(0, "parameter", "q"), FlowNode(0, "output", "o"))


def test_an_argument_comes_out_of_the_same_call(tmp_path: pathlib.Path) -> None:
    resources = (
        "  a: {type: node.yaml, properties: {net: {get_param: p}}}\n"
        "  b: {type: node.yaml, properties: {net: {get_param: q}}}\n"
    )
    outputs = "outputs: {o: {value: {get_attr: [a, net]}}, i: {value: {get_attr: [a, id]}}}\n"
    flow = ValueFlow(linked(tmp_path, resources, outputs))
    passed = PassedArguments(flow)
    (net,), (port,) = (flow.flows_to(FlowNode(0, "output", name)) for name in "oi")
    assert list(passed.passed_from(net)) == [FlowNode(0, "argument", "a", "net")]
    assert list(passed.passed_from(port)) == []
    (argument,) = flow.flows_to(FlowNode(0, "argument", "a", "net"))
    assert argument.source == FlowNode(0, "parameter", "p")
    assert argument.into is not None
    assert [edge.target.name for edge in passed.passed_on(argument.into, "net")] == ["o"]


def test_each_node_is_solved_once_unless_it_is_in_a_circle() -> None:
    edges = {"a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "d": [], "e": ["f"], "f": ["e", "d"]}
    solved = []

    def transfer(node: str, look_up: Callable[[str], frozenset[str]]) -> frozenset[str]:
        solved.append(node)
        return frozenset({node}).union(*map(look_up, edges[node]))

    analysis = Analysis(edges.__getitem__, transfer, start=frozenset[str]())
    assert analysis.value_of("a") == frozenset("abcdef")
    assert [solved.count(node) for node in "abcd"] == [1, 1, 1, 1]
    assert len(solved) <= 4 + 3 * 2
