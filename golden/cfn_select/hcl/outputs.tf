# Made by hot2tf from input.yaml

output "Last" {
  value = try(var.Names[length(var.Names) - 1], "")
}

output "Chosen" {
  value = try(var.Names[var.Index < 0 ? length(var.Names) + var.Index : var.Index], "")
}

output "Nowhere" {
  value = try(var.Names[9], "")
}

output "Key" {
  value = try(var.Data.one, "")
}

output "OfText" {
  value = try(jsondecode(var.Text)[0], "")
}

output "Written" {
  value = "b"
}
