"""The documentation of a type, as `hot2tf types` prints it."""

from __future__ import annotations

from transpile.schema import documentation
from transpile.schema.catalog import read_openstack_catalog


def test_a_long_name_keeps_its_distance_from_its_description() -> None:
    """Names of any length end with two spaces."""
    facts = read_openstack_catalog().find_type("OS::Nova::Server")
    assert facts is not None
    lines = list(documentation.document_type(facts))
    long = "block_device_mapping.*.delete_on_termination"
    assert f"  {long}  boolean" in lines
    assert "  name                                      string, can be updated" in lines
