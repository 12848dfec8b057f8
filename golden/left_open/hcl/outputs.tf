# Converted from input.yaml by hot2tf.

output "paused_by" {
  value = "pause"
}

output "probed_by" {
  value = local.is_checked ? "${var.stack_name}-probe" : "nobody"
}
