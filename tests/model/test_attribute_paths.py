"""The selections of `get_attr` paths, by the type of the resource."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.model import attribute_paths
from transpile.model.attribute_paths import (
    Addresses,
    AttributeList,
    AttributeMap,
    Computed,
    Everything,
    GroupMember,
    MemberCount,
    Outputs,
    ReferenceList,
    ReferenceMap,
    ResourceAttribute,
    Selection,
    parse_attribute_path,
    path_inside,
    path_to_member,
)
from transpile.model.ir import Lit, ParamRef

GROUP, CHAIN, SCALING = "OS::Heat::ResourceGroup", "OS::Heat::ResourceChain", "OS::Heat::AutoScalingGroup"
INSTANCES, STACK, AWS_STACK = "OS::Heat::InstanceGroup", "OS::Heat::Stack", "AWS::CloudFormation::Stack"
SERVER, TEMPLATE = "OS::Nova::Server", "web.yaml"
NAME = (Lit("name"),)

SELECTIONS: list[tuple[str, tuple[str | int, ...], Selection]] = [
    (SERVER, ("addresses", "net", 0), ResourceAttribute("addresses", (Lit("net"), Lit(0)))),
    (TEMPLATE, ("refs",), ResourceAttribute("refs")),  # an output may have any name
    (TEMPLATE, ("resource.web.name",), GroupMember("web", NAME)),
    (TEMPLATE, ("resource.web", "name"), GroupMember("web", NAME)),
    (TEMPLATE, ("resource.web.resource.port",), GroupMember("web", (Lit("resource.port"),))),
    (GROUP, ("resource.3.name",), GroupMember("3", NAME, 3)),
    (GROUP, ("resource.3",), GroupMember("3", (), 3)),
    (GROUP, ("resource.",), GroupMember("")),
    (GROUP, ("resource.3.",), GroupMember("3", (Lit(""),), 3)),
    (GROUP, ("resource",), AttributeList((Lit("resource"),))),
    (GROUP, ("refs",), ReferenceList()),
    (GROUP, ("refs", 0), ReferenceList((Lit(0),))),
    (GROUP, ("refs_map",), ReferenceMap()),
    (GROUP, ("attributes", "name"), AttributeMap(NAME)),
    (GROUP, ("name",), AttributeList(NAME)),
    (GROUP, ("outputs", "name"), AttributeList((Lit("outputs"), Lit("name")))),
    (GROUP, ("removed_rsrc_list",), ResourceAttribute("removed_rsrc_list")),
    (CHAIN, ("resource.1",), GroupMember("1", (), 1)),
    (CHAIN, ("refs_map",), AttributeList((Lit("refs_map"),))),  # chains do not have it
    (SCALING, ("outputs", "name"), AttributeMap(NAME)),
    (SCALING, ("outputs_list", "name"), AttributeList(NAME)),
    (SCALING, ("current_size",), MemberCount()),
    (SCALING, ("name",), ResourceAttribute("name")),
    (INSTANCES, ("InstanceList",), Addresses()),
    (INSTANCES, ("resource.0",), ResourceAttribute("resource.0")),
    (STACK, ("outputs", "address"), Outputs((Lit("address"),))),
    (STACK, ("outputs",), Outputs(())),
    (AWS_STACK, ("Outputs.a.b",), Outputs((Lit("a.b"),))),
]


@pytest.mark.parametrize(("kind", "path", "expected"), SELECTIONS)
def test_a_path_has_the_meaning_that_its_type_gives_it(
    kind: str, path: tuple[str | int, ...], expected: Selection
) -> None:
    assert parse_attribute_path(kind, tuple(Lit(step) for step in path)) == expected


def test_a_computed_attribute_is_no_name() -> None:
    assert parse_attribute_path(GROUP, (ParamRef("what"),)) == Computed((ParamRef("what"),))
    assert parse_attribute_path(GROUP, ()) == Everything()


@pytest.mark.parametrize("name", ["01", "+1", "1_0", " 1", "²", "٣", "-1", "one", "", "9" * 5000])
def test_a_resource_group_finds_members_by_the_name_that_python_writes(name: str) -> None:
    """None of these is the name of a member, although `int()` or `isdigit()` takes some of them for numbers."""
    selection = parse_attribute_path(GROUP, (Lit(f"resource.{name}"),))
    assert isinstance(selection, GroupMember)
    assert selection.number is None


@pytest.mark.parametrize(("name", "number"), [("01", 1), ("٣", 3), ("-1", -1), ("²", None), ("one", None)])
def test_a_scaling_group_reads_the_name_as_a_number(name: str, number: int | None) -> None:
    assert parse_attribute_path(SCALING, (Lit(f"resource.{name}"),)) == GroupMember(name, (), number)


@given(st.text(), st.lists(st.one_of(st.text(), st.integers())))
def test_a_member_path_is_read_back_as_the_same_member(name: str, steps: list[str | int]) -> None:
    path = tuple(Lit(step) for step in steps)
    written = path_to_member(name, path)
    assert (
        written is None
        if "." in name
        else parse_attribute_path(attribute_paths.TEMPLATE, written or ()) == GroupMember(name, path)
    )


@given(st.integers(min_value=0))
def test_every_number_is_a_member(number: int) -> None:
    assert parse_attribute_path(GROUP, (Lit(f"resource.{number}.name"),)) == GroupMember(str(number), NAME, number)


@pytest.mark.parametrize(
    ("kind", "path", "inside"),
    [
        (GROUP, ("attributes", "ip"), ("ip",)),
        (GROUP, ("resource.0.ip", 1), ("ip", 1)),
        (GROUP, ("ip", 1), ("ip", 1)),
        (GROUP, ("refs", 1), ()),
        (TEMPLATE, ("ip", 1), ("ip", 1)),
        (STACK, ("outputs", "ip", 1), ("ip", 1)),
    ],
)
def test_the_path_inside_members(kind: str, path: tuple[str | int, ...], inside: tuple[str | int, ...]) -> None:
    assert path_inside(kind, tuple(Lit(s) for s in path)) == tuple(Lit(s) for s in inside)
