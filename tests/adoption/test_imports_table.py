"""The import table has a row for every resource that is written, and agrees with the provider's source.

The comparison with the provider needs its source: HOT2TF_PROVIDER_SOURCE names a checkout of
terraform-provider-openstack, at the version of `provider.json`.
"""

from __future__ import annotations

import ast
import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import pytest

from emitters.hcl.adoption import imports_listing
from emitters.hcl.tables import imports, provider, tables
from emitters.hcl.tables.imports import CloudQuestion, FirstWithValue, IdForm, IdPart, LiteralText, LiveArgument
from emitters.hcl.tables.mapping import EachRule
from emitters.hcl.tables.provider import CONFIGURATION
from emitters.hcl.tables.reader import TableError
from emitters.hcl.tree.nodes import Block
from tests.support import oracles, provider_source
from transpile.schema.catalog import read_openstack_catalog

ROOT = pathlib.Path(__file__).parents[2]
SCHEMA_RULES = oracles.SHARED / "terraform" / "schema" / "openstack-3.4.0.rules.json"
PAGE = ROOT / "docs" / "import-ids.md"


def resources() -> set[str]:
    """The resource types of the providers that hot2tf knows."""
    return {name for name in provider.load_built_in_providers().facts if not name.startswith(("data.", CONFIGURATION))}


def in_tables() -> Iterator[str]:
    """The types that mapping tables name, also in rules for the items of lists."""
    for name in read_openstack_catalog().type_names():
        kind = tables.load_built_in_tables().find_mapping(name)
        for mapping in (kind, kind.other):
            if mapping is not None:
                yield mapping.resource
                yield from (rule.resource for rule in mapping.properties.values() if isinstance(rule, EachRule))


def in_code() -> Iterator[str]:
    """The types that hooks and other code spell out."""
    for path in (ROOT / "emitters" / "hcl").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_type_that_is_written_has_a_row_and_no_other() -> None:
    written = resources() & {*in_tables(), *in_code()}
    assert {"openstack_networking_port_v2", "openstack_networking_subnet_route_v2", "random_uuid"} <= written
    assert sorted(imports.load_rows()) == sorted(written)


def given_in(part: IdPart) -> Iterator[str]:
    if isinstance(part, LiveArgument):
        yield part.argument
    elif isinstance(part, CloudQuestion):
        for _, value_part in part.by:
            yield from given_in(value_part)
    elif isinstance(part, FirstWithValue):
        for inner_part in part.parts:
            yield from given_in(inner_part)


def forms(row: imports.ImportRow) -> Iterator[IdForm]:
    yield row.form
    yield from row.of.values()
    if row.inside is not None:
        yield row.inside


@pytest.mark.parametrize("row", imports.load_rows().values(), ids=lambda row: row.type)
def test_rows_name_arguments_that_the_provider_has(row: imports.ImportRow) -> None:
    facts = provider.load_built_in_providers()
    named = {name for form in forms(row) for part in form.parts for name in given_in(part)}
    named |= {*row.unread, *row.refused}
    named |= {name.rstrip("+") for unread in row.unread.values() for name in unread.with_arguments}
    for name in named:
        assert facts.find_argument(row.type, name) is not None or facts.find_block(row.type, name) is not None, name
    for heat in row.of:
        kind = tables.load_built_in_tables().find_mapping(heat)
        assert kind.resource == row.type
    assert row.none or row.form.parts


def test_the_page_is_current() -> None:
    """After changing the table: python -m emitters.hcl.adoption.imports_listing > docs/import-ids.md"""
    assert PAGE.read_text(encoding="utf-8") == imports_listing.print_imports_page()


def test_the_page_has_every_type() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", imports_listing.print_imports_page().partition("## Why")[0], re.MULTILINE)
    assert sorted(listed) == sorted(imports.load_rows())


# ignored arguments


def server(*blocks: Block) -> Block:
    made = Block("resource", ("openstack_compute_instance_v2", "web"))
    made.add_argument("user_data", "x")
    made.body += blocks
    return made


def nic(**arguments: str) -> Block:
    made = Block("network")
    for name, value in arguments.items():
        made.add_argument(name, value)
    return made


def ignored(block: Block, *case: str) -> set[str]:
    row = imports.find_row(block.labels[0])
    assert row is not imports.UNKNOWN_ROW
    return set(row.ignored_arguments(imports.written_names(block), case))


def test_only_arguments_that_are_written_are_ignored() -> None:
    assert ignored(server(nic(uuid="a"))) == {"user_data"}
    assert ignored(server(nic(port="a"))) == {"user_data", "network"}


def test_the_order_of_several_nics_is_not_read_back() -> None:
    assert ignored(server(nic(uuid="a"), nic(uuid="b"))) == {"user_data", "network"}
    dynamic = Block("dynamic", ("network",))
    dynamic.add_argument("for_each", ())  # type: ignore[arg-type]
    dynamic.body.append(Block("content"))
    assert ignored(server(dynamic)) == {"user_data", "network"}


def test_a_bootable_volume_changes_the_arguments_read_back() -> None:
    assert ignored(server(), imports.ATTACHED) == {"user_data", "block_device"}
    with_image = server()
    with_image.add_argument("image_id", "x")
    assert ignored(with_image) == {"user_data"}
    assert ignored(with_image, imports.ATTACHED) == {"user_data", "block_device", "image_id"}


def test_a_server_that_was_booted_from_a_volume_has_one_attached() -> None:
    assert ignored(server(Block("block_device"))) == {"user_data", "block_device"}


# reading


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": {"lookup": "port"}}, "a lookup needs by"),
        ({"id": {"look": "port"}}, "there is no key look here"),
        ({"id": {"last": "name"}}, "only physical has a last part"),
        ({"id": {"text": "-", "take": "id"}}, "take is not allowed with text"),
        ({"none": "why", "id": "physical"}, "id excludes none"),
        ({"anew": "nothing"}, "anew is allowed only with none"),
        ({"unread": {"tags": {"why": "w"}}}, "this needs why and with"),
        ({"unread": {"tags": {"why": "w", "with": [], "when": "ever"}}}, "when must be one of"),
        ({"refused": {"tags": 1}}, "tags must be a string"),
    ],
)
def test_invalid_rows_are_refused(row: Any, message: str) -> None:
    with pytest.raises(TableError, match=message):
        imports.read_row("a_type", row)


# the provider's own source and documentation

SOURCE = provider_source.root()
QUOTAS = {
    name for name in imports.load_rows() if "quota" in name
}  # their documented IDs end in a region, which is not used
OTHERWISE_UNREAD = {  # arguments that the source sets, but in another form than they were written
    "openstack_blockstorage_quotaset_v3": {"volume_type_quota"},
    "openstack_blockstorage_volume_v3": {"backup_id", "image_id"},
    "openstack_compute_instance_v2": {"block_device", "image_id", "network"},
    "openstack_compute_keypair_v2": {"user_id"},
    "openstack_keymanager_secret_v1": {"payload"},
    "openstack_lb_pool_v2": {"listener_id", "loadbalancer_id"},
    "openstack_orchestration_stack_v1": {"parameters", "tags"},
}
READ = {  # arguments that the source sets in other ways
    "openstack_networking_segment_v2": {"region"},  # it stays that of the provider
    "openstack_identity_user_v3": {  # in a loop over their names
        "ignore_change_password_upon_first_use",
        "ignore_lockout_failure_attempts",
        "ignore_password_expiry",
        "multi_factor_auth_enabled",
    },
}
no_source = pytest.mark.skipif(SOURCE is None, reason=f"{provider_source.VARIABLE} names no source of the provider")


@pytest.fixture(scope="module")
def source() -> dict[str, provider_source.Facts]:
    assert SOURCE is not None
    return provider_source.facts(SOURCE)


OPENSTACK = [row for name, row in imports.load_rows().items() if name.startswith("openstack_")]


@no_source
@pytest.mark.parametrize("row", OPENSTACK, ids=lambda row: row.type)
def test_the_provider_imports_the_types_of_the_table(
    row: imports.ImportRow, source: dict[str, provider_source.Facts]
) -> None:
    assert source[row.type].importable == (not row.none)


@no_source
@pytest.mark.parametrize(
    "row", [row for row in OPENSTACK if not row.none and row.type not in QUOTAS], ids=lambda row: row.type
)
def test_ids_have_a_form_of_the_documentation(row: imports.ImportRow, source: dict[str, provider_source.Facts]) -> None:
    """An example of the documentation has the parts and separators of the table."""
    between = row.form.separator
    pattern = re.escape(between).join(
        re.escape(part.text) if isinstance(part, LiteralText) else r"[\w-]*" if between else r"[\w./-]+"
        for part in row.form.parts
    )
    examples = source[row.type].examples
    assert any(re.fullmatch(pattern, example) for example in examples), examples


@no_source
@pytest.mark.parametrize("name", sorted(QUOTAS))
def test_of_the_id_of_a_quota_only_the_project_counts(name: str, source: dict[str, provider_source.Facts]) -> None:
    assert all(re.fullmatch(r"[0-9a-f-]+/region_1", example) for example in source[name].examples)
    assert 'strings.Split(d.Id(), "/")[0]' in source[name].reader


@no_source
@pytest.mark.parametrize("row", [row for row in OPENSTACK if not row.none], ids=lambda row: row.type)
def test_unread_arguments_are_those_that_reading_does_not_set(
    row: imports.ImportRow, source: dict[str, provider_source.Facts]
) -> None:
    """An argument with a default that is false is left out: such a value is no change for Terraform."""
    facts = source[row.type]
    unset = {name for name, default in facts.optional.items() if name not in facts.read and default != "false"}
    assert set(row.unread) - OTHERWISE_UNREAD.get(row.type, set()) == unset - READ.get(row.type, set())


@pytest.mark.parametrize("row", [row for row in imports.load_rows().values() if row.settles], ids=lambda row: row.type)
def test_arguments_compared_later_are_not_read_back(row: imports.ImportRow) -> None:
    """Nothing else is ignored, so nothing else has to be compared again."""
    assert set(row.settles) <= set(row.unread)


@pytest.mark.skipif(not SCHEMA_RULES.is_file(), reason="HOT2TF_SHARED leads to no rules of the provider")
@pytest.mark.parametrize("row", [row for row in imports.load_rows().values() if row.settles], ids=lambda row: row.type)
def test_arguments_compared_later_are_updated_in_place(row: imports.ImportRow) -> None:
    """Otherwise, the plan of the last step would make the resource anew."""
    arguments = json.loads(SCHEMA_RULES.read_text(encoding="utf-8"))["resources"][row.type]["arguments"]
    assert [name for name in row.settles if arguments.get(name, {}).get("force_new")] == []
