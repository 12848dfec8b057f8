# Made by hot2tf from the running stack partly

output "said" {
  value = lookup(local.server, "ready_data", null)
}

output "server" {
  value = "00000083-0000-4000-8000-000000000000"
}
