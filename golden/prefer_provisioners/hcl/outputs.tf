# Made by hot2tf from input.yaml

# nobody receives it
# HOT513: Terraform does not return what setup_server prints or writes; this is null.
output "printed" {
  value = null
}
