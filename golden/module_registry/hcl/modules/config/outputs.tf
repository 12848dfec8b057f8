# Converted from config.yaml by hot2tf.

output "text" {
  value = templatefile("${path.module}/templates/inner/init.sh.tftpl", { password = var.text })
}
