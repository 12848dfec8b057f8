"""Checks a linked stack beyond its names: what Heat refuses, and likely mistakes that it accepts.

Invariant: what Heat's validation refuses is an error. What only stack creation refuses is a warning, unless checking at
that level was requested.
"""

from transpile.check.checker import check_stack, check_values

__all__ = ["check_stack", "check_values"]
