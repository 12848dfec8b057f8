"""A fuzzer of our own: mutates templates we know, runs every command on them, and judges the outcomes.

`python -m tests.fuzz --minutes N` runs it by hand. Its findings, made small, are in `failures/`, which runs with every
test.
"""
