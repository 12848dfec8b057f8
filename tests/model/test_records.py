"""Records behave as dataclasses do: the same classes are defined both ways and compared."""

from __future__ import annotations

import copy
import dataclasses
import pathlib
import pickle
from typing import Any

import pytest

from transpile.model.records import entity, field, node, record, replace


@node
class Node:
    """A node."""

    name: str
    items: tuple[int, ...] = ()
    keys: dict[str, int] = field(default_factory=dict, compare=False)
    at: int = field(default=-1, compare=False)

    def twice(self) -> str:
        return 2 * self.name


@dataclasses.dataclass(slots=True)
class Twin:
    name: str
    items: tuple[int, ...] = ()
    keys: dict[str, int] = dataclasses.field(default_factory=dict, compare=False, repr=False)
    at: int = dataclasses.field(default=-1, compare=False, repr=False)


@record
class Record:
    count: int = 0
    more: list[int] = field(default_factory=list)


@node
class Own:
    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return 7


ARGUMENTS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("a",), {}),
    (("a", (1, 2)), {}),
    (("a",), {"at": 5}),
    ((), {"name": "b", "keys": {"x": 1}}),
    (("a", (), {}, 3), {}),
]


@pytest.mark.parametrize(("arguments", "named"), ARGUMENTS)
def test_a_node_is_made_and_shown_as_a_dataclass(arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    node, other, twin = Node(*arguments, **named), Node(*arguments, **named), Twin(*arguments, **named)
    assert [getattr(node, f) for f in Twin.__slots__] == [getattr(twin, f) for f in Twin.__slots__]
    assert repr(node) == repr(twin).replace("Twin", Node.__qualname__)
    assert node.keys is not other.keys or "keys" in named or len(arguments) > 2  # each has a default of its own


@pytest.mark.parametrize(
    ("arguments", "named"), [((), {}), (("a", (), {}, 1, 2), {}), (("a",), {"name": "b"}), (("a",), {"nothing": 1})]
)
def test_arguments_that_a_dataclass_refuses_are_refused(arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    for kind in (Twin, Node):
        with pytest.raises(TypeError):
            kind(*arguments, **named)


@pytest.mark.parametrize("first", ARGUMENTS)
@pytest.mark.parametrize("second", ARGUMENTS)
def test_nodes_are_equal_where_dataclasses_are(first: Any, second: Any) -> None:
    nodes, twins = [[kind(*arguments, **named) for arguments, named in (first, second)] for kind in (Node, Twin)]
    assert (nodes[0] == nodes[1]) is (twins[0] == twins[1])
    assert nodes[0] != nodes[1] or hash(nodes[0]) == hash(nodes[1])


def test_a_node_is_no_other_thing() -> None:
    others: list[object] = [Twin("a"), "a", None]
    assert Node("a") not in others


def test_mutable_records_have_no_hash() -> None:
    assert Record(1) == Record(1) != Record(2)
    with pytest.raises(TypeError):
        hash(Record())


def test_methods_of_the_class_stay() -> None:
    assert Node("ab").twice() == "abab"
    assert Own(1) != Own(True)
    assert hash(Own(1)) == 7


def test_other_values_of_some_fields() -> None:
    arguments: tuple[Any, ...] = ("a", (1,), {"x": 1}, 4)
    changed, twin = replace(Node(*arguments), name="b"), dataclasses.replace(Twin(*arguments), name="b")
    assert [getattr(changed, f) for f in Twin.__slots__] == [getattr(twin, f) for f in Twin.__slots__]
    with pytest.raises(TypeError):
        replace(Node("a"), nothing=1)  # type: ignore[call-arg]  # which proves that mypy knows the fields


def test_a_node_is_matched_by_place_and_has_no_room_for_more() -> None:
    match Node("a", (1, 2)):
        case Node(name, (first, *_)):
            assert (name, first) == ("a", 1)
        case _:
            pytest.fail("no match")
    more: Any = Node("a")
    with pytest.raises(AttributeError):
        more.other = 1


def test_a_node_can_be_copied_and_sent() -> None:
    node = Node("a", (1,), {"x": 1}, 3)
    for other in (copy.deepcopy(node), pickle.loads(pickle.dumps(node))):
        assert (other, other.keys, other.at) == (node, {"x": 1}, 3)


def test_fields_without_a_default_come_first() -> None:
    """The error that a dataclass raises, too."""
    fields = {"a": "int", "b": "int"}
    for kind in (node, dataclasses.dataclass):
        with pytest.raises(TypeError, match="default"):
            kind(type("Wrong", (), {"__annotations__": fields, "a": 1}))


@entity
class Thing:
    name: str
    more: list[int] = field(default_factory=list)


def test_an_entity_is_equal_only_to_itself() -> None:
    """An entity keeps its hash when its fields change, so that it stays in its set."""
    item, other = Thing("a"), Thing("a")
    things = {item}
    item.more.append(1)
    assert (item == other, item in things, other in things, other.more) == (False, True, False, [])


def test_records_are_made_in_one_way() -> None:
    """A dataclass takes six times as long to define, which every start of the program pays for."""
    root = pathlib.Path(__file__).parents[2]
    modules = [path for package in ("transpile", "emitters", "grammars") for path in (root / package).rglob("*.py")]
    assert [path for path in modules if "import dataclasses" in path.read_text(encoding="utf-8")] == []
    importing = [path for path in modules if "from dataclasses" in path.read_text(encoding="utf-8")]
    assert importing == [root / "transpile/model/records.py"]  # for the type checker alone
    assert len(modules) > 500
