# Made by hot2tf from input.yaml

output "joined" {
  value = join(", ", var.names, ["last", var.text])
}

output "joined_texts" {
  value = "one-${var.text}-three"
}

output "joined_nothing" {
  value = ""
}

output "split" {
  value = split("/", var.text)
}

output "part" {
  value = try(split("/", var.text)[1], null)
}

output "parts_of_a_literal" {
  value = ["a", "b", "", "c"]
}

output "concat" {
  value = concat(["first"], var.names, var.more)
}

# HOT578: distinct() converts mixed values to strings.
output "unique" {
  value = distinct(concat(var.names, var.more))
}

output "filtered" {
  value = [for v in var.names : v if !contains(["b"], v)]
}

output "contained" {
  value = contains(var.names, "a")
}

output "contained_text" {
  value = strcontains(var.text, "y")
}
