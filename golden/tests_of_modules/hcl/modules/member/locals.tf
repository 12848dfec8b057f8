# Made by hot2tf from member.yaml

locals {
  is_spare = var.spare
}
