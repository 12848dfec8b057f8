# Made by hot2tf from input.yaml

terraform {
  required_version = ">= 1.5"
}
