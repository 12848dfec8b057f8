# Made by hot2tf from input.yaml

# HOT513: Only Heat receives the results of install; this is null.
output "version" {
  value = null
}
