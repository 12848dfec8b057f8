# Made by hot2tf from input.yaml

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

# a script for each action
# HOT566: Terraform runs join_cluster over SSH during the apply, after later changes and before it is destroyed.
# HOT512: Terraform runs nothing of join_cluster on SUSPEND.
resource "terraform_data" "join_cluster" {
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
    content     = local.join_cluster_script
    destination = ".hot2tf/join_cluster"
  }

  provisioner "remote-exec" {
    inline = [
      "chmod 700 .hot2tf/join_cluster && sudo ./.hot2tf/join_cluster; code=$?; rm -f .hot2tf/join_cluster; exit $code",
    ]
  }

  # Heat runs the deployments of a server one at a time.
  depends_on = [
    terraform_data.restart_others_first,
    terraform_data.restart_others_second,
    terraform_data.restart_others_third,
  ]
}

resource "terraform_data" "join_cluster_on_update" {
  triggers_replace = [
    openstack_compute_instance_v2.server.id,
    sha256(local.join_cluster_script),
    sha256(local.join_cluster_on_update_script),
  ]

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
    content     = local.join_cluster_on_update_script
    destination = ".hot2tf/join_cluster_on_update"
  }

  provisioner "remote-exec" {
    inline = [
      "sudo test -e /var/lib/hot2tf/join_cluster_on_update || { sudo install -d -m 700 /var/lib/hot2tf && sudo touch /var/lib/hot2tf/join_cluster_on_update; code=$?; rm -f .hot2tf/join_cluster_on_update; exit $code; }",
      "chmod 700 .hot2tf/join_cluster_on_update && sudo ./.hot2tf/join_cluster_on_update; code=$?; rm -f .hot2tf/join_cluster_on_update; exit $code",
    ]
  }

  # Heat runs the deployments of a server one at a time.
  depends_on = [
    terraform_data.restart_others_first,
    terraform_data.restart_others_second,
    terraform_data.restart_others_third,
  ]
}

resource "terraform_data" "join_cluster_on_delete" {
  triggers_replace = [openstack_compute_instance_v2.server.id]

  input = {
    host             = openstack_compute_instance_v2.server.access_ip_v4
    user             = var.ssh_user
    private_key_file = var.ssh_private_key_file
    script           = local.join_cluster_on_delete_script
  }

  connection {
    type        = "ssh"
    host        = self.input.host
    user        = self.input.user
    private_key = file(self.input.private_key_file)
  }

  provisioner "remote-exec" {
    when   = destroy
    inline = ["install -d -m 700 .hot2tf"]
  }

  provisioner "file" {
    when        = destroy
    content     = self.input.script
    destination = ".hot2tf/join_cluster_on_delete"
  }

  provisioner "remote-exec" {
    when = destroy

    inline = [
      "chmod 700 .hot2tf/join_cluster_on_delete && sudo ./.hot2tf/join_cluster_on_delete; code=$?; rm -f .hot2tf/join_cluster_on_delete; exit $code",
    ]
  }

  # Heat runs the deployments of a server one at a time.
  depends_on = [
    terraform_data.restart_others_first,
    terraform_data.restart_others_second,
    terraform_data.restart_others_third,
  ]
}

# runs nothing when the server is created
# HOT566: Terraform runs sign_off over SSH before it is destroyed.
resource "terraform_data" "sign_off_on_delete" {
  triggers_replace = [openstack_compute_instance_v2.server.id]

  input = {
    host             = openstack_compute_instance_v2.server.access_ip_v4
    user             = var.ssh_user
    private_key_file = var.ssh_private_key_file
    script           = local.sign_off_on_delete_script
  }

  connection {
    type        = "ssh"
    host        = self.input.host
    user        = self.input.user
    private_key = file(self.input.private_key_file)
  }

  provisioner "remote-exec" {
    when   = destroy
    inline = ["install -d -m 700 .hot2tf"]
  }

  provisioner "file" {
    when        = destroy
    content     = self.input.script
    destination = ".hot2tf/sign_off_on_delete"
  }

  provisioner "remote-exec" {
    when = destroy

    inline = [
      "chmod 700 .hot2tf/sign_off_on_delete && sudo ./.hot2tf/sign_off_on_delete; code=$?; rm -f .hot2tf/sign_off_on_delete; exit $code",
    ]
  }

  # Heat runs the deployments of a server one at a time.
  depends_on = [
    terraform_data.join_cluster,
    terraform_data.join_cluster_on_update,
    terraform_data.join_cluster_on_delete,
  ]
}

# comes when the server is ready
resource "openstack_networking_floatingip_v2" "address" {
  pool = "public"

  depends_on = [terraform_data.restart_server]
}
