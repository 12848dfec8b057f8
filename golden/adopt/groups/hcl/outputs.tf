# Made by hot2tf from the running stack groups: hot2tf adopt EXPORT -o DIR

output "ports" {
  value = [for name in local.nodes_names : module.nodes[name].stack_id]
}
