# Made by hot2tf from input.yaml

# An instance that tells when it is ready.

# HOT590: Heat waits for the signals of Ready; here, nobody does.
resource "openstack_compute_instance_v2" "web" {
  name        = "${var.stack_name}-Web"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  # HOT562: Heat wraps this in parts for cfn-init and adds the user ec2-user; Terraform passes it unchanged.
  # HOT599: /bin/true replaces cfn-signal: nobody listens.
  # HOT599: Nobody listens to Handle: file:///dev/null replaces its URL.
  # HOT599: /bin/true replaces cfn-signal: nobody listens.
  # HOT599: Nobody listens to Handle: file:///dev/null replaces its URL.
  # HOT599: Nobody listens to Updated: file:///dev/null replaces its URL.
  user_data = <<-EOT
    #!/bin/bash -e
    fail() {
      /bin/true -e 1 -r "$1" 'file:///dev/null'
      exit 1
    }
    apt-get install -y apache2 || fail 'no apache'
    /bin/true -e 0 -r done 'file:///dev/null'
    curl --fail -X PUT --data-binary '{"Status": "SUCCESS", "UniqueId": "1", "Data": "", "Reason": ""}' 'file:///dev/null'
  EOT
}

resource "openstack_blockstorage_volume_v3" "data" {
  name              = "${var.stack_name}-Data"
  description       = "${var.stack_name}-Data"
  size              = 5
  availability_zone = "nova"

  depends_on = [openstack_compute_instance_v2.web]
}
