# Made by hot2tf from maybe.yaml

terraform {
  required_version = ">= 1.5"
}
