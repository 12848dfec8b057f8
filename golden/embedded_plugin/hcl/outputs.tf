output "policy" {
  value = jsondecode(local.policy["policy_fq_name"])[0]
}
