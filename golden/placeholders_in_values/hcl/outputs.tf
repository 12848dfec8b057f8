# Made by hot2tf from input.yaml

output "lines" {
  value = flatten([
    for host in ["a", "b"] :
    [for port in ["80", "443"] : replace(replace(var.line, "HOST", host), "PORT", port)]
  ])
}

output "given" {
  value = [for host in ["a", "b"] : replace(var.given, "HOST", host)]
}

output "maps" {
  value = [for host in ["a", "b"] : { line = replace(var.line, "HOST", host), (host) = "x" }]
}
