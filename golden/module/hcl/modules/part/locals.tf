# Converted from part.yaml by hot2tf.

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
}
