output "policy" {
  value = try(jsondecode(lookup(local.policy, "policy_fq_name", null))[0], null)
}
