# Made by hot2tf from input.yaml

output "policy" {
  value = jsondecode(lookup(local.policy, "policy_fq_name", "[null]"))[0]
}
