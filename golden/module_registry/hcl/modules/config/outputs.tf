# Converted from config.yaml by hot2tf.

output "text" {
  value = templatefile("${path.module}/templates/init.sh.tftpl", { password = var.text })
}
