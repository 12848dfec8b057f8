output "mac" {
  value = {
    "Fn::GetAtt" = ["port", "mac_address"]
  }
}
