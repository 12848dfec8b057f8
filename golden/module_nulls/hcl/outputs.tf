# Converted from input.yaml by hot2tf.

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
