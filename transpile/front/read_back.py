"""Verifies written YAML: reads it again and compares it with the value that it was written from.

Invariant: a text that passes is read as the maps, lists and scalars that it was made of, keys in order. All code that
writes YAML calls this, so that no character of a template becomes structure.

Events are compared as they come: a tree of nodes would take twice as long to make as the text took to write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from transpile.diagnostics import codes
from transpile.diagnostics.model import Diagnostic, Stopped
from transpile.front.nodes import BOOL, FLOAT, INT, NULL, STR, TIMESTAMP
from transpile.front.yaml_reader import plain_tag
from transpile.model.ir import Lit, Map, Seq
from transpile.model.source import Source
from transpile.text.yaml_loader import FastLoader
from transpile.text.yaml_scalars import print_scalar

TAGS = {type(None): NULL, bool: BOOL, int: INT, float: FLOAT}


class Differs(Exception):
    """The text is read as something else."""


def verify_written_yaml(text: str, meant: Any, source: Source, subject: str = "The output") -> None:
    """Raises Stopped with HOT903 unless a text is read as the intended value: a document of `Lit`, `Seq` and `Map`, or
    one of scalars, lists and dicts. `subject`: the text, in a message.
    """
    loader = FastLoader(text)
    try:
        get = loader.get_event
        expect_event(get, StreamStartEvent)
        expect_event(get, DocumentStartEvent)
        compare_events(get, meant)
        expect_event(get, DocumentEndEvent)
        expect_event(get, StreamEndEvent)
    except Differs:
        why = "it is read as something else"
    except (yaml.YAMLError, RecursionError) as e:
        why = f"it cannot be read: {getattr(e, 'problem', None) or type(e).__name__}"
    else:
        return
    finally:
        loader.dispose()
    raise Stopped([Diagnostic(codes.OUTPUT_FAILED_VERIFICATION, f"{subject} failed verification: {why}.", source)])


def expect_event(get: Callable[[], Event | None], kind: type[Event]) -> None:
    """Takes one event, of this kind and without a tag or an anchor. Raises Differs."""
    event = get()
    if type(event) is not kind or getattr(event, "tag", None) is not None or getattr(event, "anchor", None) is not None:
        raise Differs


def compare_events(get: Callable[[], Event | None], meant: Any) -> None:
    """Takes the events of one value. Raises Differs."""
    kind = type(meant)
    if kind is Map or kind is dict:
        expect_event(get, MappingStartEvent)
        for key, value in [(e.key, e.value) for e in meant.entries] if kind is Map else meant.items():
            compare_scalar(get(), key)
            compare_events(get, value)
        expect_event(get, MappingEndEvent)
    elif kind is Seq or kind is list:
        expect_event(get, SequenceStartEvent)
        for item in meant.items if kind is Seq else meant:
            compare_events(get, item)
        expect_event(get, SequenceEndEvent)
    else:
        compare_scalar(get(), meant)


def compare_scalar(event: Event | None, meant: Any) -> None:
    """Raises Differs unless a scalar has this value and type."""
    value, date = (meant.value, TIMESTAMP) if type(meant) is Lit else (meant, None)
    if type(event) is not ScalarEvent or event.tag is not None or event.anchor is not None:
        raise Differs
    if type(value) is str:
        if event.value != value:
            raise Differs
        if not event.implicit[0]:
            return
        tag = plain_tag(value)
        if tag != STR and tag != date:  # a date may be the version of a template, which Heat reads as a text
            raise Differs
    elif not event.implicit[0] or event.value != print_scalar(value) or plain_tag(event.value) != TAGS.get(type(value)):
        raise Differs
