# Made by hot2tf from input.yaml

output "paused_by" {
  value = "pause"
}

output "probed_by" {
  value = local.is_checked ? "${var.stack_name}-probe" : "nobody"
}
