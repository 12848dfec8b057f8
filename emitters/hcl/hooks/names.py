"""Lists of names or IDs as one argument."""

from __future__ import annotations

from emitters.hcl.resources.writer import Writer
from emitters.hcl.resources.written import Written, join_written
from transpile.model import ir


def write_names(writer: Writer, entry: ir.Entry, argument: str, lookup: str, result: str = "id") -> Written:
    """Writes a list that becomes a set, with one fate for each literal item, or one for the whole list if names were
    looked up. result: the attribute to which a name is resolved.
    """
    value, hows = writer.emission.data.resolve_list(
        writer.lowering, entry.value, writer.lookups[lookup], result, lookup
    )
    names = Written.argument(argument, value.expr, entry)
    if isinstance(entry.value, ir.Seq) and len(hows) == len(entry.value.items) and hows and "lookup" not in hows:
        fates = (Written.fate(f"{entry.key}.{i}", f"{argument}.{i}", how) for i, how in enumerate(hows))
        return names + join_written(fates)
    return names + Written.fate(entry.key, argument, "lookup" if "lookup" in hows else hows[0] if hows else "value")
