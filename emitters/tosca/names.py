"""Names in a service template: of node templates, of types, of files.

The easy rule to break: a resource keeps its name wherever all tools take it; what is made up gives way to what the
template says, and no name is given twice, across kinds of types either.
"""

from __future__ import annotations

import re
from typing import final

# What unfurl takes for a template's name, without the words that puccini keeps for itself.
GOOD = re.compile(r"[A-Za-z_][A-Za-z0-9_.:\-]*\Z")
RESERVED = frozenset(("SELF", "HOST", "SOURCE", "TARGET", "ORCHESTRATOR"))
# What puccini takes for a node type where a requirement has it, for normative types have short names.
SHORT = frozenset(
    (
        "Abstract.Compute",
        "Abstract.Storage",
        "Compute",
        "Container.Application",
        "Container.Runtime",
        "Database",
        "DBMS",
        "LoadBalancer",
        "Network",
        "Port",
        "Root",
        "SoftwareComponent",
        "Storage.BlockStorage",
        "Storage.ObjectStorage",
        "WebApplication",
        "WebServer",
    )
)
WORD = re.compile(r"[A-Za-z0-9]+")


def good(name: str) -> bool:
    return GOOD.match(name) is not None and name not in RESERVED and name not in SHORT and not name.startswith("tosca:")


@final
class Names:
    """Names that were given out."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.numbers: dict[str, int] = {}  # the next to try, by the name that was wanted

    def take(self, wanted: str) -> str:
        """The name itself, or with a number where it is taken."""
        name, number = wanted, self.numbers.get(wanted, 2)
        while name in self.taken:
            name, number = f"{wanted}_{number}", number + 1
        self.numbers[wanted] = number
        self.taken.add(name)
        return name

    def give_back(self, name: str) -> None:
        """A name that is not used after all."""
        self.taken.discard(name)
        self.numbers.pop(name.rpartition("_")[0], None)


def node(name: str) -> str:
    """The name of a node template for a resource, before it is made unique."""
    if good(name):
        return name
    return "n_" + (re.sub(r"[^A-Za-z0-9_.\-]", "_", name) or "_")


def part(text: str) -> str:
    """A text as a part of a name that is made up."""
    return re.sub(r"[^A-Za-z0-9_.\-]", "_", text)


def of_type(kind: str) -> str:
    """The node type of a resource type: OS::Nova::Server → openstack.nodes.nova.Server."""
    first, *rest = [re.sub(r"[^A-Za-z0-9_\-]", "_", p) or "_" for p in kind.split("::")]
    if not rest:
        return f"hot.nodes.types.{first}"
    *middle, last = rest
    return ".".join(["openstack" if first == "OS" else first.lower(), "nodes", *[m.lower() for m in middle], last])


def camel(key: str) -> str:
    """A property's key as a part of a data type's name."""
    return "".join(w[0].upper() + w[1:] for w in WORD.findall(key)) or "Item"


def of_data(node_type: str, path: str) -> str:
    """The data type of a record: the node type's name, and the keys that lead to it."""
    steps = [camel(step) for step in path.split(".") if step]
    return ".".join([node_type.replace(".nodes.", ".datatypes.", 1), *steps])
