"""What there is to say about a linked stack beyond its names: what Heat refuses, now or when it creates the stack, and
what it lets pass although it was surely not meant.

The easy rule to break: an error is what Heat's validation refuses; what only creating the stack would refuse is a
warning, unless that is asked for.
"""

from transpile.check.checker import check

__all__ = ["check"]
