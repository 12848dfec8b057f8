# Converted from export.json by hot2tf.

output "ports" {
  value = [for name in local.nodes_names : module.nodes[name].stack_id]
}
