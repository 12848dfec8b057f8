# Made by hot2tf from input.yaml

# What a json parameter holds, inside texts.

resource "openstack_networking_network_v2" "net" {
  # a default shows that this is a text
  name       = var.known.name
  dns_domain = try(var.given.domain, "")

  # HOT572: In JSON, Heat escapes non-ASCII characters; jsonencode() escapes <, > and & instead.
  # HOT572: Heat writes this list or map as JSON with spaces, jsonencode() without.
  tags = [
    "${var.known.name} at ${var.known.port} is ${title(var.known.on)}, not ${local.net_none_text}, ${local.net_tags}",
    "it is ${local.net_it_text}",
    join("-", concat(local.in_x ? ["a"] : [], [local.net_text], local.in_x ? [local.net_text_2] : [])),
  ]
}
