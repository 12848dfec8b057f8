# Made by hot2tf from infra.yaml

variable "external" {
  type    = string
  default = "public"
}
