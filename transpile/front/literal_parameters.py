"""Puts parameters in the place of literals, so that templates that differ in nothing else become one.

Invariant: a parameter has the place of its literal, so that diagnostics about it lead there.
"""

from __future__ import annotations

from collections.abc import Mapping

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from transpile.front.nodes import MAP, STR

DESCRIPTION = "description"


def replace_literals(root: Node, variables: Mapping[str, tuple[str, str]]) -> None:
    """Replaces literals of a template. variables: the name and type of each new parameter, by the dotted path of the
    literal; several literals may have the same. A description among them is left out.
    """
    if not variables or not isinstance(root, MappingNode):
        return
    if DESCRIPTION in variables:
        root.value = [(key, value) for key, value in root.value if key.value != DESCRIPTION]
    declared: dict[str, tuple[Node, Node]] = {}
    seen: set[int] = set()

    def replace(node: Node, path: str) -> Node:
        if isinstance(node, ScalarNode):
            if path not in variables:
                return node
            name, kind = variables[path]
            paths = [at for at, (other, _) in variables.items() if other == name]
            text = f"Differs between the templates: {', '.join(paths)}."
            declared.setdefault(name, (make_text(name, node), make_map({"type": kind, "description": text}, node)))
            return make_map({"get_param": name}, node)
        if id(node) not in seen:  # an alias is the same node
            seen.add(id(node))
            if isinstance(node, MappingNode):
                node.value = [(key, replace(value, f"{path}.{key.value}".lstrip("."))) for key, value in node.value]
            elif isinstance(node, SequenceNode):
                node.value = [replace(value, f"{path}.{at}") for at, value in enumerate(node.value)]
        return node

    replace(root, "")
    section = next((value for key, value in root.value if key.value == "parameters"), None)
    if isinstance(section, MappingNode):
        section.value += declared.values()
    elif declared:
        first = next(iter(declared.values()))[1]
        made = MappingNode(MAP, list(declared.values()), first.start_mark, first.end_mark)
        root.value = [(k, v) for k, v in root.value if k.value != "parameters"]
        root.value.append((make_text("parameters", first), made))


def make_text(text: str, place: Node) -> ScalarNode:
    return ScalarNode(STR, text, place.start_mark, place.end_mark)


def make_map(texts: Mapping[str, str], place: Node) -> MappingNode:
    pairs = [(make_text(key, place), make_text(text, place)) for key, text in texts.items()]
    return MappingNode(MAP, pairs, place.start_mark, place.end_mark)
