# Made by hot2tf from input.yaml

# Paths into parameters, with indexes and keys that are known only at run time.

resource "openstack_networking_network_v2" "net" {
  name = try(var.names[var.index < 0 ? length(var.names) + var.index : var.index], "")

  tags = [
    try(var.names[length(var.names) - 1], ""),
    try(var.names[var.position], ""),
    "",
    try(var.hosts.list[var.any < 0 ? length(var.hosts.list) + var.any : var.any], ""),
    try(var.hosts.list[1], ""),
    try(
      var.given.list[var.index],
      var.given.list[var.index < 0 ? length(var.given.list) + var.index : var.index],
      "",
    ),
    substr(var.word, 1, 1),
    length(var.word) < 9 ? "" : substr(var.word, -9, 1),
    try(length(var.word) + var.index < 0 ? "" : substr(var.word, var.index, 1), ""),
    "",
  ]
}
