# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "motds" {
  value = [
    for index in ["a", "b"] :
    templatefile("${path.module}/templates/parts/motd.txt.tftpl", { index = index })
  ]
}
