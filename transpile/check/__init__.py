"""Checks a linked stack beyond its names: errors of Heat's, and likely mistakes that Heat accepts.

Invariant: an error of Heat's validation is an error here. An error of stack creation alone is a warning, unless
checking at that level was requested.
"""

from transpile.check.checker import check_stack, check_values

__all__ = ["check_stack", "check_values"]
