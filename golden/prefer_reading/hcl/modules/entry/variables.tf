# Made by hot2tf from entry.yaml

variable "address_id_address" {
  description = "Address of the floating IP with the ID address_id."
  type        = string
}

variable "network" {
  type = string
}
