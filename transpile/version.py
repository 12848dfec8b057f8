"""The version of hot2tf. One place, read by the build."""

__version__ = "0.1.0"
