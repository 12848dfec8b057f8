# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "lines" {
  value = flatten([
    for host in ["a", "b"] :
    [for port in ["80", "443"] : join(port, split("PORT", join(host, split("HOST", var.line))))]
  ])
}

output "given" {
  value = [for host in ["a", "b"] : join(host, split("HOST", var.given))]
}

output "maps" {
  value = [for host in ["a", "b"] : { line = join(host, split("HOST", var.line)), (host) = "x" }]
}
