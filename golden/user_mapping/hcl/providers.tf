# Made by hot2tf: hot2tf convert input.yaml -o DIR

provider "openstack" {
  alias     = "cloud"
  auth_url  = "https://cloud.shop.example:5000/v3"
  user_name = "clerk"
  password  = var.password
}
