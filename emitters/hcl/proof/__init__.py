"""Tests for the output: what Heat says of every value, as assertions of `terraform test`.

Invariant: an assertion is Heat's value by `transpile.stack_evaluation`, never a value that was read from the output.
"""
