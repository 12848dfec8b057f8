"""Takes over running stacks: one, several as environments of one configuration, or all of a cloud."""
