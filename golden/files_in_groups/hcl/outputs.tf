# Converted from input.yaml by hot2tf.

output "motds" {
  value = [
    for index in ["a", "b"] :
    templatefile("${path.module}/templates/parts/motd.txt.tftpl", { index = index })
  ]
}
