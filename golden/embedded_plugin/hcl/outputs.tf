# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "policy" {
  value = jsondecode(lookup(local.policy, "policy_fq_name", "[null]"))[0]
}
