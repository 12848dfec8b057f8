# Made by hot2tf: hot2tf convert input.yaml --prefer provisioners -o DIR

# nobody receives it
# HOT513: Terraform does not return what setup_server prints or writes; this is null.
output "printed" {
  value = null
}
