# Made by hot2tf from config.yaml

output "text" {
  value     = templatefile("${path.module}/templates/init.sh.tftpl", { password = var.text })
  sensitive = true
}
