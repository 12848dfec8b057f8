"""The examples of README.md and docs/ are run, and their output is compared."""
