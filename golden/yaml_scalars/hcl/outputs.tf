# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "merged" {
  value = {
    a = 1
    b = 3
  }
}

output "anchored" {
  value = [[1, 2], [1, 2]]
}
