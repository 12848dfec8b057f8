"""Nothing that the schema allows costs more than it should: counted, for inputs made from the schema.

Here are representatives. All types, and all lists and maps of the schema and of the language, are in
`python benchmarks/steps.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import transpile
from tests.limits import generated
from tests.support.examples import sampled
from transpile.model.budget import LIMITS

MOST = 1_500_000  # calls for thirty resources: three times the most expensive input, which stops at a limit
SIZES = (50, 100, 200)
TIMES = 2.6  # n log n is 2.4, a square is 4
SLACK = 10_000  # calls: each of a hundred more items may cost a hundred more at a threshold
SIZED = {  # of a hook each, of the tables, and of a type that stays with Heat
    "OS::Neutron::SecurityGroup rules",
    "OS::Nova::Server metadata",
    "OS::Nova::Server networks",
    "OS::Nova::Server block_device_mapping_v2",
    "OS::Neutron::Port fixed_ips",
    "OS::Neutron::Subnet allocation_pools",
    "OS::Heat::MultipartMime parts",
    "OS::Heat::SoftwareConfig inputs",
    "OS::Heat::ResourceChain resources",
    "OS::Zaqar::Queue metadata",
}
NESTED = dict(generated.nested_inputs())


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Loads all that a process loads once, so that it is not counted."""
    generated.convert(generated.NESTED["values of values"], tests=True)


def count_sizes(make: Callable[[int], str], sizes: Sequence[int], *, tests: bool = False) -> tuple[int, int]:
    """The additional calls of the second size over the first, and of the third over the second."""
    first, second, third = (generated.count_conversion(make(size), 100 * MOST, tests=tests).calls for size in sizes)
    return second - first, third - second


@pytest.mark.long
def test_types_that_refer_to_their_own_kind_are_nested_at_a_bounded_price() -> None:
    of_schema = [name for name in NESTED if name not in generated.NESTED]
    assert len(of_schema) > 80
    for name in of_schema[::4]:
        assert generated.count_conversion(NESTED[name], MOST).errors == frozenset()


@pytest.mark.parametrize("name", sampled(generated.NESTED, 4))
def test_nested_resources_are_tested_at_a_bounded_price(name: str) -> None:
    cost = generated.count_conversion(NESTED[name], 4 * MOST, tests=True)
    assert cost.errors == ({"HOT118"} if name == "messages in messages" else frozenset())


@pytest.mark.parametrize("name", sampled(sorted(SIZED), 4))
def test_the_cost_of_lists_and_maps_is_linear(name: str) -> None:
    first, second = count_sizes(dict(generated.sized_inputs())[name], SIZES, tests=True)
    assert second <= TIMES * first + SLACK


def test_parameters_of_one_json_value_are_read_at_the_price_of_one_each() -> None:
    """Each key is read by a resource of its own."""

    def make(size: int) -> str:
        default = {f"k{n}": {"a": [n] * 5} for n in range(size)}
        nets = {
            f"r{n}": {"type": "OS::Neutron::Net", "properties": {"name": {"get_param": ["j", f"k{n}", "a", 0]}}}
            for n in range(size)
        }
        return generated.write_template(nets, parameters={"j": {"type": "json", "default": default}})

    first, second = count_sizes(make, SIZES)
    assert second <= TIMES * first


@pytest.mark.long
def test_many_parameters_with_many_values_are_tested_in_a_bounded_number_of_runs() -> None:
    def make(size: int) -> str:
        values = [f"v{n}" for n in range(20)]
        parameter = {"type": "string", "default": "v0", "constraints": [{"allowed_values": values}]}
        nets = {
            f"r{n}": {"type": "OS::Neutron::Net", "properties": {"name": {"get_param": f"p{n}"}}} for n in range(size)
        }
        return generated.write_template(nets, parameters={f"p{n}": parameter for n in range(size)})

    first, second = count_sizes(make, (10, 20, 40), tests=True)
    assert second <= TIMES * first
    done = transpile.convert(make(40), options={"tests": True, "test_runs": "all"})
    text = str(done.files["tests/heat.tftest.hcl"])
    assert text.count("\nrun ") == 40
    assert "Not tested: at least 400 runs beyond 40." in text


def test_output_stops_while_it_grows() -> None:
    """The limit is exceeded long before the last of the resources is printed, and at the place of one of them."""
    nets = {f"r{n}": {"type": "OS::Neutron::Net", "properties": {"name": "n" * 1000}} for n in range(100)}
    done = transpile.convert(generated.write_template(nets), limits={"written": 20_000})
    (error,) = [d for d in done.diagnostics if d.severity == "error"]
    assert (error.code, "written" in error.message) == ("HOT118", True)
    assert error.span.at > 0
    assert not done.files


def test_every_limit_is_paid_for_somewhere() -> None:
    """A limit that nothing pays into bounds nothing."""
    text = "".join(path.read_text(encoding="utf-8") for path in generated.sources())
    assert [name for name in LIMITS if f'"{name}"' not in text] == []
