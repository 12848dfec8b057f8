# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "paused_by" {
  value = "pause"
}

output "probed_by" {
  value = local.is_checked ? "${var.stack_name}-probe" : "nobody"
}
