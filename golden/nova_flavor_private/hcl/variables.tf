# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "for_all" {
  type    = bool
  default = false
}

variable "tenants" {
  type    = list(string)
  default = ["lab", "guests"]
}
