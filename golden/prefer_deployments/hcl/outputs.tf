# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

# HOT513: Only Heat receives the results of install; this is null.
output "version" {
  value = null
}
