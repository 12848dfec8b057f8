"""`--roll-up`: numbered copies of a resource become one block with `count` or `for_each`."""
