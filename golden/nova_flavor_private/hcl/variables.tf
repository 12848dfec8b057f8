# Made by hot2tf from input.yaml

variable "for_all" {
  type    = bool
  default = false
}

variable "tenants" {
  type    = list(string)
  default = ["lab", "guests"]
}
