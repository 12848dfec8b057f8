# Made by hot2tf from config.yaml

terraform {
  required_version = ">= 1.5"
}
