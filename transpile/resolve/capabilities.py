"""The choice between several templates for one type: requirements of environments against capabilities of templates.

Invariant: a requirement counts if any candidate declares it, and then applies to all candidates. Exactly one candidate
must remain; there is no tie-breaking. Templates may declare more than is required, and environments may require
capabilities of other entries (spec "Template Capabilities", Resolution).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import final

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Sink, did_you_mean
from transpile.diagnostics.registry import message_of_rule
from transpile.front.claims import claim_texts
from transpile.model.ir import NULL, Entry, Environment, Expr, Lit, Map, Seq, Template
from transpile.model.records import field, record, replace
from transpile.model.span import word_at
from transpile.resolve.nested_templates import TemplateLibrary
from transpile.resolve.registry import STEERING, CandidateChoice, Registration, is_file
from transpile.text.source import Root, UnreadableFile

TYPE = "resource_type"  # the capability that names a template's types
Claims = dict[str, tuple[str, ...]]


def template_claims(capabilities: Mapping[str, Entry]) -> Claims:
    """The capabilities that a template declares: name → texts."""
    return {name: claim_texts(entry) for name, entry in capabilities.items()}


def merge_requirements(environments: Sequence[Environment]) -> Claims:
    """The requirements of all environments, merged by key as Heat merges maps: later ones win, null is ignored."""
    return {name: claim_texts(entry) for name, (_, entry) in deciding_requirements(environments).items()}


def deciding_requirements(environments: Sequence[Environment]) -> dict[str, tuple[Environment, Entry]]:
    """For each requirement the entry in force and its environment."""
    return {
        name: (environment, entry)
        for environment in environments
        for name, entry in environment.requires.items()
        if entry.value != NULL
    }


def format_claims(claims: Mapping[str, Sequence[str]]) -> str:
    """Capabilities or requirements as a phrase: `{"ip": ("4", "6")}` -> "ip: 4 or 6"."""
    return ", ".join(f"{name}: {' or '.join(values)}" for name, values in claims.items())


def describe_mismatch(kinds: Sequence[str], claimed: Claims, requirements: Claims) -> str:
    """Why a template's capabilities rule it out for a type, given all names of the type; empty if they do not."""
    if TYPE in claimed and not set(kinds) & set(claimed[TYPE]):
        return f"is for {', '.join(claimed[TYPE]) or 'no type'}"
    for name, values in requirements.items():
        if name in claimed and not set(values) & set(claimed[name]):
            return f"has {name}: {', '.join(claimed[name]) or 'nothing'}"
    return ""


@final
@record
class _Candidate:
    """A candidate, its capabilities (None if unknown), and why it was ruled out."""

    name: Lit
    claims: Claims | None = None
    why: str = ""
    unseen: bool = False  # it may exist, but the run is not allowed to read it
    diagnostics: list[Diagnostic] = field(default_factory=list)


@final
class CandidateChooser:
    """Resolves registry entries that have several candidates; `diagnostics` collects the problems. `strict`,
    `converts`: as in `LinkOptions`, where `strict` is `is_strict`.
    """

    def __init__(
        self, environments: Sequence[Environment], root: Root, library: TemplateLibrary, *, strict: bool, converts: bool
    ) -> None:
        self.requirements = merge_requirements(environments)
        self.root, self.library, self.strict, self.converts = root, library, strict, converts
        self.diagnostics: list[Diagnostic] = []

    def __call__(self, registration: Registration) -> Registration:
        """The entry with the one remaining candidate; left undecided if none or several remain."""
        kind = registration.path[-1]
        candidates = self.read_candidates(registration)
        declared_names = {name for c in candidates for name in c.claims or ()}
        requirements = {name: values for name, values in self.requirements.items() if name in declared_names}
        for candidate in candidates:
            if candidate.claims is not None and not candidate.why:
                missing = next((name for name in requirements if name not in candidate.claims), None)
                lacks = f"does not declare {missing}" if missing is not None else ""
                candidate.why = describe_mismatch((kind,), candidate.claims, requirements) or lacks
        left = [c for c in candidates if not c.why]
        others = {str(c.name.value): c.why for c in candidates if c.why}
        if len(left) == 1:
            for candidate in candidates:  # errors of candidates that are not used do not matter
                kept = candidate.unseen or (self.strict and candidate is left[0])
                self.diagnostics += [d if kept else d.reduced_to_warning() for d in candidate.diagnostics]
            choice = CandidateChoice({name: " or ".join(values) for name, values in requirements.items()}, others)
            return replace(registration, value=str(left[0].name.value), choice=choice)
        self.diagnostics += [d for candidate in candidates for d in candidate.diagnostics]
        if left or not any(c.unseen for c in candidates):
            self.refuse_candidates(registration, left, requirements, others, declared_names)
        return registration

    def read_candidates(self, registration: Registration) -> list[_Candidate]:
        """The candidates with their capabilities, each template once. Built-in types declare no capabilities."""
        root = self.root.for_environment(registration.environment.folder)
        identities = set[str]()
        candidates = []
        for name in registration.candidates:
            candidate = _Candidate(name, {})
            identity = str(name.value)
            if is_file(identity):
                identity = self.load_candidate(root, candidate, Sink(registration.environment.source))
            if identity in identities:
                continue
            identities.add(identity)
            candidates.append(candidate)
        return candidates

    def load_candidate(self, root: Root, candidate: _Candidate, sink: Sink) -> str:
        """Reads a candidate's template and returns its identity."""
        name = str(candidate.name.value)
        candidate.claims, candidate.why = None, "cannot be read"
        try:
            loaded = self.library.load_template(root, name)
        except UnreadableFile as e:
            if e.kind in ("outside", "url"):
                candidate.unseen, candidate.why = True, "was not read"
                message = f"The template {name} was not read: {e.detail}."
                severity = "error" if self.converts else ""
                sink.add(codes.NESTED_TEMPLATE_NOT_READ, message, candidate.name, e.hint, severity)
            else:
                sink.add(
                    codes.UNREADABLE_NESTED_TEMPLATE,
                    message_of_rule(codes.UNREADABLE_NESTED_TEMPLATE, name=name, reason=e.detail),
                    candidate.name,
                )
            candidate.diagnostics += sink.diagnostics
            return name
        candidate.diagnostics += [
            d for d in loaded.diagnostics if loaded.template is None or d.code == codes.MALFORMED_CAPABILITIES
        ]
        if loaded.template is not None:
            candidate.claims, candidate.why = template_claims(loaded.template.capabilities), ""
        return loaded.file.where

    def refuse_candidates(
        self,
        registration: Registration,
        left: list[_Candidate],
        requirements: Claims,
        others: Mapping[str, str],
        declared_names: set[str],
    ) -> None:
        """Reports that no candidate or several candidates remain, and why each of the others was ruled out."""
        sink, kind = Sink(registration.environment.source), registration.path[-1]
        out = "; ".join(f"{name} {why}" for name, why in others.items())
        by = f" ({format_claims(requirements)})" if requirements else ""
        hint = ""
        if not left:
            code, message = (
                codes.NO_CANDIDATE_FOR_TYPE,
                f"None of the candidates for {kind} meets the requirements{by}: {out}.",
            )
        else:
            names = ", ".join(str(c.name.value) for c in left)
            have = "meet the requirements" if requirements else "remain, and no requirement distinguishes them"
            code, message = codes.SEVERAL_CANDIDATES_FOR_TYPE, f"Several candidates for {kind} {have}{by}: {names}."
            message += f" Ruled out: {out}." if out else ""
            hint = suggest_requirement([c.claims or {} for c in left])
        close = [
            mean
            for name in self.requirements
            if name not in declared_names and (mean := did_you_mean(name, declared_names))
        ]
        sink.add(code, message, registration.entry.key_span, close[0] if close else hint)
        self.diagnostics += sink.diagnostics


def suggest_requirement(claims: Sequence[Claims]) -> str:
    """A hint: a requirement that would tell the candidates apart."""
    names = dict.fromkeys(name for candidate_claims in claims for name in candidate_claims if name != TYPE)
    for name in names:
        values = [candidate_claims.get(name, ()) for candidate_claims in claims]
        if len(set(values)) == len(values):
            possible = dict.fromkeys(v for alternatives in values for v in alternatives)
            return f"Require {name}, one of {', '.join(possible)}."
    return ""


def diagnose_contradiction(
    registration: Registration, written: str, template: Template, requirements: Claims
) -> Diagnostic | None:
    """A warning if the only template for an entry declares capabilities that contradict it; the template is used
    anyway.
    """
    claimed, kinds = template_claims(template.capabilities), (registration.path[-1], written)
    why, asked = describe_mismatch(kinds, claimed, {}), ""
    for name in requirements:
        if not why and (why := describe_mismatch(kinds, claimed, {name: requirements[name]})):
            asked = f" instead of {' or '.join(requirements[name])}"
    if not why:
        return None
    value = registration.entry.value
    message = f"{registration.value} is used for {registration.path[-1]}, but {why}{asked}."
    return Diagnostic(codes.TEMPLATE_LACKS_CAPABILITIES, message, registration.environment.source, value.span)


def describe_choice(kind: str, registration: Registration) -> str:
    """The choice that was made, as a sentence."""
    assert registration.choice is not None
    if registration.choice.requires:
        by = f"chosen by {', '.join(f'{name}: {value}' for name, value in registration.choice.requires.items())}"
    else:
        by = "the only remaining candidate" if registration.choice.others else "the only candidate"
    return f"{kind} is {registration.value}, {by}"


def diagnose_capability_syntax(document: Template | Environment) -> Iterator[Diagnostic]:
    """Diagnostics for the syntax of capabilities, which Heat refuses because it never implemented them."""
    if isinstance(document, Environment):
        places = [(document.places["requires"], "requires")] if "requires" in document.places else []
        places += [
            place
            for key, entry in document.registry.items()
            for place in locate_candidate_lists(key, entry.value, entry.at)
        ]
    else:
        places = [(at, name) for name, at in document.sections.items() if name == "capabilities"]
    for at, name in places:
        part = f"a list of candidates for {name}" if name not in ("requires", "capabilities") else f"the section {name}"
        yield Diagnostic(
            codes.CAPABILITIES_UNSUPPORTED_BY_HEAT,
            f"Heat rejects {part}; only hot2tf supports it.",
            document.source,
            word_at(at, name),
        )


def locate_candidate_lists(key: str, value: Expr, at: int) -> Iterator[tuple[int, str]]:
    """The offsets and keys of candidate lists in a registry entry and its children."""
    if key in STEERING or key == "base_url":
        return
    if isinstance(value, Seq):
        yield at, key
    elif isinstance(value, Map):
        for entry in value.entries:
            yield from locate_candidate_lists(entry.key, entry.value, entry.at)


def find_candidate_files(key: str, value: Expr) -> Iterator[tuple[str, Lit, bool]]:
    """The templates named in a registry entry and its children: the type, the name, and whether it is one of several
    candidates.
    """
    if key in STEERING or key == "base_url":
        return
    if isinstance(value, Map):
        for entry in value.entries:
            yield from find_candidate_files(entry.key, entry.value)
        return
    for item in value.items if isinstance(value, Seq) else (value,):
        if isinstance(item, Lit) and isinstance(item.value, str) and is_file(item.value):
            yield key, item, isinstance(value, Seq)
