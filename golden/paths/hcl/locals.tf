locals {
  names_key = try(var.names[var.index < 0 ? length(var.names) + var.index : var.index], "")

  given_key = try(
    var.given[local.names_key][var.index],
    var.given[local.names_key][var.index < 0 ? length(var.given[local.names_key]) + var.index : var.index],
    var.given[local.names_key < 0 ? length(var.given) + local.names_key : local.names_key][var.index],
    var.given[local.names_key < 0 ? length(var.given) + local.names_key : local.names_key][var.index < 0 ? length(var.given[local.names_key < 0 ? length(var.given) + local.names_key : local.names_key]) + var.index : var.index],
    "",
  )
}
