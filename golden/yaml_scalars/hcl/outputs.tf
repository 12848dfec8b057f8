# Made by hot2tf from input.yaml

output "merged" {
  value = { a = 1, b = 3 }
}

output "anchored" {
  value = [[1, 2], [1, 2]]
}
