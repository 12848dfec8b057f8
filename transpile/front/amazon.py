"""Tells a template of Amazon's own service from one of Heat's in Amazon's language (CFN).

Invariant: a template with a type of OpenStack's is Heat's.
"""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.diagnostics.model import Sink, TooManyErrors
from transpile.front import documents, nodes
from transpile.front.kinds import node_pairs
from transpile.model.source import Source
from transpile.schema.catalog import HEAT

VERSION_KEY = "AWSTemplateFormatVersion"
OPENSTACK = "OS::"
TYPES = ("AWS::", "Alexa::")
PARAMETER_TYPES = ("AWS::", "List<")
SECTIONS = ("Transform", "Rules")  # that only Amazon's service has
TAGS = frozenset(
    f"!{name}"
    for name in (
        *("And", "Base64", "Cidr", "Condition", "Equals", "FindInMap", "GetAZs", "GetAtt", "If", "ImportValue", "Join"),
        *("Length", "Not", "Or", "Ref", "Select", "Split", "Sub", "ToJsonString", "Transform"),
    )
)
MOST_NODES = 20_000  # that are searched for tags


def is_amazon_template(source: Source) -> bool:
    """Whether a text is a template of Amazon's own service, in the same language as some of Heat's."""
    if VERSION_KEY not in source.text:
        return False
    try:
        return bool(find_amazon_feature(documents.compose_document(Sink(source), source.name, trimmed=True)))
    except (nodes.UnreadableDocument, TooManyErrors):
        return False


def find_amazon_feature(root: Node) -> str:
    """Returns a feature that only Amazon's service has, as a noun: `the type AWS::IAM::Role`. Empty for Heat's
    templates.
    """
    sections = dict(node_pairs(root))
    if VERSION_KEY not in sections:
        return ""
    types = [type_of(entry) for _, entry in node_pairs(sections.get("Resources"))]
    if any(kind.startswith(OPENSTACK) for kind in types):
        return ""
    for kind in types:
        if kind.startswith(TYPES) and not HEAT.has_type(kind):
            return f"the type {kind}"
    for _, entry in node_pairs(sections.get("Parameters")):
        if type_of(entry).startswith(PARAMETER_TYPES):
            return f"the parameter type {type_of(entry)}"
    if section := next((name for name in SECTIONS if name in sections), ""):
        return f"the section {section}"
    tag = find_tag(root)
    return f"the tag {tag}" if tag else ""


def type_of(entry: Node) -> str:
    value = dict(node_pairs(entry)).get("Type")
    return str(value.value) if isinstance(value, ScalarNode) else ""


def find_tag(root: Node) -> str:
    """A tag of Amazon's in a tree; empty if there is none among the first nodes."""
    todo, count = [root], 0
    while todo and count < MOST_NODES:
        node = todo.pop()
        count += 1
        if node.tag in TAGS:
            return str(node.tag)
        if isinstance(node, MappingNode):
            todo += [each for pair in reversed(node.value) for each in reversed(pair)]
        elif isinstance(node, SequenceNode):
            todo += reversed(node.value)
    return ""
