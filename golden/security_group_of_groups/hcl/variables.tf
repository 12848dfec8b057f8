# Made by hot2tf: hot2tf convert input.yaml -o DIR

variable "peers" {
  type    = list(string)
  default = ["web", "db"]
}
