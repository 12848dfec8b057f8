# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server" {
  name        = "yes-it-is"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  metadata = {
    octal    = 493
    time     = 80542
    date     = "2024-02-30"
    exponent = "1e3"
    float    = 1.5
    big      = 123456789012345678901234567890
    answer   = true
    nothing  = "null"
    quoted   = "0755"
    true     = "a key"
    folded   = "two lines"
    literal  = <<-EOT
      two
      lines
    EOT
  }
}
