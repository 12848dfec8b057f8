# Made by hot2tf from config.yaml: hot2tf convert input.yaml -e types.env.yaml -o DIR

terraform {
  required_version = ">= 1.5"
}
