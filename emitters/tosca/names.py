"""Names in a service template: node templates, types and files.

Invariant: a resource keeps its name if all tools accept it. Generated names avoid names from the template. No name is
used twice, not even for types of different kinds.
"""

from __future__ import annotations

import re
from typing import final

from transpile.model.lazy_patterns import compile_lazily

# Names that unfurl accepts for node templates, without puccini's reserved words.
PORTABLE_NAME = compile_lazily(r"[A-Za-z_][A-Za-z0-9_.:\-]*\Z")
RESERVED = frozenset(("SELF", "HOST", "SOURCE", "TARGET", "ORCHESTRATOR"))
# Names that puccini would read as a node type in a requirement, because normative types have short names.
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
WORD = compile_lazily(r"[A-Za-z0-9]+")


def is_portable_name(name: str) -> bool:
    return (
        PORTABLE_NAME.match(name) is not None
        and name not in RESERVED
        and name not in SHORT
        and not name.startswith("tosca:")
    )


@final
class ReservedNames:
    """Allocates unique names."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.numbers: dict[str, int] = {}  # the next number to try, by the preferred name

    def reserve_tosca_name(self, preferred: str) -> str:
        """Returns the name itself, or the name with a number if it is taken."""
        name, number = preferred, self.numbers.get(preferred, 2)
        while name in self.taken:
            name, number = f"{preferred}_{number}", number + 1
        self.numbers[preferred] = number
        self.taken.add(name)
        return name

    def release_name(self, name: str) -> None:
        """Makes a reserved name free again, because it was not used after all."""
        self.taken.discard(name)
        self.numbers.pop(name.rpartition("_")[0], None)


def node_name(name: str) -> str:
    """Returns a name for the node template of a resource. The name may already be taken."""
    if is_portable_name(name):
        return name
    return "n_" + (re.sub(r"[^A-Za-z0-9_.\-]", "_", name) or "_")


def name_part(text: str) -> str:
    """Returns a text in a form that fits into a generated name."""
    return re.sub(r"[^A-Za-z0-9_.\-]", "_", text)


def node_type_name(kind: str) -> str:
    """The node type for a resource type: OS::Nova::Server → openstack.nodes.nova.Server."""
    first, *rest = [re.sub(r"[^A-Za-z0-9_\-]", "_", p) or "_" for p in kind.split("::")]
    if not rest:
        return f"hot.nodes.types.{first}"
    *middle, last = rest
    return ".".join(["openstack" if first == "OS" else first.lower(), "nodes", *[m.lower() for m in middle], last])


def camel_case(key: str) -> str:
    """A property key in the form used in data type names."""
    return "".join(w[0].upper() + w[1:] for w in WORD.findall(key)) or "Item"


def data_type_name(node_type: str, path: str) -> str:
    """The name of a record's data type, from the node type's name and the keys that lead to the record."""
    steps = [camel_case(step) for step in path.split(".") if step]
    return ".".join([node_type.replace(".nodes.", ".datatypes.", 1), *steps])
