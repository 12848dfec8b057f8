# Made by hot2tf from input.yaml

# HOT589: restart exists only in Heat and is left out; this is null.
output "workflow" {
  value = null
}
