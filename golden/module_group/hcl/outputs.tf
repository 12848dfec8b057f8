# Made by hot2tf from input.yaml

output "names" {
  value = module.nodes[*].label
}

output "labels" {
  value = module.nodes[*].labels
}

output "by_number" {
  value = { for index, member in module.nodes : index => member.label }
}

output "first" {
  value = try(module.nodes[0].label, null)
}

output "references" {
  value = module.nodes[*].stack_id
}

output "one_reference" {
  value = try(module.nodes[1].stack_id, null)
}

output "mapped" {
  value = { for index, member in module.nodes : index => member.stack_id }
}

output "left" {
  value = [for name in local.others_names : module.others[name].label]
}
