"""Computes a configuration as Terraform does: the values of expressions, and the instances of resources."""
