# Made by hot2tf: hot2tf convert input.yaml -e base.env.yaml -e site.env.yaml -o DIR

output "address" {
  value = module.web.address
}
