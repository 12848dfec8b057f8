"""The choice between several templates for one type: requirements of environments against capabilities of templates.

Invariant: a requirement counts if any candidate declares it, and then applies to all candidates. Exactly one candidate
must remain; there is no tie-breaking. Templates may declare more than is required, and environments may require things
that concern other entries (spec "Template Capabilities", Resolution).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, did_you_mean
from transpile.front.claims import texts
from transpile.model.ir import NULL, Environment, Lit, Map, Seq
from transpile.model.records import field, record, replace
from transpile.model.span import word_at
from transpile.resolve.registry import STEERING, Choice, is_file
from transpile.text.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from transpile.model.ir import Entry, Expr, Template
    from transpile.resolve.nested_templates import Library
    from transpile.resolve.registry import Registration
    from transpile.text.source import Root

TYPE = "resource_type"  # the capability that names a template's types
Claims = dict[str, tuple[str, ...]]


def claims(declared: Mapping[str, Entry]) -> Claims:
    """The capabilities that a template declares: name → texts."""
    return {name: texts(entry) for name, entry in declared.items()}


def required(environments: Sequence[Environment]) -> Claims:
    """The requirements of all environments, merged by key as Heat merges maps: later ones win, null is ignored."""
    return {name: texts(entry) for name, (_, entry) in deciding(environments).items()}


def deciding(environments: Sequence[Environment]) -> dict[str, tuple[Environment, Entry]]:
    """For each requirement the entry in force and its environment."""
    return {
        name: (environment, entry)
        for environment in environments
        for name, entry in environment.requires.items()
        if entry.value != NULL
    }


def listed(given: Mapping[str, Sequence[str]]) -> str:
    """Capabilities or requirements as a phrase: `{"ip": ("4", "6")}` -> "ip: 4 or 6"."""
    return ", ".join(f"{name}: {' or '.join(values)}" for name, values in given.items())


def against(kinds: Sequence[str], claimed: Claims, wanted: Claims) -> str:
    """Why a template's capabilities rule it out for a type, given all names of the type; empty if they do not."""
    if TYPE in claimed and not set(kinds) & set(claimed[TYPE]):
        return f"is for {', '.join(claimed[TYPE]) or 'no type'}"
    for name, values in wanted.items():
        if name in claimed and not set(values) & set(claimed[name]):
            return f"has {name}: {', '.join(claimed[name]) or 'nothing'}"
    return ""


@final
@record
class _Candidate:
    """A candidate, its capabilities (None if unknown), and why it was ruled out."""

    name: Lit
    claimed: Claims | None = None
    why: str = ""
    unseen: bool = False  # it may exist, but the run is not allowed to read it
    found: list[Diagnostic] = field(default_factory=list)


@final
class Chooser:
    """Resolves registry entries that have several candidates; `diagnostics` collects what is wrong. `strict`,
    `converts`: as in `LinkOptions`, where `strict` is `is_strict`.
    """

    def __init__(
        self, environments: Sequence[Environment], root: Root, library: Library, *, strict: bool, converts: bool
    ) -> None:
        self.wanted = required(environments)
        self.root, self.library, self.strict, self.converts = root, library, strict, converts
        self.found: list[Diagnostic] = []

    def __call__(self, one: Registration) -> Registration:
        """The entry with the one remaining candidate; left undecided if none or several remain."""
        kind = one.path[-1]
        candidates = self.read(one)
        named = {name for c in candidates for name in c.claimed or ()}
        wanted = {name: values for name, values in self.wanted.items() if name in named}
        for candidate in candidates:
            if candidate.claimed is not None and not candidate.why:
                missing = next((name for name in wanted if name not in candidate.claimed), None)
                lacks = f"does not declare {missing}" if missing is not None else ""
                candidate.why = against((kind,), candidate.claimed, wanted) or lacks
        left = [c for c in candidates if not c.why]
        others = {str(c.name.value): c.why for c in candidates if c.why}
        if len(left) == 1:
            for candidate in candidates:  # errors of candidates that are not used do not matter
                kept = candidate.unseen or (self.strict and candidate is left[0])
                self.found += [d if kept else d.milder() for d in candidate.found]
            choice = Choice({name: " or ".join(values) for name, values in wanted.items()}, others)
            return replace(one, value=str(left[0].name.value), choice=choice)
        self.found += [d for candidate in candidates for d in candidate.found]
        if left or not any(c.unseen for c in candidates):
            self.refuse(one, left, wanted, others, named)
        return one

    def read(self, one: Registration) -> list[_Candidate]:
        """The candidates with their capabilities, each template once. Built-in types declare no capabilities."""
        root = self.root.of_environment(one.environment.folder)
        known = set[str]()
        out = []
        for name in one.candidates:
            candidate = _Candidate(name, {})
            where = str(name.value)
            if is_file(where):
                where = self.load(root, candidate, Sink(one.environment.source))
            if where in known:
                continue
            known.add(where)
            out.append(candidate)
        return out

    def load(self, root: Root, candidate: _Candidate, sink: Sink) -> str:
        """Reads a candidate's template and returns its identity."""
        name = str(candidate.name.value)
        candidate.claimed, candidate.why = None, "cannot be read"
        try:
            loaded = self.library.load(root, name)
        except Unreadable as e:
            if e.kind in ("outside", "url"):
                candidate.unseen, candidate.why = True, "was not read"
                message = f"The template {name} was not read: {e.detail}."
                severity = "error" if self.converts else ""
                sink.say(codes.NESTED_TEMPLATE_NOT_READ, message, candidate.name, e.hint, severity)
            else:
                sink.say(
                    codes.UNREADABLE_NESTED_TEMPLATE, f"The template {name} cannot be read: {e.detail}.", candidate.name
                )
            candidate.found += sink.found
            return name
        candidate.found += [
            d for d in loaded.found if loaded.template is None or d.code == codes.MALFORMED_CAPABILITIES
        ]
        if loaded.template is not None:
            candidate.claimed, candidate.why = claims(loaded.template.capabilities), ""
        return loaded.file.where

    def refuse(
        self, one: Registration, left: list[_Candidate], wanted: Claims, others: Mapping[str, str], named: set[str]
    ) -> None:
        """Reports that no candidate or several candidates remain, and why each of the others was ruled out."""
        sink, kind = Sink(one.environment.source), one.path[-1]
        out = "; ".join(f"{name} {why}" for name, why in others.items())
        by = f" ({listed(wanted)})" if wanted else ""
        hint = ""
        if not left:
            code, message = (
                codes.NO_CANDIDATE_FOR_TYPE,
                f"None of the candidates for {kind} meets the requirements{by}: {out}.",
            )
        else:
            names = ", ".join(str(c.name.value) for c in left)
            have = "meet the requirements" if wanted else "remain, and no requirement distinguishes them"
            code, message = codes.SEVERAL_CANDIDATES_FOR_TYPE, f"Several candidates for {kind} {have}{by}: {names}."
            message += f" Ruled out: {out}." if out else ""
            hint = differing([c.claimed or {} for c in left])
        close = [mean for name in self.wanted if name not in named and (mean := did_you_mean(name, named))]
        sink.say(code, message, one.entry.key_span, close[0] if close else hint)
        self.found += sink.found


def differing(given: Sequence[Claims]) -> str:
    """A hint: a requirement that would tell the candidates apart."""
    names = dict.fromkeys(name for one in given for name in one if name != TYPE)
    for name in names:
        values = [one.get(name, ()) for one in given]
        if len(set(values)) == len(values):
            possible = dict.fromkeys(v for one in values for v in one)
            return f"Require {name}, one of {', '.join(possible)}."
    return ""


def contradiction(one: Registration, written: str, template: Template, wanted: Claims) -> Diagnostic | None:
    """A warning if the only template for an entry declares capabilities that contradict it; the template is used
    anyway.
    """
    claimed, kinds = claims(template.capabilities), (one.path[-1], written)
    why, asked = against(kinds, claimed, {}), ""
    for name in wanted:
        if not why and (why := against(kinds, claimed, {name: wanted[name]})):
            asked = f" instead of {' or '.join(wanted[name])}"
    if not why:
        return None
    value = one.entry.value
    message = f"{one.value} is used for {one.path[-1]}, but {why}{asked}."
    return Diagnostic(codes.TEMPLATE_LACKS_CAPABILITIES, message, one.environment.source, value.span)


def sentence(kind: str, one: Registration) -> str:
    """The choice that was made, as a sentence."""
    assert one.choice is not None
    if one.choice.requires:
        by = f"chosen by {', '.join(f'{name}: {value}' for name, value in one.choice.requires.items())}"
    else:
        by = "the only remaining candidate" if one.choice.others else "the only candidate"
    return f"{kind} is {one.value}, {by}"


def unknown_to_heat(one: Template | Environment) -> Iterator[Diagnostic]:
    """Diagnostics for the syntax of capabilities, which Heat refuses because it never implemented them."""
    if isinstance(one, Environment):
        places = [(one.places["requires"], "requires")] if "requires" in one.places else []
        places += [place for key, entry in one.registry.items() for place in lists(key, entry.value, entry.at)]
    else:
        places = [(at, name) for name, at in one.sections.items() if name == "capabilities"]
    for at, name in places:
        what = f"a list of candidates for {name}" if name not in ("requires", "capabilities") else f"the section {name}"
        yield Diagnostic(
            codes.CAPABILITIES_UNSUPPORTED_BY_HEAT,
            f"Heat rejects {what}; only hot2tf supports it.",
            one.source,
            word_at(at, name),
        )


def lists(key: str, value: Expr, at: int) -> Iterator[tuple[int, str]]:
    """The offsets and keys of candidate lists in a registry entry and its children."""
    if key in STEERING or key == "base_url":
        return
    if isinstance(value, Seq):
        yield at, key
    elif isinstance(value, Map):
        for entry in value.entries:
            yield from lists(entry.key, entry.value, entry.at)


def candidates(key: str, value: Expr) -> Iterator[tuple[str, Lit, bool]]:
    """The templates named in a registry entry and its children: the type, the name, and whether it is one of several
    candidates.
    """
    if key in STEERING or key == "base_url":
        return
    if isinstance(value, Map):
        for entry in value.entries:
            yield from candidates(entry.key, entry.value)
        return
    for one in value.items if isinstance(value, Seq) else (value,):
        if isinstance(one, Lit) and isinstance(one.value, str) and is_file(one.value):
            yield key, one, isinstance(value, Seq)
