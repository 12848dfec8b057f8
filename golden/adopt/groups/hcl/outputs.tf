# Made by hot2tf from the running stack groups

output "ports" {
  value = [for name in local.nodes_names : module.nodes[name].stack_id]
}
