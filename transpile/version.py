"""The version of hot2tf. One place, read by the build."""

__version__ = "0.2.0"
RELEASED = "2026-11-23"
