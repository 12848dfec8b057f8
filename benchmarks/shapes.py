"""Generates templates with any number of similar resources, to find costs that grow faster than the template.

Each shape has only one kind of edge and one kind of resource, so that a growing cost can be attributed to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Part = dict[str, str]  # the lines that one resource adds to each section
HEAD = """\
heat_template_version: 2018-08-31
parameters:
  tier: {type: string, default: web}
"""


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
    one.__name__: one
    for one in (chain, star, independent, ordered, embedded, linked, mixed, conditional, outputs, comments)
}


def template(shape: str, size: int) -> str:
    """A template with `size` resources."""
    sections: dict[str, list[str]] = {}
    for n in range(size):
        for section, text in SHAPES[shape](n).items():
            sections.setdefault(section, []).append(text)
    return HEAD + "".join(f"{section}:\n{''.join(texts)}" for section, texts in sections.items())
