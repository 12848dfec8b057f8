"""Homing templates as Terraform modules, whose expressions choose candidates as `hot2tf home` does."""
