# Made by hot2tf: hot2tf convert input.yaml -o DIR

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
