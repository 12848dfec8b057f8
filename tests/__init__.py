"""hot2tf's tests."""
