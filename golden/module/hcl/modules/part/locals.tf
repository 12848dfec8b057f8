# Made by hot2tf from part.yaml: hot2tf convert input.yaml -o DIR

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
