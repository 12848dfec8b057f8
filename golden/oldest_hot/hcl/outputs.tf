# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "mac" {
  value = {
    "Fn::GetAtt" = ["port", "mac_address"]
  }
}
