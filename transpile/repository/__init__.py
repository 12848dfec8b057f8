"""Surveys a source tree: which templates are stacks, which are nested in others, and which environments they have."""
