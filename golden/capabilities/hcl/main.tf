# Made by hot2tf from input.yaml

# A site whose parts are chosen by what its environments require.
# Capabilities: resource_type: Our::Site, Our::TestSite; tier: front.

# what this site is good for

# the first of them
# web: Our::Web is docker/web.yaml, chosen by deployment: docker.
# puppet/web.yaml has deployment: puppet.
module "web" {
  source  = "./modules/web"
  network = var.network
}

# others: Our::Web is docker/web.yaml, chosen by deployment: docker.
# puppet/web.yaml has deployment: puppet.
module "others" {
  source = "./modules/web"

  count = 2

  network = var.network
}

# special: Our::Web is docker/special.yaml, chosen by deployment: docker.
# puppet/web.yaml has deployment: puppet.
module "special" {
  source  = "./modules/special"
  network = var.network
}

# store: Our::Store is store/ceph.yaml, chosen by backend: ceph or lvm.
# store/nfs.yaml has backend: nfs.
# store/cache.yaml is for Our::Cache.
module "store" {
  source     = "./modules/ceph"
  size       = 20
  stack_name = "${var.stack_name}-store"
}

# HOT450: kept in Heat: scaled.
# Terraform has no autoscaling groups.
# scaled: Our::Web is docker/web.yaml, chosen by deployment: docker.
# puppet/web.yaml has deployment: puppet.
resource "openstack_orchestration_stack_v1" "scaled" {
  name             = "${var.stack_name}-scaled"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/scaled.yaml")
  }

  environment_opts = {
    Bin = <<-EOT
      # web.yaml ${filesha256("${path.module}/templates/web.yaml")}
      resource_registry:
        Our::Web: ${path.module}/templates/web.yaml
    EOT
  }

  parameters = { network = var.network }
}
