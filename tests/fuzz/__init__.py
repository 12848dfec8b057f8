"""A fuzzer of our own: mutates templates we know, runs every command on them, and judges what comes of it.

`python -m tests.fuzz --minutes N` runs it by hand. What it found, made small, is in `failures/`, which runs with every
test.
"""
