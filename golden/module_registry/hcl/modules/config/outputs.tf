# Made by hot2tf from config.yaml: hot2tf convert input.yaml -e types.env.yaml -o DIR

output "text" {
  value     = templatefile("${path.module}/templates/init.sh.tftpl", { password = var.text })
  sensitive = true
}
