# Made by hot2tf from input.yaml

output "motds" {
  value = [
    for index in ["a", "b"] :
    templatefile("${path.module}/templates/parts/motd.txt.tftpl", { index = index })
  ]
}
