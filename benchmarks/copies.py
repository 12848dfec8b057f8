"""A template many times over in one template: its resources, conditions and outputs under new names in each copy.

Invariant: a copy refers to itself only. The first keeps its names, so that texts that name resources from outside (an
environment) still finds them. Names are found in the YAML tree and changed in the text, so that comments and quotes
stay as they are.
"""

from __future__ import annotations

import itertools

import yaml

SECTIONS = {
    "resources": ("resources", "Resources"),
    "conditions": ("conditions", "Conditions"),
    "outputs": ("outputs", "Outputs"),
    "parameters": ("parameters", "Parameters"),
}
WORDS = {word: section for section, words in SECTIONS.items() for word in words}
ATTRIBUTE = ("get_attr", "Fn::GetAtt")
RESOURCES = ("get_resource", "Ref", "depends_on", "DependsOn")  # a name, or a list of names
CONDITIONS = ("condition", "Condition", "and", "or", "not", "Fn::And", "Fn::Or", "Fn::Not")
FIRST = {"if": "conditions", "Fn::If": "conditions", "get_param": "parameters"}  # a name, or a list that begins with it


class Copies:
    """A template whose declarations can be repeated. `parameters`: theirs too; otherwise all copies share them."""

    def __init__(self, text: str, parameters: bool = False) -> None:
        self.text = text if text.endswith("\n") else text + "\n"
        root = yaml.compose(self.text, Loader=yaml.SafeLoader)
        assert isinstance(root, yaml.MappingNode)
        self.sections = {
            WORDS[key.value]: value
            for key, value in root.value
            if key.value in WORDS
            and isinstance(value, yaml.MappingNode)
            and value.value
            and (parameters or WORDS[key.value] != "parameters")
        }
        self.names = {word: {key.value for key, _ in node.value} for word, node in self.sections.items()}
        self.resources = len(self.names.get("resources", ()))
        self.ends: set[int] = set()  # of names that differ from copy to copy: where something is added to them
        for node in self.sections.values():
            for key, value in node.value:
                self.name(key, key.value)
                self.visit(value)
        self.anchors()

    def name(self, node: yaml.Node, name: str) -> None:
        """Notes where a name ends that a scalar begins with."""
        start = node.start_mark.index + (getattr(node, "style", None) in ("'", '"'))
        assert self.text.startswith(name, start), name
        self.ends.add(start + len(name))

    def refer(self, node: yaml.Node, section: str) -> None:
        if isinstance(node, yaml.ScalarNode) and node.value in self.names.get(section, ()):
            self.name(node, node.value)

    def visit(self, node: yaml.Node) -> None:
        """Notes the references inside of a node."""
        if isinstance(node, yaml.SequenceNode):
            for item in node.value:
                self.visit(item)
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                items = value.value if isinstance(value, yaml.SequenceNode) else [value]
                if key.value in RESOURCES:
                    for item in items:
                        self.refer(item, "resources")
                        if key.value == "Ref":
                            self.refer(item, "parameters")
                elif key.value in CONDITIONS:
                    for item in items:
                        self.refer(item, "conditions")
                elif key.value in FIRST and items:
                    self.refer(items[0], FIRST[key.value])
                elif key.value in ATTRIBUTE and items and isinstance(items[0], yaml.ScalarNode):
                    first = items[0].value.partition(".")[0] if value is items[0] else items[0].value
                    if first in self.names.get("resources", ()):
                        self.name(items[0], first)
                self.visit(value)

    def anchors(self) -> None:
        """Notes the anchors, which YAML wants to be different, and the aliases that refer to them."""
        spans = [self.span(node) for node in self.sections.values()]
        marks = [t for t in yaml.scan(self.text, Loader=yaml.SafeLoader) if isinstance(t, yaml.AnchorToken)]
        inner = {t.value for t in marks if any(start <= t.start_mark.index < end for start, end in spans)}
        for token in yaml.scan(self.text, Loader=yaml.SafeLoader):
            if isinstance(token, (yaml.AnchorToken, yaml.AliasToken)) and token.value in inner:
                self.ends.add(token.end_mark.index)

    def span(self, node: yaml.MappingNode) -> tuple[int, int]:
        """The span of a section's text that is repeated."""
        start, end = node.start_mark.index, node.end_mark.index
        if node.flow_style:
            return start + 1, start + 1 + len(self.text[start + 1 : end - 1].rstrip().rstrip(","))
        return start - node.start_mark.column, end

    def times(self, number: int) -> str:
        """The template with so many copies."""
        out, last = [], 0
        for node in sorted(self.sections.values(), key=lambda node: node.start_mark.index):
            start, end = self.span(node)
            cuts = [start, *sorted(e for e in self.ends if start <= e <= end), end]
            pieces = [self.text[a:b] for a, b in itertools.pairwise(cuts)]
            copies = ["".join(pieces), *(f"_{i}".join(pieces) for i in range(1, number))]
            out += [self.text[last:start], ("," if node.flow_style else "").join(copies)]
            last = end
        return "".join(out) + self.text[last:]
