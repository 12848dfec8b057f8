# Made by hot2tf from input.yaml

# HAS adds the cost of each candidate to its distance, and so would choose toronto for vG. The specification minimizes distance alone, as this choice does.
# vG selects by customer_id, which the inventory does not say: the module takes all candidates.
# vG selects by service_type, which the inventory does not say: the module takes all candidates.
# HCL reserves nothing: hold is left out.

check "candidates_of_v_g" {
  assert {
    condition     = length(local.left.vG) > 0
    error_message = "No candidate is left for vG. Each constraint alone leaves: ${jsonencode({ for name, test in local.passing.vG : name => [for id, ok in test : id if ok] })}."
  }
}

check "candidates_of_a_b" {
  assert {
    condition     = length(local.left["a b"]) > 0
    error_message = "No candidate is left for a b. Each constraint alone leaves: ${jsonencode({ for name, test in local.passing["a b"] : name => [for id, ok in test : id if ok] })}."
  }
}

check "placement" {
  assert {
    condition     = local.homed != null
    error_message = "No assignment meets all constraints. Left by the constraints on each demand alone: ${jsonencode(local.left)}."
  }
}
