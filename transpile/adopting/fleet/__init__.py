"""Running stacks of one or many projects, adopted into one tree: `hot2tf adopt --all`."""
