# Made by hot2tf from maybe.yaml: hot2tf convert input.yaml -o DIR

terraform {
  required_version = ">= 1.5"
}
