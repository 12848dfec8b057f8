# Made by hot2tf from input.yaml

locals {
  names_key = try(var.names[var.index < 0 ? length(var.names) + var.index : var.index], "")

  given_item = try(
    var.given[local.names_key],
    var.given[local.names_key < 0 ? length(var.given) + local.names_key : local.names_key],
    null,
  )

  given_key = try(
    local.given_item[var.index],
    local.given_item[var.index < 0 ? length(local.given_item) + var.index : var.index],
    "",
  )
}
