# Made by hot2tf from input.yaml

output "mac" {
  value = {
    "Fn::GetAtt" = ["port", "mac_address"]
  }
}
