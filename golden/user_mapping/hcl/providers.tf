# Converted from input.yaml by hot2tf.

provider "openstack" {
  alias     = "cloud"
  auth_url  = "https://cloud.shop.example:5000/v3"
  user_name = "clerk"
  password  = var.password
}
