# Made by hot2tf from input.yaml

output "placement" {
  description = "The chosen candidate of each demand: its id, region (location_id) and zone (complex_name)."

  value = (local.homed == null
    ? null
    : { d1 = { id = local.homed.d1, region = local.drawn.d1[local.homed.d1].location_id, zone = local.drawn.d1[local.homed.d1].complex_name }, d2 = { id = local.homed.d2, region = local.drawn.d2[local.homed.d2].location_id, zone = local.drawn.d2[local.homed.d2].complex_name }, d3 = { id = local.homed.d3, region = local.drawn.d3[local.homed.d3].location_id, zone = local.drawn.d3[local.homed.d3].complex_name }, d4 = { id = local.homed.d4, region = local.drawn.d4[local.homed.d4].location_id, zone = local.drawn.d4[local.homed.d4].complex_name }, d5 = { id = local.homed.d5, region = local.drawn.d5[local.homed.d5].location_id, zone = local.drawn.d5[local.homed.d5].complex_name } }
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
