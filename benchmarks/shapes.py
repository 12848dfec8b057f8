"""Generates templates with any number of similar resources, to find costs that grow faster than the template.

Each shape has only one kind of edge and one kind of resource, so that a growing cost can be attributed to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Part = dict[str, str]  # the lines that one resource adds to each section
HEAD = "heat_template_version: 2018-08-31\n"


def port(n: int, network: str = "private", name: str = "", more: str = "") -> Part:
    """A native resource. `more`: lines with other keys."""
    properties = f"{{network: {network}, name: {name or f'port-{n}'}}}"
    return {"resources": f"  r{n}:\n    type: OS::Neutron::Port\n    properties: {properties}\n{more}"}


def box(n: int, metadata: str = "{}", more: str = "") -> Part:
    """A resource that stays with Heat."""
    properties = f"{{name: box-{n}, metadata: {metadata}}}"
    return {"resources": f"  r{n}:\n    type: OS::Zaqar::Queue\n    properties: {properties}\n{more}"}


def chain(n: int) -> Part:
    """Each resource refers to the previous one."""
    return port(n, name=f"{{get_resource: r{n - 1}}}" if n else "")


def star(n: int) -> Part:
    """All resources refer to the first."""
    hub = {"resources": "  r0:\n    type: OS::Neutron::Net\n    properties: {name: hub}\n"}
    return port(n, network="{get_resource: r0}") if n else hub


def independent(n: int) -> Part:
    """No resource refers to another."""
    return port(n)


def ordered(n: int) -> Part:
    """Each resource depends on the previous one."""
    return port(n, more=f"    depends_on: r{n - 1}\n" if n else "")


def waiting(n: int, *names: int) -> Part:
    """A resource that waits for others."""
    resource_names = ", ".join(f"r{name}" for name in names)
    return port(n, more=f"    depends_on: [{resource_names}]\n" if resource_names else "")


def reversed_order(n: int) -> Part:
    """Each waits for the one after it, in tens."""
    return waiting(n, *[n + 1] * (n % 10 < 9))


def star_of_waits(n: int) -> Part:
    """All wait for the first."""
    return waiting(n, *[0] * (n > 0))


def dense(n: int) -> Part:
    """Each refers to the ten before it."""
    names = ", ".join(f"{{get_resource: r{i}}}" for i in range(max(n - 10, 0), n))
    return port(n, name=f"{{list_join: ['-', [{names}]]}}")


def dense_waits(n: int) -> Part:
    """Each waits for the ten before it."""
    return waiting(n, *range(max(n - 10, 0), n))


def layers(n: int) -> Part:
    """Each waits for all ten of the layer before its own."""
    layer = n // 10
    return waiting(n, *range(10 * (layer - 1), 10 * layer)) if layer else waiting(n)


def gathered(n: int) -> Part:
    """Every hundredth waits for the hundred before it."""
    return waiting(n, *range(max(n - 100, 0), n)) if n % 100 == 99 else waiting(n)


def chain_from_first(n: int) -> Part:
    """Each refers to the one before it, and waits for the first and for it."""
    if not n:
        return port(n)
    return port(n, name=f"{{get_resource: r{n - 1}}}", more=f"    depends_on: [r0, r{n - 1}]\n")


def order_from_first(n: int) -> Part:
    """Each waits for the one before it and for the first."""
    return waiting(n, n - 1, 0) if n else waiting(n)


def far(n: int) -> Part:
    """Each waits for those that are a power of two before it."""
    return waiting(n, *(n - 2**i for i in range(16) if 2**i <= n))


def one_parameter(n: int) -> Part:
    """One parameter is used by all."""
    return port(n, name="{get_param: tier}")


def many_parameters(n: int) -> Part:
    """Each has a parameter of its own."""
    return port(n, name=f"{{get_param: p{n}}}") | {"parameters": f"  p{n}: {{type: string, default: web}}\n"}


def embedded(n: int) -> Part:
    """Each resource stays with Heat, in its own stack."""
    return box(n)


def linked(n: int) -> Part:
    """Each resource stays with Heat and refers to the previous one, so all are in one stack."""
    return box(n, metadata=f"{{before: {{get_resource: r{n - 1}}}}}" if n else "{}")


def mixed(n: int) -> Part:
    """Every second resource stays with Heat, all in one stack, and the next one reads from it."""
    if n % 2:
        return port(n, name=f"{{get_resource: r{n - 1}}}")
    return box(n, more=f"    depends_on: r{n - 2}\n" if n else "")


def conditional(n: int) -> Part:
    """Each resource has its own condition."""
    return port(n, more=f"    condition: c{n}\n") | {"conditions": f"  c{n}: {{equals: [{{get_param: tier}}, t{n}]}}\n"}


def outputs(n: int) -> Part:
    """Each resource has an output."""
    return port(n) | {"outputs": f"  o{n}: {{value: {{get_resource: r{n}}}}}\n"}


def comments(n: int) -> Part:
    """Each resource has a comment above it and one beside its type."""
    lines = port(n)["resources"].replace("Port\n", "Port  # plugged in\n")
    return {"resources": f"  # resource {n}\n{lines}"}


SHAPES: dict[str, Callable[[int], Part]] = {
    shape.__name__: shape
    for shape in (
        *(chain, star, independent, ordered, embedded, linked, mixed, conditional, outputs, comments),
        *(reversed_order, star_of_waits, dense, dense_waits, layers, gathered, chain_from_first, order_from_first, far),
        *(one_parameter, many_parameters),
    )
}


def template(shape: str, size: int) -> str:
    """A template with `size` resources."""
    sections: dict[str, list[str]] = {"parameters": ["  tier: {type: string, default: web}\n"]}
    for n in range(size):
        for section, text in SHAPES[shape](n).items():
            sections.setdefault(section, []).append(text)
    return HEAD + "".join(f"{section}:\n{''.join(texts)}" for section, texts in sections.items())
