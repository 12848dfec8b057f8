"""The examples of README.md and docs/ are run, and what they print is compared."""
