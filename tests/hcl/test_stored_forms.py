"""Values in the form in which services store them."""

from __future__ import annotations

import ipaddress

import hypothesis.strategies as st
import pytest
from hypothesis import given

from emitters.hcl.resources import stored_forms


@pytest.mark.parametrize(
    ("form", "given", "expected"),
    [
        ("prefix", "10.0.0.7", "10.0.0.7/32"),
        ("prefix", "10.0.0.7/24", "10.0.0.7/24"),
        ("prefix", "2001:DB8::0001", "2001:db8::1/128"),
        ("prefix", "no address", "no address"),
        ("cidr", "10.0.0.7/24", "10.0.0.0/24"),
        ("cidr", "10.0.0.7", "10.0.0.7"),
        ("address", "2001:DB8:0::0001", "2001:db8::1"),
        ("address", "2001:DB8::1/64", "2001:db8::1/64"),
        ("mac", "FA-16-3E-00-00-0A", "fa:16:3e:00:00:0a"),
        ("mac", "AB", "AB"),
    ],
)
def test_literals_have_the_stored_form(form: str, given: str, expected: str) -> None:
    assert stored_forms.FORMS[form](given) == expected


def test_networks_are_in_order_and_merged() -> None:
    assert stored_forms.merge_networks(["10.2.0.0/16", "10.0.0.0/16", "10.1.0.0/16"]) == ["10.0.0.0/15", "10.2.0.0/16"]
    assert stored_forms.merge_networks(["10.0.0.0/16", "x"]) == ["10.0.0.0/16", "x"]


@given(st.one_of(st.ip_addresses().map(str), st.text(), st.integers(0, 32).map(lambda n: f"10.1.2.3/{n}")))
def test_a_stored_form_is_stable(text: str) -> None:
    """The stored form of a stored form is itself, and an address stays the same address."""
    for form in stored_forms.FORMS.values():
        assert form(form(text)) == form(text)
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return
    assert ipaddress.ip_address(stored_forms.normalize_address(text)) == address
    assert ipaddress.ip_interface(stored_forms.normalize_prefix(text)).ip == address
