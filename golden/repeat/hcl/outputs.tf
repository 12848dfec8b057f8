# Made by hot2tf from input.yaml

output "texts" {
  value = [for p in var.ports : "port-${p}"]
}

output "product" {
  value = flatten([for proto in var.protocols : [for port in var.ports : "${proto}/${port}"]])
}

output "pairs" {
  value = [for i, proto in var.protocols : { protocol = proto, port = var.ports[i] }]
}

# HOT576: Terraform iterates over the keys of a map in alphabetical order, Heat in their original order.
output "over_a_map" {
  value = [for h in keys(var.hosts) : "host ${h}"]
}

output "written_out" {
  value = [for x in ["a", "b"] : [x, "${x}${x}"]]
}
