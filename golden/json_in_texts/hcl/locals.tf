locals {
  in_x   = var.zone == "x"
  net_on = try(var.known.on, "")

  python_text = {
    true  = "True"
    false = "False"
    null  = ""
  }

  net_on_text = lookup(local.python_text, jsonencode(local.net_on), try(tostring(local.net_on), jsonencode(local.net_on)))
  net_none    = try(var.known.none, "")

  net_none_text = lookup(
    local.python_text,
    jsonencode(local.net_none),
    try(tostring(local.net_none), jsonencode(local.net_none)),
  )

  net_it      = try(var.given.it, "")
  net_it_text = lookup(local.python_text, jsonencode(local.net_it), try(tostring(local.net_it), jsonencode(local.net_it)))
  net_text    = jsonencode({ one = var.zone })
  net_text_2  = jsonencode(["b"])
  digest_text = "[${join(", ", [for item in var.names : jsonencode(item)])}]"
}
