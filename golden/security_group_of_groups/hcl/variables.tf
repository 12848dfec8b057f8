# Made by hot2tf from input.yaml

variable "peers" {
  type    = list(string)
  default = ["web", "db"]
}
