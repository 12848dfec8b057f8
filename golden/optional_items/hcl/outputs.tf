# Made by hot2tf from input.yaml

output "list" {
  value = concat(["x"], [
    for present in local.has_own ? [1] : [] : {
      id = openstack_networking_network_v2.net[0].id
    }
  ])
}

output "map" {
  value = merge(
    { a = "b" },
    jsondecode(local.has_own ? jsonencode({ net = openstack_networking_network_v2.net[0].id }) : jsonencode({})),
  )
}
