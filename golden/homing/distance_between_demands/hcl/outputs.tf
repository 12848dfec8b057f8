# Made by hot2tf from input.yaml

output "placement" {
  description = "The chosen candidate of each demand: its id, region (location_id) and zone (complex_name)."

  value = (local.homed == null
    ? null
    : { gateway = { id = local.homed.gateway, region = local.drawn.gateway[local.homed.gateway].location_id }, cache = { id = local.homed.cache, region = local.drawn.cache[local.homed.cache].location_id } }
  )

  precondition {
    condition     = local.homed != null
    error_message = "No assignment meets all constraints. Left by the constraints on each demand alone: ${jsonencode(local.left)}."
  }
}

output "value" {
  description = "The value of the objective."
  value       = local.value
}

output "left" {
  description = "The candidates that the constraints on each demand alone leave."
  value       = local.left
}
