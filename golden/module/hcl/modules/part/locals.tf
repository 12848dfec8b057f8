locals {
  is_public = var.public
  port_tier = try(var.labels.tier, "")

  python_text = {
    true  = "True"
    false = "False"
    null  = ""
  }

  port_tier_text = lookup(
    local.python_text,
    jsonencode(local.port_tier),
    try(tostring(local.port_tier), jsonencode(local.port_tier)),
  )

  uuid_pattern  = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  network_is_id = can(regex(local.uuid_pattern, var.network))
}
