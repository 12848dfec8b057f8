variable "port_network_id" {
  description = "Property network of port, an ID; the template leaves it open."
  type        = string
  nullable    = false
}

variable "name" {
  type = string
}
