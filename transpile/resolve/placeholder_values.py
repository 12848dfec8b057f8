"""Values that the user still has to replace by real ones: `PUT THE NETWORK ID HERE`, `<name>`, `CHANGEME`.

Invariant: one table defines placeholders. A value that a constraint of its parameter allows by name is not a
placeholder, and neither is a value from the command line, which the user has just typed.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic
from transpile.model import ir
from transpile.model.ir import Environment, Param, Template, to_data
from transpile.model.records import node, replace
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.resolve.environments import Binding, strings_in_value
from transpile.schema.parameters import convert_value

REPORT, KEEP, ASK = "report", "keep", "ask"  # it stays a value and is reported, or not; or Terraform asks for the value
LONGEST = 200  # characters; a longer text is no placeholder
MOST_NAMES = 8  # in a message

WORD_BEFORE, WORD_AFTER = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"


@final
@node
class PlaceholderRule:
    """The rule for one kind of placeholder: a pattern that is searched for, an example, and a real value that looks
    similar.

    words: each match has one of them, in lower case. They are looked for first: most values have none, and a conversion
    without placeholders then compiles no pattern.
    """

    words: tuple[str, ...]
    pattern: str
    example: str
    meant: str

    def matches(self, text: str) -> bool:
        return re.search(self.pattern, text) is not None


RULES = (
    # A word in angle brackets. No tag and no type has it: `<br>`, `</b>`, `List<String>`, `(?P<name>…)`, `<a@b.org>`.
    PlaceholderRule(
        ("<",),
        r"^(?!.*(?:</|/>|<!)).*(?<![A-Za-z0-9_<?$])<(?!(?:br|hr|p|b|i|img|html|body|root|any|none|all)>)"
        r"[A-Za-z][A-Za-z0-9_ .-]*>(?!>)",
        "http://<your_keystone_ip>:5000",
        "<br>",
    ),
    PlaceholderRule(("change",), rf"(?i){WORD_BEFORE}change[ _-]?me{WORD_AFTER}", "CHANGE_ME", "changeit"),
    PlaceholderRule(
        ("todo", "fixme", "tba", "tbd", "to be "),
        r"^(?:TODO|FIXME)(?![A-Za-z0-9])|^(?i:tb[ad]|fixme|to be (?:done|defined|determined))$",
        "TODO",
        "todo",
    ),
    PlaceholderRule(("xxx",), r"(?i)^(?=.*xxx)[x\W_]+$", "XXXXX-XXXXX-XXXXX", "extra-xxl"),
    PlaceholderRule(
        ("xxxx", ".x"),
        rf"(?i){WORD_BEFORE}(?:x{{4,}}|(?:(?:\d{{1,3}}|x{{1,3}})\.){{3}}x{{1,3}}){WORD_AFTER}",
        "ami-xxxxxxxx",
        "node-14.x.x",
    ),
    PlaceholderRule(
        ("here",),
        r"(?i)^(?:put|insert|enter|type|fill[ _-]?in|fill|paste|specify|provide|give|write|add|set|replace|your)"
        r"(?:[ _-].*|[a-z]*[ _-]?)here[.!]?$",
        "PUT THE NETWORK ID HERE",
        "atmosphere",
    ),
    PlaceholderRule(
        ("replace",), r"(?i)^replace[ _-]?(?:me|this|with[ _-].+)$", "REPLACE_WITH_YOUR_KEY", "foo-replaceme"
    ),
    PlaceholderRule(
        ("your",),
        rf"(?i){WORD_BEFORE}your[_-][a-z]|^your [a-z]+(?: [a-z]+)?$",
        "Your RHN Password",
        "Your server is ready",
    ),
    PlaceholderRule(
        ("holder",), r"(?i)(?:^|[_ -])place_?holder(?:[_ -]?\d+)?$", "vnf_id_placeholder", "placeholder.example.org"
    ),
    PlaceholderRule(
        ("...", "…", "??", "***", "___"),
        r"\[(?:\.\.\.|…)\]|^(?:\.\.\.|…)$|^(?:\?{2,}|\*{3,}|_{3,})$",
        "ssh-rsa AAAAB [...] QRnnQ==",
        "ssh-rsa AAAAB",
    ),
    PlaceholderRule(("{{",), r"^\{\{ ?[A-Za-z_]\w* ?\}\}$", "{{ network_id }}", "{{ $labels.instance }}"),
    PlaceholderRule(
        ("id or name", "name or ", "id of ", "name of "),
        r"(?i)\b(?:name or (?:uu)?id|(?:uu)?id or name)\b|^(?:uu)?id of |^name of (?:the|your|an?) ",
        "name or ID",
        "id-of-things",
    ),
    PlaceholderRule((" or ",), r"^[a-z0-9-]+(?:, ?[a-z0-9-]+)* or [a-z0-9-]+$", "normal or direct", "Trick or Treat"),
)
RULES_BY_WORD = [(word, rule) for rule in RULES for word in rule.words]


@final
@node
class PlaceholderValue:
    """A placeholder that a parameter has in place of a value. Its origin is an environment, or the template's default.

    `value`: the text there. `path`: where it is in the environment, for example `parameters.net`.
    """

    name: str
    value: Any
    source: Source
    span: Span
    environment: Environment | None = None
    path: str = ""


def is_placeholder(text: str) -> bool:
    """Whether a text is a placeholder by one of the rules."""
    stripped = text.strip()
    if not stripped or len(stripped) > LONGEST or "\n" in stripped:
        return False
    lower = stripped.lower()
    return any(word in lower and rule.matches(stripped) for word, rule in RULES_BY_WORD)


def contains_placeholder(param: Param, value: Any) -> bool:
    """Whether a value of a parameter, or a part of it, is a placeholder."""
    with contextlib.suppress(ValueError, TypeError):  # reported where the value is bound
        value = convert_value(param.type, value)
    allowed = {
        text
        for constraint in param.constraints
        if constraint.kind == "allowed_values"
        for text in texts_of(constraint.value)
    }
    return any(text not in allowed and is_placeholder(text) for text in strings_in_value(value))


def texts_of(expr: ir.Expr | Any) -> Iterator[str]:
    if isinstance(expr, ir.Seq):
        yield from (item.value for item in expr.items if isinstance(item, ir.Lit) and isinstance(item.value, str))


def find_placeholders(template: Template, bindings: Mapping[str, Binding]) -> list[PlaceholderValue]:
    """The placeholders among the values that a stack has: those of its environments, and the defaults that no value
    replaces.
    """
    placeholders = []
    for name, param in template.parameters.items():
        binding = bindings.get(name)
        if binding is not None and binding.environment is not None:
            section, _, key = binding.path.partition(".")
            entry = getattr(binding.environment, section)[key]
            candidate = PlaceholderValue(
                name, binding.value, binding.environment.source, entry.span, binding.environment, binding.path
            )
        elif binding is None and param.default is not None and ir.is_plain_data(param.default):
            candidate = PlaceholderValue(name, to_data(param.default), template.source, param.default.span)
        else:
            continue
        if contains_placeholder(param, candidate.value):
            placeholders.append(candidate)
    return placeholders


def select_placeholders(
    template: Template,
    bindings: Mapping[str, Binding],
    treatment: str,
    ignores: Callable[[Source, Span, str], bool],
) -> tuple[list[PlaceholderValue], list[Diagnostic]]:
    """The placeholders to set aside, and the diagnostics on those that stay values.

    treatment: KEEP, REPORT or ASK. ignores: whether a comment at a place of a source ignores a code.
    """
    placeholders: list[PlaceholderValue] = []
    diagnostics: list[Diagnostic] = []
    for value in find_placeholders(template, bindings) if treatment != KEEP else ():
        if ignores(value.source, value.span, codes.PLACEHOLDER_VALUE):
            diagnostics += report_placeholders([value], asked=False)  # the comment is of use
        else:
            placeholders.append(value)
    if treatment == REPORT:
        return [], diagnostics + report_placeholders(placeholders, asked=False)
    return placeholders, diagnostics


def set_placeholders_aside(
    template: Template, bindings: Mapping[str, Binding], placeholders: Sequence[PlaceholderValue]
) -> tuple[Template, dict[str, Binding]]:
    """Returns the template and the values without the placeholders. A default from the template goes, too: the
    value that an environment or the default would have is unknown, and no condition depends on it.
    """
    if not placeholders:
        return template, dict(bindings)
    names = {placeholder.name for placeholder in placeholders}
    parameters = {
        name: replace(param, default=None) if name in names else param for name, param in template.parameters.items()
    }
    return replace(template, parameters=parameters), {name: b for name, b in bindings.items() if name not in names}


def report_placeholders(placeholders: Sequence[PlaceholderValue], *, asked: bool) -> list[Diagnostic]:
    """One diagnostic for each file with placeholders. asked: Terraform asks for the values."""
    by_source: dict[int, list[PlaceholderValue]] = {}
    for placeholder in placeholders:
        by_source.setdefault(id(placeholder.source), []).append(placeholder)
    return [report_placeholders_of_file(in_file, asked=asked) for in_file in by_source.values()]


def report_placeholders_of_file(placeholders: Sequence[PlaceholderValue], *, asked: bool) -> Diagnostic:
    first = min(placeholders, key=lambda placeholder: placeholder.span.at)
    names = [placeholder.name for placeholder in placeholders]
    more = len(names) - MOST_NAMES
    listed = ", ".join(names) if more < 2 else f"{', '.join(names[:MOST_NAMES])} and {more} others"
    several = len(names) > 1
    message = f"The values of {listed} are placeholders" if several else f"The value of {listed} is a placeholder"
    hint = "Write the real value" + "s" * several + ", or `# hot2tf: ignore HOT613` where a value is meant."
    if asked:
        message += f", so Terraform asks for {'them' if several else 'it'}"
        counts = "they count" if several else "it counts"
        hint = f"Fill in terraform.tfvars.example. With --placeholders keep, {counts} as written."
    return Diagnostic(codes.PLACEHOLDER_VALUE, f"{message}.", first.source, first.span, hint)
