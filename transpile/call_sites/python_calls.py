"""Finds calls of Heat in Python modules: by heatclient, openstacksdk or shade, and command lines of subprocesses.

Invariant: a module is split into tokens, never run or imported. Comments, docstrings and texts that are only printed
are no calls.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator

from transpile.repository.stack_commands import CREATE, DELETE, LIST, OTHER, OUTPUT, PREVIEW, RESOURCES, SHOW, UPDATE

LIBRARIES = re.compile(r"\b(?:heatclient|openstack|shade|os_client_config|heat)\b", re.I)
STACKS = {"create": CREATE, "update": UPDATE, "delete": DELETE, "get": SHOW, "list": LIST, "preview": PREVIEW}
STACKS |= {"output_show": OUTPUT, "output_list": OUTPUT, "abandon": OTHER, "validate": OTHER, "template": SHOW}
METHODS = {
    "create_stack": CREATE,
    "update_stack": UPDATE,
    "delete_stack": DELETE,
    "get_stack": SHOW,
    "list_stacks": LIST,
    "search_stacks": LIST,
    "find_stack": SHOW,
}
OTHER_LIBRARIES = re.compile(r"\b(?:boto3?|cloudformation|troposphere|pulumi)\b", re.I)
PRINTING = re.compile(
    r"(?i)(?:print|log|logger|logging|warn|warning|info|debug|error|exception|help|description|usage|epilog|dedent)"
)
ADDED = re.compile(r"\s*stack (?:create|update|delete|show|list|output|resource|event)\b")
LONGEST_LINE = 10_000  # characters; a longer one is data
WORDS = re.compile(r"\b(?:openstack|heat)\b")


def read_tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a module, up to the first place that is no Python."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError, IndentationError, ValueError):
        return


def find_python_calls(text: str) -> list[tuple[int, int, str, str]]:
    """Returns each call: its start and end, its action, and the shell text of a command line (empty for other
    calls).
    """
    if any(len(line) > LONGEST_LINE for line in text.split("\n")):
        return []
    uses_library = LIBRARIES.search(text) is not None and OTHER_LIBRARIES.search(text) is None
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    tokens = [token for token in read_tokens(text) if token.type not in (tokenize.NL, tokenize.COMMENT)]
    calls: list[tuple[int, int, str, str]] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        at = starts[token.start[0] - 1] + token.start[1]
        end = starts[token.end[0] - 1] + token.end[1]
        if token.type == tokenize.STRING:
            last, words = read_string_list(tokens, index)
            if words and not is_only_text(tokens, index):
                last_token = tokens[last]
                calls.append((at, starts[last_token.end[0] - 1] + last_token.end[1], "", words))
            index = last + 1
            continue
        if uses_library and token.type == tokenize.NAME and (action := read_call(tokens, index)):
            calls.append((at, end, action, ""))
        index += 1
    return calls


def read_call(tokens: list[tokenize.TokenInfo], index: int) -> str:
    """Returns the action of the library call whose name is at an index; empty if there is no call of Heat."""
    name = tokens[index].string
    following = tokens[index + 1].string if index + 1 < len(tokens) else ""
    before = [token.string for token in tokens[max(index - 4, 0) : index]]
    if following != "(" or before[-1:] != ["."]:
        return ""
    owner = before[-2] if len(before) > 1 else ""
    if name in STACKS and owner == "stacks":
        return STACKS[name]
    if (
        owner == "resources"
        and name == "list"
        and "heat" in "".join(token.string for token in tokens[max(index - 8, 0) : index]).lower()
    ):
        return RESOURCES
    if name in METHODS and owner not in ("self", "cls", ")", "cf", "cfn"):
        return METHODS[name]
    if name == "stacks" and owner in ("orchestration", "orchestration_client"):
        return LIST
    return ""


def string_value(token: tokenize.TokenInfo) -> str:
    """The text of a string token, escapes as written."""
    body = token.string.lstrip("rbfuRBFU")
    quote = body[:3] if body[:3] in ('"""', "'''") else body[:1]
    return body[len(quote) : -len(quote)]


def read_string_list(tokens: list[tokenize.TokenInfo], index: int) -> tuple[int, str]:
    """A string, or several in a list. Returns the index of the last token, and the text as a command line if it names a
    client.
    """
    value = string_value(tokens[index])
    first = value.strip().rsplit("/", 1)[-1]
    if first in ("openstack", "heat"):
        words, at = [value.strip()], index + 1
        while at + 1 < len(tokens) and tokens[at].string == "," and len(words) < 100:
            following = tokens[at + 1]
            if following.type == tokenize.STRING:
                words.append(string_value(following))
                at += 2
            else:
                words.append("${value}")
                depth, at = 0, at + 1
                while at < len(tokens) and not (depth == 0 and tokens[at].string in (",", ")", "]")):
                    depth += (tokens[at].string in "([{") - (tokens[at].string in ")]}")
                    at += 1
        return max(at - 1, index), " ".join(word if re.fullmatch(r"[\w./=:$ {}-]+", word) else "x" for word in words)
    before = tokens[index - 1].string if index else ""
    if before == "+" and ADDED.match(value):  # a command line in parts
        return index, f"openstack {value.strip()}"
    return index, value if WORDS.search(value) and ("stack" in value or "heat " in value) else ""


def is_only_text(tokens: list[tokenize.TokenInfo], index: int) -> bool:
    """Whether a string is a docstring, or an argument of a function that prints or describes."""
    before = tokens[index - 1] if index else None
    if before is None or before.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING):
        return True
    if before.string in ("(", "=") and index > 1:
        return PRINTING.fullmatch(tokens[index - 2].string) is not None
    return before.string in ("print", "raise", "assert")
