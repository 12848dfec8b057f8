# Nothing in it.
