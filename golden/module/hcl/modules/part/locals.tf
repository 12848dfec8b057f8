# Made by hot2tf from part.yaml

locals {
  is_public   = var.public
  python_text = { true = "True", false = "False", null = "" }

  port_tier_text = lookup(
    local.python_text,
    jsonencode(var.labels.tier),
    try(tostring(var.labels.tier), jsonencode(var.labels.tier)),
  )
}
