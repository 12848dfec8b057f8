"""Understands a source tree: which files are stacks, which are parts of stacks, and what belongs together."""
