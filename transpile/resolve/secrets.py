"""The values of hidden parameters, and diagnostics without them.

Invariant: no diagnostic that leaves `Secrets.conceal_in_diagnostics` shows such a value, neither in its words nor in an
excerpt of a source. In a text that cannot be parsed, the rest of the lines is concealed, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import MASK, Diagnostic
from transpile.model.intrinsics import VERSION_KEYS
from transpile.model.ir import NULL, Environment, Expr, Lit, Template, is_plain_data, to_data, walk
from transpile.model.source import Source
from transpile.model.span import Span
from transpile.registrations import DOCUMENTS, registered
from transpile.resolve import secret_files, secret_places
from transpile.resolve.hidden_parameters import find_hidden_definitions
from transpile.resolve.masks import Mask, scalar_texts
from transpile.resolve.stack import Stack, walk_stacks

DEFAULT = r"[Dd]efault"
ANY = r"[\w.:-]+"
HIDDEN = ("hidden", "NoEcho")
WORDS = ("why", "message", "hint")  # keys of a report whose values are sentences


@final
class Secrets:
    """Collects the texts that a command reads, and knows the hidden values in them."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        self.parameters = parameters or {}
        self.templates: list[Template] = []
        self.environments: list[Environment] = []
        self.stack: Stack | None = None
        self.mask = Mask((), ())

    def conceal_in_diagnostics(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The diagnostics without hidden values. Excerpts of their sources are made without them, too."""
        unmasked = list(diagnostics)
        sources = {id(d.source): d.source for d in unmasked if d.source is not None}
        doubled = {
            id(d.source) for d in unmasked if d.code == codes.DUPLICATE_KEY
        }  # the value that is not used may be secret, too
        names = self.hidden_names()
        values = list(self.hidden_values(names))
        for template in self.templates:
            for param in template.parameters.values():
                if param.hidden and param.default is not None:
                    template.source.mark_secret(param.default)
        owners = [*(t.source for t in self.templates), *(e.source for e in self.environments)]
        read = set(map(id, owners)) - doubled
        for source in sources.values():
            if id(source) in read:
                continue
            if any(word in source.text for word in HIDDEN):
                conceal_after_keys(source, DEFAULT)
            elif not any(key in source.text for key in (*VERSION_KEYS, *registered(DOCUMENTS))):  # an environment
                if names:
                    conceal_after_keys(source, "|".join(map(re.escape, sorted(names))))
                elif not self.templates:
                    conceal_after_keys(source, ANY)
        self.mask = Mask(values, self.public_names(), names)
        if not self.mask.short:
            return [self.mask.mask_diagnostic(d) for d in unmasked]
        places = secret_places.find_secret_places(self.templates, walk_stacks(self.stack), names)
        return [self.mask.mask_diagnostic(d, about=secret_places.touches_secret(d, places)) for d in unmasked]

    def conceal_in_report(self, body: dict[str, Any]) -> dict[str, Any]:
        """Masks hidden values in the sentences of a report. Call `conceal_in_diagnostics` first: it makes the mask."""
        todo: list[Any] = [] if self.mask.is_empty else [body]
        seen: set[int] = set()  # callers share the reports of their modules
        while todo:
            part = todo.pop()
            if id(part) in seen:
                continue
            seen.add(id(part))
            for key, value in part.items() if isinstance(part, dict) else ():
                if key in WORDS and isinstance(value, str):
                    part[key] = self.mask.mask_text(value)
            todo += [v for v in (part.values() if isinstance(part, dict) else part) if isinstance(v, (dict, list))]
        return body

    def check_written_files(self, files: Mapping[str, str | bytes]) -> tuple[list[Diagnostic], frozenset[str]]:
        """Warnings about the hidden defaults in files, and the names of the files with hidden values."""
        warnings = list(secret_files.diagnose_written_defaults(self.templates, files))
        return warnings, secret_files.find_files_with_values(files, self.hidden_values(self.hidden_names()))

    def conceal_lines(self, text: str) -> str:
        """A text without the lines that hold a hidden value, or a line of one."""
        lines = (
            line
            for value in self.hidden_values(self.hidden_names())
            for words in scalar_texts(value)
            for line in words.splitlines()
        )
        runs = secret_files.longest_runs(lines)
        return "\n".join(
            f"{line[: len(line) - len(line.lstrip())]}{MASK}" if secret_files.contains_any_run(line, runs) else line
            for line in text.split("\n")
        )

    def hidden_names(self) -> set[str]:
        """The names of all hidden parameters, nested templates included."""
        templates = [*self.templates, *(stack.template for stack in walk_stacks(self.stack))]
        hidden = {p.name for template in templates for p in template.parameters.values() if p.hidden}
        for environment in self.environments:
            listed = environment.other.get("encrypted_param_names")
            names = to_data(listed.value) if listed is not None else None
            if isinstance(names, list):
                hidden |= {item for item in names if isinstance(item, str)}
        return hidden

    def public_names(self) -> set[str]:
        """The names in the templates, which are not secret even if a secret is equal to one."""
        return {n for t in self.templates for n in (*t.parameters, *t.resources, *t.outputs, *t.conditions)}

    def hidden_values(self, names: set[str]) -> Iterator[Any]:
        """The values of the hidden parameters. The places of those in a source are concealed."""
        for name in names & self.parameters.keys():
            yield self.parameters[name]
        for template in self.templates:
            for param in template.parameters.values():
                if param.name in names and param.default is not None:
                    yield to_data(param.default)
        declared_names = {name for template in self.templates for name in template.parameters}
        for environment in self.environments:
            for section in (environment.parameters, environment.parameter_defaults):
                for name in names & section.keys():
                    yield from conceal_literals(environment.source, section[name].value)
            strange = environment.parameters.keys() - declared_names if names else set()
            for name in strange:  # perhaps the misspelled name of a hidden one: an excerpt does not show its value
                for _ in conceal_literals(environment.source, environment.parameters[name].value):
                    pass
        for name, binding in self.stack.bindings.items() if self.stack is not None else ():
            if name in names:
                yield binding.value
        for definition in find_hidden_definitions(self.stack):
            yield from conceal_literals(definition.stack.template.source, definition.value)


def conceal_literals(source: Source, expr: Expr) -> Iterator[Any]:
    """Conceals the places of all literal values in an expression, even inside functions, and yields the values."""
    if is_plain_data(expr):
        if expr not in (NULL, Lit("")):
            source.mark_secret(expr)
            yield to_data(expr)
        return
    for part in walk(expr):
        if isinstance(part, Lit) and isinstance(part.value, str):
            source.mark_secret(part)
            yield part.value


def conceal_after_keys(source: Source, keys: str) -> None:
    """Conceals the values of certain keys in a text that cannot be parsed, or that has a key twice: the rest of the
    line, and lines that are indented more. `keys`: a regular expression.
    """
    key = re.compile(rf"(?:^|[\s{{,])[\"']?(?:{keys})[\"']?[ \t]*:")
    within: int | None = None  # the indentation of the key whose value goes on
    offset = 0
    for line in source.text.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip(" "))
        if within is not None and (indent > within or not line.strip()):
            source.mark_secret(Span(offset + indent, offset + len(line)))
        else:
            match = key.search(line)
            within = indent if match is not None else None
            if match is not None:
                source.mark_secret(Span(offset + match.end(), offset + len(line)))
        offset += len(line)
