# Converted from member.yaml by hot2tf.

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
