# Made by hot2tf from input.yaml

provider "openstack" {
  alias     = "cloud"
  auth_url  = "https://cloud.shop.example:5000/v3"
  user_name = "clerk"
  password  = var.password
}
