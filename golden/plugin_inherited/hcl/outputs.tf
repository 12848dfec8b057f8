# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "zone" {
  value = lookup(local.password, "till_zone", null)
}
