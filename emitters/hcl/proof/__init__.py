"""Tests for the output: assertions of `terraform test` that every value is the one that Heat computes.

Invariant: the expected value comes from `transpile.stack_evaluation`, never from the output.
"""
