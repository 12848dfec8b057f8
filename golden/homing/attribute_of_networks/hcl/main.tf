# Made by hot2tf from input.yaml

# cache selects by customer_id, which the inventory does not say: the module takes all candidates.
# cache selects by service_type, which the inventory does not say: the module takes all candidates.
# HCL cannot say the test of complex in shape: `fitting` lists the candidates that pass.

check "candidates_of_gateway" {
  assert {
    condition     = length(local.left.gateway) > 0
    error_message = "No candidate is left for gateway. Each constraint alone leaves: ${jsonencode({ for name, test in local.passing.gateway : name => [for id, ok in test : id if ok] })}."
  }
}

check "candidates_of_cache" {
  assert {
    condition     = length(local.left.cache) > 0
    error_message = "No candidate is left for cache. Each constraint alone leaves: ${jsonencode({ for name, test in local.passing.cache : name => [for id, ok in test : id if ok] })}."
  }
}

check "placement" {
  assert {
    condition     = local.homed != null
    error_message = "No assignment meets all constraints. Left by the constraints on each demand alone: ${jsonencode(local.left)}."
  }
}
