# Made by hot2tf from input.yaml

# d1, d2, d3, d4, d5 have 59049 assignments, too many for Terraform to list: hot2tf has computed the best, for this inventory and these parameters, in the variable `chosen`.

check "candidates_of_d1" {
  assert {
    condition     = length(local.left.d1) > 0
    error_message = "No candidate is left for d1. Each constraint alone leaves: ${jsonencode({ for name, test in local.passing.d1 : name => [for id, ok in test : id if ok] })}."
  }
}

check "candidates_of_d2" {
  assert {
    condition     = length(local.left.d2) > 0
    error_message = "No candidate is left for d2. Each constraint alone leaves: ${jsonencode({ for name, test in local.passing.d2 : name => [for id, ok in test : id if ok] })}."
  }
}

check "candidates_of_d3" {
  assert {
    condition     = length(local.left.d3) > 0
    error_message = "No candidate is left for d3. Each constraint alone leaves: ${jsonencode({ for name, test in local.passing.d3 : name => [for id, ok in test : id if ok] })}."
  }
}

check "candidates_of_d4" {
  assert {
    condition     = length(local.left.d4) > 0
    error_message = "No candidate is left for d4. Each constraint alone leaves: ${jsonencode({ for name, test in local.passing.d4 : name => [for id, ok in test : id if ok] })}."
  }
}

check "candidates_of_d5" {
  assert {
    condition     = length(local.left.d5) > 0
    error_message = "No candidate is left for d5. Each constraint alone leaves: ${jsonencode({ for name, test in local.passing.d5 : name => [for id, ok in test : id if ok] })}."
  }
}

check "placement" {
  assert {
    condition     = local.homed != null
    error_message = "No assignment meets all constraints. Left by the constraints on each demand alone: ${jsonencode(local.left)}."
  }
}
