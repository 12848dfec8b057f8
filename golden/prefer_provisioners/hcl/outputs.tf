# Made by hot2tf from input.yaml

# nobody receives it
# HOT513: Terraform does not return the outputs of setup_server; this is null.
output "printed" {
  value = null
}
