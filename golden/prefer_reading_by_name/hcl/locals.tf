# Made by hot2tf from input.yaml

locals {
  password = join("", [
    for word in sort([
      for place, character in split("", join("", values(random_password.password_parts)[*].result)) :
      "${sha256("${random_password.password_order.result}${place}")}${character}"
    ]) :
    substr(word, 64, 1)
  ])

  members_addresses = openstack_compute_instance_v2.web[*].access_ip_v4
}
