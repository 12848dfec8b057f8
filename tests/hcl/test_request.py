"""The options of the target become one typed request, at its border."""

from __future__ import annotations

from typing import Any

import pytest

from emitters.hcl import request
from emitters.hcl.emitter import TARGET, emit_directory
from emitters.hcl.plan.policy import NATIVE, PREFERENCES, PROVISIONERS, PreferencePolicy
from transpile.front.template import read_template
from transpile.model.budget import Budget
from transpile.model.source import Source
from transpile.resolve import linker
from transpile.resolve.stack import Stack
from transpile.settings.command_paths import CommandPaths
from transpile.settings.target_options import TargetOptions

TEMPLATE = "heat_template_version: 2021-04-16\nresources: {net: {type: OS::Neutron::Net}}\n"


@pytest.fixture
def stack() -> Stack:
    template, _ = read_template(Source("net.yaml", TEMPLATE, budget=Budget()))
    assert template is not None
    linked, diagnostics = linker.link_template(template, options=linker.LinkOptions("load"))
    assert diagnostics == []
    return linked


def read(stack: Stack, **values: Any) -> request.ConversionRequest:
    return request.read_request(stack, TargetOptions(TARGET.read_options(values), CommandPaths("dir/net.yaml")))


def test_each_preference_frees_more_than_those_before_it() -> None:
    policies = [PreferencePolicy(prefer) for prefer in PREFERENCES]
    assert [(*policy.further_preferences,) for policy in policies] == [(NATIVE, PROVISIONERS), (PROVISIONERS,), ()]
    assert [policy.accepts_differences for policy in policies] == [False, True, True]
    assert [policy.reads_through_heat for policy in policies] == [True, False, False]
    assert [policy.works_over_ssh for policy in policies] == [False, False, True]


def test_kept_resources_are_named_by_name_type_or_pattern(stack: Stack) -> None:
    for word, kept in {"net": {"net"}, "OS::Neutron::*": {"net"}, "OS::Neutron::Net": {"net"}, "subnet": set()}.items():
        assert read(stack, keep=word).policy.match_kept_resources(stack, ["net"]) == kept


def test_an_unknown_provider_is_an_error_with_those_that_are_declared(stack: Stack) -> None:
    output = emit_directory(stack, TARGET.read_options({"provider": "nonesuch"}))
    assert output.files == {}
    (error,) = output.diagnostics
    assert error.code == "HOT823"
    assert "nonesuch" in error.message


def test_plain_options_are_enough(stack: Stack) -> None:
    """A caller of the target with options alone gets the same request as a run without tables and paths."""
    plain = TARGET.read_options({"verify": "off"})
    assert emit_directory(stack, plain).files == emit_directory(stack, TargetOptions(plain)).files
