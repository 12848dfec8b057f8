# Made by hot2tf from ceph.yaml

# Capabilities: resource_type: Our::Store, Our::Cache; backend: ceph.

# what it stands for

resource "openstack_blockstorage_volume_v3" "volume" {
  name = "${var.stack_name}-volume"
  size = var.size
}

# gate: Our::Web is docker/web.yaml, chosen by deployment: docker.
# puppet/web.yaml has deployment: puppet.
module "gate" {
  source  = "../web"
  network = "storage"
}
