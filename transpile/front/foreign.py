"""Names the format of a text that is no document of Heat's, for a message: `a Kubernetes manifest`."""

from __future__ import annotations

import re

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink
from transpile.model.lazy_patterns import compile_lazily
from transpile.model.span import START, Located

TERRAFORM = compile_lazily(
    r'^(?:terraform|locals|(?:provider|variable|output|module)\s+"[^"]+"|(?:resource|data)\s+"[^"]+"\s+"[^"]+")\s*\{',
    re.M,
)
BY_KEYS = (  # keys at the top level, all of which such a document has
    (frozenset(("apiVersion", "kind")), "a Kubernetes manifest"),
    (frozenset(("tosca_definitions_version",)), "a TOSCA service template"),
    (frozenset(("services",)), "a Compose file"),
)
PLAY = frozenset(("hosts", "tasks", "roles", "import_playbook"))  # any of these is in each play of a playbook


def refuse_foreign(sink: Sink, foreign: str, where: Located = START) -> None:
    """Reports that a text is something else than a template."""
    message = f"This is not a template: it is {foreign}."
    sink.add(codes.NOT_A_TEMPLATE, message, where, "hot2tf reads templates and environments of Heat.")


def name_foreign_text(text: str) -> str:
    """Names the format of a text that is not YAML as Heat reads it; empty if it is not known."""
    return "Terraform code" if TERRAFORM.search(text) else ""


def name_foreign_document(root: Node) -> str:
    """Names the format of a YAML document by its keys; empty if it is not known."""
    if isinstance(root, SequenceNode) and root.value and all(PLAY & list_keys(item) for item in root.value):
        return "an Ansible playbook"
    keys = list_keys(root)
    return next((name for needed, name in BY_KEYS if needed <= keys), "")


def list_keys(node: Node) -> frozenset[str]:
    if not isinstance(node, MappingNode):
        return frozenset()
    return frozenset(str(key.value) for key, _ in node.value if isinstance(key, ScalarNode))
