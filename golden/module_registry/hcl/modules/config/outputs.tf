output "text" {
  value = templatefile("${path.module}/templates/inner/init.sh.tftpl", { password = var.text })
}
