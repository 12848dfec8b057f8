# Made by hot2tf from input.yaml

output "zone" {
  value = lookup(local.password, "till_zone", null)
}
