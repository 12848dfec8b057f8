# Converted from input.yaml by hot2tf.

output "policy" {
  value = jsondecode(lookup(local.policy, "policy_fq_name", "[null]"))[0]
}
