# Made by hot2tf from input.yaml

locals {
  in_x        = var.zone == "x"
  net_tags    = "[${join(", ", [for item in var.known.tags : jsonencode(item)])}]"
  python_text = { true = "True", false = "False", null = "" }

  net_none_text = lookup(
    local.python_text,
    jsonencode(var.known.none),
    try(tostring(var.known.none), jsonencode(var.known.none)),
  )

  net_it      = try(var.given.it, "")
  net_it_text = lookup(local.python_text, jsonencode(local.net_it), try(tostring(local.net_it), jsonencode(local.net_it)))
  net_text    = jsonencode({ one = var.zone })
  net_text_2  = jsonencode(["b"])
  digest_text = "[${join(", ", [for item in var.names : jsonencode(item)])}]"
}
