"""Values that cannot have the type of the provider's argument are converted, or keep their resource in Heat."""

from __future__ import annotations

import pytest

import transpile
from tests.support import conversions

HEAD = "heat_template_version: 2021-04-16\n"
PARAMETERS = """parameters:
  text: {type: string}
  number: {type: number}
  list: {type: comma_delimited_list}
  json: {type: json}
  flag: {type: boolean}
  given: {type: string, default: %s}
"""


def converted(resource: str, parameter_value: str = "x") -> transpile.Conversion:
    return conversions.convert(HEAD + PARAMETERS % parameter_value + f"resources:\n  r: {resource}\n")


def treatment(done: transpile.Conversion) -> str:
    return str(done.report["resources"]["r"]["treatment"])


@pytest.mark.parametrize(
    ("kind", "properties"),
    [
        ("OS::Neutron::Subnet", "network: n, cidr: 192.0.2.0/24, dns_nameservers: {get_param: text}"),
        ("OS::Neutron::Subnet", "network: n, cidr: 192.0.2.0/24, dns_nameservers: {get_param: number}"),
        ("OS::Neutron::Subnet", "network: n, cidr: 192.0.2.0/24, dns_nameservers: {list_join: [',', [a]]}"),
        ("OS::Neutron::Net", "name: {get_param: list}"),
        ("OS::Neutron::Net", "name: {str_split: [',', {get_param: text}]}"),
        ("OS::Neutron::Port", "network: n, fixed_ips: [{ip_address: {get_param: list}}]"),
        ("OS::Neutron::Port", "network: n, security_groups: [[a]]"),
        ("OS::Cinder::Volume", "size: {get_param: list}"),
    ],
)
def test_heat_makes_no_list_of_a_text_and_no_text_of_a_list(kind: str, properties: str) -> None:
    done = converted(f"{{type: {kind}, properties: {{{properties}}}}}")
    assert treatment(done) == "embedded"
    assert "HOT306" in [d.code for d in done.diagnostics]


@pytest.mark.parametrize(
    ("kind", "properties"),
    [
        ("OS::Neutron::Subnet", "network: n, cidr: 192.0.2.0/24, dns_nameservers: {get_param: list}"),
        ("OS::Neutron::Subnet", "network: n, cidr: 192.0.2.0/24, dns_nameservers: {get_param: json}"),
        ("OS::Neutron::Net", "name: {get_param: [json, name]}"),
        ("OS::Neutron::Net", "name: {get_param: number}"),
        ("OS::Cinder::Volume", "size: {get_param: text}"),
    ],
)
def test_values_that_may_fit_are_written(kind: str, properties: str) -> None:
    assert treatment(converted(f"{{type: {kind}, properties: {{{properties}}}}}")) == "native"


@pytest.mark.parametrize(
    ("kind", "properties", "given", "expected"),
    [
        ("OS::Neutron::Port", "network: n, 'binding:vnic_type': {get_param: given}", "smart-nic", "native"),
        ("OS::Cinder::Volume", "size: {get_param: given}", "'400'", "native"),
        ("OS::Neutron::Port", "network: n, 'binding:vnic_type': {get_param: given}", "direct", "native"),
        ("OS::Neutron::Net", "admin_state_up: {get_param: given}", "'True'", "native"),
        ("OS::Neutron::IPsecPolicy", "pfs: {get_param: given}", "group29", "embedded"),
    ],
)
def test_the_value_that_a_parameter_has(kind: str, properties: str, given: str, expected: str) -> None:
    done = converted(f"{{type: {kind}, properties: {{{properties}}}}}", given)
    assert treatment(done) == expected
    assert any("parameter given does not suit" in d.message for d in done.diagnostics) == (expected == "embedded")


@pytest.mark.parametrize(
    ("kind", "properties", "why"),
    [
        (
            "OS::Neutron::Subnet",
            "network: n, cidr: 192.0.2.0/24, dns_nameservers: [a, a]",
            "dns_nameservers has an item twice",
        ),
        ("OS::Neutron::Subnet", "network: n, prefixlen: 24", "prefix_length requires subnetpool_id"),
        (
            "OS::Octavia::Pool",
            "protocol: HTTP, lb_algorithm: ROUND_ROBIN, loadbalancer: x,"
            " session_persistence: {type: SOURCE_IP, cookie_name: c}",
            "only persistence of type APP_COOKIE takes cookie_name",
        ),
    ],
)
def test_refusals_of_the_provider_at_creation(kind: str, properties: str, why: str) -> None:
    done = converted(f"{{type: {kind}, properties: {{{properties}}}}}")
    assert treatment(done) == "embedded"
    assert why in " ".join(d.message for d in done.diagnostics)


GROUP = (
    "{type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Cinder::Volume, properties: %s}}}"
)


@pytest.mark.parametrize(
    ("resource", "output", "expected"),
    [
        ("{type: OS::Cinder::Volume, properties: {size: {get_param: flag}}}", "x", "size = var.flag ? 1 : 0"),
        # a block scalar ends with a line end, which Heat ignores in a number
        (GROUP % '{size: "1%index%\\n", name: v}', "x", 'size = "1${count.index}"'),
        ("{type: OS::Cinder::Volume, properties: {size: 1, metadata: {a: {b: c}}}}", "x", 'jsonencode({ b = "c" })'),
        (
            GROUP % "{size: 1, metadata: {a: [b]}}",
            "{get_attr: [r, metadata_values, {get_param: text}, {get_param: number}]}",
            "volume_v3.r :\n    try(\n      member.metadata[var.text][var.number],",
        ),
    ],
    ids=["boolean", "white space", "map of texts", "computed path"],
)
def test_values_of_another_type(resource: str, output: str, expected: str) -> None:
    done = converted(f"{resource}\noutputs: {{o: {{value: {output}}}}}")
    assert expected in "".join(str(content) for content in done.files.values())
    assert ("HOT572" in {d.code for d in done.diagnostics}) == ("metadata" in resource)


@pytest.mark.parametrize("parts", ["{}", "{parts: []}"])
def test_a_message_without_parts(parts: str) -> None:
    """The provider makes none, so the message stands there as Heat writes it."""
    done = transpile.convert(
        HEAD + f"resources:\n  m: {{type: OS::Heat::MultipartMime, properties: {parts}}}\n"
        "  s:\n    type: OS::Nova::Server\n    properties:\n"
        "      {name: s, image: i, flavor: f, networks: [{network: n}], user_data_format: RAW,\n"
        "       user_data: {get_resource: m}}\n"
    )
    assert "cloudinit" not in "".join(str(content) for content in done.files.values())
    assert "user_data = local.m" in str(done.files["main.tf"])
    assert "Content-Type: multipart/mixed" in str(done.files["locals.tf"])
    assert done.report["resources"]["m"]["treatment"] == "folded"


@pytest.mark.parametrize(
    "specs",
    ["{hints: {a: {b: c}}}", "{extra_dhcp_opts: 5, hints: [a]}", "{get_param: nested}", "{hints: {get_param: list}}"],
)
def test_other_lists_and_maps_in_value_specs_stay_with_heat(specs: str) -> None:
    done = transpile.convert(
        HEAD + "parameters:\n  nested: {type: json, default: {hints: {a: b}}}\n  list: {type: comma_delimited_list}\n"
        f"resources:\n  r: {{type: OS::Neutron::Port, properties: {{network: n, value_specs: {specs}}}}}\n"
    )
    assert treatment(done) == "embedded"
    assert any(d.code == "HOT403" for d in done.diagnostics)
