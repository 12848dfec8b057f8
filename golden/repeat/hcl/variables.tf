# Made by hot2tf from input.yaml

variable "ports" {
  type    = list(string)
  default = ["80", "443"]
}

variable "protocols" {
  type    = list(string)
  default = ["tcp", "udp"]
}

variable "hosts" {
  type    = any
  default = { web = "10.0.0.1", db = "10.0.0.2" }
}
