# Made by hot2tf from input.yaml

output "paths" {
  value = module.by_path.all
}

output "branches" {
  value = module.by_branch.all
}

output "left_out" {
  value = module.left_out.all
}

output "outputs" {
  value = module.by_output.all
}
