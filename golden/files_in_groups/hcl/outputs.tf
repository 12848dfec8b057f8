output "motds" {
  value = [
    for index in ["a", "b"] :
    templatefile("${path.module}/templates/parts/motd.txt.2.tftpl", { index = index })
  ]
}
