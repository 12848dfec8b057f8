# Converted from input.yaml by hot2tf.

output "mac" {
  value = {
    "Fn::GetAtt" = ["port", "mac_address"]
  }
}
