# Made by hot2tf from infra.yaml: hot2tf convert input.yaml -o DIR

variable "external" {
  type    = string
  default = "public"
}
