"""What Terraform computes from a configuration: the values of expressions, and the instances of resources."""
