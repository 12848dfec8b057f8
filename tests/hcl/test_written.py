"""The results of rules and hooks, and how their parts are joined."""

from __future__ import annotations

from emitters.hcl.resources.written import NOTHING, PathFate, Written, add_parts, join_written
from emitters.hcl.tree.nodes import Argument, Block, Object
from transpile.model import ir
from transpile.model.span import Span

ENTRY = ir.Entry("size", ir.Lit(3, Span(9, 10)), 3)


def test_a_property_as_one_argument_has_the_place_and_the_path_of_the_property() -> None:
    written = Written.value(ENTRY, "binding.size", 3, "derived", "because")
    assert written.parts == (Argument("binding.size", 3, ENTRY.span),)
    assert written.fates == (PathFate("size", "derived", "binding.0.size", "because"),)


def test_parts_keep_their_order() -> None:
    several = [Written.argument("a", 1), NOTHING, Written.argument("b", 2) + Written.argument("c", 3)]
    assert [part.name for part in join_written(several).parts if isinstance(part, Argument)] == ["a", "b", "c"]
    assert join_written([]) == NOTHING


def test_properties_share_the_block_that_the_first_of_them_makes() -> None:
    block = Block("resource", ("kind", "label"))
    add_parts(block, Written.argument("meta.name", "n", Span(5, 6)).parts)
    add_parts(block, Written.argument("meta.size", 3, Span(8, 9)).parts)
    assert block.body == [
        Block("meta", (), [Argument("name", "n", Span(5, 6)), Argument("size", 3, Span(8, 9))], Span(5, 6))
    ]


def test_only_parts_of_a_further_resource_have_its_address() -> None:
    written = Written.fate("a", "x") + Written.implied("b", "nothing is set") + Written.fate("c", "y", to="other.one")
    inner = Block("resource", ("kind", "inner"))
    outer = written.in_resource(inner) + Written.argument("d", 1)
    assert [fate.to for fate in outer.fates] == ["kind.inner", "", "other.one"]
    assert (outer.resources, len(outer.parts)) == ((inner,), 1)
    assert outer.in_resource(Block("resource", ("kind", "outer"))).fates == outer.fates


def test_the_whole_has_one_fate_in_place_of_those_of_its_parts() -> None:
    written = Written.value(ENTRY, "size", 3).in_block(Block("disk")).without_fates() + Written.fate("disks", "disk")
    assert [fate.path for fate in written.fates] == ["disks"]
    assert written.parts == (Block("disk", (), [Argument("size", 3, ENTRY.span)]),)


def test_entries_of_several_properties_are_one_map() -> None:
    entries = Written.entry("metadata", "a", "1") + Written.entry("metadata", "b", "2")
    assert entries.as_map("metadata", ENTRY).parts == (
        Argument("metadata", Object((("a", "1"), ("b", "2"))), ENTRY.span),
    )
    assert NOTHING.as_map("metadata", ENTRY) == NOTHING
