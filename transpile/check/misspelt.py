"""Maps that were meant as calls of functions: their only key is nearly the name of one.

Invariant: only names with an underscore count, such as `get_param`, because maps of data seldom have such a key, and
only where nothing else can be meant.
"""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.model import Sink, make_spelling_fix
from transpile.model.ir import Map, Template, walk

BEGIN = 2  # letters of a name that are right; comparing all keys with all names would cost more than the whole check


def check_misspelt_functions(template: Template, sink: Sink) -> None:
    """Reports each such map in the properties and the metadata of resources and in outputs."""
    function_names = [name for name in template.version.functions if "_" in name]
    begins = {name[:BEGIN] for name in function_names}
    values = [value for r in template.resources.values() for value in (r.properties, r.metadata) if value]
    values += [output.value for output in template.outputs.values()]
    for value in values:
        for part in walk(value):
            if not isinstance(part, Map) or len(part.entries) != 1:
                continue
            entry = part.entries[0]
            if "_" not in entry.key or entry.key[:BEGIN] not in begins or entry.at < 0:
                continue
            if (guess := sink.guess_name(entry.key, function_names)).certain:
                message = f"{entry.key} is not a function, so Heat takes this for a map."
                fix = make_spelling_fix(template.source, entry.key_span, guess)
                sink.add(codes.MISSPELT_FUNCTION, message, entry.key_span, str(guess), fix=fix)
