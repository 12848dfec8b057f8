# Made by hot2tf: hot2tf convert input.yaml --prefer provisioners -o DIR

# Scripts that Terraform runs where Heat's agent would.

# HOT589: metal (OS::Heat::DeployedServer) is left out: Terraform needs only its address, which is a variable.

resource "openstack_compute_instance_v2" "server" {
  name        = "web"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }
}

# again whenever the greeting changes
# HOT566: Terraform runs setup_server over SSH during the apply.
resource "terraform_data" "setup_server" {
  triggers_replace = [openstack_compute_instance_v2.server.id, sha256(local.setup_server_script)]

  connection {
    type        = "ssh"
    host        = openstack_compute_instance_v2.server.access_ip_v4
    user        = var.ssh_user
    private_key = file(var.ssh_private_key_file)
  }

  provisioner "remote-exec" {
    inline = ["install -d -m 700 .hot2tf"]
  }

  provisioner "file" {
    content     = local.setup_server_script
    destination = ".hot2tf/setup_server"
  }

  provisioner "remote-exec" {
    inline = [
      "chmod 700 .hot2tf/setup_server && sudo ./.hot2tf/setup_server; code=$?; rm -f .hot2tf/setup_server; exit $code",
    ]
  }
}

# HOT566: Terraform runs restart_server over SSH during the apply.
resource "terraform_data" "restart_server" {
  triggers_replace = [openstack_compute_instance_v2.server.id]

  connection {
    type        = "ssh"
    host        = openstack_compute_instance_v2.server.access_ip_v4
    user        = var.ssh_user
    private_key = file(var.ssh_private_key_file)
  }

  provisioner "remote-exec" {
    inline = ["install -d -m 700 .hot2tf"]
  }

  provisioner "file" {
    content     = local.restart_server_script
    destination = ".hot2tf/restart_server"
  }

  provisioner "remote-exec" {
    inline = [
      "chmod 700 .hot2tf/restart_server && sudo ./.hot2tf/restart_server; code=$?; rm -f .hot2tf/restart_server; exit $code",
    ]
  }

  # Heat runs the deployments of a server one at a time.
  depends_on = [terraform_data.setup_server]
}

# another stack made the first, and only Heat knows the third
# HOT566: Terraform runs restart_others over SSH during the apply.
resource "terraform_data" "restart_others_first" {
  triggers_replace = [
    data.openstack_compute_instance_v2.restart_others_first.id,
    sha256(local.restart_others_script),
  ]

  connection {
    type        = "ssh"
    host        = data.openstack_compute_instance_v2.restart_others_first.access_ip_v4
    user        = var.ssh_user
    private_key = file(var.ssh_private_key_file)
  }

  provisioner "remote-exec" {
    inline = ["install -d -m 700 .hot2tf"]
  }

  provisioner "file" {
    content     = local.restart_others_script
    destination = ".hot2tf/restart_others_first"
  }

  provisioner "remote-exec" {
    inline = [
      "chmod 700 .hot2tf/restart_others_first && sudo ./.hot2tf/restart_others_first; code=$?; rm -f .hot2tf/restart_others_first; exit $code",
    ]
  }

  depends_on = [terraform_data.restart_server]
}

resource "terraform_data" "restart_others_second" {
  triggers_replace = [openstack_compute_instance_v2.server.id, sha256(local.restart_others_script)]

  connection {
    type        = "ssh"
    host        = openstack_compute_instance_v2.server.access_ip_v4
    user        = var.ssh_user
    private_key = file(var.ssh_private_key_file)
  }

  provisioner "remote-exec" {
    inline = ["install -d -m 700 .hot2tf"]
  }

  provisioner "file" {
    content     = local.restart_others_script
    destination = ".hot2tf/restart_others_second"
  }

  provisioner "remote-exec" {
    inline = [
      "chmod 700 .hot2tf/restart_others_second && sudo ./.hot2tf/restart_others_second; code=$?; rm -f .hot2tf/restart_others_second; exit $code",
    ]
  }

  # Heat runs the deployments of a server one at a time.
  depends_on = [terraform_data.restart_server]
}

resource "terraform_data" "restart_others_third" {
  triggers_replace = [var.metal_address, sha256(local.restart_others_script)]

  connection {
    type        = "ssh"
    host        = var.metal_address
    user        = var.ssh_user
    private_key = file(var.ssh_private_key_file)
  }

  provisioner "remote-exec" {
    inline = ["install -d -m 700 .hot2tf"]
  }

  provisioner "file" {
    content     = local.restart_others_script
    destination = ".hot2tf/restart_others_third"
  }

  provisioner "remote-exec" {
    inline = [
      "chmod 700 .hot2tf/restart_others_third && sudo ./.hot2tf/restart_others_third; code=$?; rm -f .hot2tf/restart_others_third; exit $code",
    ]
  }

  # Heat waits for it before each deployment of the group.
  depends_on = [terraform_data.restart_server]
}

# comes when the server is ready
resource "openstack_networking_floatingip_v2" "address" {
  pool = "public"

  depends_on = [terraform_data.restart_server]
}
