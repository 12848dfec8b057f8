# Converted from input.yaml by hot2tf.

output "merged" {
  value = {
    a = 1
    b = 3
  }
}

output "anchored" {
  value = [[1, 2], [1, 2]]
}
