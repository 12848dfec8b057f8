"""Resource types for hot2tf: a shelf of the plug-in Shop, as a volume of the openstack provider."""

import pathlib

from emitters.hcl.errors import CannotSay
from emitters.hcl.hooks import property_hook
from emitters.hcl.resources.written import Written
from transpile.packages import Resources

HERE = pathlib.Path(__file__).parent
RESOURCES = Resources(mappings=str(HERE / "mappings"), types=str(HERE / "types.json"))


@property_hook("shop_levels")
def levels(writer, entry):
    """The size of a shelf: one level takes 10 GB."""
    number = getattr(entry.value, "value", None)
    if not isinstance(number, int):
        raise CannotSay("HOT404", "the levels are known only at run time", entry)
    return Written.value(entry, "size", 10 * number, "derived", "one level takes 10 GB")
