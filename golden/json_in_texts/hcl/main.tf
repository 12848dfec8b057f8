# What a json parameter holds, inside texts.

resource "openstack_networking_network_v2" "net" {
  # a default shows that this is a text
  name       = try(var.known.name, "")
  dns_domain = try(var.given.domain, "")

  # HOT572: Heat writes this list or map as JSON with spaces, jsonencode() without.
  tags = [
    "${try(var.known.name, "")} at ${try(var.known.port, "")} is ${local.net_on_text}, not ${local.net_none_text}, ${try(jsonencode(var.known.tags), "")}",
    "it is ${local.net_it_text}",
    join("-", concat(local.in_x ? ["a"] : [], [local.net_text], local.in_x ? [local.net_text_2] : [])),
  ]
}
