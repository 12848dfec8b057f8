# Made by hot2tf from member.yaml

variable "index" {
  type = number
}

variable "network" {
  type = string
}

variable "front_subnet_id" {
  description = "ID of the subnet front-subnet."
  type        = string
}
